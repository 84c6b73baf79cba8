"""Errors of Gitea and Forgejo whose message says more than the HTTP status."""

import re

from stithy_core.spi import ErrorResponse, Forbidden, ForgeError

FORBIDDEN = 403
SCOPE = "token does not have at least one of required scope(s)"
# Gitea: "…scope(s), required=[write:issue], token scope=read:issue". Forgejo: "…scope(s): [write:issue]".
NAMED = re.compile(rf"{re.escape(SCOPE)}(?:, required=|: )\[([^\]]*)\](?:, token scope=(\S*))?")
LISTED = re.compile(r"[\s,]+")


def map_error(refusal: ErrorResponse) -> ForgeError | None:
    """Return the error of a missing scope, which the server names; None for any other response."""
    named = NAMED.search(refusal.message) if refusal.status == FORBIDDEN else None
    if named is None:
        return None
    needed = [scope for scope in LISTED.split(named[1]) if scope]
    held = [scope for scope in LISTED.split(named[2] or "") if scope]
    has = f"; it has {', '.join(held)}" if held else ""
    remedy = f"The token needs the scope {' or '.join(needed)}{has}. Make a token with it in the server's settings."
    return Forbidden(f"the server answered {refusal.status}: {refusal.message}", suggestion=remedy)

"""The permission that a token lacks, as far as GitHub's headers report it (docs/forge-behaviour/github.md#tokens)."""

import re
from collections.abc import Mapping

from stithy_core.spi import Forbidden, PageResponse

SSO = "x-github-sso"
ATTEMPTS = "login attempts"
"""Part of GitHub's message after several invalid tokens; it then refuses valid ones as well for a while."""
PAUSE = 60.0
"""Seconds to wait after that; GitHub does not say how many."""
URL = re.compile(r"\burl=(\S+)")
NAMED = re.compile(r"requires one of the following scopes: \[([^\]]*)\]")
PUBLIC = "public_repo"
IMPLIED: Mapping[str, tuple[str, ...]] = {
    "repo": ("repo:status", "repo_deployment", PUBLIC, "repo:invite", "security_events"),
    "admin:repo_hook": ("write:repo_hook", "read:repo_hook"),
    "write:repo_hook": ("read:repo_hook",),
    "admin:org": ("write:org", "read:org", "manage_runners:org"),
    "write:org": ("read:org",),
    "admin:public_key": ("write:public_key", "read:public_key"),
    "write:public_key": ("read:public_key",),
    "admin:gpg_key": ("write:gpg_key", "read:gpg_key"),
    "write:gpg_key": ("read:gpg_key",),
    "admin:ssh_signing_key": ("write:ssh_signing_key", "read:ssh_signing_key"),
    "write:ssh_signing_key": ("read:ssh_signing_key",),
    "user": ("read:user", "user:email", "user:follow"),
    "project": ("read:project",),
    "write:packages": ("read:packages",),
    "write:discussion": ("read:discussion",),
    "codespace": ("codespace:secrets",),
    "audit_log": ("read:audit_log",),
    "admin:enterprise": ("manage_runners:enterprise", "manage_billing:enterprise", "read:enterprise"),
}
"""The scopes that a classic scope includes (GitHub's documentation: "Scopes for OAuth apps")."""


def create_forbidden(headers: Mapping[str, str], text: str) -> Forbidden:
    """Create the error that names what the token lacks: the organisation's single sign-on, a permission or a scope."""
    if headers.get(SSO, "").startswith("required"):
        place = URL.search(headers[SSO])
        where = f"at {place[1]}" if place else "in the token's settings."  # no full stop, which would join the URL
        return Forbidden(text, suggestion=f"Authorise the token for the organisation's single sign-on {where}")
    if ATTEMPTS in text:
        remedy = "Check the token of this forge, and wait some minutes: GitHub accepts no token until then."
        return Forbidden(text, suggestion=remedy, retry_after=PAUSE)
    return Forbidden(text, suggestion=_advise(headers, text))


def describe_gaps(page: PageResponse) -> str:
    """Return why a list of a successful response is incomplete; empty if it is complete."""
    if not page.headers.get(SSO, "").startswith("partial-results"):
        return ""
    return "items of organisations whose single sign-on the token is not authorised for are missing"


def _advise(headers: Mapping[str, str], text: str) -> str:
    """Return what to change about the token; GitHub reports the scopes of classic tokens only."""
    held = headers.get("x-oauth-scopes")
    accepted = _parse_accepted_scopes(headers, text)
    permissions = headers.get("x-accepted-github-permissions", "")
    if held is not None:
        return _advise_classic(_split_list(held), accepted)
    if permissions:
        return f"The token needs the permission {permissions} (fine-grained tokens and apps)."
    if accepted:
        return f"The token needs one of the scopes {', '.join(accepted)} (classic tokens)."
    return "The token or its user lacks the permission; without a token only public data can be read."


def _advise_classic(held: tuple[str, ...], accepted: tuple[str, ...]) -> str:
    allowed = [scope for scope in accepted if _is_granted(scope, held)]
    if accepted and not allowed:
        return (
            f"The token needs one of the scopes {', '.join(accepted)}; it has the scopes {', '.join(held) or 'none'}."
        )
    private = "; for a private repository it also needs the scope repo" if allowed == [PUBLIC] else ""
    state = f"has the scope for this ({', '.join(allowed)}{private})" if allowed else "needs no other scope for this"
    return (
        f"The token {state}: its user lacks a role in the repository or the organisation, or a rule there forbids it."
    )


def _parse_accepted_scopes(headers: Mapping[str, str], text: str) -> tuple[str, ...]:
    """Return the scopes of which one is needed.

    GraphQL's header is the same for all queries, so the message of the error comes first.
    """
    if (named := NAMED.search(text)) is not None:
        return _split_list(named[1].replace("'", ""))
    return _split_list(headers.get("x-accepted-oauth-scopes", ""))


def _is_granted(scope: str, held: tuple[str, ...]) -> bool:
    """Return whether a scope is among the held ones or included in one of them."""
    return any(scope == one or scope in IMPLIED.get(one, ()) for one in held)


def _split_list(text: str) -> tuple[str, ...]:
    return tuple(scope.strip() for scope in text.split(",") if scope.strip())

"""Which right is missing, as far as GitHub's headers tell (field notes on its API, sections 1 and 11)."""

import re
from collections.abc import Mapping

from stithy_core.spi import Forbidden

SSO = "x-github-sso"
ATTEMPTS = "login attempts"
"""Of what GitHub says after several bad tokens; for a while it then refuses good ones, too."""
PAUSE = 60.0
"""Seconds until it may be worth another try; GitHub does not say how many."""
URL = re.compile(r"\burl=(\S+)")


def forbidden(headers: Mapping[str, str], text: str) -> Forbidden:
    """Say what the token lacks: the organisation's sign-on, a permission or a scope."""
    if headers.get(SSO, "").startswith("required"):
        place = URL.search(headers[SSO])
        where = f"at {place[1]}" if place else "in the token's settings"
        return Forbidden(text, suggestion=f"Authorise the token for the organisation's single sign-on {where}")
    if ATTEMPTS in text:
        remedy = "Check the token of this forge, and wait some minutes: GitHub takes no token until then."
        return Forbidden(text, suggestion=remedy, retry_after=PAUSE)
    return Forbidden(text, suggestion=_needed(headers))


def missing_organizations(headers: Mapping[str, str]) -> str:
    """Say why a list that was answered with success has gaps; empty where it has none."""
    if not headers.get(SSO, "").startswith("partial-results"):
        return ""
    return "what belongs to organisations whose single sign-on the token is not authorised for is missing"


def _needed(headers: Mapping[str, str]) -> str:
    permissions = headers.get("x-accepted-github-permissions", "")
    scopes = headers.get("x-accepted-oauth-scopes", "")
    ways = [
        *([f"the permission {permissions} (fine-grained tokens and apps)"] if permissions else ()),
        *([f"one of the scopes {scopes} (classic tokens)"] if scopes else ()),
    ]
    if not ways:
        return "The token, or its user, lacks a right to this; without a token only public data can be read."
    has = headers.get("x-oauth-scopes")
    held = f"; it has the scopes {has or 'none'}" if has is not None else ""
    return f"The token needs {', or '.join(ways)}{held}."

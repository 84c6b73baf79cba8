"""A caller's own forge token, in a header of its own: what authenticates a caller here is never sent to a forge."""

import re
from collections.abc import Mapping

from attrs import frozen
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send

from stithy_core.server.web.marks import mark_of
from stithy_core.server.web.problems import Problem, refuse
from stithy_core.spi.lent import identity, lending

HEADER = "x-forge-token"
UNWANTED = Problem(400, "forge_token_unwanted", "X-Forge-Token is not taken here: [serve.http] forge_tokens allows it")
UNREADABLE = Problem(400, "forge_token_unreadable", "X-Forge-Token is alias=token, with commas between several")

_LOAN = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9_-]*)=([\x21-\x2b\x2d-\x7e]+)\s*")  # no commas in a token


@frozen(eq=False)
class Lending:
    """Lets a request use the forge tokens that it brings. Where that is off, such a request is refused.

    It would be answered with the server's own token else, and see what its caller may not.

    Args:
        app: What answers.
        allowed: Whether it is on.
    """

    app: ASGIApp
    allowed: bool

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        given = Headers(scope=scope).getlist(HEADER)
        if not given:
            return await self.app(scope, receive, send)
        if not self.allowed:
            return await refuse(UNWANTED, scope, receive, send)
        if not (tokens := _read(",".join(given))):
            return await refuse(UNREADABLE, scope, receive, send)
        del MutableHeaders(scope=scope)[HEADER]
        with lending(tokens):
            mark_of(scope).identity = identity()
            return await self.app(scope, receive, send)


def _read(text: str) -> Mapping[str, str]:
    """Read tokens by their forges' aliases; none where one of them cannot be read."""
    loans = [_LOAN.fullmatch(part) for part in text.split(",")]
    return {loan[1]: loan[2] for loan in loans if loan} if all(loans) else {}

"""A caller's own forge token, in a header of its own: what authenticates a caller here is never sent to a forge."""

import re
from collections.abc import Callable, Mapping, Sequence

from attrs import frozen
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send

from stithy_core.errors import InvalidArguments
from stithy_core.spi.delegated_tokens import token_identity, use_delegated_tokens
from stithy_http.problems import Problem, refuse
from stithy_http.request_state import mark_of

HEADER = "x-forge-token"
UNWANTED = Problem(400, "forge_token_unwanted", "X-Forge-Token is not taken here: [serve.http] forge_tokens allows it")
UNREADABLE = Problem(400, "forge_token_unreadable", "X-Forge-Token is alias=token, with commas between several")

# No commas in a token. An alias is repeated in errors, so it must be shorter than a token written in its place: those
# of GitHub and Gitea have 40 characters.
_PAIR = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]{0,38})=([\x21-\x2b\x2d-\x7e]+)\s*")


@frozen(eq=False)
class DelegatedTokenMiddleware:
    """Lets a request use the forge tokens that it brings, and refuses what would be answered with the server's own.

    Args:
        app: What answers.
        allowed: Whether callers may bring tokens.
        check_forge: Raises `InvalidArguments` for what is no forge's alias.
        fallback: Whether the server's own token may be used for a forge for which the request brings none.
    """

    app: ASGIApp
    allowed: bool
    check_forge: Callable[[str], None]
    fallback: bool = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        given = Headers(scope=scope).getlist(HEADER)
        if not given:
            return await self.app(scope, receive, send)
        tokens = self._read(",".join(given)) if self.allowed else UNWANTED
        if isinstance(tokens, Problem):
            return await refuse(tokens, scope, receive, send)
        del MutableHeaders(scope=scope)[HEADER]
        with use_delegated_tokens(tokens, fallback=self.fallback):
            mark_of(scope).identity = token_identity()
            return await self.app(scope, receive, send)

    def _read(self, text: str) -> Mapping[str, str] | Problem:
        """Return the tokens by their forges' aliases, or why the header is refused as a whole."""
        pairs = [_PAIR.fullmatch(part) for part in text.split(",")]
        found = [(pair[1], pair[2]) for pair in pairs if pair]
        if len(found) < len(pairs):
            return UNREADABLE
        return self._misnamed([alias for alias, _ in found]) or dict(found)

    def _misnamed(self, aliases: Sequence[str]) -> Problem | None:
        for alias in aliases:
            try:
                self.check_forge(alias)
            except InvalidArguments as error:
                return Problem(400, "forge_token_of_no_forge", f"X-Forge-Token: {error.message}")
            if aliases.count(alias) > 1:
                return Problem(400, "forge_token_twice", f"X-Forge-Token names {alias} more than once")
        return None

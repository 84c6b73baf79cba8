"""Delegated tokens: a caller's own forge tokens, in the header X-Forge-Token.

The token that authenticates the caller to this server is never sent to a forge.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from attrs import frozen
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send

from stithy_core.errors import InvalidArguments
from stithy_core.spi.call_state import token_identity, use_delegated_tokens
from stithy_http.problems import Problem, send_problem
from stithy_http.request_state import get_request_state

HEADER = "x-forge-token"
NOT_ALLOWED = Problem(
    400, "forge_token_unwanted", "X-Forge-Token is not allowed on this server; [serve.http] forge_tokens allows it"
)
INVALID = Problem(
    400, "forge_token_unreadable", "invalid X-Forge-Token; expected ALIAS=TOKEN, with commas between several"
)

# A token has no commas. An alias is repeated in errors, so it must be shorter than a token that was written in its
# place: those of GitHub and Gitea have 40 characters.
_PAIR = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]{0,38})=([\x21-\x2b\x2d-\x7e]+)\s*")


@frozen(eq=False)
class DelegatedTokenMiddleware:
    """Makes a request use the forge tokens that it sends; refuses it if the server's own would be used instead.

    Args:
        app: Answers requests.
        allowed: Whether callers may send tokens.
        check_forge: Raises `InvalidArguments` for an unknown forge alias.
        fallback: Whether the server's own token may be used for a forge that has none among them.
    """

    app: ASGIApp
    allowed: bool
    check_forge: Callable[[str], None]
    fallback: bool = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        values = Headers(scope=scope).getlist(HEADER)
        if not values:
            return await self.app(scope, receive, send)
        tokens = self._parse(",".join(values)) if self.allowed else NOT_ALLOWED
        if isinstance(tokens, Problem):
            return await send_problem(tokens, scope, receive, send)
        del MutableHeaders(scope=scope)[HEADER]
        with use_delegated_tokens(tokens, fallback=self.fallback):
            get_request_state(scope).identity = token_identity()
            return await self.app(scope, receive, send)

    def _parse(self, text: str) -> Mapping[str, str] | Problem:
        """Return the tokens by the alias of their forge, or why the header is invalid."""
        matches = [_PAIR.fullmatch(part) for part in text.split(",")]
        pairs = [(match[1], match[2]) for match in matches if match]
        if len(pairs) < len(matches):
            return INVALID
        return self._check_aliases([alias for alias, _ in pairs]) or dict(pairs)

    def _check_aliases(self, aliases: Sequence[str]) -> Problem | None:
        for alias in aliases:
            try:
                self.check_forge(alias)
            except InvalidArguments as error:
                return Problem(400, "forge_token_of_no_forge", f"X-Forge-Token: {error.message}")
            if aliases.count(alias) > 1:
                return Problem(400, "forge_token_twice", f"X-Forge-Token names {alias} more than once")
        return None

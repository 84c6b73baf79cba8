"""The bearer tokens that are taken: those of the settings, and those of an issuer."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from hmac import compare_digest

from attrs import define, frozen
from mcp.server.auth.provider import AccessToken, TokenVerifier

from stithy_core.redaction import MASK

__all__ = ["GivenTokens", "TokenVerifier", "any_of"]


@frozen
class GivenTokens:
    """Knows the tokens of the settings; implements the SDK's `TokenVerifier`.

    Args:
        read: Gives them by the names of those who hold them, as they are at the moment: a file may have changed.
    """

    read: Callable[[], Mapping[str, str]]

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return who holds a token, as holder:NAME; None where nobody does. It takes as long whichever it is."""
        holders = [name for name, value in self.read().items() if compare_digest(value.encode(), token.encode())]
        # Never the token itself: what the SDK keeps of a request is printed by many.
        return AccessToken(token=MASK, client_id=f"holder:{holders[0]}", scopes=[]) if holders else None


@define
class AnyOf:
    """Asks one verifier after the other; implements the SDK's `TokenVerifier`."""

    verifiers: Sequence[TokenVerifier]

    async def verify_token(self, token: str) -> AccessToken | None:
        """Give what the first of them knows that knows the token."""
        for verifier in self.verifiers:
            if (found := await verifier.verify_token(token)) is not None:
                return found
        return None


def any_of(verifiers: Iterable[TokenVerifier]) -> TokenVerifier | None:
    """Put verifiers together; None where there are none."""
    given = list(verifiers)
    return AnyOf(given) if given else None

"""Where the token of the next request comes from, and what stands for it where it must not be."""

from hashlib import blake2b
from typing import Protocol, runtime_checkable


class Tokens(Protocol):
    """Gives the tokens of one forge; the client keeps none."""

    async def current(self) -> str | None:
        """Give the token for the next request; None reads what everybody may read."""
        ...

    async def refused(self, value: str) -> bool:
        """Hear that the forge does not take a token (401), and say whether another can be had.

        Where it can, the request is issued once more with what `current` gives then: a 401 changed nothing.
        """
        ...


@runtime_checkable
class AccountTokens(Protocol):
    """Tokens of which it is known whose they are, however often they are renewed."""

    async def account_identity(self) -> str:
        """Return what the account of the next token is known by in keys: a hash, or "" without a token."""
        ...


class NoTokens:
    """Reads what everybody may read."""

    async def current(self) -> str | None:
        """Give none."""
        return None

    async def refused(self, value: str) -> bool:  # noqa: ARG002 -- none was sent
        """Say that there is no other."""
        return False


def identity_of(token: str | None) -> str:
    """Give what a token is known by in keys, in memory and on disk: a hash of it, or nothing where there is none."""
    return blake2b(token.encode(), digest_size=16, person=b"stithy").hexdigest() if token else ""


async def account_identity_of(tokens: Tokens) -> str:
    """Return what the account of the next token is known by in keys: the same in every process, and no secret."""
    if isinstance(tokens, AccountTokens):
        return await tokens.account_identity()
    return identity_of(await tokens.current())

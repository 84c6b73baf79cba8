"""Where the token of the next request comes from."""

from typing import Protocol


class Tokens(Protocol):
    """Gives the tokens of one forge; the client keeps none."""

    async def current(self) -> str | None:
        """Give the token for the next request; None reads what everybody may read."""
        ...

    async def refused(self, value: str) -> bool:
        """Hear that the forge does not take a token, and say whether there is another one to try."""
        ...


class NoTokens:
    """Reads what everybody may read."""

    async def current(self) -> str | None:
        """Give none."""
        return None

    async def refused(self, value: str) -> bool:  # noqa: ARG002 -- none was sent
        """Say that there is no other."""
        return False

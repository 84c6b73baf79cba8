"""Forge tokens that a caller lent for the length of its call, in the place of the server's own.

They travel with the call's context, into its tasks, threads and jobs, and are kept nowhere.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import blake2b

from stithy_core.redaction import passing

_LENT: ContextVar[Mapping[str, str]] = ContextVar("lent", default={})  # noqa: B039 -- nobody changes it


@contextmanager
def use_delegated_tokens(tokens: Mapping[str, str]) -> Iterator[None]:
    """Use a caller's tokens meanwhile.

    Args:
        tokens: By the alias of the forge.
    """
    before = _LENT.set(tokens)
    try:
        with passing(tokens.values()):
            yield
    finally:
        _LENT.reset(before)


def delegated_token(alias: str) -> str | None:
    """Give the token that the caller lent for a forge."""
    return _LENT.get().get(alias)


def has_delegated_tokens() -> bool:
    """Return whether the caller brought a token of its own, for whichever forge."""
    return bool(_LENT.get())


def token_identity() -> str:
    """Tell apart whose tokens are used: empty for the server's own, else a hash of what was lent."""
    tokens = _LENT.get()
    if not tokens:
        return ""
    text = "\n".join(f"{alias}={token}" for alias, token in sorted(tokens.items()))
    return blake2b(text.encode(), digest_size=16, person=b"stithy").hexdigest()

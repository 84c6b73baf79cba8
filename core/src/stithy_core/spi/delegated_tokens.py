"""Delegated tokens: forge tokens that a caller sends with a call, used instead of the server's own.

They travel with the call's context into its tasks, threads and jobs, and are stored nowhere.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import blake2b

from attrs import Factory, field, frozen

from stithy_core.redaction import passing


@frozen
class _DelegatedTokens:
    by_alias: Mapping[str, str] = field(default=Factory(dict), repr=False)
    fallback: bool = False


_CURRENT: ContextVar[_DelegatedTokens] = ContextVar("delegated_tokens", default=_DelegatedTokens())  # noqa: B039 -- frozen


@contextmanager
def use_delegated_tokens(tokens: Mapping[str, str], *, fallback: bool = False) -> Iterator[None]:
    """Use a caller's tokens for the length of the block; logs and errors in it show none of them.

    Args:
        tokens: By the alias of the forge.
        fallback: Whether the server's own token may be used for a forge for which the caller sent none.
    """
    before = _CURRENT.set(_DelegatedTokens(tokens, fallback))
    try:
        with passing(tokens.values()):
            yield
    finally:
        _CURRENT.reset(before)


def delegated_token(alias: str) -> str | None:
    """Return the token that the caller sent for a forge; None if it sent none."""
    return _CURRENT.get().by_alias.get(alias)


def requires_delegated_token() -> bool:
    """Return whether the caller sent tokens, and the server's own must not be used beside them."""
    current = _CURRENT.get()
    return bool(current.by_alias) and not current.fallback


def token_identity() -> str:
    """Return a hash of the caller's tokens, to tell apart whose tokens are used; empty for the server's own."""
    tokens = _CURRENT.get().by_alias
    if not tokens:
        return ""
    text = "\n".join(f"{alias}={token}" for alias, token in sorted(tokens.items()))
    return blake2b(text.encode(), digest_size=16, person=b"stithy").hexdigest()

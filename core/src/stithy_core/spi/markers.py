"""How a plugin marks what it implements and what it opens."""

from collections.abc import Callable
from typing import Any, TypeVar, overload

import pluggy

F = TypeVar("F", bound=Callable[..., Any])

PROJECT = "stithy"
OWNER_ATTRIBUTE = "stithy_owner"

hookspec = pluggy.HookspecMarker(PROJECT)
"""Marks a hook that a plugin opens; `stithy_hookspecs` lists the modules they stand in."""

_implementation = pluggy.HookimplMarker(PROJECT)


@overload
def hookimpl(function: F, /) -> F: ...
@overload
def hookimpl(*, owner: str) -> Callable[[F], F]: ...
def hookimpl(function: F | None = None, /, *, owner: str = "") -> F | Callable[[F], F]:
    """Mark a function that bears the name of the hook it implements.

    Args:
        function: The implementation, when the mark stands without brackets.
        owner: The distribution that opens the hook. While it is not installed the implementation waits, and
            `stithy plugins` says which package to install.
    """

    def mark(marked: F) -> F:
        setattr(marked, OWNER_ATTRIBUTE, owner)
        return _implementation(marked)

    return mark if function is None else mark(function)

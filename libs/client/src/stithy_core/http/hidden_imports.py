"""Imports a library without an optional part that is slow; `stithy_core.http` imports httpx so, before all else."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def hide_module(module: str) -> Iterator[None]:
    """Make a module appear missing to imports within the block; one that was imported already stays as it is."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment] # how Python marks a module that must not be found
    try:
        yield
    finally:
        del sys.modules[module]

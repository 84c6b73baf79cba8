"""Imports of libraries without optional parts that are slow; the client and the server need it, and plugins do not."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def hide_module(module: str) -> Iterator[None]:
    """Make a module appear missing to imports within the block (docs/adr/0007-start-without-uvicorn.md)."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment] # how Python marks a module that must not be found
    try:
        yield
    finally:
        del sys.modules[module]

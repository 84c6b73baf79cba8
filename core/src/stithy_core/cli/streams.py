"""Standard input and output belong to answers: set aside while untrusted code runs, on the level of descriptors.

Replacing `sys.stdout` is not enough: a library in C or a program that is started writes to the descriptor itself.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

Streams = tuple[int, int]


def take() -> Streams:
    """Set both aside: from now on descriptor 0 is empty, and 1 leads to standard error.

    Returns:
        The descriptors that lead to the real ones.

    Raises:
        OSError: One of them is closed.
    """
    _flush()
    taken = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    os.dup2(2, 1)
    return taken


@contextmanager
def kept() -> Iterator[None]:
    """Set both aside for a while; where one is closed there is nothing to keep."""
    try:
        taken = take()
    except OSError:
        yield
        return
    try:
        yield
    finally:
        _flush()
        for descriptor, real in enumerate(taken):
            os.dup2(real, descriptor)
            os.close(real)


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()

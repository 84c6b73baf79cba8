"""Recorded exchanges, played back while the time stands still.

What was written is found by the time of the server, which is known from its answers and from what passed since. A
recorded server's time does not go on: on a slow machine a comment would seem older than the request that wrote it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import time_machine

from stithy_testing import Tape, playback


@contextmanager
def replay(tape: Tape, **options: Any) -> Iterator[str]:
    """Play exchanges back, and yield the URL; each of them has to be asked for again.

    Args:
        tape: The exchanges.
        options: What else `playback` takes.
    """
    with time_machine.travel(datetime.now(UTC), tick=False), playback(tape, **options) as url:
        yield url
    assert not tape.missed

"""The clock that transports and stores read; tests pass another one."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """Reads the time and waits."""

    def time(self) -> float:
        """Return the seconds since 1970 by this machine's clock."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""
        ...


class SystemClock:
    """The clock of this machine."""

    def time(self) -> float:
        """Return the seconds since 1970."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""
        await asyncio.sleep(seconds)


SYSTEM = SystemClock()

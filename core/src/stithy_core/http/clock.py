"""The time, as the policies ask for it; tests hand in another one."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """What tells the time, and lets it pass."""

    def time(self) -> float:
        """Give the seconds since 1970, of this machine."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class SystemClock:
    """The clock of this machine."""

    def time(self) -> float:
        """Give the seconds since 1970."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


SYSTEM = SystemClock()

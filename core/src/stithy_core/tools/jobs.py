"""Work that outlives the call that started it, and that later calls join."""

import time
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, Generic, TypeVar, cast

import anyio
from anyio.abc import TaskGroup

from stithy_core.errors import Refused
from stithy_core.spi.faults import ends_caller

S = TypeVar("S")
T = TypeVar("T")

MOST = 100
MOST_EACH = 50
"""Running jobs of one caller, where several share the server."""
KEPT_SECONDS = 600.0


class RunningJob(Generic[S, T]):
    """One piece of work; implements `stithy_core.spi.Job`."""

    def __init__(self, so_far: S, owner: str | None = None) -> None:
        self.so_far = so_far
        self.owner = owner
        self.ended_at: float | None = None
        self._done = anyio.Event()
        self._result: T | None = None
        self._error: BaseException | None = None

    async def run(self, work: Callable[[S], Awaitable[T]]) -> None:
        """Run the work; what it raises is kept and raised in `within`."""
        try:
            self._result = await work(self.so_far)
        except BaseException as error:  # `within` raises it
            if ends_caller(error):
                raise
            self._error = error
        finally:
            self.ended_at = time.monotonic()
            self._done.set()

    @property
    def failed(self) -> bool:
        """Whether it ended with an error; then the next `join` starts it again."""
        return self._error is not None

    async def within(self, seconds: float, /) -> T | None:
        """Wait for the result, at most for some seconds; return None if the work is still running."""
        with anyio.move_on_after(seconds):
            await self._done.wait()
        if self._error is not None:
            raise self._error
        return self._result


class Jobs:
    """The jobs of one server, by key. A job that has ended is kept for ten minutes."""

    def __init__(self) -> None:
        self.group: TaskGroup | None = None
        self._jobs: dict[Hashable, RunningJob[Any, Any]] = {}

    def join(
        self, key: Hashable, work: Callable[[S], Awaitable[T]], so_far: S, *, owner: str | None = None
    ) -> RunningJob[S, T]:
        """Start work, or join the running or kept work of that key.

        Args:
            key: Identifies the work.
            work: Does it, and stores interim results in `so_far`.
            so_far: The interim result before it starts.
            owner: The caller that starts it, where several share the server; None is the one user behind it.

        Raises:
            Refused: Too many jobs are running, of all callers or of this one, or the server is not running.
        """
        self._forget()
        if key not in self._jobs or self._jobs[key].failed:
            self._check_share(owner)
            self._make_room()
            if self.group is None or len(self._jobs) >= MOST:
                raise Refused(f"{len(self._jobs)} jobs are under way", suggestion="Wait for one of them to end.")
            job: RunningJob[S, T] = RunningJob(so_far, owner)
            self._jobs[key] = job
            self.group.start_soon(job.run, work, name=f"job {key}")
        return cast("RunningJob[S, T]", self._jobs[key])

    def _check_share(self, owner: str | None) -> None:
        """Check that a caller does not run too many jobs.

        Raises:
            Refused: It does.
        """
        own = sum(job.owner == owner and job.ended_at is None for job in self._jobs.values())
        if owner is not None and own >= MOST_EACH:
            raise Refused(f"{own} jobs of yours are under way", suggestion="Wait for one of them to end.")

    def _forget(self) -> None:
        before = time.monotonic() - KEPT_SECONDS
        for key, ended_at in self._ended():
            if ended_at < before:
                del self._jobs[key]

    def _make_room(self) -> None:
        for key, _ in self._ended()[: max(0, len(self._jobs) + 1 - MOST)]:
            del self._jobs[key]

    def _ended(self) -> list[tuple[Hashable, float]]:
        ended = [(key, job.ended_at) for key, job in self._jobs.items() if job.ended_at is not None]
        return sorted(ended, key=lambda one: one[1])

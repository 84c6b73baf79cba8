"""What runs while a server serves: plugins' services, jobs that outlive calls, and the watchdog of the event loop."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import anyio
from attrs import define, field, frozen

from stithy_core.app.connections import Connections
from stithy_core.event_loop import ServerLoop, TurnSelector
from stithy_core.plugins import Failed, Loaded, describe_error, resolve
from stithy_core.spi.faults import ends_caller
from stithy_core.tools import Jobs

if TYPE_CHECKING:
    from stithy_core.spi import Contribution, Scope, Service

SAMPLE_SECONDS = 0.2
"""Seconds between two samples of the loop's thread."""
LONGEST_HOLD = 1.0
"""Seconds that one callback may hold the loop."""
REMEDY = "write it as a plain function, or use ctx.thread"

log = logging.getLogger("stithy.plugins")


@define
class Hold:
    """The longest time that a plugin held the loop.

    Args:
        origin: The plugin.
        seconds: How long.
        place: The function, with its file and line.
    """

    origin: Contribution
    seconds: float
    place: str

    def __str__(self) -> str:
        return (
            f"it held the event loop for {self.seconds:.1f} s in {self.place}, while all other calls waited: {REMEDY}"
        )


@frozen
class Usage:
    """What was used up to a moment, in seconds.

    Args:
        wall: By the monotonic clock.
        own: CPU time of the loop's thread.
        process: CPU time of all threads.
        is_blocked: Whether the loop's thread sleeps or waits for a device; False where the system does not report it.
    """

    wall: float
    own: float
    process: float
    is_blocked: bool


def measure_hold(before: Usage, after: Usage) -> float:
    """Return for how many seconds the loop was held between two samples of the same callback.

    On a busy machine a callback may take long without doing anything: its thread is ready and does not run, or another
    thread of the process has the interpreter. Then its CPU time counts. Time that it sleeps counts fully, but at
    most two periods: if more passed, this thread did not run either, so the whole process was stopped.
    """
    wall, own = after.wall - before.wall, after.own - before.own
    others = after.process - before.process - own
    return min(wall, 2 * SAMPLE_SECONDS) if after.is_blocked and others < wall / 2 else own


class LoopWatchdog:
    """Samples the stack of the loop's thread while the loop is busy.

    Args:
        plugins: The plugins whose modules are recognized.

    Attributes:
        holds: The longest hold of each plugin, by distribution.
    """

    def __init__(self, plugins: Iterable[Loaded]) -> None:
        self.holds: dict[str, Hold] = {}
        self._modules = map_modules(plugins)

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Watch the running loop within the block; only a `ServerLoop` can be watched."""
        loop, ended = asyncio.get_running_loop(), threading.Event()
        if not isinstance(loop, ServerLoop):
            yield
            return
        place = threading.get_ident(), threading.get_native_id()
        threading.Thread(target=self._run, args=(loop.turns, *place, ended), daemon=True, name="loop watchdog").start()
        try:
            yield
        finally:
            ended.set()

    def notes(self, origin: Contribution) -> tuple[str, ...]:
        """Return the notes about a plugin for its user."""
        hold = self.holds.get(origin.distribution)
        return (str(hold),) if hold and hold.origin == origin else ()

    def _run(self, turns: TurnSelector, ident: int, native: int, ended: threading.Event) -> None:
        turn, callback, before, held = -1, None, None, 0.0
        while not ended.wait(SAMPLE_SECONDS):
            frame = _find_frame(ident) if turns.busy_since is not None else None
            current, now = _find_callback(frame), None if frame is None else _measure_usage(ident, native)
            if (
                current is not None
                and now is not None
                and before is not None
                and (turns.turn, current) == (turn, callback)
            ):
                held += measure_hold(before, now)
                if held >= LONGEST_HOLD:
                    self.record(frame, held)
            else:
                held = 0.0
            turn, callback, before = turns.turn, current, now
            del frame, current  # a frame keeps the objects of its function alive

    def record(self, frame: FrameType | None, seconds: float) -> None:
        """Record that the innermost plugin of a stack holds the loop.

        Args:
            frame: The innermost frame.
            seconds: For how long so far.
        """
        culprit = self._find_plugin(frame)
        if culprit is None:
            return
        origin, place = culprit
        before = self.holds.get(origin.distribution)
        if before is None:
            log.warning("%s holds the event loop in %s, and all other calls wait: %s", origin, place, REMEDY)
        if before is None or seconds > before.seconds:
            self.holds[origin.distribution] = Hold(origin, seconds, place)

    def _find_plugin(self, frame: FrameType | None) -> tuple[Contribution, str] | None:
        while frame is not None:
            name = str(frame.f_globals.get("__name__", ""))
            while name:
                if name in self._modules:
                    code = frame.f_code
                    return self._modules[name], f"{code.co_qualname} ({Path(code.co_filename).name}:{frame.f_lineno})"
                name = name.rpartition(".")[0]
            frame = frame.f_back
        return None


def map_modules(plugins: Iterable[Loaded]) -> Mapping[str, Contribution]:
    """Return the plugins by their modules: the entry module, and its package if that has no other plugin."""
    named = [(str(getattr(plugin.module, "__name__", "")), plugin.origin) for plugin in plugins]
    packages = [name.partition(".")[0] for name, _ in named]
    unique = {name.partition(".")[0]: origin for name, origin in named if packages.count(name.partition(".")[0]) == 1}
    return {name: origin for name, origin in (unique | dict(named)).items() if name}


def _find_frame(ident: int) -> FrameType | None:
    return sys._current_frames().get(ident)  # noqa: SLF001 -- documented, and the only way to see another thread


def _find_callback(frame: FrameType | None) -> FrameType | None:
    """Return the frame that the loop called; None where it is between two callbacks."""
    caller = frame and frame.f_back  # read once: the frame may end at any time, and then it has none
    while caller is not None:
        if caller.f_globals.get("__name__") == "asyncio.events" and caller.f_code.co_name == "_run":
            return frame
        frame, caller = caller, caller.f_back
    return None


def _measure_usage(ident: int, native: int) -> Usage:
    process = time.process_time()
    if not hasattr(time, "pthread_getcpuclockid"):
        return Usage(time.monotonic(), process, process, is_blocked=False)
    try:
        own = time.clock_gettime(time.pthread_getcpuclockid(ident))
    except OSError:  # the thread has ended
        own = 0.0
    return Usage(time.monotonic(), own, process, _is_blocked(native))


def _is_blocked(native: int) -> bool:
    try:
        stat = Path(f"/proc/self/task/{native}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[:1] in (["S"], ["D"])


FIRST_PAUSE = 1.0
"""Seconds before a service that failed starts again, doubled after each further failure."""
LONGEST_PAUSE = 60.0
"""Also the seconds that a service must have run for its earlier failures to be forgotten."""

service_log = logging.getLogger("stithy.services")


@define(eq=False)
class SupervisedService:
    """A plugin's service, which is restarted after failures.

    Args:
        service: The service.
        origin: The plugin that offers it.
        scope: The plugin's scope.

    Attributes:
        failure: The last failure; empty if it never failed.
        failures: The number of failures in a row.
        waits: Whether it does not run now, and starts again later.
    """

    service: Service
    origin: Contribution
    scope: Scope
    failure: str = field(default="", init=False)
    failures: int = field(default=0, init=False)
    waits: bool = field(default=False, init=False)

    @property
    def pause(self) -> float:
        """Seconds between the last failure and the next start."""
        return min(FIRST_PAUSE * 2.0 ** min(self.failures - 1, 10), LONGEST_PAUSE)

    async def run(self) -> None:
        """Run the service until it ends by itself; its errors do not reach the server or other services."""
        while True:
            start = time.monotonic()
            try:
                await resolve(self.service.run)(self.scope)
            except BaseException as error:  # any failure of a plugin
                if ends_caller(error):
                    raise
                self._record(error, time.monotonic() - start)
            else:
                return
            self.waits = True
            await anyio.sleep(self.pause)
            self.waits = False

    def _record(self, error: BaseException, seconds: float) -> None:
        self.failures = 1 if seconds >= LONGEST_PAUSE else self.failures + 1
        self.failure = describe_error(error)
        service_log.error(
            "the service %s failed and starts again in %g s", self.service.name, self.pause, exc_info=error
        )

    def report(self) -> Failed | None:
        """Return the last failure for `list_plugins`; None while the service runs."""
        if not self.waits:
            return None
        remedy = f"It starts again within {self.pause:g} s; report it to the plugin's author"
        offer = f"service {self.service.name}"
        return Failed(origin=self.origin, stage="run", cause=self.failure, remedy=remedy, offer=offer)


@asynccontextmanager
async def run_app(
    services: Sequence[SupervisedService], jobs: Jobs, connections: Connections, watchdog: LoopWatchdog
) -> AsyncIterator[None]:
    """Start the services and open the jobs; leaving cancels both and closes the connections."""
    try:
        with watchdog.watch():
            async with anyio.create_task_group() as group:
                jobs.group = group
                for service in services:
                    group.start_soon(service.run, name=f"service {service.service.name}")
                yield
                group.cancel_scope.cancel()
    finally:
        jobs.group = None
        with anyio.CancelScope(shield=True):
            await connections.aclose()

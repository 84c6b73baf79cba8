"""Which plugin holds the event loop: an async handler that computes or blocks makes every other call wait."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from attrs import define, frozen

from stithy_core.event_loop import ServerLoop, TurnSelector
from stithy_core.plugins import Loaded
from stithy_core.spi import Contribution

PERIOD = 0.2
"""Seconds between two looks at the loop's thread."""
LONGEST = 1.0
"""Seconds that one callback may hold the loop."""
REMEDY = "write it as a plain function, or use ctx.thread"

log = logging.getLogger("stithy.plugins")


@define
class Hold:
    """The longest time that a plugin held the loop.

    Args:
        origin: The plugin.
        seconds: How long.
        place: In which function, and where.
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
        is_blocked: Whether the loop's thread sleeps or waits for a device; False where the system does not tell.
    """

    wall: float
    own: float
    process: float
    is_blocked: bool


def held_between(before: Usage, after: Usage) -> float:
    """Return for how many seconds the loop was held between two looks that met the same callback.

    On a busy machine a callback may take long without doing anything: its thread is ready and does not run, or another
    thread of the process has the interpreter. Then its CPU time counts. Time that it sleeps counts whole, but at most
    two periods: where more went by, this thread did not run either, so the whole process was stopped.
    """
    wall, own = after.wall - before.wall, after.own - before.own
    others = after.process - before.process - own
    return min(wall, 2 * PERIOD) if after.is_blocked and others < wall / 2 else own


class LoopWatchdog:
    """Samples the stack of the loop's thread while the loop is busy.

    Args:
        plugins: Whose modules are recognized.

    Attributes:
        holds: The longest hold of each plugin, by distribution.
    """

    def __init__(self, plugins: Iterable[Loaded]) -> None:
        self.holds: dict[str, Hold] = {}
        self._modules = modules_of(plugins)

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Watch the running loop until it is left; a loop that is not ours cannot be watched."""
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
        """Return what a user should know of a plugin."""
        hold = self.holds.get(origin.distribution)
        return (str(hold),) if hold and hold.origin == origin else ()

    def _run(self, turns: TurnSelector, ident: int, native: int, ended: threading.Event) -> None:
        turn, callback, before, held = -1, None, None, 0.0
        while not ended.wait(PERIOD):
            frame = _frame_of(ident) if turns.busy_since is not None else None
            met, now = _callback_of(frame), None if frame is None else _usage(ident, native)
            if met is not None and now is not None and before is not None and (turns.turn, met) == (turn, callback):
                held += held_between(before, now)
                if held >= LONGEST:
                    self.record(frame, held)
            else:
                held = 0.0
            turn, callback, before = turns.turn, met, now
            del frame, met  # a frame keeps everything alive that its function holds

    def record(self, frame: FrameType | None, seconds: float) -> None:
        """Record that the innermost plugin of a stack holds the loop.

        Args:
            frame: The innermost frame.
            seconds: For how long so far.
        """
        found = self._plugin_in(frame)
        if found is None:
            return
        origin, place = found
        before = self.holds.get(origin.distribution)
        if before is None:
            log.warning("%s holds the event loop in %s, and all other calls wait: %s", origin, place, REMEDY)
        if before is None or seconds > before.seconds:
            self.holds[origin.distribution] = Hold(origin, seconds, place)

    def _plugin_in(self, frame: FrameType | None) -> tuple[Contribution, str] | None:
        while frame is not None:
            name = str(frame.f_globals.get("__name__", ""))
            while name:
                if name in self._modules:
                    code = frame.f_code
                    return self._modules[name], f"{code.co_qualname} ({Path(code.co_filename).name}:{frame.f_lineno})"
                name = name.rpartition(".")[0]
            frame = frame.f_back
        return None


def modules_of(plugins: Iterable[Loaded]) -> Mapping[str, Contribution]:
    """Return the plugins by the modules of their code: the entry module, and its package where no other is in it."""
    named = [(str(getattr(plugin.module, "__name__", "")), plugin.origin) for plugin in plugins]
    packages = [name.partition(".")[0] for name, _ in named]
    found = {name.partition(".")[0]: origin for name, origin in named if packages.count(name.partition(".")[0]) == 1}
    return {name: origin for name, origin in (found | dict(named)).items() if name}


def _frame_of(ident: int) -> FrameType | None:
    return sys._current_frames().get(ident)  # noqa: SLF001 -- documented, and the only way to see another thread


def _callback_of(frame: FrameType | None) -> FrameType | None:
    """Return the frame that the loop called; None where it is between two callbacks."""
    while frame is not None and frame.f_back is not None:
        if frame.f_back.f_globals.get("__name__") == "asyncio.events" and frame.f_back.f_code.co_name == "_run":
            return frame
        frame = frame.f_back
    return None


def _usage(ident: int, native: int) -> Usage:
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

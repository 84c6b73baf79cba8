"""Faults of plugins: which exceptions end the caller itself, and how the others are described and attributed."""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from stithy_core.errors import InternalError
from stithy_core.spi.runtime import Contribution

T = TypeVar("T")


class PluginFault(InternalError):
    """A fault inside a plugin that a tool relies on, such as that of a forge.

    Args:
        message: What failed, to whom it belongs.
        suggestion: What to do next.
        origin: Whose fault it is.
        offer: What of it failed: `forge kind gitlab, Threads.reply`.
        cause: What went wrong, without texts of third parties.
    """

    def __init__(self, message: str, *, suggestion: str, origin: Contribution, offer: str, cause: str) -> None:
        super().__init__(f"{message}: {cause}", suggestion=suggestion)
        self.origin = origin
        self.offer = offer
        self.cause = cause


def create_fault(part: str, name: str, origin: Contribution, error: BaseException) -> PluginFault:
    """Return the fault of a part of a plugin that raised.

    Args:
        part: The kind of part: "guard".
        name: Its name.
        origin: The plugin.
        error: What it raised.
    """
    return PluginFault(
        f"the {part} {name!r} failed inside {origin}",
        suggestion="Report it to the plugin's author; the server's log has the cause.",
        origin=origin,
        offer=f"{part} {name}",
        cause=f"it raised {locate(error)}",
    )


def ends_caller(error: BaseException) -> bool:
    """Return whether the caller itself is to end: the user pressed Ctrl-C, or its task is cancelled or closed.

    A plugin can raise the same exceptions, and the server must outlive those:

    - KeyboardInterrupt is the user's when the process's handler of SIGINT raised it;
    - CancelledError is real when the cancellation of this task was requested;
    - GeneratorExit is real when it arrives where the caller waits, and not from further in.

    Args:
        error: What was caught, in the frame that asks.
    """
    if isinstance(error, KeyboardInterrupt):
        return _is_of_handler(error)
    if isinstance(error, asyncio.CancelledError):
        try:
            task = asyncio.current_task()
        except RuntimeError:  # in a thread without a loop
            return False
        return task is None or task.cancelling() > 0
    return isinstance(error, GeneratorExit) and error.__traceback__ is not None and error.__traceback__.tb_next is None


class EscapedError(Exception):
    """A plugin raised, in a thread, an exception that a coroutine must not receive; it is the cause."""


def run_in_thread(work: Callable[..., Any], *args: Any) -> Any:
    """Do work of a plugin, in its thread.

    Raises:
        EscapedError: It raised GeneratorExit, by which the coroutine that waits for it would be closed.
    """
    try:
        return work(*args)
    except GeneratorExit as error:
        raise EscapedError from error


def convert_panics(work: Callable[[], T], convert: Callable[[BaseException], Exception]) -> T:
    """Run an extension written in Rust, whose panics derive from `BaseException` alone, and convert what it raises.

    Args:
        work: Calls the extension.
        convert: Returns the exception that is raised for a panic or an error of the extension.
    """
    try:
        return work()
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        raise convert(error) from error


@contextmanager
def python_interrupts() -> Iterator[None]:
    """Let Ctrl-C be raised by a function in Python, so that `ends_caller` can tell it from what a plugin raises.

    An event loop has such a handler of its own. Only the main thread may set one, and is sent any.
    """
    usual = signal.default_int_handler
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is not usual:
        yield
        return
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def _interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 -- the signature of a handler
    raise KeyboardInterrupt


def leaves_of(error: BaseException) -> list[BaseException]:
    """Return the exceptions of a group, however deep; of anything else, itself."""
    if isinstance(error, BaseExceptionGroup):
        return [leaf for inner in error.exceptions for leaf in leaves_of(inner)]
    return [error]


def locate(error: BaseException) -> str:
    """Describe what was raised and where; not its text, which may quote a token or a third party."""
    from traceback import extract_tb

    if isinstance(error, EscapedError) and error.__cause__ is not None:
        error = error.__cause__
    frames = extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def _is_of_handler(error: BaseException) -> bool:
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:
        return True  # written in C, it leaves no frame: better end than ignore the user
    handler = getattr(handler, "func", handler)  # asyncio's is a partial
    code, entry = getattr(handler, "__code__", None), error.__traceback__
    while entry is not None and entry.tb_next is not None:
        entry = entry.tb_next
    return code is not None and entry is not None and entry.tb_frame.f_code is code

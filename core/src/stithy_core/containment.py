"""Which exceptions end the caller itself rather than what it called, and how the others are described."""

import asyncio
import signal
from pathlib import Path


def ends_caller(error: BaseException) -> bool:
    """Return whether the caller itself is to end: the user pressed Ctrl-C, or its task is cancelled or closed.

    A plugin can raise the same exceptions, and the server must outlive those:

    - KeyboardInterrupt is the user's when the process's handler of SIGINT raised it;
    - CancelledError is real when somebody asked to cancel this task;
    - GeneratorExit is real when it arrives where the caller waits, and not from further in.

    Args:
        error: What was caught, in the frame that asks.
    """
    if isinstance(error, KeyboardInterrupt):
        return _is_of_handler(error)
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        return task is None or task.cancelling() > 0
    return isinstance(error, GeneratorExit) and error.__traceback__ is not None and error.__traceback__.tb_next is None


def leaves_of(error: BaseException) -> list[BaseException]:
    """Return the exceptions of a group, however deep; of anything else, itself."""
    if isinstance(error, BaseExceptionGroup):
        return [leaf for inner in error.exceptions for leaf in leaves_of(inner)]
    return [error]


def locate(error: BaseException) -> str:
    """Describe what was raised and where; not its text, which may quote a token or a third party."""
    from traceback import extract_tb

    frames = extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def _is_of_handler(error: BaseException) -> bool:
    handler = signal.getsignal(signal.SIGINT)
    handler = getattr(handler, "func", handler)  # asyncio's is a partial
    code, entry = getattr(handler, "__code__", None), error.__traceback__
    while entry is not None and entry.tb_next is not None:
        entry = entry.tb_next
    return code is not None and entry is not None and entry.tb_frame.f_code is code

"""An answer that no record can be made of: what is wrong deep inside it is the server's fault, too.

`Http` sees the outer shape of an answer, and a plugin what is in it. While an operation of a forge runs, the answers
that it reads are noted; where it then stumbles as one does over JSON of another shape, the error names them.
"""

import functools
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from attrs import frozen

from stithy_core.errors import ForgeError, NotTheApi, Unclear

UNREADABLE = (LookupError, TypeError, ValueError, AttributeError)
"""What the making of a record stumbles over where an answer has another shape than its API's."""
MOST_NAMED = 3
READ_REMEDY = "Try again later. If it stays so, this server may be of another version than the plugin knows: report it."
WRITE_REMEDY = "Read the target back before you repeat it: it may have been carried out."


@frozen
class NotedAnswer:
    """A success whose JSON was handed to a plugin.

    Args:
        forge: The forge's alias.
        url: Where people find it.
        status: The HTTP status.
        endpoint: Method and path.
        writing: Whether something was changed.
        forget: Drops the copy that may be kept of it, which a later 304 would confirm.
    """

    forge: str
    url: str
    status: int
    endpoint: str
    writing: bool
    forget: Callable[[], Awaitable[None]]


_noted: ContextVar[list[NotedAnswer] | None] = ContextVar("noted_answers", default=None)


def note_answer(answer: NotedAnswer) -> None:
    """Note an answer for the operation that runs, if one does."""
    if (noted := _noted.get()) is not None:
        noted.append(answer)


def check_answers(operation: Callable[..., Any], base: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap an operation of a forge, so that an answer of which it cannot make its records is the server's fault.

    Args:
        operation: As the plugin has it.
        base: What it overrides, which shows whether it is a stream.
    """
    if inspect.iscoroutinefunction(base):
        return _check_call(operation) if inspect.iscoroutinefunction(operation) else operation
    return _check_stream(operation)


def _check_call(operation: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(operation)
    async def call(*args: Any, **kwargs: Any) -> Any:
        noted: list[NotedAnswer] = []
        try:
            with _noting(noted):
                return await operation(*args, **kwargs)
        except UNREADABLE as error:
            raise await _blame(error, noted) from error

    return call


def _check_stream(operation: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(operation)
    async def iterate(*args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        noted: list[NotedAnswer] = []
        stream = operation(*args, **kwargs)
        try:
            while True:
                with _noting(noted):  # in each step, since the consumer's context is another one
                    item = await anext(stream)
                yield item
        except StopAsyncIteration:
            return
        except UNREADABLE as error:
            raise await _blame(error, noted) from error
        finally:
            if hasattr(stream, "aclose"):
                await stream.aclose()
            elif inspect.iscoroutine(stream):  # a plain `async def` in the place of an async generator
                stream.close()

    return iterate


@contextmanager
def _noting(noted: list[NotedAnswer]) -> Iterator[None]:
    token = _noted.set(noted)
    try:
        yield
    finally:
        _noted.reset(token)


async def blame_answers(error: Exception) -> Exception:
    """Return the error of an answer of the running operation that cannot be read; `error` where none was noted."""
    return await _blame(error, _noted.get() or [])


async def _blame(error: Exception, noted: list[NotedAnswer]) -> Exception:
    if not noted:
        return error
    for answer in noted:
        await answer.forget()
    named = list(dict.fromkeys(answer.endpoint for answer in reversed(noted)))
    among = " or ".join(named[:MOST_NAMED]) + (f", or {len(named) - MOST_NAMED} more" if named[MOST_NAMED:] else "")
    text = f"an answer of {noted[-1].url} lacks what its API promises ({describe_fault(error)}): that of {among}"
    writing = any(answer.writing for answer in noted)
    kind: type[ForgeError] = Unclear if writing else NotTheApi
    details = {"forge": noted[-1].forge, "status": noted[-1].status, "endpoints": named[:MOST_NAMED]}
    return kind(text, suggestion=WRITE_REMEDY if writing else READ_REMEDY, details=details)


def describe_fault(error: Exception) -> str:
    """Describe what was stumbled over, without a word that a server wrote: the field, or else the kind of the error."""
    if isinstance(error, KeyError) and error.args and str(error.args[0]).isidentifier():
        return f"no field {error.args[0]!r}"
    return type(error).__name__

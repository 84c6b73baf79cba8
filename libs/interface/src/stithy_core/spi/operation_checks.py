"""Wrappers around the operations of forges: which servers have them, and answers that they cannot read.

`since` and `probed` declare on a method which servers have it.

`Http` checks the outer shape of an answer; a plugin reads what is inside. While an operation of a forge runs, the
answers that it reads are noted. If it then fails as code does on JSON of another shape, the error names these answers.
"""

import functools
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from attrs import field, frozen

from stithy_core.errors import (
    Forbidden,
    ForgeError,
    NotFound,
    NotTheApi,
    StithyError,
    Unclear,
    Unsupported,
    raise_explained,
)
from stithy_core.model import Unknown

if TYPE_CHECKING:
    from stithy_core.spi.overrides import Capability

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
A = TypeVar("A", bound="Capability", contravariant=True)

GATE = "__stithy_gate__"


@frozen
class Version:
    """A server's version.

    Args:
        flavour: The name of the program: "forgejo".
        text: The version that it reports.
        number: The numbers to compare. By default they are the start of the text, so "1.27.0+dev-12" is (1, 27, 0);
            "development" has none and counts as older than every release.
    """

    flavour: str
    text: str
    number: tuple[int, ...] = field()

    @number.default
    def _number(self) -> tuple[int, ...]:
        digits = []
        for part in self.text.removeprefix("v").split("+")[0].split("-")[0].split("."):
            if not part.isdecimal():
                break
            digits.append(int(part))
        return tuple(digits)

    def __str__(self) -> str:
        return f"{self.flavour} {self.text}"


@frozen
class Support:
    """Whether a server has an operation; true or false itself: `if await forge.supports(Threads.resolve)`.

    Args:
        supported: Whether it has it.
        reason: Why it does not; empty if it does.
        remedy: What to do instead.
    """

    supported: bool
    reason: str = ""
    remedy: str = ""

    def __bool__(self) -> bool:
        return self.supported

    def as_unknown(self) -> Unknown:
        """Return the `Unknown` to use in place of the operation's result."""
        return Unknown(self.reason, self.remedy)


class Gate(Protocol):
    """The condition of a method that not every server has."""

    def __str__(self) -> str: ...

    async def check(self, capability: "Capability") -> Support:
        """Return whether this server has the method."""
        ...


@frozen
class _Since:
    versions: dict[str, tuple[int, ...]]
    instead: str

    def __str__(self) -> str:
        texts = (f"{flavour} {'.'.join(map(str, number))}".strip() for flavour, number in self.versions.items())
        return "since " + ", ".join(texts)

    async def check(self, capability: "Capability") -> Support:
        version = await capability.forge.version()
        needed = self.versions.get(version.flavour, self.versions.get(""))
        if needed is not None and version.number >= _without_zeros(needed):
            return Support(supported=True)
        return Support(supported=False, reason=f"{version} does not have it ({self})", remedy=self.instead)


@frozen
class _Probed:
    probe: Callable[[Any], Awaitable[bool]]
    instead: str

    def __str__(self) -> str:
        return "probed"

    async def check(self, capability: "Capability") -> Support:
        if await capability.forge.once(("probe", type(capability), self.probe), lambda: self.probe(capability)):
            return Support(supported=True)
        reason = f"{await capability.forge.version()} does not have it (asked the server)"
        return Support(supported=False, reason=reason, remedy=self.instead)


def _without_zeros(number: tuple[int, ...]) -> tuple[int, ...]:
    """Return a version number without trailing zeros, so that a server 2.1 has what was added in 2.1.0."""
    return _without_zeros(number[:-1]) if number and number[-1] == 0 else number


def since(version: str = "", /, *, instead: str = "", **flavours: str) -> Callable[[F], F]:
    """Declare since which version servers have the decorated operation: `@since(gitea="1.27", forgejo="13")`.

    Args:
        version: The version for every flavour that is not named.
        instead: What a caller should do if the server lacks it.
        flavours: The version by flavour. Without `version`, flavours that are not named never have it.
    """
    texts = ({"": version} if version else {}) | flavours
    return _declare_gate(_Since({flavour: Version("", text).number for flavour, text in texts.items()}, instead))


def probed(check: Callable[[A], Awaitable[bool]], /, *, instead: str = "") -> Callable[[F], F]:
    """Declare that the server must be asked whether it has the decorated operation; it is asked once.

    Args:
        check: An async function of the capability that returns whether the server has it.
        instead: What a caller should do if the server lacks it.
    """
    return _declare_gate(_Probed(check, instead))


def _declare_gate(gate: Gate) -> Callable[[F], F]:
    def mark(function: F) -> F:
        setattr(function, GATE, gate)
        return function

    return mark


def gate_of(method: object) -> Gate | None:
    """Return the condition of a method; None if it has none."""
    gate: Gate | None = getattr(method, GATE, None)
    return gate


def guard_operation(method: Callable[..., Any], gate: Gate) -> Callable[..., Any]:
    """Wrap a method with a condition so that it raises `Unsupported` if the server lacks it."""

    async def admit(capability: "Capability") -> None:
        support = await gate.check(capability)
        if not support:
            raise capability.lacks(method.__name__, reason=support.reason, instead=support.remedy)

    if inspect.isasyncgenfunction(method):

        @functools.wraps(method)
        async def items(self: "Capability", *args: object, **kwargs: object) -> AsyncIterator[Any]:
            await admit(self)
            async for item in method(self, *args, **kwargs):
                yield item

        return items

    @functools.wraps(method)
    async def call(self: "Capability", *args: object, **kwargs: object) -> Any:
        await admit(self)
        return await method(self, *args, **kwargs)

    return call


def _create_unknown(error: StithyError) -> Unknown:
    return Unknown(error.message, error.suggestion)


async def or_unknown(
    value: Awaitable[T],
    *,
    on: tuple[type[StithyError], ...] = (Unsupported, Forbidden, NotFound),
    create: Callable[[StithyError], Unknown] = _create_unknown,
) -> T | Unknown:
    """Await a value; return `Unknown` with the reason if it fails with one of the errors in `on`.

    Args:
        value: The operation of a forge.
        on: The errors that become `Unknown`: by default that the forge lacks, forbids or does not find the value.
        create: Creates the `Unknown` of an error.
    """
    try:
        return await value
    except on as error:
        return create(error)


UNREADABLE = (LookupError, TypeError, ValueError, AttributeError)
"""What building a record raises if an answer does not have the shape that its API promises."""
MOST_NAMED = 3
READ_REMEDY = "Try again later. If it stays so, this server may be of another version than the plugin knows: report it."
WRITE_REMEDY = "Read the target back before you repeat it: it may have been carried out."


@frozen(kw_only=True)
class NotedAnswer:
    """A successful answer whose JSON a plugin received.

    Args:
        forge: The forge's alias.
        url: The forge's URL for people.
        status: The HTTP status.
        endpoint: Method and path.
        writing: Whether the request was a write.
        forget: Drops the answer from the cache, where a later 304 would confirm it.
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
    """Wrap an operation of a forge, so that an answer that it cannot turn into records is the server's fault.

    Args:
        operation: The plugin's implementation.
        base: The method that it overrides, which shows whether it is a stream.
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
            raise_explained(await _blame(error, noted), error)

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
            raise_explained(await _blame(error, noted), error)
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
    """Return the error for an answer of the running operation that cannot be read; `error` itself if none was noted."""
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
    """Describe an error without a word that a server wrote: the missing field, or else the type of the error."""
    if isinstance(error, KeyError) and error.args and str(error.args[0]).isidentifier():
        return f"no field {error.args[0]!r}"
    return type(error).__name__

"""Which operations a forge has, said on the method that has them."""

import functools
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from attrs import field, frozen

from stithy_core.errors import Forbidden, NotFound, Unsupported
from stithy_core.model import Unknown

if TYPE_CHECKING:
    from stithy_core.spi.capabilities import Capability

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
A = TypeVar("A", bound="Capability", contravariant=True)

GATE = "__stithy_gate__"


@frozen
class Version:
    """A server's version: its flavour ("forgejo"), the text it gave, and the numbers to compare.

    The numbers come from the front of the text, so "1.27.0+dev-12" is (1, 27, 0); "development" has none and counts
    as older than every release.
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
    """Whether an operation is there; `if await forge.supports(Threads.resolve)` reads as it says."""

    supported: bool
    reason: str = ""
    remedy: str = ""

    def __bool__(self) -> bool:
        return self.supported

    def as_unknown(self) -> Unknown:
        """Give the value to put where the operation's result would have stood."""
        return Unknown(self.reason, self.remedy)


class Gate(Protocol):
    """What stands before a method that not every server has."""

    def __str__(self) -> str: ...

    async def check(self, capability: "Capability") -> Support:
        """Ask whether this server has it."""
        ...


@frozen
class _Since:
    versions: dict[str, tuple[int, ...]]
    instead: str

    def __str__(self) -> str:
        said = (f"{flavour} {'.'.join(map(str, number))}".strip() for flavour, number in self.versions.items())
        return "since " + ", ".join(said)

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
    """Drop the zeros at the end, so that a server that says 2.1 has what came with 2.1.0."""
    return _without_zeros(number[:-1]) if number and number[-1] == 0 else number


def since(version: str = "", /, *, instead: str = "", **flavours: str) -> Callable[[F], F]:
    """Say from which version on a server has the overriding method beneath: `@since(gitea="1.27", forgejo="13")`.

    Args:
        version: For every flavour that is not named.
        instead: What a caller should do where it is missing.
        flavours: By the flavour of `Version`; a flavour that is not named, without `version`, never has it.
    """
    texts = ({"": version} if version else {}) | flavours
    return _gated(_Since({flavour: Version("", text).number for flavour, text in texts.items()}, instead))


def probed(check: Callable[[A], Awaitable[bool]], /, *, instead: str = "") -> Callable[[F], F]:
    """Say that only asking tells whether a server has the overriding method beneath; it is asked once.

    Args:
        check: An async function that is given the capability.
        instead: What a caller should do where it is missing.
    """
    return _gated(_Probed(check, instead))


def _gated(gate: Gate) -> Callable[[F], F]:
    def mark(function: F) -> F:
        setattr(function, GATE, gate)
        return function

    return mark


def gate_of(method: object) -> Gate | None:
    """Give the gate that stands before a method, if one does."""
    gate: Gate | None = getattr(method, GATE, None)
    return gate


def guarded(method: Callable[..., Any], gate: Gate) -> Callable[..., Any]:
    """Wrap a gated method so that it raises `Unsupported` where its server does not have it."""

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


async def or_unknown(value: Awaitable[T]) -> T | Unknown:
    """Await a value, and where a forge cannot, may not or does not have it, give the reason in its place."""
    try:
        return await value
    except (Unsupported, Forbidden, NotFound) as error:
        return Unknown(error.message, error.suggestion)

"""What a forge plugin implements, and what it is handed to reach its server."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Sequence
from datetime import datetime
from typing import Any, ClassVar, Protocol, TypeVar

import anyio
from attrs import frozen

from stithy_core.errors import Refused
from stithy_core.spi.abilities import (
    ABILITIES,
    Ability,
    Changes,
    Checks,
    Comments,
    Identity,
    Issues,
    Operation,
    PullRequests,
    Reviews,
    Rules,
    Threads,
    owner_of,
)
from stithy_core.spi.outbox import Outbox
from stithy_core.spi.support import Support, Version, gate_of
from stithy_core.spi.tools import Ref

T = TypeVar("T")


@frozen(kw_only=True)
class Link:
    """Where a forge is, what it is called here, and whether it may be written to. It holds no token."""

    alias: str
    kind: str
    url: str
    read_only: bool = False

    def admit_write(self) -> None:
        """Pass where the settings allow writing.

        Raises:
            Refused: They do not.
        """
        if self.read_only:
            remedy = f"Only the server's user can change read_only in [forges.{self.alias}]."
            raise Refused(f"{self.alias} is read-only here", suggestion=remedy)


class Http(Protocol):
    """The way to one forge: it adds the token, keeps time and size limits and turns failures into `errors.*`."""

    async def get(self, path: str, /, **query: str | int) -> Any:
        """Read JSON. `path` is relative to the link's URL; a repository's name in it is already quoted.

        Raises:
            ForgeError: As the answer says; see the tree in `stithy_core.errors`.
        """
        ...

    def pages(self, path: str, /, **query: str | int) -> AsyncIterator[Any]:
        """Read one JSON list after the other, by `page` from 1 on, until one is empty."""
        ...

    async def send(self, method: str, path: str, body: Any = None, /, *, idempotent: bool = False) -> Any:
        """Write JSON, once: a failure after which nobody knows whether it arrived is `Unclear`.

        Args:
            method: POST, PUT, PATCH or DELETE.
            path: As for `get`.
            body: What becomes the JSON body.
            idempotent: Whether sending it twice does the same as once.
        """
        ...

    def now(self) -> datetime:
        """Tell the time by the server's own clock, as its latest answer showed it."""
        ...


class Forge(ABC):
    """A forge of one kind at one place. A plugin writes `abilities` and `identify`.

    The nine abilities are attributes; those the plugin does not bring say `Unsupported`.
    """

    abilities: ClassVar[Sequence[type[Ability]]] = ()

    issues: Issues
    pull_requests: PullRequests
    comments: Comments
    reviews: Reviews
    threads: Threads
    changes: Changes
    checks: Checks
    rules: Rules
    identity: Identity

    def __init__(self, link: Link, http: Http) -> None:
        self.link = link
        self.http = http
        self.outbox = Outbox()
        self._answers: dict[Hashable, Any] = {}
        self._asking: dict[Hashable, anyio.Lock] = {}
        for base in ABILITIES:
            setattr(self, base.attribute, _implementation(type(self), base)(self))

    @abstractmethod
    async def identify(self) -> Version:
        """Ask the server what it is. Called through `version`, which remembers the answer."""

    async def version(self) -> Version:
        """Give the server's version; it is asked once, however many calls want it."""
        return await self.once("version", self.identify)

    async def once(self, key: Hashable, ask: Callable[[], Awaitable[T]]) -> T:
        """Give the answer to a question that is asked once in the life of the server; failures are not kept."""
        async with self._asking.setdefault(key, anyio.Lock()):
            if key not in self._answers:
                self._answers[key] = await ask()
        answer: T = self._answers[key]
        return answer

    async def supports(self, operation: Operation) -> Support:
        """Say whether this server has an operation; the version is asked for only where it matters.

        Raises:
            ForgeError: The server had to be asked and did not answer.
        """
        base = owner_of(operation)
        method = getattr(_implementation(type(self), base), operation.__name__)
        if method is operation:
            lacking = getattr(self, base.attribute).lacks(operation.__name__)
            return Support(supported=False, reason=str(lacking))
        gate = gate_of(method)
        return Support(supported=True) if gate is None else await gate.check(getattr(self, base.attribute))


def declared(forge: type[Forge], operation: Operation) -> str:
    """Say what a forge declares about an operation, without asking a server: always, since …, probed or never."""
    method = getattr(_implementation(forge, owner_of(operation)), operation.__name__)
    if method is operation:
        return "never"
    gate = gate_of(method)
    return "always" if gate is None else str(gate)


def _implementation(forge: type[Forge], base: type[Ability]) -> type[Ability]:
    return next((ability for ability in forge.abilities if issubclass(ability, base)), base)


@frozen(kw_only=True, eq=False)
class ForgeKind:
    """A kind of forge that a plugin teaches.

    Args:
        name: The `kind` of a `[forges.…]` table.
        title: What people call it.
        forge: The class, or a Ref to it.
        hosts: Well-known hosts of this kind, that need no configuration for public data.
        url: The URL to assume where a table names none.
    """

    name: str
    title: str
    forge: Ref | type[Forge]
    hosts: tuple[str, ...] = ()
    url: str = ""

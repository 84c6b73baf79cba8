"""What a forge plugin implements, and what it is handed to reach its server."""

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar
from weakref import WeakValueDictionary

import anyio
from attrs import frozen

from stithy_core.errors import Refused
from stithy_core.model.listing import Listing
from stithy_core.spi.answers import check_answers
from stithy_core.spi.capabilities import (
    CAPABILITIES,
    Capability,
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
from stithy_core.spi.credentials import Credentials
from stithy_core.spi.dialect import Dialect
from stithy_core.spi.idempotent_writer import IdempotentWriter
from stithy_core.spi.ledger import MemoryLedger
from stithy_core.spi.owners import OwnersFile
from stithy_core.spi.support import Support, Version, gate_of
from stithy_core.spi.tools import Ref
from stithy_core.spi.write_guard import UNDESCRIBED_WRITE, PlannedWrite, check_write

if TYPE_CHECKING:
    from stithy_core.model import IssueRef
    from stithy_core.model.code import GitRemote
    from stithy_core.model.conversations import Thread

T = TypeVar("T")

MOST_ITEMS = 10_000
MOST_ANSWERS = 1_000
"""Answers of `Forge.once` that a forge keeps, those of all tokens together."""
MOST_BYTES = 256 * 1024 * 1024


@frozen(kw_only=True)
class ForgeConfig:
    """Where a forge is, what it is called here, and whether it may be written to. It holds no token."""

    alias: str
    kind: str
    url: str
    read_only: bool = False

    def check_writable(self) -> None:
        """Pass where the settings allow writing.

        Raises:
            Refused: They do not.
        """
        if self.read_only:
            remedy = f"Only the server's user can change read_only in [forges.{self.alias}], or in [serve]."
            raise Refused(f"{self.alias} is read-only here", suggestion=remedy)

    def admit_write(self, planned: PlannedWrite = UNDESCRIBED_WRITE) -> None:
        """Pass a write: `Http` asks for each, and a forge with another way to its server must ask by itself.

        Args:
            planned: What is about to be written.

        Raises:
            Refused: The settings allow none, or the tool that was called says that it only reads.
            NotSent: It is a dry run.
        """
        self.check_writable()
        check_write(planned)


@frozen(kw_only=True)
class Answer:
    """A success: `body` is its JSON, None where there was none; the names of `headers` are in lower case."""

    body: Any
    headers: Mapping[str, str]


class Http(Protocol):
    """The way to one forge: it adds the token, keeps time, rate and size limits, and turns failures into `errors.*`.

    A `path` is relative to the API's address (`Dialect.api`), and a name in it is already quoted; of the forge's own
    URLs, those on the same origin may stand in its place. Reads may be repeated, shared with other callers and
    answered from a copy that the forge confirmed. What a `query` leaves as None or empty text is not sent.

    A success whose body is empty, null or of another shape than expected is the server's fault: a read is asked again,
    and then raises `NotTheApi`, which names the endpoint; a write raises `Unclear`. None is taken for an empty list.
    What is wrong deeper in an answer is found where a plugin makes its records: a KeyError, TypeError, ValueError or
    AttributeError there raises the same.
    """

    async def get(self, path: str, /, *, shape: type = object, or_null: bool = False, **query: str | int) -> Any:
        """Read JSON.

        Args:
            path: As said above.
            shape: What the answer is: `dict` or `list`; by default any value but null.
            or_null: Whether this server answers null on purpose, in the place of an empty list say.
            query: The parameters of the URL.

        Returns:
            The value; None for null, where that is right, and for status 204 where no list is expected.

        Raises:
            ForgeError: As the answer says; see the tree in `stithy_core.errors`.
        """
        ...

    async def fetch(self, path: str, /, *, shape: type = object, or_null: bool = False, **query: str | int) -> Answer:
        """Read JSON, with the headers that it came with; of a list whose headers count or link, say `shape=list`."""
        ...

    def pages(
        self, path: str, /, *, rows: str = "", size: int = 0, or_null: bool = False, **query: str | int
    ) -> AsyncIterator[Sequence[Any]]:
        """Read one page of a list after the other, to its end.

        Args:
            path: As for `get`.
            rows: The field that holds the list, where it is wrapped in an object.
            size: How many a page holds; give what the server really uses, since a shorter page is the last.
            or_null: Whether this server writes an empty list as null.
            query: As for `get`.
        """
        ...

    async def items(
        self,
        path: str,
        /,
        *,
        rows: str = "",
        size: int = 0,
        most: int = MOST_ITEMS,
        or_null: bool = False,
        **query: str | int,
    ) -> Listing[Any]:
        """Read the items of all pages, up to `most`; the listing says where it was cut, and the server's total."""
        ...

    async def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        /,
        *,
        idempotent: bool = False,
        changes: bool = True,
        shape: type = object,
    ) -> Any:
        """Write JSON, once: a failure after which nobody knows whether it arrived is `Unclear`.

        Args:
            method: POST, PUT, PATCH or DELETE.
            path: As for `get`.
            body: What becomes the JSON body.
            idempotent: Whether sending it twice does the same as once.
            changes: Whether it can change anything; what only asks by POST is sent in read-only mode and dry runs, too.
            shape: What the answer is, as for `get`; by default it may be nothing, too.
        """
        ...

    async def graphql(self, document: str, variables: Mapping[str, Any], /, *, writes: bool = False) -> Any:
        """Ask in GraphQL, where the dialect has it, and give `data`.

        Raises:
            ForgeError: Also where an answer of status 200 carries errors; partial data is in `details["data"]`.
        """
        ...

    def stream(self, path: str, /, *, accept: str = "", most: int = MOST_BYTES) -> AsyncIterator[bytes]:
        """Read bytes as they come: a log, a diff, an archive. Where that leads to another host, no token goes along.

        Args:
            path: As for `get`.
            accept: The media type to ask for.
            most: How many bytes at most.

        Raises:
            TooLarge: There are more; what came before was given.
        """
        ...

    async def git(self, path: str, /, *, user: str) -> "GitRemote":
        """Give what git needs for a repository of this forge, the token that is used now among it.

        Args:
            path: Where it is below the forge's URL, where people find it: `owner/name.git`, quoted.
            user: The name that the forge expects beside a token.

        Raises:
            Rejected: The path leads elsewhere, where the token must not go.
        """
        ...

    async def token_identity(self) -> str:
        """Return what the token of the next request is known by in keys of memory: a hash, or "" without a token.

        Raises:
            StithyError: No token may be used, or it could not be found out which.
        """
        ...

    async def account_identity(self) -> str:
        """Return what the account of the next request's token is known by in keys that outlive the token.

        As `token_identity`, but the same in every process and for each renewed token of an app's installation.
        """
        ...

    def now(self) -> datetime:
        """Tell the time by the server's own clock, as its latest answer showed it."""
        ...


class Forge(ABC):
    """A forge of one kind at one place. A plugin writes `capabilities`, `identify`, and the `dialect` of its API.

    the capabilities are attributes; those the plugin does not bring say `Unsupported`.
    """

    capabilities: ClassVar[Sequence[type[Capability]]] = ()
    dialect: ClassVar[Dialect] = Dialect()
    writes_by_http: ClassVar[bool] = False
    """Whether all it writes goes through `http`, where a dry run shows the request; else it shows the operation."""

    issues: Issues
    pull_requests: PullRequests
    comments: Comments
    reviews: Reviews
    threads: Threads
    changes: Changes
    checks: Checks
    rules: Rules
    identity: Identity

    def __init__(self, config: ForgeConfig, http: Http) -> None:
        self.config = config
        self.http = http
        # What tests and recordings hand over has no ledger, and maybe no tokens.
        ledger = getattr(http, "ledger", None) or MemoryLedger()
        self.outbox = IdempotentWriter(ledger, place=config.url, identity=self._account_identity)
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()  # the longest unused first
        self._asking: WeakValueDictionary[Hashable, anyio.Lock] = WeakValueDictionary()
        for base in CAPABILITIES:
            setattr(self, base.attribute, _implementation(type(self), base)(self))

    async def _account_identity(self) -> str:
        return await self.http.account_identity()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "identify" in vars(cls):
            setattr(cls, "identify", check_answers(cls.identify, Forge.identify))  # noqa: B010 -- mypy: a method

    @abstractmethod
    async def identify(self) -> Version:
        """Ask the server what it is. Called through `version`, which remembers the answer."""

    async def version(self) -> Version:
        """Give the server's version; it is asked once, however many calls want it."""
        return await self.once("version", self.identify, by_token=False)

    async def token_identity(self) -> str:
        """Return what tells the token of the next request from others: part of every key of what depends on it.

        Callers may bring tokens of their own, and the server's own may be renewed to that of another account.

        Raises:
            StithyError: No token may be used, or it could not be found out which.
        """
        return await self.http.token_identity()

    async def once(self, key: Hashable, ask: Callable[[], Awaitable[T]], *, by_token: bool = True) -> T:
        """Return the answer to a question that is asked once for each token; failures are not kept.

        Args:
            key: What the question is about.
            ask: Asks it.
            by_token: Whether the answer may depend on whose token asks. False is for what is the same for everybody:
                the server's version, say.

        Raises:
            StithyError: It could not be found out which token is used, or `ask` raised it.
        """
        whose = (key, await self.token_identity() if by_token else None)
        async with self._asking.setdefault(whose, anyio.Lock()):
            if whose in self._answers:
                self._answers.move_to_end(whose)
                kept: T = self._answers[whose]
                return kept
            answer = await ask()
            # A token that was refused meanwhile was replaced: then the answer is that of the new one.
            if not by_token or await self.token_identity() == whose[1]:
                self._keep(whose, answer)
            return answer

    def _keep(self, whose: Hashable, answer: object) -> None:
        self._answers[whose] = answer
        while len(self._answers) > MOST_ANSWERS:
            self._answers.popitem(last=False)

    def now(self) -> datetime:
        """Tell the time by the forge's clock, to which the times of all that it keeps belong.

        Tools count from it: neither the clock of this machine nor `http`, which may be shut, says what is a day ago.
        """
        return self.http.now()

    async def command(
        self, operation: Operation, subject: "IssueRef", *, thread: "Thread | None" = None, body: str = ""
    ) -> str:
        """Give a line for a POSIX shell that does an operation with what people have for this forge, `gh` or curl.

        It is shown beside what an agent may do by tools, and never run here. It is quoted so that it runs as it stands,
        and holds no token: where it needs one it names a variable. It may depend on what the server is, and on nothing
        that people wrote but what is given.

        Args:
            operation: `Comments.create`, `Threads.reply` or `Threads.resolve`; of others nobody asks.
            subject: The conversation, or the pull request.
            thread: The thread, as it was read, for the last two.
            body: The text for the first two, or a placeholder that somebody will replace.

        Returns:
            The line; empty where this server, or its people, have none.
        """
        return ""

    async def owners_file(self) -> OwnersFile:
        """Say where this server looks for the file of code owners, and how it reads it; by default as GitHub does."""
        return OwnersFile()

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


def declared_support(forge: type[Forge], operation: Operation) -> str:
    """Say what a forge declares about an operation, without asking a server: always, since …, probed or never."""
    method = getattr(_implementation(forge, owner_of(operation)), operation.__name__)
    if method is operation:
        return "never"
    gate = gate_of(method)
    return "always" if gate is None else str(gate)


def _implementation(forge: type[Forge], base: type[Capability]) -> type[Capability]:
    return next((capability for capability in forge.capabilities if issubclass(capability, base)), base)


@frozen(kw_only=True, eq=False)
class ForgeKind:
    """A kind of forge that a plugin teaches.

    Args:
        name: The `kind` of a `[forges.…]` table.
        title: What people call it.
        forge: The class, or a Ref to it.
        hosts: Well-known hosts of this kind, that need no configuration; `*.ghe.com` stands for many.
        url: The URL to assume where a table names none.
        credentials: Where else tokens may come from, where the settings name none; or a Ref to it.
        address: From an address that users may write, that of the API say, to the one where people find the forge.
    """

    name: str
    title: str
    forge: Ref | type[Forge]
    hosts: tuple[str, ...] = ()
    url: str = ""
    credentials: Ref | type[Credentials] | None = None
    address: Callable[[str], str] = str

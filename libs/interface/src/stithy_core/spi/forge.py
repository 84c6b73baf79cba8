"""The base class of forges, and the HTTP client that a forge is given."""

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar
from weakref import WeakValueDictionary

import anyio
from attrs import field, frozen, validators

from stithy_core.errors import Refused
from stithy_core.model import Listing
from stithy_core.spi.call_state import UNDESCRIBED_WRITE, PlannedWrite, check_write
from stithy_core.spi.capabilities import (
    CAPABILITIES,
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
from stithy_core.spi.dialect import Credentials, Dialect, OwnersFile, Token
from stithy_core.spi.git_formats import find_ref_fault
from stithy_core.spi.idempotent_writer import IdempotentWriter, MemoryLedger
from stithy_core.spi.names import ForgeNames
from stithy_core.spi.operation_checks import Support, Version, check_answers, gate_of
from stithy_core.spi.overrides import Capability, adapt_override, find_override_fault, list_methods, record_overrides
from stithy_core.spi.tools import Ref

if TYPE_CHECKING:
    from stithy_core.model import IssueRef
    from stithy_core.model.code import GitRemote
    from stithy_core.model.conversations import PullRequest, Thread

T = TypeVar("T")

MOST_ITEMS = 10_000
MOST_ANSWERS = 1_000
"""The maximum number of results of `Forge.once` that a forge keeps, for all tokens together."""
MOST_BYTES = 256 * 1024 * 1024


@frozen(kw_only=True)
class ForgeConfig:
    """A forge as the settings have it. It contains no token.

    Args:
        alias: Its name in the settings, or its host where it needs no settings.
        kind: The name of its `ForgeKind`.
        url: Its address, as people open it.
        read_only: Whether every write is refused.
        lockdown: Whether texts by people who may not push are withheld from tools.
        names: How its kind writes names.
    """

    alias: str
    kind: str
    url: str
    read_only: bool = False
    lockdown: bool = False
    names: ForgeNames = field(default=ForgeNames(), eq=False, repr=False)

    def check_writable(self) -> None:
        """Check that the settings allow writing.

        Raises:
            Refused: The forge is read-only.
        """
        if self.read_only:
            remedy = f"Only the server's user can change read_only in [forges.{self.alias}], or in [serve]."
            raise Refused(f"{self.alias} is read-only here", suggestion=remedy)

    def admit_write(self, planned: PlannedWrite = UNDESCRIBED_WRITE) -> None:
        """Check that a write may be sent. `Http` does so for each; a forge that writes in another way must call it.

        Args:
            planned: The write that is about to be sent.

        Raises:
            Refused: The forge is read-only, or the tool that was called is declared as only reading.
            DryRunStop: The call is a dry run.
        """
        self.check_writable()
        check_write(planned)


@frozen(kw_only=True)
class Answer:
    """A successful response.

    Args:
        body: The parsed JSON; None if there was none.
        headers: The headers; their names are in lower case.
    """

    body: Any
    headers: Mapping[str, str]


class Http(Protocol):
    """The HTTP client of one forge. It adds the token, applies time, rate and size limits, and raises `errors.*`.

    A `path` is relative to the API's URL (`Dialect.api`), with names in it already quoted. A URL of the same origin may
    be passed instead. Reads may be retried, shared between callers and answered from a cache entry that the forge
    confirmed. `query` values that are None or empty are not sent.

    A success whose body is empty, null or of an unexpected shape is the server's fault. A read is retried, and then
    raises `NotTheApi`, which names the endpoint; a write raises `Unclear`. It is never taken for an empty list. Faults
    deeper in a response appear where a plugin builds its records: a KeyError, TypeError, ValueError or AttributeError
    there raises the same errors.
    """

    async def get(self, path: str, /, *, shape: type = object, or_null: bool = False, **query: str | int) -> Any:
        """Read JSON.

        Args:
            path: The path, as described above.
            shape: The expected type: `dict` or `list`; by default any value but null.
            or_null: Whether null is a valid response of this server, for example in place of an empty list.
            query: The parameters of the URL.

        Returns:
            The value; None for null, where that is valid, and for status 204 where no list is expected.

        Raises:
            ForgeError: The request failed; `stithy_core.errors` has the tree.
        """
        ...

    async def fetch(self, path: str, /, *, shape: type = object, or_null: bool = False, **query: str | int) -> Answer:
        """Read JSON and its headers. For a list whose headers count or link, pass `shape=list`."""
        ...

    def pages(
        self, path: str, /, *, rows: str = "", size: int = 0, or_null: bool = False, **query: str | int
    ) -> AsyncIterator[Sequence[Any]]:
        """Iterate over the pages of a list.

        Where a page tells how many there are, by a total or by the link to the last one, the next ones are read ahead:
        twice as many each time, up to eight.

        Args:
            path: As for `get`.
            rows: The field that holds the list, if it is wrapped in an object.
            size: The page size that the server really uses: a shorter page is taken for the last.
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
        """Read the items of all pages, up to `most`. The listing has the server's total and says where it was cut."""
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
        """Send a write with a JSON body, once. A failure that leaves open whether it arrived is `Unclear`.

        Args:
            method: POST, PUT, PATCH or DELETE.
            path: As for `get`.
            body: The value of the JSON body.
            idempotent: Whether sending it twice has the same effect as once.
            changes: Whether it can change anything; a POST that only asks is sent in read-only mode and dry runs, too.
            shape: The expected type of the response, as for `get`; by default it may also be empty.
        """
        ...

    async def graphql(self, document: str, variables: Mapping[str, Any], /, *, writes: bool = False) -> Any:
        """Send a GraphQL document, where the dialect has GraphQL, and return `data`.

        Raises:
            ForgeError: Also if a response of status 200 carries errors; partial data is in `details["data"]`.
        """
        ...

    def stream(self, path: str, /, *, accept: str = "", most: int = MOST_BYTES) -> AsyncIterator[bytes]:
        """Iterate over a log, a diff or an archive in chunks of bytes. No token is sent to another host.

        Args:
            path: As for `get`.
            accept: The media type to ask for.
            most: The maximum number of bytes.

        Raises:
            TooLarge: There are more bytes than `most`; the chunks up to there were returned.
        """
        ...

    async def git(self, path: str, /, *, user: str | Callable[[Token], str] = "") -> "GitRemote":
        """Return what git needs to read a repository of this forge, including the current token.

        Args:
            path: The path below the forge's URL: `owner/name.git`, quoted.
            user: The user name that the forge expects beside a token, or a function that returns it for a forge with
                several kinds of tokens. By default the one in the token, where the dialect's authorization is `basic`.
                Only the secret of such a token is passed to git.

        Raises:
            Rejected: The path leads to another host, which must not get the token.
        """
        ...

    async def token_identity(self) -> str:
        """Return a key for the next request's token, for caches in memory: a hash, or "" without a token.

        Raises:
            StithyError: No token may be used, or the token could not be determined.
        """
        ...

    async def account_identity(self) -> str:
        """Return a key for the account of the next request's token, for records that outlive the token.

        Unlike `token_identity`, it is the same in every process and for each renewed token of an app's installation.
        """
        ...

    def now(self) -> datetime:
        """Return the time of the server's clock (UTC), derived from its latest response."""
        ...


class Forge(ABC):
    """A forge. A plugin provides `capabilities`, `identify`, and the `dialect` of its API.

    Each capability is an attribute, such as `issues`; the operations of those that the plugin lacks raise
    `Unsupported`.

    Attributes:
        config: The forge in the settings.
        http: The client of its server.
        names: The names of its kind, from `ForgeKind.names`.
        outbox: The writer for writes that must not be repeated.
    """

    capabilities: ClassVar[Sequence[type[Capability]]] = ()
    """The plugin's classes of capabilities, at most one for each base class."""
    dialect: ClassVar[Dialect] = Dialect()
    """How the server's API works."""
    writes_by_http: ClassVar[bool] = False
    """Whether all writes use `http`: a dry run then shows the request, otherwise the operation."""

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
        self.names = config.names
        self.http = http
        # The clients of tests have no ledger.
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
        for name, override in record_overrides(cls, list_methods(Forge), Forge).items():
            if override.fault is None and name != "__init__":
                method = getattr(cls, name)
                checked = check_answers(method, override.base) if name == "identify" else method
                setattr(cls, name, adapt_override(checked, override))

    @abstractmethod
    async def identify(self) -> Version:
        """Ask the server for its flavour and version. Call `version`, which remembers the answer."""

    async def version(self) -> Version:
        """Return the server's version; it is requested once."""
        return await self.once("version", self.identify, by_token=False)

    async def token_identity(self) -> str:
        """Return a key for the next request's token. It belongs in the key of everything that depends on the token.

        Callers may delegate tokens, and the server's own may be replaced by that of another account.

        Raises:
            StithyError: No token may be used, or the token could not be determined.
        """
        return await self.http.token_identity()

    async def once(self, key: Hashable, ask: Callable[[], Awaitable[T]], *, by_token: bool = True) -> T:
        """Return a result that is computed once for each token; failures are not kept.

        Args:
            key: Identifies the result.
            ask: Computes it.
            by_token: Whether the result may depend on the token. False is for what is the same for everybody, such as
                the server's version.

        Raises:
            StithyError: The token could not be determined, or `ask` raised it.
        """
        whose = (key, await self.token_identity() if by_token else None)
        async with self._asking.setdefault(whose, anyio.Lock()):
            if whose in self._answers:
                self._answers.move_to_end(whose)
                kept: T = self._answers[whose]
                return kept
            answer = await ask()
            # A token that was refused meanwhile was replaced: then the result is the new one's.
            if not by_token or await self.token_identity() == whose[1]:
                self._keep(whose, answer)
            return answer

    def _keep(self, whose: Hashable, answer: object) -> None:
        self._answers[whose] = answer
        while len(self._answers) > MOST_ANSWERS:
            self._answers.popitem(last=False)

    def now(self) -> datetime:
        """Return the time of the forge's clock (UTC), which the times in its records refer to.

        Tools count from it: this machine's clock may differ, and `http` may be closed to tools.
        """
        return self.http.now()

    async def command(
        self, operation: Operation, subject: "IssueRef", *, thread: "Thread | None" = None, body: str = ""
    ) -> str:
        """Return a POSIX shell command that performs an operation with this forge's usual program, `gh` or curl.

        It is shown to people and never run here. It is quoted so that it runs as printed, and holds no token: where it
        needs one it names an environment variable. It depends on the server and the arguments only.

        Args:
            operation: `Comments.create`, `Threads.reply` or `Threads.resolve`.
            subject: The conversation, or the pull request.
            thread: The thread, for the last two operations.
            body: The text for the first two operations, or a placeholder.

        Returns:
            The command; empty if this server needs none.
        """
        return ""

    async def owners_file(self) -> OwnersFile:
        """Return where this server expects the CODEOWNERS file, and how it reads it; by default as GitHub does."""
        return OwnersFile()

    def head_ref(self, pull: "PullRequest") -> str | None:
        """Return the ref of the target repository under which this forge keeps the head of a pull request.

        Tools fetch it by git, and show it in `git fetch` commands. It must remain after the source branch or the fork
        is deleted. It may follow a push with a delay, because tools fetch the commit `pull.head.commit` of an open pull
        request. This method cannot send requests, because tools need the refs of many pull requests at once: the record
        must contain what the ref depends on.

        Examples of overrides: `refs/merge-requests/<number>/head` (GitLab); the ref of the current patch set,
        `refs/changes/23/123/4` (Gerrit), which the plugin stores as `head.branch`.

        Args:
            pull: The pull request, as this forge returned it.

        Returns:
            The full ref, by default `refs/pull/<number>/head`. None if this forge has no ref of its own: then
            `head.branch` of `head.repository` is fetched, which may be a fork, and `head.commit` decides.
        """
        return f"refs/pull/{pull.ref.number}/head"

    def push_ref(self, pull: "PullRequest") -> str | None:
        """Return the ref of the repository `head.repository` to which a person pushes a new head of a pull request.

        Tools never push: they show it in the steps that resolve conflicts or rebase a stack. Like `head_ref`, this
        method cannot send requests.

        A ref that is not below `refs/heads/` stores each commit as a new version of the pull request that its message
        names, as `refs/for/main` of Gerrit does. So a pull request is one commit: the steps rebase it with its message
        instead of merging into it, and a single push updates a pull request with all those below it.

        Args:
            pull: The pull request, as this forge returned it.

        Returns:
            The full ref, by default that of `head.branch`. None if there is none, as after the branch was deleted.
        """
        branch = pull.head.branch
        if pull.head.repository is None or branch.startswith("refs/"):
            return None
        ref = f"refs/heads/{branch}"
        return None if find_ref_fault(ref) else ref

    async def supports(self, operation: Operation) -> Support:
        """Return whether this server has an operation. The version is requested only if it matters.

        Raises:
            ForgeError: The server had to be asked, and the request failed.
        """
        base = owner_of(operation)
        implementation = _implementation(type(self), base)
        method = getattr(implementation, operation.__name__)
        if method is operation:
            lacking = getattr(self, base.attribute).lacks(operation.__name__)
            return Support(supported=False, reason=str(lacking))
        if (fault := find_override_fault(implementation, operation.__name__)) is not None:
            return Support(supported=False, reason=fault.cause, remedy="Report it to the author of the forge's plugin.")
        gate = gate_of(method)
        return Support(supported=True) if gate is None else await gate.check(getattr(self, base.attribute))


def declared_support(forge: type[Forge], operation: Operation) -> str:
    """Return what a forge declares about an operation, without a request: always, since …, probed or never."""
    implementation = _implementation(forge, owner_of(operation))
    method = getattr(implementation, operation.__name__)
    if method is operation or find_override_fault(implementation, operation.__name__) is not None:
        return "never"
    gate = gate_of(method)
    return "always" if gate is None else str(gate)


def _implementation(forge: type[Forge], base: type[Capability]) -> type[Capability]:
    return next((capability for capability in forge.capabilities if issubclass(capability, base)), base)


@frozen(kw_only=True, eq=False)
class ForgeKind:
    """A kind of forge that a plugin provides.

    Args:
        name: The `kind` of a `[forges.…]` table.
        title: The name of the product.
        forge: The class, or a Ref to it.
        hosts: Hosts of this kind that need no configuration; `*.ghe.com` matches many.
        url: The default URL.
        credentials: Finds tokens if the settings name none; a class, or a Ref to it.
        address: Returns the forge's web URL for a URL that users may write, such as that of the API.
        names: How it writes the names of repositories, issues and pull requests; by default as GitHub does.
    """

    name: str
    title: str
    forge: Ref | type[Forge]
    hosts: tuple[str, ...] = ()
    url: str = ""
    credentials: Ref | type[Credentials] | None = None
    address: Callable[[str], str] = str
    names: ForgeNames = field(default=ForgeNames(), validator=validators.instance_of(ForgeNames))

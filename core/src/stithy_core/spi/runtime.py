"""What a plugin is handed: protocols, so that the core can give more without breaking anyone."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from logging import Logger
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, Protocol, TypeVar

from attrs import frozen

if TYPE_CHECKING:
    from stithy_core.model import PullRequestRef, RepositoryRef
    from stithy_core.spi.forge import Forge
    from stithy_core.spi.providers import Content, Resource

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)


@frozen
class Contribution:
    """Who gave something: a distribution, its version and the entry point that loaded it."""

    distribution: str
    version: str
    entry_point: str

    def __str__(self) -> str:
        return f"{self.distribution} {self.version}"


@frozen
class Changed:
    """What changed while the server runs: one resource (with its `uri`), or one of the lists."""

    what: Literal["resource", "resources", "prompts", "tools"]
    uri: str = ""


@frozen(eq=False, repr=False)
class ToolInfo:
    """A tool as it is served now, whoever's it is.

    Args:
        name: What it is called.
        description: What an agent reads when it chooses.
        input: The JSON Schema of its arguments. What it requires may come from a call or from its workflow.
    """

    name: str
    description: str
    input: Mapping[str, Any]


class Scope(Protocol):
    """A plugin's own corner of the server; it lives as long as the server does."""

    log: Logger

    def settings(self, cls: type[T], /) -> T:
        """Give the plugin's table of stithy.toml, as the class its `stithy_settings` named.

        Raises:
            ConfigError: The table does not fit the class; file, line and key are named.
        """
        ...

    def shared(self, factory: "Callable[[Scope], T]", /) -> T:
        """Give the one object of this server that `factory` makes; made at first use, also between threads."""
        ...

    def collect(
        self, hook: Callable[P, Iterable[T]], /, *args: P.args, **kwargs: P.kwargs
    ) -> Sequence[tuple[T, Contribution]]:
        """Ask every plugin that implements `hook`, and give each value with who gave it, by distribution name."""
        ...

    def tool(self, name: str, /) -> ToolInfo | None:
        """Give a tool as it is served; None where none of that name is, or a setting switched it off.

        Ask when it is needed: while the server is put together no tool is there yet.
        """
        ...

    async def resources(self, prefix: str, /) -> "Sequence[Resource]":
        """List the documents that plugins serve now, whoever's they are, whose URIs begin so: at most 10,000.

        A provider that fails, or takes longer than 10 seconds, has none; the log says why. The one that asks is not
        asked itself.
        """
        ...

    async def resource(self, uri: str, /) -> "Content":
        """Read a document of any plugin.

        Raises:
            NotFound: Nobody has one of that URI, or whoever asks is the one who would.
            TooLarge: It has more than 4,000,000 characters or bytes.
            InternalError: Its provider failed, or took longer than 10 seconds; the log says why.
        """
        ...

    async def changed(self, *changes: Changed) -> None:
        """Tell every client what changed; each hears it in the way its protocol version has."""
        ...


class Job(Protocol[S_co, T_co]):
    """Work that outlives the call that began it."""

    @property
    def so_far(self) -> S_co:
        """What the work has gathered up to now."""
        ...

    async def within(self, seconds: float, /) -> T_co | None:
        """Wait for the end, at most so long; None when it goes on. A cancelled waiter harms nobody."""
        ...


@frozen(eq=False, repr=False)
class Workflow:
    """What a workflow held when the call began: calls that run beside it change nothing here.

    Args:
        prompt: The prompt that began it.
        arguments: What the prompt was given.
        results: What tools found in it before, by the tool's name: the last answer of each, as the agent was sent it.
    """

    prompt: str
    arguments: Mapping[str, str]
    results: Mapping[str, Mapping[str, Any]]


class Context(Scope, Protocol):
    """One call of an async handler. Cancellation is anyio's: let it pass."""

    after: str | None
    """The key of the last item the caller has seen: fetch less, or ignore it."""

    workflow: Workflow | None
    """The workflow that the call belongs to, where the tool takes a `WorkflowArg` and was given one."""

    remote: bool
    """Whether the caller may be on another machine, over HTTP: nothing of this machine's files is looked up for it."""

    async def pull_request(self, text: str, /) -> "tuple[Forge, PullRequestRef]":
        """Find the forge and the pull request that a caller wrote.

        Raises:
            InvalidArguments: It cannot be read, or no forge is meant by it.
        """
        ...

    async def repository(self, text: str, /) -> "tuple[Forge, RepositoryRef]":
        """Find the forge and the repository that a caller wrote: a name, a URL or, unless `remote`, a directory.

        Raises:
            InvalidArguments: It cannot be read, or no forge is meant by it.
        """
        ...

    async def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        """Report progress to a client that asked for it."""
        ...

    async def thread(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run CPU work in a thread, so that timeouts fire and other calls go on."""
        ...

    def job(self, key: str, work: Callable[[S], Awaitable[T]], so_far: S) -> Job[S, T]:
        """Begin work that outlives this call, or join the work of that key which is under way."""
        ...

    def remaining(self) -> float:
        """Seconds until this call must have answered."""
        ...


class SyncContext(Scope, Protocol):
    """One call of a plain handler, in a thread."""

    workflow: Workflow | None
    """As in `Context`."""

    def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        """Report progress to a client that asked for it; reports that come too fast are dropped."""
        ...

    def check(self) -> None:
        """Raise when the call was cancelled or is late: call it in long loops."""
        ...

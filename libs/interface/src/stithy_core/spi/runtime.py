"""What the core passes to plugins: protocols, so that the core can add to them without breaking a plugin."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from logging import Logger
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, Protocol, TypeAlias, TypeVar

from attrs import frozen

if TYPE_CHECKING:
    from stithy_core.model import PullRequestRef, RepositoryRef
    from stithy_core.spi.contributions import Content, Resource
    from stithy_core.spi.forge import Forge

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)


@frozen
class Contribution:
    """The plugin that provides something.

    Args:
        distribution: The normal name of its distribution.
        version: The version of the distribution; `(file)` for a plugin of a single file.
        entry_point: The name of its entry point.
    """

    distribution: str
    version: str
    entry_point: str

    def __str__(self) -> str:
        return f"{self.distribution} {self.version}"


@frozen
class Changed:
    """What changed while the server runs.

    Args:
        what: One resource, or one of the lists.
        uri: The URI of the resource; empty for a list.
    """

    what: Literal["resource", "resources", "prompts", "tools"]
    uri: str = ""


@frozen(kw_only=True, eq=False, repr=False)
class ToolInfo:
    """A tool of any plugin, as it is served now.

    Args:
        name: The tool's name.
        description: The description that agents read.
        input: The JSON Schema of its arguments. Required ones may come from a call or from its workflow.
    """

    name: str
    description: str
    input: Mapping[str, Any]


@frozen
class ToolAnswer:
    """The answer to a call of a tool.

    Args:
        structured: The object for programs; of a call that failed, the error with its `code` and `suggestion`.
        text: A short text that is enough to act on.
        is_error: Whether the call failed.
    """

    structured: Mapping[str, Any]
    text: str
    is_error: bool = False


CallTool: TypeAlias = Callable[[str, Mapping[str, Any]], Awaitable[ToolAnswer]]


class Scope(Protocol):
    """What a plugin can use of the server, for as long as the server runs."""

    log: Logger
    """The plugin's logger; it writes to standard error, without secrets."""

    def settings(self, cls: type[T], /) -> T:
        """Return the plugin's table of stithy.toml as an instance of the class that its `stithy_settings` names.

        Raises:
            ConfigError: The table does not match the class; the message names file, line and key.
        """
        ...

    def shared(self, factory: "Callable[[Scope], T]", /) -> T:
        """Return the server's one object made by `factory`. It is created at first use; threads share it."""
        ...

    def collect(
        self, hook: Callable[P, Iterable[T]], /, *args: P.args, **kwargs: P.kwargs
    ) -> Sequence[tuple[T, Contribution]]:
        """Call `hook` of every plugin; return each value with its plugin, sorted by distribution."""
        ...

    def tool(self, name: str, /) -> ToolInfo | None:
        """Return a tool as it is served; None if no tool has that name or a setting disables it.

        Call it when it is needed: while the server starts, no tool is registered yet.
        """
        ...

    async def call_tool(self, name: str, arguments: Mapping[str, Any], /) -> ToolAnswer:
        """Call a tool of any plugin that only reads, with the rights of the caller whom the plugin serves.

        The call has the tool's own time limit and budget, and counts in the statistics. A call that fails is an answer,
        too. It needs a running server: a command calls tools if its function is async.

        Raises:
            ToolNotFound: No tool has that name.
            Refused: The tool writes, or a setting disables it.
        """
        ...

    async def resources(self, prefix: str, /) -> "Sequence[Resource]":
        """Return the resources of all plugins whose URIs begin with `prefix`: at most 10,000.

        A provider that fails or takes longer than 10 seconds is left out, and the log says why. So is the provider that
        calls this.
        """
        ...

    async def resource(self, uri: str, /) -> "Content":
        """Read a resource of any plugin.

        Raises:
            NotFound: No provider has the URI, except perhaps the one that calls this.
            TooLarge: It has more than 4,000,000 characters or bytes.
            InternalError: Its provider failed or took longer than 10 seconds; the log says why.
        """
        ...

    async def changed(self, *changes: Changed) -> None:
        """Notify every client of changes, in the way of its protocol version."""
        ...


class Job(Protocol[S_co, T_co]):
    """Work that outlives the call that began it."""

    @property
    def so_far(self) -> S_co:
        """The intermediate result."""
        ...

    async def within(self, seconds: float, /) -> T_co | None:
        """Wait up to `seconds` for the result; None if the work continues. Cancelling the wait does not stop it."""
        ...


@frozen(kw_only=True, eq=False, repr=False)
class Workflow:
    """What a workflow held when the call began: calls that run beside it change nothing here.

    Args:
        prompt: The prompt that began it.
        arguments: What the prompt was given.
        results: The last answer of each tool that was called in it, by the tool's name, as it was sent to the agent.
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
        """Return the forge and the pull request that a caller's text refers to.

        Unless `remote`, the text may be a number alone, of the repository whose clone is the working directory: `#12`.

        Raises:
            InvalidArguments: The text is invalid, or no configured forge matches it.
        """
        ...

    async def repository(self, text: str | None, /) -> "tuple[Forge, RepositoryRef]":
        """Return the forge and the repository of a caller's text: a name or a URL.

        Unless `remote`, it may be a directory, or None for the clone in the server's working directory.

        Raises:
            InvalidArguments: The text is invalid, or no configured forge matches it.
        """
        ...

    async def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        """Report progress to a client that asked for it."""
        ...

    async def thread(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run CPU work in a thread, so that timeouts fire and other calls continue."""
        ...

    def job(self, key: str, work: Callable[[S], Awaitable[T]], so_far: S) -> Job[S, T]:
        """Start work that outlives this call, or join the running work of the same key."""
        ...

    def remaining(self) -> float:
        """Return the seconds that are left of this call's time limit."""
        ...


class SyncContext(Scope, Protocol):
    """One call of a plain handler, in a thread."""

    workflow: Workflow | None
    """As in `Context`."""

    def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        """Report progress to a client that asked for it; too frequent reports are dropped."""
        ...

    def check(self) -> None:
        """Raise if the call was cancelled or its time limit has passed. Call it in long loops."""
        ...

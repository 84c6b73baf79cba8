"""The context that a handler receives for one call, and the jobs that outlive calls."""

import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

import anyio
import anyio.from_thread
import anyio.to_thread
from anyio.abc import TaskGroup

from stithy_core.errors import Refused
from stithy_core.sanitize import clean, sendable
from stithy_core.spi import (
    Changed,
    Contribution,
    Forge,
    PullRequestRef,
    RepositoryRef,
    Scope,
    ToolAnswer,
    ToolInfo,
    Workflow,
)
from stithy_core.spi.call_state import WriteGuard, token_identity
from stithy_core.spi.faults import ends_caller, run_in_thread
from stithy_core.spi.runtime import CallTool

if TYPE_CHECKING:
    from stithy_core.spi import Content, Resource

S = TypeVar("S")
T = TypeVar("T")

MOST = 100
MOST_EACH = 50
"""Running jobs of one caller, where several share the server."""
KEPT_SECONDS = 600.0


class RunningJob(Generic[S, T]):
    """One piece of work; implements `stithy_core.spi.Job`."""

    def __init__(self, so_far: S, owner: str | None = None) -> None:
        self.so_far = so_far
        self.owner = owner
        self.ended_at: float | None = None
        self._done = anyio.Event()
        self._result: T | None = None
        self._error: BaseException | None = None

    async def run(self, work: Callable[[S], Awaitable[T]]) -> None:
        """Run the work; what it raises is kept and raised in `within`."""
        try:
            self._result = await work(self.so_far)
        except BaseException as error:  # `within` raises it
            if ends_caller(error):
                raise
            self._error = error
        finally:
            self.ended_at = time.monotonic()
            self._done.set()

    @property
    def failed(self) -> bool:
        """Whether it ended with an error; then the next `join` starts it again."""
        return self._error is not None

    async def within(self, seconds: float, /) -> T | None:
        """Wait for the result, at most for some seconds; return None if the work is still running."""
        with anyio.move_on_after(seconds):
            await self._done.wait()
        if self._error is not None:
            raise self._error
        return self._result


class Jobs:
    """The jobs of one server, by key. A job that has ended is kept for ten minutes."""

    def __init__(self) -> None:
        self.group: TaskGroup | None = None
        self._jobs: dict[Hashable, RunningJob[Any, Any]] = {}

    def join(
        self, key: Hashable, work: Callable[[S], Awaitable[T]], so_far: S, *, owner: str | None = None
    ) -> RunningJob[S, T]:
        """Start work, or join the running or kept work of that key.

        Args:
            key: Identifies the work.
            work: Does it, and stores interim results in `so_far`.
            so_far: The interim result before it starts.
            owner: The caller that starts it, where several share the server; None is the one user behind it.

        Raises:
            Refused: Too many jobs are running, of all callers or of this one, or the server is not running.
        """
        self._drop_expired()
        if key not in self._jobs or self._jobs[key].failed:
            self._check_share(owner)
            self._drop_oldest()
            if self.group is None or len(self._jobs) >= MOST:
                raise Refused(f"{len(self._jobs)} jobs are under way", suggestion="Wait for one of them to end.")
            job: RunningJob[S, T] = RunningJob(so_far, owner)
            self._jobs[key] = job
            self.group.start_soon(job.run, work, name=f"job {key}")
        return cast("RunningJob[S, T]", self._jobs[key])

    def count_running(self) -> int:
        """Return the number of jobs that have not ended."""
        return sum(job.ended_at is None for job in self._jobs.values())

    def _check_share(self, owner: str | None) -> None:
        """Check that a caller does not run too many jobs.

        Raises:
            Refused: It does.
        """
        own = sum(job.owner == owner and job.ended_at is None for job in self._jobs.values())
        if owner is not None and own >= MOST_EACH:
            raise Refused(f"{own} jobs of yours are under way", suggestion="Wait for one of them to end.")

    def _drop_expired(self) -> None:
        before = time.monotonic() - KEPT_SECONDS
        for key, ended_at in self._list_ended():
            if ended_at < before:
                del self._jobs[key]

    def _drop_oldest(self) -> None:
        for key, _ in self._list_ended()[: max(0, len(self._jobs) + 1 - MOST)]:
            del self._jobs[key]

    def _list_ended(self) -> list[tuple[Hashable, float]]:
        ended = [(key, job.ended_at) for key, job in self._jobs.items() if job.ended_at is not None]
        return sorted(ended, key=lambda one: one[1])


Report = Callable[[float, float | None, str], Coroutine[Any, Any, None]]
PROGRESS_EVERY = 0.1


class Places(Protocol):
    """Resolves the repositories and pull requests that callers name."""

    async def pull_request(self, text: str, /, *, local: bool) -> tuple[Forge, PullRequestRef]:
        """Return the forge and the pull request that a text names.

        If `local` is true, the text may be a number of the repository whose clone is the working directory.
        """
        ...

    async def repository(self, text: str | None, /, *, local: bool) -> tuple[Forge, RepositoryRef]:
        """Return the forge and the repository that a text names.

        If `local` is true, the text may be a directory of this machine, a clone of the repository; or None for the
        clone in the working directory.
        """
        ...


class BaseCallContext:
    """What the contexts of async and plain handlers share: the plugin's scope."""

    def __init__(self, scope: Scope, report: Report, call_tool: CallTool, workflow: Workflow | None = None) -> None:
        self.log: logging.Logger = scope.log
        self.workflow = workflow
        self._scope = scope
        self._report = report
        self._call_tool = call_tool
        self._reported = 0.0

    def settings(self, cls: type[T], /) -> T:
        """Return the plugin's table of stithy.toml."""
        return self._scope.settings(cls)

    def shared(self, factory: Callable[[Scope], T], /) -> T:
        """Return the one object of this server that `factory` creates."""
        return self._scope.shared(factory)

    def collect(self, hook: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Sequence[tuple[Any, Contribution]]:
        """Return the values of every plugin that implements `hook`, each with its plugin."""
        return self._scope.collect(hook, *args, **kwargs)

    def tool(self, name: str, /) -> ToolInfo | None:
        """Return a served tool; None if no tool has that name."""
        return self._scope.tool(name)

    async def call_tool(self, name: str, arguments: Mapping[str, Any], /) -> ToolAnswer:
        """Call a tool that only reads, for the caller of this call."""
        return await self._call_tool(name, arguments)

    async def resources(self, prefix: str, /) -> "Sequence[Resource]":
        """Return the documents whose URIs begin with a prefix."""
        return await self._scope.resources(prefix)

    async def resource(self, uri: str, /) -> "Content":
        """Read a document."""
        return await self._scope.resource(uri)

    async def changed(self, *changes: Changed) -> None:
        """Notify all clients of changes."""
        await self._scope.changed(*changes)

    def _is_due(self, done: float, total: float | None) -> bool:
        """Return whether to send a report: at most one every 0.1 s, and always the last one."""
        now = time.monotonic()
        if now - self._reported < PROGRESS_EVERY and done != total:
            return False
        self._reported = now
        return True


class CallContext(BaseCallContext):
    """One call of an async handler; implements `stithy_core.spi.Context`."""

    def __init__(
        self,
        scope: Scope,
        report: Report,
        *,
        places: Places,
        jobs: Jobs,
        ends: float,
        passage: WriteGuard,
        workflow: Workflow | None = None,
        caller: str | None,
        call_tool: CallTool,
    ) -> None:
        super().__init__(scope, report, call_tool, workflow)
        self.remote = caller is not None
        self._caller = caller
        self.passage = passage
        self._places = places
        self._jobs = jobs
        self._ends = ends
        self.after: str | None = None

    async def pull_request(self, text: str, /) -> tuple[Forge, PullRequestRef]:
        """Return the forge and the pull request that the caller named."""
        forge, ref = await self._places.pull_request(text, local=not self.remote)
        self._admit(forge)
        return forge, ref

    async def repository(self, text: str | None, /) -> tuple[Forge, RepositoryRef]:
        """Return the forge and the repository that the caller named."""
        forge, ref = await self._places.repository(text, local=not self.remote)
        self._admit(forge)
        return forge, ref

    def _admit(self, forge: Forge) -> None:
        """Check that a tool that writes may write to a forge, whether that is reached by HTTP or not."""
        if self.passage.writes:
            forge.config.check_writable()

    async def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        """Report progress to a client that asked for it."""
        if self._is_due(done, total):
            await self._report(done, total, sendable(clean(message)))

    async def thread(self, work: Callable[..., T], /, *args: Any, **kwargs: Any) -> T:
        """Run CPU work in a thread, so that timeouts fire and other calls go on."""
        return await anyio.to_thread.run_sync(run_in_thread, lambda: work(*args, **kwargs), abandon_on_cancel=True)

    def job(self, key: str, work: Callable[[S], Awaitable[T]], so_far: S) -> RunningJob[S, T]:
        """Start work that outlives this call, or join the running work of that key."""
        # A dry run must not join work that writes, nor the reverse; and no caller may use the work of another token.
        key_of_all = self.log.name, key, self.passage.dry, token_identity()
        return self._jobs.join(key_of_all, work, so_far, owner=self._caller)

    def remaining(self) -> float:
        """Return the seconds that are left of the call's time limit."""
        return max(0.0, self._ends - anyio.current_time())


class SyncCallContext(BaseCallContext):
    """One call of a plain handler, in a thread; implements `stithy_core.spi.SyncContext`."""

    def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        """Report progress to a client that asked for it."""
        self.check()
        if self._is_due(done, total):
            anyio.from_thread.run(self._report, done, total, sendable(clean(message)))

    def check(self) -> None:
        """Raise if the call was cancelled or has run out of time."""
        anyio.from_thread.check_cancelled()

"""The context that a handler receives for one call."""

import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread

from stithy_core.sanitize import clean, sendable
from stithy_core.spi import Changed, Contribution, Forge, PullRequestRef, RepositoryRef, Scope, ToolInfo, Workflow
from stithy_core.spi.call_state import WriteGuard, token_identity
from stithy_core.spi.faults import run_in_thread
from stithy_core.tools.jobs import Jobs, RunningJob

if TYPE_CHECKING:
    from stithy_core.spi import Content, Resource

T = TypeVar("T")
S = TypeVar("S")

Report = Callable[[float, float | None, str], Coroutine[Any, Any, None]]
PROGRESS_EVERY = 0.1


class Places(Protocol):
    """Resolves the repositories and pull requests that callers name."""

    async def pull_request(self, text: str, /) -> tuple[Forge, PullRequestRef]:
        """Return the forge and the pull request that a text names."""
        ...

    async def repository(self, text: str, /, *, local: bool) -> tuple[Forge, RepositoryRef]:
        """Return the forge and the repository that a text names.

        If `local` is true, the text may be a directory of this machine: a clone of the repository.
        """
        ...


class BaseCallContext:
    """What the contexts of async and plain handlers share: the plugin's scope."""

    def __init__(self, scope: Scope, report: Report, workflow: Workflow | None = None) -> None:
        self.log: logging.Logger = scope.log
        self.workflow = workflow
        self._scope = scope
        self._report = report
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
        """Return a served tool; None if there is none of that name."""
        return self._scope.tool(name)

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
    ) -> None:
        super().__init__(scope, report, workflow)
        self.remote = caller is not None
        self._caller = caller
        self.passage = passage
        self._places = places
        self._jobs = jobs
        self._ends = ends
        self.after: str | None = None

    async def pull_request(self, text: str, /) -> tuple[Forge, PullRequestRef]:
        """Return the forge and the pull request that the caller named."""
        forge, ref = await self._places.pull_request(text)
        self._admit(forge)
        return forge, ref

    async def repository(self, text: str, /) -> tuple[Forge, RepositoryRef]:
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

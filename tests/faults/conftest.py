"""The fault matrix: each fault of HTTP, of a read and of a write, on each forge, as a tool plugin and an agent meet it.

A server on the loopback interface (`tests/support/faulty`) makes the faults on real sockets, and stithy runs whole: its
settings, its client, and the plugins that a fault can reach. How each fault is made:

- a refusal, a limit or a server's error is answered in the forge's own words, which repeat the token to us;
- `reset` ends the connection with a RST, `lost` with a FIN, and `cut-off` with a FIN within the body;
- `silent` never answers, `stalled-body` begins a body and falls silent, `dripping-body` goes on for ever;
- at connect: a port on which nobody listens, and one whose queue is full, where nobody answers;
- `30-mb`, `truncated-json`, `wrong-charset` (JSON in Latin-1), `html-200` and `another-api` (JSON that is neither a
  list nor a comment) are whole answers of no use;
- redirects and links lead to another server, which counts what it gets.

A write that fails is tried in two ways: not carried out, and carried out with its answer lost. The server counts what
it carried out. GitHub alone has single sign-on; Gitea's and Forgejo's 429 is a proxy's. `faulty/gitlab_faults` has what
GitLab answers in another form. Timeouts are shrunk where they have to run out; waits between attempts are left out.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
import stamina
from attrs import frozen
from faulty.fault import Fault
from faulty.server import ISSUE, TOKEN, FaultyForge, Flavour
from loopback import Server, Start, starting
from plugin_entries import find_entries

from stithy_core.app.assembly import App
from stithy_core.http import connection_transport, request_sender
from stithy_core.plugins import Entry, scan_plugins
from stithy_core.spi import Comment, Forge, ForgeError, IssueRef, PullRequestRef
from stithy_testing import connect, make_app, open_forge

LITTLE = 0.2
MOST = 120
TEXT = "Only once."


@pytest.fixture(autouse=True)
def _no_proxy(unproxied: None) -> None:
    """Every server here is one of the loopback's."""


@pytest.fixture(autouse=True)
def _no_waits() -> Iterator[None]:
    stamina.set_testing(True, attempts=3)
    yield
    stamina.set_testing(False)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Return a function that shrinks the time limits to some seconds."""

    def shrink(patience: float) -> None:
        monkeypatch.setattr(request_sender, "TIMEOUT", httpx.Timeout(patience))
        monkeypatch.setattr(connection_transport, "LONGEST", patience)

    return shrink


@pytest.fixture
async def listen() -> AsyncIterator[Start]:
    """Start servers; they stop when the test ends."""
    async with starting() as start:
        yield start


@pytest.fixture
def begin(listen: Start, impatient: Callable[[float], None]) -> Callable[..., Awaitable[FaultyForge]]:
    """Start a forge of a flavour, and break one of its answers.

    Where time has to run out, and what follows has to succeed, give `patience`: seconds that a stalled machine spares.
    """

    async def start(
        flavour: Flavour, fault: Fault | None = None, *routes: str, patience: float = LITTLE
    ) -> FaultyForge:
        forge: FaultyForge = await listen(flavour.create(other=await listen(Server())))
        forge.start()
        if fault is not None:
            forge.answers |= {route: fault.answer(forge) for route in routes}
        if fault is not None and fault.slow:
            impatient(patience)
        forge.locked = fault is not None and fault.locked
        forge.archived = fault is not None and fault.archived
        return forge

    return start


@pytest.fixture(scope="session")
def installed() -> Sequence[Entry]:
    """Scan for plugins once: a scan takes as long as a whole test."""
    return scan_plugins()


CALLED = ("stithy-comments", "stithy-gitea", "stithy-github", "stithy-gitlab")
"""The plugins that tests of comments call; to load all others, too, was a third of the set-up of each test."""


@pytest.fixture
def app(tmp_path: Path) -> Callable[[Flavour, str], App]:
    """Return a function that creates an app for a forge."""

    def make(flavour: Flavour, url: str) -> App:
        settings = f'[forges.lab]\nkind = "{flavour.kind}"\nurl = "{url}"\ntoken = {{ env = "LAB_TOKEN" }}\n'
        return make_app(tmp_path, settings, environ={"LAB_TOKEN": TOKEN}, entries=find_entries(*CALLED))

    return make


@frozen
class BoundedForge:
    """The capabilities of a forge, each call within bounded time."""

    forge: Forge
    subject: IssueRef

    async def read(self) -> Any:
        with anyio.fail_after(MOST):
            return await self.forge.comments.list(self.subject)

    async def write(self) -> Comment:
        with anyio.fail_after(MOST):
            return await self.forge.comments.create(self.subject, TEXT)

    async def edit(self, comment: str, text: str) -> Comment:
        with anyio.fail_after(MOST):
            return await self.forge.comments.edit(self.subject, comment, text)

    async def issues(self) -> Any:
        with anyio.fail_after(MOST):
            return await self.forge.issues.list(ISSUE.repository)

    async def threads(self, pr: PullRequestRef) -> Any:
        with anyio.fail_after(MOST):
            return await self.forge.threads.list(pr)

    async def read_minimized(self, subject: IssueRef | PullRequestRef) -> Any:
        with anyio.fail_after(MOST):
            return await self.forge.comments.minimized(subject)

    async def answer(self, pr: PullRequestRef, thread: str, since: datetime) -> Any:
        with anyio.fail_after(MOST):
            return await self.forge.threads.reply(pr, thread, TEXT, unless_since=since)

    async def resolve(self, pr: PullRequestRef, thread: str) -> Any:
        with anyio.fail_after(MOST):
            return await self.forge.threads.resolve(pr, thread)

    async def error(self, what: str, *arguments: Any) -> ForgeError:
        """Return the error that a call raises."""
        with pytest.raises(ForgeError) as caught:
            await getattr(self, what)(*arguments)
        return caught.value


@pytest.fixture
def bounded_forge(
    app: Callable[[Flavour, str], App],
) -> Callable[[Flavour, str], AbstractAsyncContextManager[BoundedForge]]:
    """Return a function that opens a forge as a tool plugin gets it."""

    @asynccontextmanager
    async def enter(flavour: Flavour, url: str) -> AsyncIterator[BoundedForge]:
        async with open_forge(app(flavour, url), "lab") as forge:
            yield BoundedForge(forge, flavour.subject)

    return enter


@pytest.fixture
def agent(
    app: Callable[[Flavour, str], App],
) -> Callable[[Flavour, str], AbstractAsyncContextManager[Callable[..., Awaitable[Any]]]]:
    """Return a function that opens a connection for calling the comment tools as an agent does."""

    @asynccontextmanager
    async def enter(flavour: Flavour, url: str) -> AsyncIterator[Callable[..., Awaitable[Any]]]:
        async with connect(app(flavour, url)) as client:

            async def call(what: str, **more: Any) -> Any:
                tool = {"read": "pr_comment_list", "write": "pr_comment_create", "edit": "pr_comment_edit"}[what]
                text = {"comment": TEXT} if what == "write" else {}
                given = {"repository": "smith/anvil", "pull_request_number": 1} | text | more
                with anyio.fail_after(MOST):
                    return await client.call_tool(tool, given)

            yield call

    return enter

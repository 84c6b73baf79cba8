"""Fixtures for comments: a proxy that responds with its own page, the sandbox, and GitHub's double."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from github_double.stage import Served, recording_of, serving
from github_double.world import World
from service_client import ServiceClient

from stithy_core.spi import PullRequestRef, RepositoryRef, Thread
from stithy_testing import Tape, browse, connect, make_app, playback


@pytest.fixture
def html_proxy() -> Callable[[int], AbstractContextManager[str]]:
    """Serve one page for every request."""

    @contextmanager
    def serve(status: int) -> Iterator[str]:
        page = {"status": {"code": status}, "headers": {"Content-Type": ["text/html"]}, "body": {"string": "<html>"}}
        tape = Tape()
        tape.add({"method": "GET", "uri": "/api/v1/repos/smith/anvil/pulls/1", "body": ""}, page)
        with playback(tape) as url:
            yield url
        assert not tape.missed

    return serve


PR = PullRequestRef(RepositoryRef("smith", "anvil"), 2)


@frozen
class Smithy:
    """The sandbox as an agent meets it, and behind it the forge, its world and its pull request."""

    client: Any
    forge: Any
    pr: PullRequestRef = PR

    @property
    def world(self) -> Any:
        return self.forge.world

    async def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool that takes owner, repo and pull_number; what is given counts more, and None leaves out."""
        usual = {"owner": "smith", "repo": "anvil", "pull_number": 2}
        return await self.client.call_tool(tool, usual | arguments)

    async def thread(self, line: int | None) -> Thread:
        """Read the thread at a line."""
        threads: Sequence[Thread] = await self.forge.threads.list(self.pr)
        return next(thread for thread in threads if thread.line == line)


@pytest.fixture
def smithy(tmp_path: Path) -> Callable[..., AbstractAsyncContextManager[Smithy]]:
    """Return a function that opens the sandbox."""

    @asynccontextmanager
    async def enter(settings: str = "") -> AsyncIterator[Smithy]:
        app = make_app(tmp_path, f'[forges.play]\nkind = "sandbox"\n{settings}')
        async with connect(app) as client:
            yield Smithy(client, app.forges.forge("play"))

    return enter


@pytest.fixture
def on_github(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Callable[..., AbstractAsyncContextManager[tuple[Callable[..., Any], Served]]]:
    """Serve a world by GitHub's double; yield a caller of tools, and the served double. A token of "" sends none."""

    @asynccontextmanager
    async def enter(world: World, *, token: str | None = None) -> AsyncIterator[tuple[Callable[..., Any], Served]]:
        with serving(recording_of(request, "comments"), world) as served:
            settings = f'[forges.hub]\nkind = "github"\nurl = "{served.url}"\n'
            given = {"HUB_TOKEN": world.token if token is None else token} if token != "" else {}
            app = make_app(tmp_path, settings + 'token = { env = "HUB_TOKEN" }\n' * len(given), environ=given)
            async with connect(app) as client:
                yield client.call_tool, served

    return enter


@pytest.fixture
def service(tmp_path: Path) -> Callable[..., AbstractAsyncContextManager[ServiceClient]]:
    """Run the comments service on the sandbox."""

    @asynccontextmanager
    async def run(settings: str = "") -> AsyncIterator[ServiceClient]:
        app = make_app(tmp_path, f'[forges.play]\nkind = "sandbox"\n{settings}')
        async with browse(app) as ask:
            yield ServiceClient(ask, app.forges.forge("play"))

    return run

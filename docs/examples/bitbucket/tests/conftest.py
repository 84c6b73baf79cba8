"""A server with the double's repositories, an app with the example, and its client."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from bitbucket_double import API_TOKEN, Bitbucket, Repository, serve_bitbucket
from conformance_history import write_conformance_history
from git_forge import Workshop

from stithy_testing import connect, make_app

NAME = "smith/anvil"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def _installed(install_example: Callable[[str], None]) -> None:
    install_example("bitbucket")


@pytest.fixture(scope="session")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repositories that git serves: the suite's history, and a fork of it with a branch in conflict with `main`."""
    folder = tmp_path_factory.mktemp("bitbucket")
    shop = Workshop(folder, NAME)
    write_conformance_history(shop)
    fork = folder / "bob/anvil.git"
    shop.git("clone", "-q", "--bare", str(shop.bare), str(fork))
    shop.branch("spell", "main")
    shop.commit("Spell numbers out", {"hello.txt": "one\n", "before.txt": "after\n"})
    shop.git("push", "-q", str(fork), "spell")
    shop.branch("clash", "main~1")
    shop.commit("Go another way", {"before.txt": "elsewhere\n"})
    shop.git("push", "-q", str(fork), "clash")
    return folder


@pytest.fixture
def server(history: Path) -> Iterator[Bitbucket]:
    with serve_bitbucket(history) as served:
        yield served


@frozen
class Desk:
    """A client of stithy with Bitbucket, and the server behind it."""

    client: Any
    server: Bitbucket
    home: Repository
    forge: Any

    async def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool, and return its answer as an object."""
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result.content[0].text
        return result.structured_content

    async def fail(self, tool: str, **arguments: Any) -> str:
        """Call a tool that must fail, and return the text."""
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error
        text: str = result.content[0].text
        return text


@pytest.fixture
def open_desk(server: Bitbucket, tmp_path: Path) -> Callable[..., AbstractAsyncContextManager[Desk]]:
    """Return a function that starts an app with a token, and connects a client."""

    @asynccontextmanager
    async def enter(token: str = API_TOKEN) -> AsyncIterator[Desk]:
        settings = f'[forges.work]\nkind = "bitbucket"\nurl = "{server.url}"\ntoken = {{ env = "TOKEN" }}\n'
        app = make_app(tmp_path, settings, environ={"TOKEN": token})
        async with connect(app) as client:
            yield Desk(client, server, server.add_repository(NAME), app.forges.forge("work"))

    return enter


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let git keep what it fetches in the folder of the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

"""Servers whose forges are a sandbox in memory and a Gitea on the loopback interface, and tools written for a test."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from attrs import define, field, frozen
from click.testing import CliRunner
from loopback import Server

from stithy_core.app.assembly import App
from stithy_core.cli.command_group import stithy
from stithy_core.plugins import Entry, scan_plugins
from stithy_core.spi import Context, Contribution, ToolSpec, hookimpl
from stithy_testing import connect, make_app

TOKEN = "0123456789abcdef-secret"
PLAY = '[forges.play]\nkind = "sandbox"\n'
PULL = {
    "number": 2,
    "title": "Greet",
    "body": "",
    "state": "open",
    "user": {"id": 5, "login": "smith"},
    "created_at": "2026-01-05T09:00:00Z",
    "updated_at": "2026-01-05T09:00:00Z",
    "html_url": "http://git.example/smith/anvil/pulls/2",
    "is_locked": False,
    "draft": False,
    "merged": False,
    "mergeable": True,
    "head": {"ref": "greet", "sha": "a" * 40, "repo": None},
    "base": {
        "ref": "main",
        "sha": "b" * 40,
        "repo": {
            "full_name": "smith/anvil",
            "name": "anvil",
            "owner": {"id": 5, "login": "smith"},
            "archived": False,
            "permissions": {"push": True},
        },
    },
}


@pytest.fixture
def token() -> str:
    """The token, which must not be shown."""
    return TOKEN


@frozen
class Nothing:
    """No arguments."""


@frozen
class Said:
    """A result that is nothing but its texts."""

    texts: tuple[str, ...] = field(default=(), converter=tuple)

    def render(self) -> Iterator[str]:
        yield from self.texts or ("done",)


@pytest.fixture
def tool() -> Callable[..., ToolSpec]:
    """Write a tool that takes nothing, unless another input is given, and says the texts that its handler gives."""

    def spec(handler: Callable[..., Any], **options: Any) -> ToolSpec:
        async def run(ctx: Context, args: Any) -> Said:
            return Said(await handler(ctx, args) or ())

        given: dict[str, Any] = {
            "name": handler.__name__,
            "title": "T",
            "description": "D",
            "input": Nothing,
            "handler": run,
        }
        return ToolSpec(**given | options)

    return spec


@pytest.fixture(scope="session")
def installed() -> Sequence[Entry]:
    """Scan for plugins once: a scan takes as long as a whole test."""
    return scan_plugins()


@pytest.fixture
def make(tmp_path: Path, installed: Sequence[Entry]) -> Callable[..., App]:
    """Return a function that creates an app with the installed plugins and one that offers some tools."""

    def app(*tools: ToolSpec, settings: str = PLAY) -> App:
        module: Any = ModuleType("stithy_own")
        module.STITHY_API = 1
        module.stithy_tools = hookimpl(lambda: list(tools))
        own = Entry(Contribution("stithy-own", "1.0", "own"), load=lambda: module)
        return make_app(tmp_path, settings, environ={"LAB_TOKEN": TOKEN}, entries=[*installed, own])

    return app


@pytest.fixture
def call() -> Callable[..., Awaitable[Any]]:
    """Call a tool over MCP."""

    async def call_tool(app: App, name: str, **arguments: Any) -> Any:
        async with connect(app) as client:
            return await client.call_tool(name, arguments)

    return call_tool


@pytest.fixture
def run_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str]]:
    """Return a function that runs `stithy` in a folder with settings; it returns exit code and output."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("STITHY_CONFIG", raising=False)

    def run(*words: str, settings: str = PLAY) -> tuple[int, str]:
        (tmp_path / "stithy.toml").write_text(settings)
        done = CliRunner().invoke(stithy, words)
        return done.exit_code, done.output

    return run


@define
class Gitea(Server):
    """A Gitea as far as a comment needs one."""

    def settings(self, more: str = "") -> str:
        """Write the settings that name it."""
        return f'[forges.lab]\nkind = "gitea"\nurl = "{self.url}"\ntoken = {{ env = "LAB_TOKEN" }}\n{more}'


@pytest.fixture
async def gitea() -> AsyncIterator[Gitea]:
    server = Gitea()
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    server.answer("GET /api/v1/version", 200, {"version": "1.27.0"})
    server.answer("GET /api/v1/repos/smith/anvil/pulls/2", 200, PULL)
    yield server
    server.ending.set()
    listening.close()
    await listening.wait_closed()

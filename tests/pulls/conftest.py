"""Fixtures for stithy-pulls: real repositories, a forge that serves them, and the tool."""

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from git_forge import TOKEN, Served, Workshop, serving
from lab import CASSETTES, Lab
from plugin_entries import find_entries

from stithy_core.app.assembly import App
from stithy_testing import connect, make_app

TOOL = "detect_merge_conflicts"


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, unproxied: None) -> None:
    """Keep caches, the user's git configuration and this project's own clone out of the tests."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """A repository with nothing in it yet."""
    return Workshop(tmp_path / "served")


@pytest.fixture
def served(tmp_path: Path, shop: Workshop) -> Iterator[Served]:
    with serving(tmp_path / "served", shop) as found:
        yield found


@pytest.fixture
def locked(tmp_path: Path, shop: Workshop) -> Iterator[Served]:
    """The same behind a token."""
    with serving(tmp_path / "served", shop, token=TOKEN) as found:
        yield found


@pytest.fixture
def app_of(tmp_path: Path) -> Callable[..., App]:
    """Return a server for a forge: `settings` are more lines of stithy.toml."""

    def start_server(served: Served, settings: str = "", **environ: str) -> App:
        lines = f'[forges.work]\nkind = "gitea"\nurl = "{served.url}"\n'
        entries = find_entries("stithy-gitea", "stithy-pulls")
        return make_app(tmp_path, lines + settings, environ={"GITEA_URL": served.url, **environ}, entries=entries)

    return start_server


@pytest.fixture
def ask(app_of: Callable[..., App]) -> Callable[..., Awaitable[dict[str, Any]]]:
    """Return a function that calls the tool and returns its object; a tool error raises AssertionError."""

    async def call_tool(
        served: Served, pr: str, settings: str = "", token: str = "", **arguments: Any
    ) -> dict[str, Any]:
        app = app_of(served, settings, **({"GITEA_TOKEN": token} if token else {}))
        with anyio.fail_after(120):
            async with connect(app) as client:
                result = await client.call_tool(TOOL, {"pr": pr, **arguments})
        if result.is_error:
            raise AssertionError(result.content[0].text)
        answer: dict[str, Any] = result.structured_content | {"text": result.content[0].text}
        return answer

    return call_tool


@pytest.fixture
def kept(request: pytest.FixtureRequest, server: tuple[str, Lab]) -> None:
    """Skip where nobody has recorded the module's world yet."""
    folder, lab = server
    if not lab.live and not list((CASSETTES / folder).glob(f"{request.module.WORLD}-*")):
        pytest.skip(f"{folder} has no recording of it yet: STITHY_RECORD={folder} make live (docs/live-tests.md)")

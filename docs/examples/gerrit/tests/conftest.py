"""A project on a Gerrit with a change that is tidy, one on it, and one with a conflict; and tools on that server."""

from collections.abc import Awaitable, Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from conformance_history import LINES
from gerrit_double import PROJECT, TOKEN, World, serving_gerrit
from git_forge import Workshop

from stithy_core.app import App
from stithy_testing import connect, make_app

Call = Callable[..., Awaitable[dict[str, Any]]]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def edit(number: int, text: str) -> str:
    """Return ten lines, one of them changed."""
    return LINES.replace(f"line {number}\n", f"{text}\n")


@pytest.fixture(scope="session")
def served_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, str]]:
    """Serve a project: change 1 is tidy, 2 is on it, and 3 conflicts; `next` is a later version of change 1."""
    shop = Workshop(tmp_path_factory.mktemp("gerrit"), PROJECT)
    world = World(shop)
    root = shop.commit("Begin", {"README.md": "# Anvil\n", "hello.txt": LINES})
    tidy = shop.commit("Greet\n\nBe polite.\n\nChange-Id: I1", {"hello.txt": edit(2, "hello")})
    above = shop.commit("Greet twice\n\nChange-Id: I2", {"again.txt": "hello\n"})
    shop.branch("next", tidy)
    shop.files({"hello.txt": edit(2, "hello, all")})
    shop.git("commit", "-qa", "--amend", "--no-edit")
    shop.branch("clash", root)
    clash = shop.commit("Shout\n\nChange-Id: I3", {"hello.txt": edit(9, "THEIRS")})
    shop.git("checkout", "-q", "-B", "main", root)
    shop.commit("Change line 9", {"hello.txt": edit(9, "ours")})
    shop.push("main")
    for number, sha in enumerate((tidy, above, clash), 1):
        world.push(number, sha)
    with serving_gerrit(world) as url:
        yield world, url


@pytest.fixture
def world(served_world: tuple[World, str], monkeypatch: pytest.MonkeyPatch) -> World:
    """The world; what a test changes is undone."""
    world, _ = served_world
    for name in ("changes", "requirements", "state", "submitters", "computes_mergeable", "asked"):
        monkeypatch.setattr(world, name, deepcopy(getattr(world, name)))
    world.asked.clear()
    return world


@pytest.fixture
def make_gerrit(
    install_example: Callable[[str], None], tmp_path: Path, served_world: tuple[World, str]
) -> Callable[..., App]:
    """Return a function that creates an app with the installed plugin; without a token it is anonymous."""
    install_example("gerrit")
    lines = f'[forges.work]\nkind = "gerrit"\nurl = "{served_world[1]}"\n'

    def make(token: str = TOKEN, settings: str = "") -> App:
        named = 'token = { env = "WORK_TOKEN" }\n' if token else ""
        return make_app(tmp_path, lines + named + settings, environ={"WORK_TOKEN": token})

    return make


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let git keep what it fetches in the folder of the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def call(world: World, make_gerrit: Callable[..., App]) -> Call:
    """Return a function that calls a tool: it returns the object, with the `text`, and whether it is an `error`."""

    async def call_tool(tool: str, *, token: str = TOKEN, **arguments: Any) -> dict[str, Any]:
        async with connect(make_gerrit(token)) as client:
            result = await client.call_tool(tool, arguments)
        return (result.structured_content or {}) | {"text": result.content[0].text, "error": result.is_error}

    return call_tool

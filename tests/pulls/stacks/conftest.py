"""Fixtures for stacks: histories of real git, and the execution of the returned commands."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest
from git_forge import AUTHOR, Served, Workshop, git
from stack_cases import Stack, run

from stithy_core.app.assembly import App
from stithy_core.spi import UserError
from stithy_pulls.stack_runs.stack_command import run as run_stack
from stithy_testing import connect

TOOL = "manage_stacked_prs"
Manage = Callable[..., Awaitable[dict[str, Any]]]


@pytest.fixture
def stack(shop: Workshop) -> Stack:
    return Stack(shop)


@pytest.fixture
def manage(app_of: Callable[..., App], served: Served) -> Manage:
    """Return a function that calls the tool and returns its object; a tool error raises AssertionError."""

    async def call_tool(base: str, dependent: str | None, settings: str = "", **arguments: Any) -> dict[str, Any]:
        with anyio.fail_after(120):
            async with connect(app_of(served, settings)) as client:
                result = await client.call_tool(
                    TOOL, {"base_pr": base, **({"dependent_pr": dependent} if dependent else {}), **arguments}
                )
        if result.is_error:
            raise AssertionError(result.content[0].text)
        answer: dict[str, Any] = result.structured_content | {"text": result.content[0].text}
        return answer

    return call_tool


@pytest.fixture(scope="module")
def answers() -> dict[str, str]:
    """The answers of the tool to the tests of a module, by the state of the forge and the arguments."""
    return {}


@pytest.fixture
def manage_once(manage: Manage, served: Served, shop: Workshop, answers: dict[str, str]) -> Manage:
    """Return a function as `manage` that calls the tool once for each state of the forge and arguments.

    It is for tests of what the steps come to, which differ in the clone and not in the answer.
    """

    async def call_once(*pair: str | None, **arguments: Any) -> dict[str, Any]:
        refs = git(shop.bare, "for-each-ref", "--format=%(refname) %(objectname)")
        key = json.dumps([refs, shop.pulls, shop.events, pair, arguments])
        if key not in answers:
            answers[key] = json.dumps(await manage(*pair, **arguments)).replace(served.url, "URL-OF-THE-FORGE")
        answer: dict[str, Any] = json.loads(answers[key].replace("URL-OF-THE-FORGE", served.url))
        return answer

    return call_once


@pytest.fixture
def perform(shop: Workshop, tmp_path: Path) -> Callable[..., Path]:
    """Return a function that runs the git commands of an answer, all or up to a prefix, in a fresh or a given clone.

    The clone is returned.
    """

    def run_steps(
        found: Mapping[str, Any],
        resolve: Callable[[str], object] | None = None,
        *,
        last: str | None = None,
        clone: Path | None = None,
        **environ: str,
    ) -> Path:
        if clone is None:
            clone = tmp_path / "clone"
            git(tmp_path, "clone", "-q", str(shop.bare), "clone")
        for command in found["commands"]:
            line = command["command"]
            if command["type"] == "git":
                run(clone, line, resolve, **environ)
            if last and line.startswith(last):
                break
        return clone

    return run_steps


@pytest.fixture
def subjects(shop: Workshop) -> Callable[..., list[str]]:
    """Return the subjects of the commits that only the first branch of the remote has, oldest first."""

    def list_subjects(branch: str, base: str = "main") -> list[str]:
        return git(shop.bare, "log", "--reverse", "--format=%s", f"{base}..{branch}").splitlines()

    return list_subjects


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """A base of two commits that was squashed, and two pull requests of one and two commits above it."""
    stack = Stack(Workshop(tmp_path_factory.mktemp("prepared")))
    stack.grow(1, "feat-a", "main", *((f"a{at}", {"base.txt": f"{at}\n"}) for at in (1, 2)))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"b.txt": "b1\n"}), ("b2", {"b.txt": "b2\n"}))
    stack.grow(3, "feat-c", "feat-b", ("c1", {"c.txt": "c1\n"}))
    stack.squash(1, "feat-a")
    return stack.shop


@pytest.fixture
def squashed(stack: Stack, prepared: Workshop) -> Stack:
    """A copy of that for one test."""
    stack.shop.load(prepared)
    return stack


@pytest.fixture
def clone(shop: Workshop, tmp_path: Path) -> Callable[..., Path]:
    """Clone the repository, or another address, with local branches as the author has them."""

    def make_clone(
        *options: str, url: str = "", branches: Sequence[str] = ("feat-b", "feat-c"), remote: str = "origin"
    ) -> Path:
        place = tmp_path / "mine"
        git(tmp_path, "clone", "-q", *options, url or str(shop.bare), "mine")
        for branch in branches:
            git(place, "branch", "-q", branch, f"{remote}/{branch}")
        return place

    return make_clone


@pytest.fixture
def stack_command(
    app_of: Callable[..., App],
    served: Served,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., Awaitable[str]]:
    """Return a function that runs `stithy stack` in a clone, and returns what it prints."""
    for name, value in AUTHOR.items():
        monkeypatch.setenv(name, value)

    async def run_command(place: Path, *words: str, settings: str = "", code: int = 0) -> str:
        monkeypatch.chdir(place)
        app = app_of(served, settings)
        command, origin = next(row for row in app.commands if row[0].name == "stack")
        assert command.run == f"{run_stack.__module__}:run"
        fault: UserError | None = None
        async with app.running():
            try:
                assert await run_stack(app.scope(origin), words) == code
            except UserError as error:  # the task group of the app would wrap it
                fault = error
        if fault is not None:
            raise fault
        return capsys.readouterr().out

    return run_command

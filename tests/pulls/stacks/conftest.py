"""What the tests of stacks share: histories that real git makes, and the commands that are really run."""

import anyio
import pytest
from git_forge import git
from stack_cases import Stack, run

from stithy_testing import connect

TOOL = "manage_stacked_prs"


@pytest.fixture
def stack(shop):
    return Stack(shop)


@pytest.fixture
def manage(app_of, served):
    """Call the tool, and give its object; an error is raised as what it says."""

    async def call_tool(base, dependent, settings="", **arguments):
        with anyio.fail_after(120):
            async with connect(app_of(served, settings)) as client:
                result = await client.call_tool(TOOL, {"base_pr": base, "dependent_pr": dependent, **arguments})
        if result.is_error:
            raise AssertionError(result.content[0].text)
        return result.structured_content | {"text": result.content[0].text}

    return call_tool


@pytest.fixture
def perform(shop, tmp_path):
    """Run all that git is told to do, or all up to a step that begins so, in a fresh clone or in that given.

    The clone is returned.
    """

    def run_steps(found, resolve=None, *, last=None, clone=None, **environ):
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
def subjects(shop):
    """Return the subjects of the commits that only the first branch of the remote has, oldest first."""

    def list_subjects(branch, base="main"):
        return git(shop.bare, "log", "--reverse", "--format=%s", f"{base}..{branch}").splitlines()

    return list_subjects

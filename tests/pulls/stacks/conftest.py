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

    async def asked(base, dependent, settings="", **arguments):
        with anyio.fail_after(120):
            async with connect(app_of(served, settings)) as client:
                result = await client.call_tool(TOOL, {"base_pr": base, "dependent_pr": dependent, **arguments})
        if result.is_error:
            raise AssertionError(result.content[0].text)
        return result.structured_content | {"text": result.content[0].text}

    return asked


@pytest.fixture
def perform(shop, tmp_path):
    """Run all that git is told to do, or all up to a step that begins so, in a fresh clone or in that given.

    The clone is returned.
    """

    def performed(found, resolve=None, *, last=None, clone=None, **environ):
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

    return performed


@pytest.fixture
def subjects(shop):
    """Give the subjects of what the remote's branch has and another has not, oldest first."""

    def listed(branch, base="main"):
        return git(shop.bare, "log", "--reverse", "--format=%s", f"{base}..{branch}").splitlines()

    return listed

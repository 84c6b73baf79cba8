"""Toolsets: which tools are served, by the settings and by the command line."""

import pytest

from stithy_core.spi import Effects
from stithy_testing import connect

pytestmark = pytest.mark.anyio

PLAY = '[forges.play]\nkind = "sandbox"\n'


@pytest.fixture
def specs(tool):
    async def run(ctx, args):
        """Do nothing."""

    return [tool(run, name="one", toolset="one"), tool(run, name="two", toolset="two"), tool(run, name="none")]


@pytest.mark.parametrize(("chosen", "served"), [("", {"one", "two", "none"}), ('"two"', {"two", "none"})])
async def test_the_sets_of_the_settings_are_served(make, specs, chosen, served):
    async with connect(make(*specs, settings=f"[serve]\ntoolsets = [{chosen}]\n")) as client:
        names = {row.name for row in (await client.list_tools()).tools}
    assert names & {"one", "two", "none"} == served


def test_every_tool_of_ours_that_writes_is_in_a_toolset(make):
    writing = [tool.spec for tool in make().tools if tool.spec.effects is not Effects.READ]
    assert {spec.toolset for spec in writing} == {"repository_management", "stacks"}


@pytest.mark.parametrize("written", ["repository_management,stacks", " repository_management , stacks,"])
def test_the_option_names_sets(run_in, written):
    code, output = run_in("tools", "--toolsets", written)
    assert code == 0
    assert "switched off" not in output


def test_the_option_counts_more_than_the_settings(run_in):
    settings = PLAY + '[serve]\ntoolsets = ["gone"]\n'
    assert run_in("tools", "--toolsets", "repository_management", settings=settings)[0] == 0


def test_a_set_that_is_not_there_is_an_error_of_the_option(run_in):
    code, output = run_in("tools", "--toolsets", "repo_management")
    assert code == 2
    assert "--toolsets repo_management: no such toolset" in output
    assert "Available: repository_management, stacks." in output


def test_an_option_without_a_name_serves_nothing_by_accident(run_in):
    assert run_in("tools", "--toolsets", ",")[0] == 2

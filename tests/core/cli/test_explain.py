"""`stithy explain`."""

import json

import pytest

FORGE = """
    from attrs import frozen
    from stithy_core.spi import Comments, Forge, ForgeKind, ToolSpec, Version, hookimpl

    STITHY_API = 1

    class PondComments(Comments):
        async def list(self, subject, *, since=None):
            return ()

    class Pond(Forge):
        capabilities = (PondComments,)

        async def identify(self):
            return Version("pond", "1")

    @frozen
    class Nothing:
        def render(self):
            return ()

    async def act(ctx, args) -> Nothing:
        return Nothing()

    def tool(name, *needs):
        return ToolSpec(name=name, title=name, description=name, input=Nothing, handler=act, needs=needs)

    @hookimpl
    def stithy_forges():
        return [ForgeKind(name="pond", title="Pond", forge=Pond)]

    @hookimpl
    def stithy_tools():
        return [tool("listen", Comments.list), tool("talk", Comments.list, Comments.create)]
"""


@pytest.fixture(autouse=True)
def _pond(install_plugin):
    install_plugin("stithy-pond", FORGE)


def test_a_tool_is_explained_for_each_kind(run):
    lines = run("explain", "talk").stdout.splitlines()
    assert lines[:2] == ["talk", "needs Comments.list, Comments.create"]
    assert "  Pond: no: Comments.create" in lines
    assert "  Pond: yes" in run("explain", "listen").stdout.splitlines()


def test_a_tool_that_needs_no_forge_says_so(run):
    assert run("explain", "list_plugins").stdout == "list_plugins\nneeds nothing of a forge\n"


def test_the_configured_forges_are_asked_on_demand(run, settings):
    settings('[forges.work]\nkind = "pond"\nurl = "http://127.0.0.1:9"\n')
    assert "forge work" not in run("explain", "talk").stdout
    lines = run("explain", "talk", "--ask").stdout.splitlines()
    assert "  forge work: Comments.list: yes" in lines
    assert any(line.startswith("  forge work: Comments.create: no: work (pond at ") for line in lines)


def test_all_tools_are_a_table(run):
    lines = run("explain").stdout.splitlines()
    assert lines[0].startswith("| Tool | ")
    assert any(line.startswith("| `talk` |") for line in lines)


def test_it_is_given_as_json(run):
    needs = json.loads(run("explain", "talk", "--json").stdout)["needs"]
    assert [(need["operation"], need["declared"]["pond"]) for need in needs] == [
        ("Comments.list", "always"),
        ("Comments.create", "never"),
    ]
    rows = json.loads(run("explain", "--json").stdout)
    assert {"listen", "talk", "list_plugins"} <= {row["name"] for row in rows}


def test_asking_for_everything_is_refused(run):
    result = run("explain", "--ask")
    assert result.exit_code == 2
    assert "--ask requires a TOOL" in result.stderr


def test_a_tool_that_there_is_not_is_named_with_the_nearest(run):
    assert "Did you mean talk?" in run("explain", "tolk").stderr

"""Plugins call the tools of others that only read."""

import pytest

from stithy_core.cli.command_group import list_plugin_commands, stithy
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

CALLER = """
    from attrs import frozen
    from stithy_core.spi import Command, Context, Effects, StithyError, ToolSpec, hookimpl

    STITHY_API = 1

    @frozen
    class Named:
        name: str

    @frozen
    class Outcome:
        text: str

        def render(self):
            yield self.text

    async def outcome(scope, name):
        try:
            answer = await scope.call_tool(name, {})
        except StithyError as error:
            return f"{type(error).__name__}: {error.message}"
        return f"{answer.is_error} {sorted(answer.structured)}"

    async def relay(ctx: Context, args: Named) -> Outcome:
        return Outcome(await outcome(ctx, args.name))

    async def change(ctx: Context, args: Named) -> Outcome:
        return Outcome("changed")

    async def run(scope, words):
        print(await outcome(scope, words[0]))
        return 3

    @hookimpl
    def stithy_tools():
        return [
            ToolSpec(name="relay", title="T", description="D", input=Named, handler=relay),
            ToolSpec(name="change", title="T", description="D", input=Named, handler=change, effects=Effects.CHANGE),
        ]

    @hookimpl
    def stithy_commands():
        return [Command(name="relay", help="Calls a tool", run=run)]
"""


@pytest.fixture
def _caller(install_plugin):
    install_plugin("stithy-caller", CALLER)


@pytest.mark.usefixtures("_caller")
@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("list_plugins", "False ['plugins']"),
        ("relay", "True ['category', 'code', 'details', 'error', 'suggestion']"),
        ("change", "Refused: change writes"),
        ("nowhere", "ToolNotFound: unknown tool 'nowhere'"),
    ],
)
async def test_a_handler_gets_the_answer_or_the_error_of_a_tool_that_reads(tmp_path, name, outcome):
    """A call that fails, here for a missing argument, is an answer; one that may not be made raises."""
    async with connect(make_app(tmp_path)) as client:
        answer = await client.call_tool("relay", {"name": name})
    assert answer.structured_content["text"] == outcome


@pytest.mark.usefixtures("_caller")
def test_an_async_command_calls_tools_and_returns_its_exit_code(tmp_path, monkeypatch):
    from click.testing import CliRunner

    monkeypatch.chdir(tmp_path)
    (tmp_path / "stithy.toml").write_text("")
    list_plugin_commands.cache_clear()
    done = CliRunner().invoke(stithy, ["relay", "list_plugins"])
    assert (done.output, done.exit_code) == ("False ['plugins']\n", 3)

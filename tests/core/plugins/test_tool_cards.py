"""What a plugin is told of the tools that are served."""

import pytest

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

TELLER = """
    from typing import Annotated
    from attrs import frozen
    from stithy_core.spi import Context, Effects, Meta, ToolSpec, hookimpl
    from stithy_core.spi import Prompt, PromptMessage, PromptProvider, Prompts

    STITHY_API = 1

    @frozen
    class Named:
        name: Annotated[str, Meta("Which tool", max_length=80)]

    @frozen
    class Told:
        text: str

        def render(self):
            yield self.text

    async def tell(ctx: Context, args: Named) -> Told:
        card = ctx.tool(args.name)
        return Told(f"{card.name}: {card.description} {card.input.get('required')}" if card else "nothing")

    def write(worker, args: Named) -> Told:
        return Told(worker.tool("tell").name)

    class Telling(PromptProvider):
        async def list(self):
            return [Prompt(name="told")]

        async def get(self, name, arguments):
            return [PromptMessage(self.scope.tool("tell").description)]

    @hookimpl
    def stithy_tools():
        return [
            ToolSpec(name="tell", title="T", description="Tells.", input=Named, handler=tell),
            ToolSpec(name="tell_plainly", title="T", description="D", input=Named, handler=write),
            ToolSpec(name="change", title="T", description="D", input=Named, handler=write, effects=Effects.CHANGE),
        ]

    @hookimpl
    def stithy_prompts():
        return [Prompts(provider=Telling)]
"""


@pytest.fixture
def told(install_plugin, tmp_path):
    install_plugin("stithy-teller", TELLER)

    async def call(settings="", tool="tell", **arguments):
        async with connect(make_app(tmp_path, settings)) as client:
            return (await client.call_tool(tool, arguments)).structured_content["text"]

    return call


async def test_a_tool_of_any_plugin_is_told_with_its_schema(told):
    assert await told(name="tell") == "tell: Tells. ['name']"
    assert (await told(name="list_plugins")).startswith("list_plugins: ")


async def test_a_plain_handler_is_told_too(told):
    assert await told(tool="tell_plainly", name="x") == "tell"


async def test_missing_and_disabled_tools_have_no_info(told):
    assert await told(name="no-such") == "nothing"
    assert await told("[serve]\nread_only = true\n", name="change") == "nothing"
    assert await told(name="change") != "nothing"


async def test_a_provider_is_told_what_its_server_serves(told, tmp_path):
    async with connect(make_app(tmp_path)) as client:
        assert (await client.get_prompt("told", {})).messages[0].content.text == "Tells."

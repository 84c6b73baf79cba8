"""Tools over MCP: how they are listed, and what a call answers, in both eras of the protocol."""

from typing import Annotated

import pytest
from attrs import frozen
from mcp import MCPError

from stithy_core.errors import NotFound
from stithy_core.spi import Effects, Meta, PullRequests
from stithy_testing import connect

pytestmark = pytest.mark.anyio

INVALID_PARAMS = -32602


@frozen
class Counted:
    count: Annotated[int, Meta("How many", ge=1)]
    name: str = "x"


@frozen
class Part:
    size: Annotated[int, Meta(ge=1)]


@frozen
class Limited:
    word: Annotated[str, Meta(pattern="^[a-z]{3}", min_length=3, max_length=9, examples=("anvil",))]
    parts: Annotated[tuple[Part, ...], Meta(max_length=3)] = ()
    most: Annotated[int, Meta(ge=5, le=9)] = 7
    dry: bool = False


async def list_tools(app, mode):
    async with connect(app, mode=mode) as client:
        return (await client.list_tools()).tools


async def call_tool(app, mode, name, arguments=None):
    async with connect(app, mode=mode) as client:
        return await client.call_tool(name, arguments)


async def test_tools_are_listed_by_name_whoever_brings_them(make, plugin, tool, mode):
    app = make(
        plugin("stithy-a", stithy_tools=[tool("zeta"), tool("mid")]), plugin("stithy-b", stithy_tools=[tool("alpha")])
    )
    assert [row.name for row in await list_tools(app, mode)] == ["alpha", "list_plugins", "mid", "zeta"]


async def test_the_list_does_not_depend_on_who_was_installed_first(make, plugin, tool, mode):
    entries = [plugin("stithy-a", stithy_tools=[tool("one")]), plugin("stithy-b", stithy_tools=[tool("two")])]
    first = [row.model_dump() for row in await list_tools(make(*entries), mode)]
    assert first == [row.model_dump() for row in await list_tools(make(*reversed(entries)), mode)]


async def test_the_list_is_the_same_after_a_call(make, mode):
    async with connect(make(), mode=mode) as client:
        before = await client.list_tools(cache_mode="bypass")
        await client.call_tool("list_plugins")
        assert (await client.list_tools(cache_mode="bypass")).tools == before.tools


async def test_a_tool_is_listed_as_its_plugin_declares_it(make, plugin, tool, mode):
    spec = tool("count", title="Count", description="Counts up.", input=Counted)
    row = (await list_tools(make(plugin("stithy-a", stithy_tools=[spec])), mode))[0]
    assert (row.title, row.description) == ("Count", "Counts up.")
    assert row.input_schema["required"] == ["count"]
    assert row.input_schema["properties"]["count"] == {"type": "integer", "description": "How many"}


async def test_the_list_leaves_out_what_only_a_refused_call_shows(make, plugin, tool):
    """Hosts pass it on to their model whole; the call itself is checked by the whole schema."""
    app = make(plugin("stithy-a", stithy_tools=[tool("limited", input=Limited)]))
    async with connect(app) as client:
        row = next(row for row in (await client.list_tools()).tools if row.name == "limited")
        refused = await client.call_tool("limited", {"word": "no", "parts": [{"size": 0}]})
    assert row.input_schema["properties"] == {
        "word": {"type": "string", "examples": ["anvil"]},
        "parts": {
            "type": "array",
            "items": {"type": "object", "properties": {"size": {"type": "integer"}}, "required": ["size"]},
        },
        "most": {"type": "integer", "minimum": 5, "maximum": 9, "default": 7},
        "dry": {"type": "boolean"},
    }
    assert "word must" in refused.content[0].text
    assert "size must" in refused.content[0].text


async def test_the_words_of_people_are_listed_for_hosts_that_search_tools(make, plugin, tool):
    specs = [tool("a", keywords=("build failures", "why is it red")), tool("b")]
    app = make(plugin("stithy-a", stithy_tools=specs))
    async with connect(app) as client:
        first, second = (await client.list_tools()).tools[:2]
        assert client.instructions.startswith("Use for build failures. ")
    assert first.meta == {"anthropic/searchHint": "build failures, why is it red"}
    assert second.meta is None


async def test_keywords_that_are_no_phrases_block_their_plugin(make, plugin, tool):
    app = make(plugin("stithy-a", stithy_tools=[tool("a", keywords="build failures")]))
    async with connect(app) as client:
        assert "invalid keywords of a" in (await client.call_tool("list_plugins")).content[0].text


@pytest.mark.parametrize(
    ("effects", "hints"),
    [
        (Effects.READ, (True, None, None)),
        (Effects.ADD, (False, False, None)),
        (Effects.CHANGE, (False, None, True)),
        (Effects.DELETE, (False, None, True)),
    ],
)
async def test_annotations_say_what_a_call_leaves_behind(make, plugin, tool, effects, hints):
    """Whether it only reads, whether it destroys, and whether a second call changes nothing more.

    The protocol's defaults are left out; for a tool that only reads, the last two have no meaning.
    """
    row = (await list_tools(make(plugin("stithy-a", stithy_tools=[tool("a", effects=effects)])), "auto"))[0].annotations
    assert (row.read_only_hint, row.destructive_hint, row.idempotent_hint) == hints


@pytest.mark.parametrize(("needs", "is_open"), [([PullRequests.get], None), ([], False)])
async def test_only_a_tool_that_needs_a_forge_reaches_the_open_world(make, plugin, tool, needs, is_open):
    """True is the protocol's default."""
    app = make(plugin("stithy-a", stithy_tools=[tool("a", needs=needs)]))
    assert (await list_tools(app, "auto"))[0].annotations.open_world_hint is is_open


async def test_no_output_schema_is_listed_by_default(make, plugin, tool, mode):
    app = make(plugin("stithy-a", stithy_tools=[tool("a")]))
    assert {row.output_schema is None for row in await list_tools(app, mode)} == {True}


async def test_output_schemas_are_listed_where_the_setting_asks(make, plugin, tool, mode):
    app = make(plugin("stithy-a", stithy_tools=[tool("a")]), settings="[serve]\noutput_schemas = true\n")
    rows = await list_tools(app, mode)
    assert rows[0].output_schema["properties"]["text"] == {"type": "string"}
    assert {row.output_schema["type"] for row in rows} == {"object"}


async def test_an_answer_that_was_announced_passes_the_clients_own_check(make, plugin, tool, mode):
    app = make(plugin("stithy-a", stithy_tools=[tool("a")]), settings="[serve]\noutput_schemas = true\n")
    async with connect(app, mode=mode) as client:
        await client.list_tools()
        assert not (await client.call_tool("a")).is_error
        assert not (await client.call_tool("list_plugins")).is_error


async def test_a_tool_whose_result_cannot_be_described_does_not_spoil_the_list(make, plugin, tool, mode):
    specs = [tool("a"), tool("b", "no.where:yet")]
    app = make(plugin("stithy-a", stithy_tools=specs), settings="[serve]\noutput_schemas = true\n")
    rows = await list_tools(app, mode)
    assert [(row.name, row.output_schema is None) for row in rows[:2]] == [("a", False), ("b", True)]


async def test_the_sdk_finds_a_schema_without_listing_all_tools(make):
    """Over HTTP it asks for one before each call; without an answer it would list every tool."""
    from stithy_core.server.tool_requests import ToolRequests

    requests = ToolRequests(make().contents())
    assert requests.input_schema("list_plugins")["type"] == "object"
    assert requests.input_schema("nothing") is None


async def test_an_answer_is_an_object_and_text(make, plugin, tool, said, mode):
    async def count(ctx, args) -> said:
        return said("two numbers", (1, 2))

    answer = await call_tool(make(plugin("stithy-a", stithy_tools=[tool("a", count)])), mode, "a")
    assert answer.structured_content == {"text": "two numbers", "numbers": [1, 2]}
    assert [block.text for block in answer.content] == ["two numbers"]
    assert not answer.is_error


async def test_a_plain_handler_answers_too(make, plugin, tool, said, mode):
    def plain(worker, args) -> said:
        return said(f"{args.count} {args.name}")

    app = make(plugin("stithy-a", stithy_tools=[tool("a", plain, input=Counted)]))
    assert (await call_tool(app, mode, "a", {"count": 2})).structured_content["text"] == "2 x"


async def test_arguments_that_do_not_fit_are_listed(make, plugin, tool, mode):
    app = make(plugin("stithy-a", stithy_tools=[tool("a", input=Counted)]))
    answer = await call_tool(app, mode, "a", {"count": 0, "nam": "y"})
    assert answer.is_error
    assert answer.structured_content["code"] == INVALID_PARAMS
    assert sorted(row["path"] for row in answer.structured_content["details"]["errors"]) == ["count", "nam"]


async def test_a_call_without_arguments_says_which_are_missing(make, plugin, tool, mode):
    answer = await call_tool(make(plugin("stithy-a", stithy_tools=[tool("a", input=Counted)])), mode, "a")
    assert answer.is_error
    assert "count is required" in answer.content[0].text


async def test_an_unknown_tool_is_an_error_of_the_protocol(make, mode):
    async with connect(make(), mode=mode) as client:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("list_plugin")
    assert caught.value.code == INVALID_PARAMS
    assert caught.value.data["code"] == -32001
    assert caught.value.data["suggestion"] == "Did you mean list_plugins?"


async def test_a_known_error_is_an_answer_with_its_category(make, plugin, tool, mode):
    async def absent(ctx, args):
        raise NotFound("no such pull request", suggestion="Check the number.", details={"status": 404})

    answer = await call_tool(make(plugin("stithy-a", stithy_tools=[tool("a", absent)])), mode, "a")
    assert answer.is_error
    assert answer.structured_content["category"] == "api"
    assert answer.structured_content["details"] == {"status": 404}
    assert answer.content[0].text == "no such pull request\nCheck the number."


@pytest.mark.parametrize("error", [KeyError("hunter2"), ValueError("hunter2"), MCPError(-32602, "hunter2")])
async def test_exceptions_of_a_plugin_are_masked(make, plugin, tool, mode, error):
    async def breaks(ctx, args):
        raise error

    answer = await call_tool(make(plugin("stithy-a", stithy_tools=[tool("a", breaks)])), mode, "a")
    assert answer.is_error
    assert answer.structured_content["error"] == "a failed inside stithy-a 1.0"
    assert "hunter2" not in answer.model_dump_json()


async def test_after_a_plugin_broke_the_server_goes_on(make, plugin, tool, mode):
    async def breaks(ctx, args):
        raise RuntimeError

    app = make(plugin("stithy-a", stithy_tools=[tool("a", breaks), tool("b")]))
    async with connect(app, mode=mode) as client:
        await client.call_tool("a")
        assert not (await client.call_tool("b")).is_error


async def test_progress_arrives(make, plugin, tool, said, mode):
    heard = []

    async def work(ctx, args) -> said:
        await ctx.progress(1, 3, "reading")
        await ctx.progress(3, 3, "done")
        return said()

    async def hear(done, total, message):
        heard.append((done, total, message))

    async with connect(make(plugin("stithy-a", stithy_tools=[tool("a", work)])), mode=mode) as client:
        await client.call_tool("a", progress_callback=hear)
    assert heard == [(1, 3, "reading"), (3, 3, "done")]


async def test_half_a_character_in_a_report_of_progress_is_replaced(make, plugin, tool, said, mode):
    heard = []

    async def work(ctx, args) -> said:
        await ctx.progress(1, 1, "half \ud83d")
        return said()

    async def hear(done, total, message):
        heard.append(message)

    async with connect(make(plugin("stithy-a", stithy_tools=[tool("a", work)])), mode=mode) as client:
        assert not (await client.call_tool("a", progress_callback=hear)).is_error
    assert heard == ["half ?"]


async def test_progress_that_nobody_asked_for_goes_nowhere(make, plugin, tool, said, mode):
    async def work(ctx, args) -> said:
        await ctx.progress(1, 3)
        return said()

    assert not (await call_tool(make(plugin("stithy-a", stithy_tools=[tool("a", work)])), mode, "a")).is_error


async def test_a_read_only_server_serves_no_tool_that_writes(make, plugin, tool, mode):
    specs = [tool("look"), *(tool(effects.value, effects=effects) for effects in Effects)]
    app = make(plugin("stithy-a", stithy_tools=specs), settings="[serve]\nread_only = true\n")
    assert [row.name for row in await list_tools(app, mode)] == ["list_plugins", "look", "read"]


async def test_a_tool_that_is_switched_off_says_why(make, plugin, tool, mode):
    app = make(
        plugin("stithy-a", stithy_tools=[tool("a", effects=Effects.ADD)]), settings="[serve]\nread_only = true\n"
    )
    answer = await call_tool(app, mode, "a")
    assert answer.is_error
    assert answer.structured_content["error"] == "a is switched off: this server is read-only"


async def test_only_the_toolsets_of_the_settings_are_served(make, plugin, tool, mode):
    specs = [tool("a", toolset="one"), tool("b", toolset="two"), tool("c")]
    app = make(plugin("stithy-a", stithy_tools=specs), settings='[serve]\ntoolsets = ["one"]\n')
    assert [row.name for row in await list_tools(app, mode)] == ["a", "c", "list_plugins"]
    assert "the toolset two is not switched on" in (await call_tool(app, mode, "b")).content[0].text


@pytest.fixture
def twins(plugin, tool):
    return [
        plugin("stithy-a", stithy_tools=[tool("same", title="A"), tool("other")]),
        plugin("stithy-b", stithy_tools=[tool("same", title="B")]),
    ]


async def test_two_tools_of_one_name_are_both_refused(make, twins, mode):
    async with connect(make(*twins), mode=mode) as client:
        assert [row.name for row in (await client.list_tools()).tools] == ["list_plugins", "other"]
        with pytest.raises(MCPError):
            await client.call_tool("same")


@pytest.mark.parametrize(("distribution", "title"), [("stithy-a", "A"), ("stithy-b", "B")])
async def test_the_settings_choose_between_two_tools_with_one_name(make, twins, distribution, title):
    app = make(*twins, settings=f'[plugins.tools]\nsame = "{distribution}"\n')
    assert [row.title for row in await list_tools(app, "auto") if row.name == "same"] == [title]


async def test_two_tools_with_one_name_are_told_with_how_to_choose(make, twins, mode):
    answer = await call_tool(make(*twins), mode, "list_plugins")
    rows = [row for row in answer.structured_content["plugins"] if row["state"] == "failed"]
    assert [row["offer"] for row in rows] == ["tool same", "tool same"]
    assert rows[0]["cause"] == "stithy-a 1.0 and stithy-b 1.0 have a tool with the name same"
    assert '[plugins.tools] same = "stithy-a"' in rows[0]["remedy"]


async def test_a_plugin_cannot_take_the_place_of_the_tool_that_tells_what_failed(make, plugin, tool):
    app = make(plugin("stithy-a", stithy_tools=[tool("list_plugins", title="Mine")]))
    first = (await call_tool(app, "auto", "list_plugins")).structured_content["plugins"][0]
    assert (first["distribution"], first["offer"]) == ("stithy-a", "tool list_plugins")


async def test_list_plugins_names_a_broken_plugin_first(make, plugin, tool, broken, mode):
    answer = await call_tool(make(plugin("stithy-a", stithy_tools=[tool("a")]), broken), mode, "list_plugins")
    first = answer.structured_content["plugins"][0]
    assert (first["distribution"], first["version"], first["state"]) == ("stithy-broken", "0.3", "failed")
    assert first["cause"] == "ImportError: it wants the moon"
    assert "stithy-broken 0.3: failed at import: ImportError: it wants the moon" in answer.content[0].text


async def test_list_plugins_names_a_tool_that_cannot_be_described(make, plugin, tool, mode):
    app = make(plugin("stithy-a", stithy_tools=[tool("a"), tool("no good name!")]))
    answer = await call_tool(app, mode, "list_plugins")
    row = next(row for row in answer.structured_content["plugins"] if row["state"] == "failed")
    assert row["offer"] == "tool no good name!"
    assert "a" in [row.name for row in await list_tools(app, mode)]


async def test_list_plugins_names_a_blocked_plugin(make, plugin, tool):
    app = make(plugin("stithy-a", stithy_tools=[tool("a")]), settings='[plugins]\ndisabled = ["stithy-a"]\n')
    assert (await call_tool(app, "auto", "list_plugins")).structured_content["plugins"][0]["state"] == "blocked"

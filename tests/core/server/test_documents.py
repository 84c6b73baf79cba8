"""Resources, prompts and completions over MCP, in both eras of the protocol."""

import base64
import json

import anyio
import pytest
from mcp import MCPError
from mcp_types import PromptReference, ResourceTemplateReference

from stithy_core.errors import NotFound, Unavailable
from stithy_core.plugins import hook_calls
from stithy_core.spi import (
    Content,
    Prompt,
    PromptArgument,
    PromptMessage,
    PromptProvider,
    Prompts,
    Resource,
    ResourceProvider,
    Resources,
    ResourceTemplate,
)
from stithy_testing import connect

pytestmark = pytest.mark.anyio

INVALID_PARAMS, INTERNAL_ERROR = -32602, -32603
STATISTICS = "stithy://statistics"


class Mottos(ResourceProvider):
    """A few documents."""

    async def list(self):
        return [
            Resource(
                uri="motto://today", name="today", title="Today's", description="One line", mime_type="text/plain"
            ),
            Resource(uri="motto://seal", name="seal", mime_type="image/png"),
        ]

    async def read(self, uri):
        if uri == "motto://seal":
            return b"\x89PNG"
        if uri == "motto://today":
            return "Strike while the iron is hot."
        if uri == "motto://half":
            return "half \ud83d"
        if uri == "motto://far":
            raise Unavailable("the forge is away")
        if uri == "motto://odd":
            return 42
        if uri == "motto://broken":
            raise RuntimeError("hunter2")
        raise NotFound(f"no motto {uri}")

    async def templates(self):
        return [ResourceTemplate(uri="motto://{day}", name="of-a-day")]

    async def complete(self, template, argument, value):
        if value == "x":
            raise RuntimeError("hunter2")
        return [f"{argument}-{value}-{number}" for number in range(150)]


class Reviews(PromptProvider):
    """A prompt with arguments."""

    async def list(self):
        arguments = (PromptArgument(name="pr", required=True), PromptArgument(name="tone", description="How"))
        return [Prompt(name="review", title="Review", description="Review a change", arguments=arguments)]

    async def get(self, name, arguments):
        if arguments["pr"] == "0":
            raise RuntimeError("hunter2")
        return [PromptMessage(f"Review {arguments['pr']}."), PromptMessage("I shall.", "assistant")]

    async def complete(self, prompt, argument, value):
        return ["o/r#1"]


class Odd(ResourceProvider, PromptProvider):
    """Returns values that are not rows."""

    async def list(self):
        return ["no row"]

    async def templates(self):
        return None


class Raising(ResourceProvider, PromptProvider):
    """Cannot list."""

    async def list(self):
        raise RuntimeError("hunter2")

    async def templates(self):
        raise RuntimeError("hunter2")


class Stillborn(ResourceProvider, PromptProvider):
    """Cannot even be made."""

    def __init__(self, scope):
        raise RuntimeError("hunter2")


BROKEN = [Odd, Raising, Stillborn, "no.where:Provider"]


def mottos(prefix="motto://", provider=Mottos):
    return Resources(prefix=prefix, provider=provider)


@pytest.fixture
def app(make, plugin):
    return make(plugin("stithy-m", stithy_resources=[mottos()], stithy_prompts=[Prompts(provider=Reviews)]))


async def refusal(awaited, code=INVALID_PARAMS):
    with pytest.raises(MCPError) as caught:
        await awaited
    assert caught.value.code == code
    assert "hunter2" not in str(caught.value.error)
    return caught.value


async def uris(client):
    return [row.uri for row in (await client.list_resources()).resources]


async def test_resources_are_listed_after_the_servers_own(app, mode):
    async with connect(app, mode=mode) as client:
        rows = (await client.list_resources()).resources
    assert [row.uri for row in rows] == [STATISTICS, "motto://today", "motto://seal"]
    assert (rows[1].name, rows[1].title, rows[1].mime_type) == ("today", "Today's", "text/plain")


async def test_a_server_without_plugins_still_has_its_statistics(make, mode):
    async with connect(make(), mode=mode) as client:
        assert await uris(client) == [STATISTICS]


async def test_the_statistics_count_calls(make, mode):
    async with connect(make(), mode=mode) as client:
        await client.call_tool("list_plugins")
        content = (await client.read_resource(STATISTICS)).contents[0]
    assert content.mime_type == "application/json"
    assert json.loads(content.text)["tools"]["list_plugins"]["invocations"] == 1


async def test_a_text_is_read(app, mode):
    async with connect(app, mode=mode) as client:
        content = (await client.read_resource("motto://today")).contents[0]
    assert (content.uri, content.text) == ("motto://today", "Strike while the iron is hot.")


async def test_half_a_character_is_replaced_since_it_cannot_be_sent(app, mode):
    async with connect(app, mode=mode) as client:
        assert (await client.read_resource("motto://half")).contents[0].text == "half ?"


async def test_bytes_are_read(app, mode):
    async with connect(app, mode=mode) as client:
        content = (await client.read_resource("motto://seal")).contents[0]
    assert base64.b64decode(content.blob) == b"\x89PNG"


@pytest.mark.parametrize("uri", ["motto://never", "other://x", "stithy://nothing"])
async def test_an_unknown_resource_is_refused_with_its_uri(app, mode, uri):
    async with connect(app, mode=mode) as client:
        assert (await refusal(client.read_resource(uri))).data == {"uri": uri}


async def test_an_error_that_is_meant_for_the_caller_is_told(app, mode):
    async with connect(app, mode=mode) as client:
        error = await refusal(client.read_resource("motto://far"), INTERNAL_ERROR)
    assert error.message == "the forge is away"


@pytest.mark.parametrize("uri", ["motto://broken", "motto://odd"])
async def test_exceptions_of_a_provider_are_masked(app, mode, uri):
    async with connect(app, mode=mode) as client:
        assert "log" in (await refusal(client.read_resource(uri), INTERNAL_ERROR)).message


async def test_the_longest_prefix_reads(make, plugin, mode):
    class Deep(ResourceProvider):
        async def read(self, uri):
            return "deep"

    entries = [
        plugin("stithy-a", stithy_resources=[mottos()]),
        plugin("stithy-b", stithy_resources=[mottos("motto://t", Deep)]),
    ]
    async with connect(make(*entries), mode=mode) as client:
        assert (await client.read_resource("motto://today")).contents[0].text == "deep"


async def test_a_provider_is_made_once_with_its_plugins_scope(make, plugin):
    made = []

    class Counting(Mottos):
        def __init__(self, scope):
            super().__init__(scope)
            made.append(scope.log.name)

    async with connect(make(plugin("stithy-m", stithy_resources=[mottos(provider=Counting)]))) as client:
        await client.list_resources(cache_mode="bypass")
        await client.read_resource("motto://today")
    assert made == ["stithy.plugins.stithy-m"]


async def test_templates_are_listed(app, mode):
    async with connect(app, mode=mode) as client:
        rows = (await client.list_resource_templates()).resource_templates
    assert [(row.uri_template, row.name) for row in rows] == [("motto://{day}", "of-a-day")]


@pytest.mark.parametrize("provider", BROKEN)
async def test_a_broken_provider_leaves_the_others(make, plugin, mode, caplog, provider):
    entries = [
        plugin("stithy-bad", stithy_resources=[mottos("a://", provider)]),
        plugin("stithy-good", stithy_resources=[mottos()]),
    ]
    async with connect(make(*entries), mode=mode) as client:
        assert await uris(client) == [STATISTICS, "motto://today", "motto://seal"]
        assert len((await client.list_resource_templates()).resource_templates) == 1
    assert "a provider of stithy-bad 1.0" in caplog.text


async def test_an_invalid_resource_leaves_the_others(make, plugin, mode, caplog):
    class Half(Mottos):
        async def list(self):
            return (Resource(uri="motto://nameless", name=None), *await super().list())

    async with connect(make(plugin("stithy-a", stithy_resources=[mottos(provider=Half)])), mode=mode) as client:
        assert await uris(client) == [STATISTICS, "motto://today", "motto://seal"]
    assert "invalid resource" in caplog.text


@pytest.mark.parametrize("provider", BROKEN)
async def test_a_broken_provider_of_prompts_leaves_the_others(make, plugin, mode, provider):
    prompts = [Prompts(provider=provider), Prompts(provider=Reviews)]
    async with connect(make(plugin("stithy-a", stithy_prompts=prompts)), mode=mode) as client:
        assert [row.name for row in (await client.list_prompts()).prompts] == ["review"]
        assert len((await client.get_prompt("review", {"pr": "o/r#1"})).messages) == 2


async def test_a_prompt_is_listed_with_its_arguments(app, mode):
    async with connect(app, mode=mode) as client:
        row = (await client.list_prompts()).prompts[0]
    assert (row.name, row.title, row.description) == ("review", "Review", "Review a change")
    assert [(argument.name, argument.required) for argument in row.arguments] == [("pr", True), ("tone", False)]


async def test_the_first_distribution_wins_a_prompts_name(make, plugin, mode):
    class Other(Reviews):
        async def get(self, name, arguments):
            return [PromptMessage("other")]

    entries = [
        plugin("stithy-a", stithy_prompts=[Prompts(provider=Reviews)]),
        plugin("stithy-b", stithy_prompts=[Prompts(provider=Other)]),
    ]
    async with connect(make(*entries), mode=mode) as client:
        assert len((await client.list_prompts()).prompts) == 1
        assert len((await client.get_prompt("review", {"pr": "1"})).messages) == 2


async def test_a_prompt_is_filled_in(app, mode):
    async with connect(app, mode=mode) as client:
        messages = (await client.get_prompt("review", {"pr": "o/r#1"})).messages
    assert [(row.role, row.content.text) for row in messages] == [
        ("user", "Review o/r#1."),
        ("assistant", "I shall."),
    ]


async def test_a_missing_argument_of_a_prompt_is_named(app, mode):
    async with connect(app, mode=mode) as client:
        assert (await refusal(client.get_prompt("review", {"tone": "kind"}))).message.endswith(
            "'review' requires the argument pr"
        )


async def test_an_unknown_prompt_is_refused(app, mode):
    async with connect(app, mode=mode) as client:
        assert (await refusal(client.get_prompt("revue"))).data == {"name": "revue"}


async def test_exceptions_of_a_prompt_are_masked(app, mode):
    async with connect(app, mode=mode) as client:
        await refusal(client.get_prompt("review", {"pr": "0"}), INTERNAL_ERROR)


async def test_a_server_without_prompts_does_not_announce_them(make, mode):
    async with connect(make(), mode=mode) as client:
        assert client.server_capabilities.prompts is None


async def test_an_argument_of_a_prompt_is_completed(app, mode):
    async with connect(app, mode=mode) as client:
        ref = PromptReference(name="review")
        assert (await client.complete(ref, {"name": "pr", "value": "o"})).completion.values == ["o/r#1"]


async def test_a_long_completion_is_cut_and_says_so(app, mode):
    async with connect(app, mode=mode) as client:
        ref = ResourceTemplateReference(uri="motto://{day}")
        found = (await client.complete(ref, {"name": "day", "value": "a"})).completion
    assert (len(found.values), found.values[0], found.total, found.has_more) == (100, "day-a-0", 150, True)


@pytest.mark.parametrize("ref", [PromptReference(name="nope"), ResourceTemplateReference(uri="nope://{x}")])
async def test_a_completion_of_what_there_is_not_is_refused(app, mode, ref):
    async with connect(app, mode=mode) as client:
        await refusal(client.complete(ref, {"name": "x", "value": ""}))


async def test_exceptions_of_a_completion_are_masked(app, mode):
    async with connect(app, mode=mode) as client:
        ref = ResourceTemplateReference(uri="motto://{day}")
        await refusal(client.complete(ref, {"name": "day", "value": "x"}), INTERNAL_ERROR)


async def test_missing_methods_of_a_provider_are_empty(make, plugin, mode):
    """A provider overrides what it has; the rest is empty, or not found."""
    offers = {
        "stithy_resources": [mottos("a://", ResourceProvider)],
        "stithy_prompts": [Prompts(provider=PromptProvider)],
    }
    async with connect(make(plugin("stithy-a", **offers)), mode=mode) as client:
        assert await uris(client) == [STATISTICS]
        assert (await client.list_prompts()).prompts == []
        await refusal(client.read_resource("a://x"))
        ref = ResourceTemplateReference(uri="a://{x}")
        assert (await client.complete(ref, {"name": "x", "value": ""})).completion.values == []


async def test_changing_resources_are_listed_and_read_in_their_current_state(make, plugin, mode):
    there = {}

    class Coming(ResourceProvider, PromptProvider):
        async def read(self, uri):
            return there[uri] if uri in there else await super().read(uri)

    class Documents(Coming):
        async def list(self):
            return [Resource(uri=uri, name="a") for uri in there]

    class Texts(Coming):
        async def list(self):
            return [Prompt(name="p") for _ in there]

    offers = {"stithy_resources": [mottos("a://", Documents)], "stithy_prompts": [Prompts(provider=Texts)]}
    async with connect(make(plugin("stithy-a", **offers)), mode=mode) as client:
        await refusal(client.read_resource("a://x"))
        there["a://x"] = "here I am"
        assert (await client.read_resource("a://x")).contents[0].text == "here I am"
        assert await uris(client) == [STATISTICS, "a://x"]
        assert [row.name for row in (await client.list_prompts()).prompts] == ["p"]
        there.clear()
        assert (await client.list_prompts(cache_mode="bypass")).prompts == []
        await refusal(client.read_resource("a://x", cache_mode="bypass"))


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ("text", "text/plain"),
        (b"\x00", "application/octet-stream"),
        (Content("{}", "application/json"), "application/json"),
    ],
)
async def test_a_read_resource_has_a_media_type(make, plugin, mode, given, kind):
    class One(ResourceProvider):
        async def read(self, uri):
            return given

    app = make(plugin("stithy-a", stithy_resources=[mottos("a://", One)]))
    async with connect(app, mode=mode) as client:
        assert (await client.read_resource("a://x")).contents[0].mime_type == kind


class Hanging(ResourceProvider, PromptProvider):
    """Never answers."""

    async def list(self):
        await anyio.sleep_forever()

    async def read(self, uri):
        await anyio.sleep_forever()


async def test_a_provider_that_hangs_holds_up_nobody_for_ever(make, plugin, mode, caplog, monkeypatch):
    monkeypatch.setattr(hook_calls, "PROVIDER_SECONDS", 0.01)
    prompts = [Prompts(provider=Hanging), Prompts(provider=Reviews)]
    entry = plugin("stithy-a", stithy_resources=[mottos("a://", Hanging), mottos()], stithy_prompts=prompts)
    with anyio.fail_after(60):
        async with connect(make(entry), mode=mode) as client:
            assert await uris(client) == [STATISTICS, "motto://today", "motto://seal"]
            assert [row.name for row in (await client.list_prompts()).prompts] == ["review"]
            error = await refusal(client.read_resource("a://x"), INTERNAL_ERROR)
    assert "took longer than" in error.message
    assert "a provider of stithy-a 1.0 cannot list" in caplog.text

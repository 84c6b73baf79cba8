"""Long lists come in pages, while what they list comes and goes."""

import pytest
from mcp import MCPError

from stithy_core.server import provider_requests
from stithy_core.server.provider_requests import PAGE
from stithy_core.spi import (
    Prompt,
    PromptProvider,
    Prompts,
    Resource,
    ResourceProvider,
    Resources,
    ResourceTemplate,
)
from stithy_testing import connect

pytestmark = pytest.mark.anyio

LONG = PAGE * 2 + 1
NUMBERS = list(range(LONG))


@pytest.fixture
def numbers():
    """What there is at the moment: tests take away and add."""
    return list(NUMBERS)


@pytest.fixture
def app(make, plugin, numbers):
    """A server with long lists of everything but tools."""

    class Documents(ResourceProvider):
        async def list(self):
            return [Resource(uri=f"n://{number:04}", name=str(number)) for number in numbers]

        async def templates(self):
            return [ResourceTemplate(uri=f"n://{number:04}/{{x}}", name=str(number)) for number in numbers]

    class Texts(PromptProvider):
        async def list(self):
            return [Prompt(name=f"n-{number:04}") for number in numbers]

    offers = {
        "stithy_resources": [Resources(prefix="n://", provider=Documents)],
        "stithy_prompts": [Prompts(provider=Texts)],
    }
    return make(plugin("stithy-a", **offers))


RESOURCES = ("list_resources", "resources")
LISTS = pytest.mark.parametrize(
    ("method", "field"),
    [
        ("list_resources", "resources"),
        ("list_resource_templates", "resource_templates"),
        ("list_prompts", "prompts"),
    ],
)


async def page(client, method, field, cursor=None):
    found = await getattr(client, method)(cursor=cursor, cache_mode="bypass")
    return [row.name for row in getattr(found, field) if row.name != "statistics"], found.next_cursor


async def pages(client, method, field):
    rows, cursor = await page(client, method, field)
    sizes = [len(rows)]
    while cursor:
        more, cursor = await page(client, method, field, cursor)
        rows += more
        sizes.append(len(more))
    return rows, sizes


@LISTS
async def test_a_long_list_comes_whole_in_pages(app, mode, method, field):
    async with connect(app, mode=mode) as client:
        rows, sizes = await pages(client, method, field)
    assert [int(name.removeprefix("n-")) for name in rows] == NUMBERS
    assert len(sizes) == 3
    assert max(sizes) == PAGE


async def test_a_list_that_ends_with_its_page_has_no_cursor(app, numbers, mode):
    del numbers[PAGE:]
    async with connect(app, mode=mode) as client:
        assert (await page(client, "list_prompts", "prompts"))[1] is None


async def test_changes_before_the_cursor_do_not_move_it(app, numbers):
    async with connect(app) as client:
        first, cursor = await page(client, *RESOURCES)
        numbers[:0] = [9001, 9002]
        numbers.remove(5)
        second, _ = await page(client, *RESOURCES, cursor)
    assert int(second[0]) == int(first[-1]) + 1


async def test_when_the_last_row_seen_has_gone_the_next_page_misses_nothing(app, numbers):
    async with connect(app) as client:
        _, cursor = await page(client, "list_prompts", "prompts")
        numbers.remove(PAGE - 1)
        second, _ = await page(client, "list_prompts", "prompts", cursor)
    assert second[0] == f"n-{PAGE:04}"


async def test_a_list_that_became_short_ends(app, numbers):
    async with connect(app) as client:
        _, cursor = await page(client, "list_prompts", "prompts")
        numbers.clear()
        assert await page(client, "list_prompts", "prompts", cursor) == ([], None)


@LISTS
@pytest.mark.parametrize("cursor", ["garbage", "AAAA", "\x00", "ü" * 5_000])
async def test_garbage_is_no_cursor(app, mode, method, field, cursor):
    async with connect(app, mode=mode) as client:
        with pytest.raises(MCPError, match="invalid cursor") as caught:
            await page(client, method, field, cursor)
    assert caught.value.code == -32602


async def test_the_cursor_of_another_list_is_none(app):
    async with connect(app) as client:
        _, cursor = await page(client, "list_prompts", "prompts")
        with pytest.raises(MCPError, match="resources/list"):
            await page(client, "list_resources", "resources", cursor)


async def test_tools_come_all_at_once_so_every_cursor_is_refused(app, mode):
    async with connect(app, mode=mode) as client:
        with pytest.raises(MCPError, match="tools/list"):
            await client.list_tools(cursor="x")


async def test_each_resource_is_converted_once_for_its_page(make, plugin, monkeypatch):
    """Otherwise each page of a long list would cost as much as the whole list."""
    rows = tuple(Resource(uri=f"n://{number:04}", name=str(number)) for number in NUMBERS)

    class Documents(ResourceProvider):
        async def list(self):
            return rows

    converted = []
    describe = provider_requests._describe
    monkeypatch.setattr(provider_requests, "_describe", lambda row: converted.append(row) or describe(row))
    async with connect(
        make(plugin("stithy-a", stithy_resources=[Resources(prefix="n://", provider=Documents)]))
    ) as client:
        assert len((await pages(client, *RESOURCES))[0]) == LONG
    assert [row for row in converted if row.uri.startswith("n:")] == list(rows)

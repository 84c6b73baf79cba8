"""What a plugin is given of the documents that others serve."""

import pytest

from stithy_core.plugins import document_library, hook_calls
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

SHELF = """
    import anyio
    from stithy_core.spi import Content, Forbidden, Resource, ResourceProvider, Resources, hookimpl

    STITHY_API = 1

    class Notes(ResourceProvider):
        async def list(self):
            return [Resource(uri=f"notes://{name}", name=name) for name in ("day/one", "day/two", "seal")]

        async def read(self, uri):
            if uri == "notes://slow":
                await anyio.sleep_forever()
            if uri == "notes://secret":
                raise Forbidden("not for you", suggestion="Ask the owner.")
            given = {"notes://day/one": "Strike.", "notes://seal": b"PNG", "notes://odd": 42}
            return Content("# Two", "text/markdown") if uri == "notes://day/two" else given[uri]

    class Bad(ResourceProvider):
        async def list(self):
            raise RuntimeError("hunter2")

    class Curious(ResourceProvider):
        async def list(self):
            seen = [row for row in await self.scope.resources("") if row.uri.startswith(("notes:", "also:"))]
            return [Resource(uri=f"also://{len(seen)}", name="count")]

    @hookimpl
    def stithy_resources():
        rows = {"notes://": Notes, "bad://": Bad, "also://": Curious, "again://": Curious}
        return [Resources(prefix=prefix, provider=provider) for prefix, provider in rows.items()]
"""
READER = """
    from typing import Annotated
    from attrs import frozen
    from stithy_core.spi import Context, Meta, SyncContext, ToolSpec, hookimpl

    STITHY_API = 1

    @frozen
    class Uri:
        uri: Annotated[str, Meta("Which", max_length=80)]

    @frozen
    class Told:
        lines: tuple[str, ...]

        def render(self):
            yield from self.lines

    async def listing(ctx: Context, args: Uri) -> Told:
        return Told(tuple(row.uri for row in await ctx.resources(args.uri)))

    async def reading(ctx: Context, args: Uri) -> Told:
        found = await ctx.resource(args.uri)
        return Told((found.mime_type, repr(found.body)))

    @hookimpl
    def stithy_tools():
        tools = {"listing": listing, "reading": reading}
        return [ToolSpec(name=name, title="T", description="D", input=Uri, handler=of) for name, of in tools.items()]
"""


@pytest.fixture
def call(install_plugin, tmp_path):
    install_plugin("stithy-reader", READER)
    install_plugin("stithy-shelf", SHELF)

    async def call_tool(tool, uri):
        async with connect(make_app(tmp_path)) as client:
            result = await client.call_tool(tool, {"uri": uri})
        return result.content[0].text if result.is_error else result.structured_content["lines"]

    return call_tool


@pytest.mark.parametrize("prefix", ["notes://", "notes://day/", "notes://day/one", "not"])
async def test_documents_of_another_plugin_are_listed_by_prefix(call, prefix):
    uris = ["notes://day/one", "notes://day/two", "notes://seal"]
    assert await call("listing", prefix) == [uri for uri in uris if uri.startswith(prefix)]


async def test_they_are_read_with_their_kind(call):
    assert await call("reading", "notes://day/one") == ["text/plain", "'Strike.'"]
    assert await call("reading", "notes://day/two") == ["text/markdown", "'# Two'"]
    assert await call("reading", "notes://seal") == ["application/octet-stream", "b'PNG'"]


@pytest.mark.parametrize("prefix", ["nobody://", "bad://"])
async def test_missing_and_unlistable_resources_are_an_empty_list(call, prefix):
    assert await call("listing", prefix) == []


async def test_providers_that_look_at_all_are_not_asked_for_what_they_ask(call):
    """Two of them would ask each other for ever."""
    assert await call("listing", "also://") == ["also://4"]


async def test_an_unknown_uri_is_not_found(call):
    assert "no resource nobody://x" in await call("reading", "nobody://x")


async def test_errors_of_a_provider_are_reported_and_exceptions_masked(call, caplog):
    assert "not for you" in await call("reading", "notes://secret")
    for uri in ("notes://odd", "notes://none"):
        assert f"stithy-shelf 1.0 could not read {uri}" in await call("reading", uri)


async def test_a_provider_that_hangs_is_given_up(call, monkeypatch):
    monkeypatch.setattr(hook_calls, "PROVIDER_SECONDS", 0.01)
    assert "could not read notes://slow" in await call("reading", "notes://slow")


async def test_a_too_large_resource_is_refused(call, monkeypatch):
    monkeypatch.setattr(document_library, "LARGEST_DOCUMENT", 3)
    assert "more than 3 characters" in await call("reading", "notes://day/one")
    assert await call("reading", "notes://seal") == ["application/octet-stream", "b'PNG'"]


async def test_no_more_are_given_than_a_bound(call, monkeypatch):
    monkeypatch.setattr(document_library, "MOST_DOCUMENTS", 2)
    assert await call("listing", "notes://") == ["notes://day/one", "notes://day/two"]

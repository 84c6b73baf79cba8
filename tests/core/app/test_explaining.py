"""`explain`: what a tool needs of a forge, held against what each kind declares and each server says."""

import pytest
from attrs import frozen

from stithy_core.cli.tool_commands import (
    ask_forges,
    describe_needs,
    format_operation_table,
    format_tool_table,
    summarize_needs,
)
from stithy_core.spi import (
    Forge,
    ForgeKind,
    Identity,
    Threads,
    ToolSpec,
    Version,
    operations,
    since,
)

pytestmark = pytest.mark.anyio


class LakeThreads(Threads):
    """Threads that a later version can resolve."""

    async def list(self, pr):
        raise NotImplementedError

    @since("3", instead="say so in the thread")
    async def resolve(self, pr, thread):
        raise NotImplementedError


class Lake(Forge):
    """A forge whose version is said by its server."""

    capabilities = (LakeThreads,)

    async def identify(self):
        return Version("lake", (await self.http.get("/version"))["version"])


@frozen
class Nothing:
    """What the tool takes, and what it gives."""

    def render(self):
        return ()


async def settle(ctx, args) -> Nothing:
    return Nothing()


@pytest.fixture
def app(make, plugin, server):
    """A server with a tool that reads and resolves threads, a forge, and a kind that cannot be loaded."""
    needs = [Threads.list, Threads.resolve]
    tool = ToolSpec(name="settle", title="Settle", description="Settles.", input=Nothing, handler=settle, needs=needs)
    lake = ForgeKind(name="lake", title="Lake", forge=Lake)
    rust = ForgeKind(name="rust", title="Rust", forge="no.where:Rust")
    entry = plugin("stithy-lake", stithy_forges=[lake, rust], stithy_tools=[tool])
    return make(entry, settings=f'[forges.work]\nkind = "lake"\nurl = "{server.url}"\n')


def test_a_need_is_held_against_what_each_kind_declares(app):
    needs = describe_needs(app, [Threads.resolve, Identity.me])
    assert [need.declared["lake"] for need in needs] == ["since 3", "never"]


def test_a_kind_that_cannot_be_loaded_is_said_and_costs_the_others_nothing(app):
    (need,) = describe_needs(app, [Threads.list])
    assert need.declared == {"lake": "always", "rust": "cannot be loaded"}


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ([Threads.list], "yes"),
        ([Threads.list, Threads.resolve], "Threads.resolve since 3"),
        ([Threads.list, Threads.reply, Identity.me], "no: Threads.reply, Identity.me"),
        ([], "yes"),
    ],
)
def test_a_kind_is_summed_up(app, wanted, said):
    assert summarize_needs(describe_needs(app, wanted), "lake") == said


def test_the_table_has_a_column_for_each_kind(app):
    head, _, row = format_tool_table(app)
    assert head == "| Tool | Lake | Rust |"
    assert row.startswith("| `settle` | Threads.resolve since 3 | ")


def test_the_other_table_has_a_row_for_each_operation(app):
    rows = format_operation_table(app)[2:]
    assert len(rows) == len(operations())
    assert "| `Threads.resolve` | since 3 | cannot be loaded |" in rows
    assert "| `Identity.me` | no | cannot be loaded |" in rows


@pytest.mark.parametrize(("version", "answer"), [("2.1", "no"), ("3.0", "yes")])
async def test_a_server_is_asked_where_the_version_matters(app, server, version, answer):
    server.answers["/version"] = (200, {"version": version})
    found = [asked async for asked in ask_forges(app, app.executor.registry.get("settle"))]
    assert [(asked.operation, asked.answer) for asked in found] == [
        ("Threads.list", "yes"),
        ("Threads.resolve", answer),
    ]
    assert (found[1].remedy == "say so in the thread") is (answer == "no")


async def test_a_server_that_does_not_answer_leaves_it_unknown(app, server):
    server.answers["/version"] = (401, {"message": "who?"})
    *_, asked = [asked async for asked in ask_forges(app, app.executor.registry.get("settle"))]
    assert (asked.answer, asked.reason) == ("unknown", "work answered 401: who?")

"""Plugins that were written for interface 1 work with this core, unchanged."""

import json
from pathlib import Path

import pytest
from attrs import evolve
from click.testing import CliRunner
from interface_surface import find_break, list_surface, map_parameters
from quarry_server import serve_quarry
from sandbox_stage import sandbox_stage

from stithy_core.cli.command_group import stithy
from stithy_core.spi import IssueRef, Refused, RepositoryRef
from stithy_testing import browse, connect, make_app, open_forge
from stithy_testing.conformance import ForgeConformance

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("default::stithy_core.spi.InterfaceDeprecation"),
    pytest.mark.usefixtures("interface_1"),
]

TOKEN = "secret-of-the-quarry"
HOOKS = "forges tools resources prompts routes settings commands checks services stores call_wrappers guards hookspecs"
SANDBOX = '[forges.play]\nkind = "sandbox"\n[tongs]\ngreeting = "good morning"\n'
PR = {"pr": "smith/anvil#2"}


class TestQuarry(ForgeConformance):
    """The forge, with every operation, in the conformance suite of this core."""

    @pytest.fixture
    async def stage(self, tmp_path):
        world = sandbox_stage()
        with serve_quarry(world.forge) as url:
            app = make_app(
                tmp_path, f'[forges.work]\nkind = "quarry"\nurl = "{url}"\n', environ={"QUARRY_TOKEN": TOKEN}
            )
            async with open_forge(app, "work") as forge:
                yield evolve(world, forge=forge, token=TOKEN)


def test_each_line_of_the_surface_holds():
    """Names, members and arguments of interface 1 stay; only what may be left out is added."""
    surface = map_parameters(list_surface())
    lines = (Path(__file__).parent / "interface_1" / "surface.txt").read_text().splitlines()
    assert not [text for line in lines if (text := find_break(line, surface))]


@pytest.mark.parametrize(
    ("now", "text"),
    [
        ("spi.f(a, *, b=, c=)", ""),
        ("spi.g(a, *, b=)", "spi.f is gone"),
        ("spi.f(x, a, *, b=)", "has other arguments by position now"),
        ("spi.f(a)", "does not take b any more"),
        ("spi.f(a, *, b=, c)", "requires c now"),
        ("spi.f(a, *, b)", "requires b now"),
    ],
)
def test_a_broken_line_is_found(now, text):
    found = find_break("spi.f(a, *, b=)", map_parameters([now]))
    assert text in found
    assert bool(found) == bool(text)


def test_the_check_finds_nothing_that_cannot_work(check):
    rows = check("stithy-quarry", "stithy-tongs")
    assert {row["distribution"] for row in rows if row["level"] == "ok"} == {"stithy-quarry", "stithy-tongs"}


def test_every_hook_of_interface_1_is_used(tmp_path):
    app = make_app(tmp_path)
    ours = {
        hook
        for hook, offers in app.plugins.offers.items()
        if any(origin.distribution in {"stithy-quarry", "stithy-tongs"} for _, origin in offers)
    }
    assert ours == {f"stithy_{name}" for name in HOOKS.split()} - {"stithy_hookspecs"}
    assert app.plugins.hooks.find_owner("stithy_tongs_pieces") == "stithy-tongs"


async def test_the_tools_answer(tmp_path):
    reports = []

    async def keep(done, total, message):
        reports.append((done, total, message))

    app = make_app(tmp_path, SANDBOX, preferences={"tone": "loud"})
    async with connect(app) as client:
        plan = (await client.get_prompt("tongs_plan", {"piece": "a horn"})).messages
        handle = {"workflow_handle": plan[-1].content.text.split('"')[1]}
        threads = await client.call_tool("tongs_threads", PR, progress_callback=keep)
        rehearsed = await client.call_tool("tongs_note", {**PR, "body": "Hot.", "dry_run": True})
        noted = await client.call_tool("tongs_note", {**PR, **handle, "body": "Hot.", "tongs_ticket": "A-7"})
        counted = await client.call_tool("tongs_count", {"path": str(tmp_path / "nowhere")})
        talks = await client.call_tool("tongs_talks", {"repository": "smith/anvil"})
        document = await client.read_resource("tongs://greeting")
        templates = (await client.list_resource_templates()).resource_templates
    assert plan[0].content.text == "Plan a horn."
    assert threads.content[0].text.startswith("1 open thread of smith/anvil#2\n- [")
    assert threads.structured_content["note"] == "Reply in a thread by its id."
    assert reports[-1][:2] == (2, 2)
    assert rehearsed.structured_content["dry_run"] is True
    assert (noted.structured_content["body"], noted.structured_content["ticket_seen"]) == ("HOT.", "A-7")
    assert counted.content[0].text.endswith("Pass the path of a folder.")
    assert talks.structured_content["complete"] is True
    assert talks.structured_content["pieces"] == ["rivet"]
    assert document.contents[0].text == "good morning"
    assert "tongs://{word}" in {template.uri_template for template in templates}


async def test_the_route_answers(tmp_path):
    async with browse(make_app(tmp_path, SANDBOX)) as ask:
        answers = [await ask("GET", f"/tongs/smith/anvil/{number}?asked=yes") for number in (2, 999)]
    assert [answer.status for answer in answers] == [200, 404]
    assert json.loads(answers[0].body)["asked"] == "yes"


async def test_the_store_keeps_answers(tmp_path):
    app = make_app(tmp_path, '[http]\nstore = "shelf://host"\n')
    store = app.connections._open_shared_store()
    await store.save("a", b"1")
    assert (type(store).__name__, await store.get("a")) == ("Shelf", b"1")
    await app.connections.aclose()


async def test_the_guard_refuses(tmp_path):
    app = make_app(tmp_path, '[forges.guarded]\nkind = "sandbox"\n')
    async with app.running():
        forge, repository = await app.forges.repository("smith/anvil")
        with pytest.raises(Refused, match="are not edited"):
            await forge.comments.edit(IssueRef(repository, 2), "6", "Cold.")


async def test_the_kind_with_names_of_its_own_is_read(tmp_path):
    app = make_app(tmp_path, '[forges.pit]\nkind = "pit"\nurl = "https://pit.example"\n')
    url = "https://pit.example/group/team/repo/-/merge_requests/7"
    refs = {(await app.forges.pull_request(text))[1] for text in ("group/team/repo!7", url)}
    assert [str(ref) for ref in refs] == ["group/team/repo!7"]
    assert {ref.repository for ref in refs} == {RepositoryRef("group/team", "repo")}


def test_the_command_and_the_check_are_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(stithy, ["tongs", "hot", "iron"]).stdout == "hot iron\n"
    assert "ok  tongs: the tongs are there" in CliRunner().invoke(stithy, ["doctor"]).stdout

"""Hooks beside tools and forges: each example is installed and used."""

import json

import anyio
import pytest

from stithy_core.spi import (
    Refused,
)
from stithy_testing import browse, connect, make_app

pytestmark = pytest.mark.anyio

PAGE = "plugins"
SANDBOX = '[forges.play]\nkind = "sandbox"\n'


def text(result):
    return result.content[0].text


@pytest.fixture
def notes(plugins, blocks, tmp_path):
    """A server with the notes' own settings, and its folder with one note."""
    plugins("stithy-notes")
    folder = tmp_path / "docs" / "notes"
    folder.mkdir(parents=True)
    (folder / "one.md").write_text("# One\n")
    return make_app(tmp_path, next(block.text for block in blocks(PAGE, "toml") if "[notes]" in block.text)), folder


async def test_a_note_is_read(notes):
    app, _ = notes
    async with connect(app) as client:
        assert "notes://one.md" in [str(row.uri) for row in (await client.list_resources()).resources]
        read = await client.read_resource("notes://one.md")
    assert read.contents[0].text == "# One\n"


async def test_a_missing_note_is_an_error_that_names_it(notes):
    app, _ = notes
    async with connect(app) as client:
        with pytest.raises(Exception, match=r"no note notes://two\.md"):
            await client.read_resource("notes://two.md")


async def test_a_new_note_and_a_changed_one_are_heard(notes):
    app, folder = notes
    async with (
        connect(app) as client,
        client.listen(resources_list_changed=True, resource_subscriptions=["notes://one.md"]) as heard,
    ):
        with anyio.fail_after(60):
            (folder / "two.md").write_text("# Two\n")
            assert type(await anext(heard)).__name__ == "ResourcesListChanged"
            (folder / "one.md").write_text("# One, corrected\n")
            assert (await anext(heard)).uri == "notes://one.md"


async def test_a_plugin_fills_what_another_opens(plugins, tmp_path):
    plugins("stithy-glossary", "stithy-metals")
    async with connect(make_app(tmp_path)) as client:
        result = await client.call_tool("glossary", {})
    assert text(result) == "anvil: what iron is struck on (stithy-metals)"


def test_without_its_owner_a_hook_waits(plugins, tmp_path, page):
    plugins("stithy-metals")
    loaded = {plugin.origin.distribution: plugin for plugin in make_app(tmp_path).plugins.loaded}
    (note,) = loaded["stithy-metals"].notes
    assert f"`{note}`" in page(PAGE)


@pytest.fixture
def fire(plugins, run, tmp_path):
    plugins("stithy-fire")
    return lambda line: run(line, PYTHONPATH=str(tmp_path / "site-packages"))


def test_a_command_is_given_the_rest_of_the_line(fire):
    assert fire("stithy shout put coal --on") == (0, "PUT COAL --ON\n")
    assert fire("stithy shout")[0] == 2


def test_a_check_is_a_line_of_doctor(fire):
    code, output = fire("stithy doctor")
    assert "!!  fire: the fire is low\n    put coal on\n" in output
    assert code == 0


async def test_a_prompt_is_filled_in(plugins, tmp_path):
    plugins("stithy-fire")
    async with connect(make_app(tmp_path)) as client:
        filled = await client.get_prompt("plan", {"piece": "a horn"})
        with pytest.raises(Exception, match="'plan' requires the argument piece"):
            await client.get_prompt("plan")
    assert filled.messages[0].content.text == "Plan how to forge a horn."


async def test_the_vault_is_the_store_of_its_scheme(plugins, tmp_path):
    plugins("stithy-vault")
    app = make_app(tmp_path, '[http]\nstore = "vault://host"\n')
    store = app.connections._open_shared_store()
    await store.save("a", b"1")
    assert (type(store).__name__, await store.get("a"), store.reachable) == ("Vault", b"1", True)
    await app.connections.aclose()


async def test_a_route_answers_as_the_guide_says(plugins, tmp_path):
    plugins("stithy-gauge")
    app = make_app(tmp_path, SANDBOX)
    async with browse(app) as ask:
        answers = [await ask("GET", f"/gauge/smith/anvil/{rest}") for rest in ("2", "2?what=title", "x", "999")]
    assert [answer.status for answer in answers] == [200, 200, 400, 404]
    assert json.loads(answers[0].body) == {"pull_request": "smith/anvil#2", "shown": "apprentice"}


async def test_a_workflow_goes_as_the_guide_shows_it(plugins, tmp_path, blocks, fits):
    plugins("stithy-quench")
    invitation, answer = [
        block.text for block in blocks(PAGE, "text") if "workflow_handle=" in block.text or "oil" in block.text
    ]
    async with connect(make_app(tmp_path, preferences={"bath": "oil"})) as client:
        last = (await client.get_prompt("harden", {"piece": "a horn"})).messages[-1].content.text
        handle = {"workflow_handle": last.split('"')[1]}
        await client.call_tool("heat", handle)
        hardened = await client.call_tool("quench", handle)
    assert fits(invitation, last)
    assert fits(answer, text(hardened))


async def test_without_what_a_tool_before_found_the_next_says_what_to_do(plugins, tmp_path):
    plugins("stithy-quench")
    async with connect(make_app(tmp_path)) as client:
        cold = await client.call_tool("quench", {"piece": "a horn"})
    assert text(cold) == "a horn is cold\nCall heat before, with the same workflow_handle."


async def test_writes_need_a_ticket_and_say_it(plugins, tmp_path):
    plugins("stithy-audit")
    arguments = {"repository": "smith/anvil", "pull_request_number": 2, "comment": "Hot."}
    async with connect(make_app(tmp_path, SANDBOX)) as client:
        refused = await client.call_tool("pr_comment_create", arguments)
        written = await client.call_tool("pr_comment_create", {**arguments, "ticket": "ANVIL-7"})
        rehearsed = await client.call_tool("pr_comment_create", {**arguments, "ticket": "ANVIL-7", "dry_run": True})
        read = await client.call_tool("pr_comment_list", {"repository": "smith/anvil", "pull_request_number": 2})
    assert text(refused).startswith("Invalid request: ticket is required")
    assert written.structured_content["audited_as"] == rehearsed.structured_content["audited_as"] == "ANVIL-7"
    assert rehearsed.structured_content["dry_run"] is True
    assert "audited_as" not in read.structured_content


async def test_the_guarded_logs_are_refused(plugins, tmp_path):
    plugins("stithy-audit")
    app = make_app(tmp_path, SANDBOX)
    async with app.running():
        forge, repository = await app.forges.repository("smith/anvil")
        with pytest.raises(Refused, match="may contain secrets"):
            forge.checks.log(repository, "1")
        assert await forge.changes.repository(repository)


async def test_a_page_belongs_to_a_tool_for_hosts_that_show_pages(plugins, tmp_path):
    from mcp.client.extension import advertise

    plugins("stithy-chart")
    apps = advertise("io.modelcontextprotocol/ui", {"mimeTypes": ["text/html;profile=mcp-app"]})
    async with connect(make_app(tmp_path), extensions=[apps]) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        uri = tools["list_plugins"].meta["ui"]["resourceUri"]
        assert "<title>Plugins" in (await client.read_resource(uri)).contents[0].text

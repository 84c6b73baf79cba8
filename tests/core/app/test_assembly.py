"""Putting a server together: what clashes, what may be touched, and what an agent is told first."""

import anyio
import pytest
from attrs import frozen

from stithy_core.app import App
from stithy_core.config import load_config
from stithy_core.errors import ConfigError, InternalError, Refused
from stithy_core.spi import Command, ForgeKind, ForgeNames, Settings, ToolSpec
from stithy_testing import connect

pytestmark = pytest.mark.anyio

TOKEN = "pond-token-0123456789abcdef"


@frozen
class Notes:
    """A plugin's own table."""

    root: str = "notes"


def notes(plugin, name="stithy-notes"):
    return plugin(name, stithy_settings=[Settings(table="notes", cls=Notes)])


def scope_of(app, distribution):
    return next(app.scope(row.origin) for row in app.plugins.loaded if row.origin.distribution == distribution)


async def test_a_plugin_reads_its_own_table(make, plugin):
    app = make(notes(plugin), settings='[notes]\nroot = "docs"\n')
    assert scope_of(app, "stithy-notes").settings(Notes) == Notes("docs")


async def test_a_table_that_is_missing_has_its_defaults(make, plugin):
    assert scope_of(make(notes(plugin)), "stithy-notes").settings(Notes) == Notes("notes")


async def test_a_table_that_does_not_fit_names_file_and_line(make, plugin):
    app = make(notes(plugin), settings="[notes]\nroot = 3\n")
    with pytest.raises(ConfigError, match=r"stithy\.toml:2: notes\.root"):
        scope_of(app, "stithy-notes").settings(Notes)


async def test_a_plugin_cannot_read_another_ones_table(make, plugin):
    app = make(notes(plugin), plugin("stithy-other"))
    with pytest.raises(InternalError, match=r"stithy-other 1\.0 reads the settings Notes"):
        scope_of(app, "stithy-other").settings(Notes)


async def test_a_table_that_nobody_reads_is_found_with_its_line(make):
    assert make(settings="\n[nots]\nroot = 1\n").check_names().message.startswith("stithy.toml:2: nots ")


async def test_while_a_plugin_is_missing_a_table_may_be_its_own(make, plugin):
    settings = '[plugins]\ndisabled = ["stithy-notes"]\n[notes]\nroot = "x"\n'
    assert make(notes(plugin), settings=settings).check_names() is None


async def test_one_object_is_shared_between_the_plugins(make, plugin):
    app = make(plugin("stithy-a"), plugin("stithy-b"))
    assert scope_of(app, "stithy-a").shared(_thing) is scope_of(app, "stithy-b").shared(_thing)


def _thing(scope):
    return object()


CLASHES = {
    "stithy_commands": ("command shout", lambda: Command(name="shout", help="", run=print)),
    "stithy_forges": ("forge kind pond", lambda: ForgeKind(name="pond", title="P", forge="a:b")),
    "stithy_settings": ("settings table notes", lambda: Settings(table="notes", cls=Notes)),
}


@pytest.mark.parametrize("hook", CLASHES)
async def test_two_offers_of_one_name_are_both_refused(make, plugin, hook):
    offer, new = CLASHES[hook]
    app = make(plugin("stithy-a", **{hook: [new()]}), plugin("stithy-b", **{hook: [new()]}))
    assert [(row.origin.distribution, row.offer) for row in app.all_failed] == [
        ("stithy-a", offer),
        ("stithy-b", offer),
    ]
    assert not app.commands
    assert "pond" not in app.forges.kinds


async def test_a_clash_is_reported_once(make, plugin):
    new = CLASHES["stithy_commands"][1]
    app = make(plugin("stithy-a", stithy_commands=[new()]), plugin("stithy-b", stithy_commands=[new()]))
    assert app.commands == app.commands
    assert sum(row.distribution != "stithy-core" for row in app.report().plugins) == 4


async def test_no_connection_is_opened_before_the_first_call(make, pond, settings, server):
    async with connect(make(pond, settings=settings)) as client:
        await client.list_tools()
        await client.list_resources()
    assert server.tokens == []


async def test_the_token_of_a_forge_goes_to_that_forge(make, pond, settings, server):
    app = make(pond, settings=settings, WORK_TOKEN=TOKEN)
    await app.forges.forge("work").version()
    await app.connections.aclose()
    assert server.tokens == [f"Bearer {TOKEN}"]


async def test_a_well_known_host_gets_no_token(make, pond, settings):
    app = make(pond, settings=settings, WORK_TOKEN=TOKEN)
    forge, _ = await app.forges.repository("https://pond.example/o/r")
    assert await app.connections.token_source(forge.config) is None


async def test_a_program_that_gives_a_token_is_run_once(make, pond, server, tmp_path):
    """It takes its time, or asks its user, who would not like to be asked for each of two calls."""
    program = f'["sh", "-c", "echo run >> {tmp_path}/runs; echo {TOKEN}"]'
    settings = f'[forges.work]\nkind = "pond"\nurl = "{server.url}"\ntoken = {{ command = {program} }}\n'
    app = make(pond, settings=settings, PATH="/usr/bin:/bin")
    forge = app.forges.forge("work")
    async with anyio.create_task_group() as group:
        group.start_soon(forge.identity.me)
        group.start_soon(forge.http.get, "/version")
    await app.connections.aclose()
    assert server.tokens == [f"Bearer {TOKEN}"] * 2
    assert (tmp_path / "runs").read_text() == "run\n"


async def test_a_token_file_that_was_renewed_is_used_at_once(make, pond, server, tmp_path):
    path = tmp_path / "token"
    path.write_text("first-token\n")
    app = make(pond, settings=f'[forges.work]\nkind = "pond"\nurl = "{server.url}"\ntoken = {{ file = "{path}" }}\n')
    await app.forges.forge("work").http.get("/me")
    path.write_text("second-token\n")
    await app.forges.forge("work").http.get("/me")
    await app.connections.aclose()
    assert server.tokens == ["Bearer first-token", "Bearer second-token"]


@pytest.mark.parametrize("where", ["[forges.work]", "[serve]"])
async def test_a_read_only_forge_is_sent_no_write(make, pond, settings, server, where):
    text = settings + "read_only = true\n" if where == "[forges.work]" else settings + "[serve]\nread_only = true\n"
    forge = make(pond, settings=text, WORK_TOKEN=TOKEN).forges.forge("work")
    with pytest.raises(Refused):
        await forge.http.send("POST", "/x", {})
    assert server.tokens == []


async def test_a_read_only_server_writes_to_no_well_known_host(make, pond):
    forge, _ = await make(pond, settings="[serve]\nread_only = true\n").forges.repository("https://pond.example/o/r")
    with pytest.raises(Refused):
        await forge.http.send("POST", "/x", {})


async def read_instructions(app):
    async with connect(app) as client:
        return client.instructions


async def test_an_agent_is_told_the_forges_and_the_plugins(make, pond, settings, server, mode):
    async with connect(make(pond, settings=settings), mode=mode) as client:
        text = client.instructions
    assert f"work ({server.url})" in text
    assert "owner/repo" in text
    assert "Plugins: pond." in text
    assert "failed" not in text


async def test_an_agent_is_told_that_something_failed(make, plugin):
    assert "1 failed: list_plugins says why." in await read_instructions(
        make(plugin("stithy-a", stithy_tools=["no tool"]))
    )


async def test_an_agent_is_told_how_to_configure_the_first_forge(make):
    text = await read_instructions(make())
    assert "No forge is configured. Run `stithy init --forge URL`, to write stithy.toml." in text
    assert "Plugins: none." in text


async def test_instructions_stay_short(make, pond):
    forges = "".join(f'[forges.a{n}]\nkind = "pond"\nurl = "https://forge-{n}.example/path"\n' for n in range(100))
    text = await read_instructions(make(pond, settings=forges))
    assert len(text) <= 600
    assert "a0 (https://forge-0.example/path)" in text
    assert text.endswith(" more.")


async def test_instructions_stay_short_with_many_kinds_of_forges(make, plugin):
    class Named(ForgeNames):
        pull_request, mark, form = "merge request", "!", "group/subgroup/project"

    kinds = [ForgeKind(name=f"kind{n}", title="Kind", forge="stithy_pond:Pond", names=Named()) for n in range(12)]
    texts = {"title": "T", "description": "D", "input": Notes, "handler": read_instructions}
    topics = [ToolSpec(name=f"t{n}", keywords=(f"the subject of the tool number {n}",), **texts) for n in range(12)]
    entry = plugin("stithy-many", stithy_forges=kinds, stithy_tools=topics)
    failing = plugin("stithy-a", stithy_tools=["no tool"])
    forges = "".join(f'[forges.f{n}]\nkind = "kind{n}"\nurl = "https://{n}.example/{"a" * 300}"\n' for n in range(12))
    text = await read_instructions(make(entry, failing, settings=forges))
    assert len(text) <= 600
    assert "A merge request of kind0 is group/subgroup/project!7; #7 is an issue." in text
    assert text.endswith("Forges: 12 in all.")
    assert len(await read_instructions(make(entry, failing))) <= 600


async def test_without_a_list_the_plugins_that_are_installed_are_loaded(install_plugin, tmp_path):
    install_plugin("stithy-here", "STITHY_API = 1")
    app = App(load_config({}, tmp_path), environ={}, directory=tmp_path)
    assert "stithy-here" in {row.origin.distribution for row in app.plugins.loaded}

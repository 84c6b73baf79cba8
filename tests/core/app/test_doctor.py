"""`examine`: everything that is looked at is one finding, and nothing that is looked at stops the looking."""

import re
from datetime import UTC, datetime, timedelta
from email.utils import formatdate

import pytest
from attrs import evolve

from stithy_core.app import App
from stithy_core.app.doctor import examine
from stithy_core.config import load_config
from stithy_core.config.settings_sources import ProjectFile
from stithy_core.plugins import scan_plugins
from stithy_core.spi import Access, Check, Finding, ForgeKind, Identity, RateLimitStatus, operations

pytestmark = pytest.mark.anyio

TOKEN = "pond-token-0123456789abcdef"


async def gather_findings(app):
    return [(about, row.level, row.text) async for about, row in examine(app)]


async def of_forge(app):
    return [(level, text) for about, level, text in await gather_findings(app) if about == "forge work"]


@pytest.fixture
def telling(pond, plugin):
    """Make the plugin of a pond that tells something of the token."""
    (kind,) = pond.load().stithy_forges()
    (identity,) = kind.forge.capabilities

    def forge_with(told):
        async def access(self):
            return told

        capabilities = (type("Telling", (identity,), {"access": access}),)
        forge = type("TellingPond", (kind.forge,), {"capabilities": capabilities})
        return plugin("stithy-pond", stithy_forges=[ForgeKind(name="pond", title="Pond", forge=forge)])

    return forge_with


async def test_a_forge_that_answers_says_its_version_and_whose_token_it_is(make, pond, server, settings):
    app = make(pond, settings=settings, WORK_TOKEN=TOKEN)
    assert await of_forge(app) == [
        ("ok", f"pond 2.1 answers at {server.url}"),
        ("ok", "its clock agrees with ours"),
        ("ok", "the token from the variable WORK_TOKEN speaks for frog"),
        ("ok", f"1 of {len(operations())} operations are there; not {', '.join(others())}"),
    ]


def others():
    return [operation.__qualname__ for operation in operations() if operation is not Identity.me]


async def test_a_clock_that_goes_wrong_is_a_warning(make, pond, server, settings):
    server.date = formatdate((datetime.now(UTC) - timedelta(minutes=5)).timestamp(), usegmt=True)
    level, text = (await of_forge(make(pond, settings=settings, WORK_TOKEN=TOKEN)))[1]
    assert level == "warning"
    assert re.fullmatch(r"its clock is (299|3\d\d) s behind ours", text)


async def test_scopes_the_tokens_end_and_the_budget_are_told(make, telling, settings):
    soon = datetime.now(UTC) + timedelta(days=1)
    spent = RateLimitStatus(name="core", limit=5_000, left=12, resets_at=soon)
    told = Access(scopes=("repo", "read:org"), expires_at=soon, quotas=(spent,))
    lines = await of_forge(make(telling(told), settings=settings, WORK_TOKEN=TOKEN))
    assert ("ok", "the token's scopes: repo, read:org") in lines
    assert ("warning", f"the token ends at {soon:%Y-%m-%d %H:%M} UTC") in lines
    assert ("warning", f"rate limit core: 12 of 5,000 left until {soon:%H:%M} UTC") in lines


async def test_scopes_that_a_forge_does_not_tell_are_said_to_be_untold(make, telling, settings):
    lines = await of_forge(make(telling(Access()), settings=settings, WORK_TOKEN=TOKEN))
    assert ("ok", "the token's scopes are not known: the forge does not say") in lines


async def test_a_forge_that_is_down_is_an_error(make, pond):
    app = make(pond, settings='[forges.work]\nkind = "pond"\nurl = "http://127.0.0.1:1"\n')
    (level, text), *others = await of_forge(app)
    assert (level, others) == ("error", [])
    assert text.startswith("http://127.0.0.1:1 is not reachable")


async def test_a_forge_that_wants_a_token_and_gets_none_is_a_warning(make, pond, server):
    server.answers["/me"] = (401, {"message": "who?"})
    app = make(pond, settings=f'[forges.work]\nkind = "pond"\nurl = "{server.url}"\n')
    assert (await of_forge(app))[2] == ("warning", "no token: only public data can be read")


async def test_a_token_that_is_refused_is_an_error_that_says_where_it_was_read(make, pond, server, settings):
    server.answers["/me"] = (401, {"message": "who?"})
    said = "the token from the variable WORK_TOKEN is refused: work answered 401: who?"
    assert (await of_forge(make(pond, settings=settings, WORK_TOKEN=TOKEN)))[2] == ("error", said)


async def test_a_token_that_may_not_say_whose_it_is_is_a_warning(make, pond, server, settings):
    server.answers["/me"] = (403, {"message": "scope"})
    level, text = (await of_forge(make(pond, settings=settings, WORK_TOKEN=TOKEN)))[2]
    assert level == "warning"
    assert "belongs to an unknown account: work answered 403: scope" in text


async def test_a_token_that_is_not_there_is_an_error_that_names_the_variable(make, pond, settings):
    level, text = (await of_forge(make(pond, settings=settings)))[0]
    assert level == "error"
    assert "WORK_TOKEN" in text


async def test_a_token_that_a_forge_gives_back_is_not_shown(make, pond, server, settings):
    server.answers["/me"] = (422, {"message": f"your token is {TOKEN}"})
    lines = await gather_findings(make(pond, settings=settings, WORK_TOKEN=TOKEN))
    assert TOKEN not in str(lines)
    assert "your token is [redacted]" in str(lines)


@pytest.mark.parametrize("body", [{}, [], None, {"version": 3}])
async def test_a_forge_that_answers_strangely_is_an_error_and_the_last_word(make, pond, server, settings, body):
    server.answers["/version"] = (200, body)
    (level, text), *others = await of_forge(make(pond, settings=settings, WORK_TOKEN=TOKEN))
    assert (level, others) == ("error", [])
    assert text.startswith(f"{server.url} answered 200" if body is None else f"an answer of {server.url} lacks ")


async def test_a_forge_of_a_kind_that_nobody_brings_is_an_error(make):
    app = make(settings='[forges.work]\nkind = "pond"\nurl = "http://127.0.0.1:1"\n')
    assert "no loaded plugin provides forges of the kind 'pond'" in (await of_forge(app))[0][1]


async def test_a_forge_that_is_nowhere_is_an_error(make, pond):
    app = make(pond, settings='[forges.work]\nkind = "pond"\n')
    assert (await of_forge(app))[0] == (
        "error",
        "[forges.work] has no url, and the kind 'pond' has no default url",
    )


async def test_every_plugin_is_named(make, pond, plugin):
    names = [
        text.partition(" is loaded")[0] for about, _, text in await gather_findings(make(pond, plugin("stithy-a")))
    ]
    assert [name for name in names if not name.startswith("stithy-core")][:2] == ["stithy-pond 1.0", "stithy-a 1.0"]


async def test_a_plugin_that_failed_is_an_error_with_its_remedy(make, plugin):
    lines = [row async for _, row in examine(make(plugin("stithy-a", stithy_tools=["no tool"])))]
    (failed,) = (row for row in lines if row.text.startswith("stithy-a 1.0: the plugin failed at offers:"))
    assert failed.level == "error"
    assert failed.remedy


SPEAKER = """
    from stithy_core.spi import hookimpl

    STITHY_API = 1

    @hookimpl(owner="stithy-words")
    def stithy_words(language):
        return []
"""


async def test_a_hook_that_waits_for_a_package_is_a_warning(make, install_plugin):
    install_plugin("stithy-speaker", SPEAKER)
    entries = [entry for entry in scan_plugins() if entry.origin.distribution == "stithy-speaker"]
    assert ("plugin", "warning") in [(about, level) for about, level, _ in await gather_findings(make(*entries))]


async def test_the_settings_say_where_they_were_read(make, tmp_path):
    assert ("settings", "ok", f"read from {tmp_path / 'stithy.toml'}") in await gather_findings(make())


async def test_a_plugins_check_is_asked(make, plugin):
    async def fire(scope):
        return [Finding("warning", f"the fire of {scope.origin} is low", "put coal on")]

    app = make(plugin("stithy-a", stithy_checks=[Check(name="fire", run=fire)]))
    assert ("fire", "warning", "the fire of stithy-a 1.0 is low") in await gather_findings(app)


async def raises(scope):
    raise RuntimeError(f"token {TOKEN}")


async def leaves(scope):
    raise SystemExit(3)


async def strange(scope):
    return ["no finding"]


@pytest.mark.parametrize("run", [raises, leaves, strange, "no.where:check"])
async def test_a_check_that_breaks_is_an_error_and_the_others_are_asked(make, plugin, run):
    async def fine(scope):
        return [Finding("ok", "fine")]

    app = make(plugin("stithy-a", stithy_checks=[Check(name="bad", run=run), Check(name="good", run=fine)]))
    bad, good = (await gather_findings(app))[-2:]
    assert bad[:2] == ("bad", "error")
    assert TOKEN not in bad[2]
    assert good == ("good", "ok", "fine")


async def test_no_forge_at_all_is_a_warning(make):
    assert ("forges", "warning", "none is configured") in await gather_findings(make())


async def settings_lines(folder):
    app = App(load_config({}, folder), environ={}, directory=folder, entries=[])
    return [(level, text) for about, level, text in await gather_findings(app) if about == "settings"]


async def test_the_file_that_counts_is_named_and_where_others_were_looked_for(tmp_path, monkeypatch):
    """A host that was started in a sub-folder reads the project's file (FIX-36)."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nobody"))
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / "src").mkdir()
    (_, text), *rest = await settings_lines(tmp_path / "src")
    assert not rest
    assert f"no stithy.toml in {tmp_path / 'src'} and the folders above it up to {tmp_path}, and no" in text
    (tmp_path / "stithy.toml").write_text("")
    assert await settings_lines(tmp_path / "src") == [("ok", f"read from {tmp_path / 'stithy.toml'}")]


async def test_a_file_of_another_user_is_listed_as_refused(tmp_path):
    """A file that was found and does not count is said, with what to do (FIX-36)."""
    refused = tmp_path / "stithy.toml"
    config = evolve(load_config({}, tmp_path), project=ProjectFile(refused=(refused,)))
    app = App(config, environ={}, directory=tmp_path, entries=[])
    rows = [row async for about, row in examine(app) if about == "settings"]
    assert (rows[0].level, rows[0].remedy) == ("warning", f"If you trust it, set STITHY_CONFIG={refused}.")


async def test_a_token_from_a_variable_comes_with_what_hosts_need_to_pass_it_on(make, pond, settings):
    """`stithy doctor` runs in a shell that has the variable, and Codex may not (FIX-39)."""
    app = make(pond, settings=settings, WORK_TOKEN=TOKEN)
    remedies = [row.remedy async for about, row in examine(app) if "WORK_TOKEN" in row.text]
    assert 'env_vars = ["WORK_TOKEN"] in [mcp_servers.stithy]' in remedies[0]
    assert '"env": {"WORK_TOKEN": "$WORK_TOKEN"} in mcpServers.stithy' in remedies[0]

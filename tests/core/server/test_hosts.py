"""What the server does for hosts that it knows by name: the text of answers alone, and the cure of missing variables.

Some hosts keep the variables of tokens from the server: its first error says so, with the line that cures it.
"""

import json
import tomllib

import pytest
from attrs import frozen
from mcp_types import Implementation

from stithy_core.agent_hosts import HOSTS
from stithy_core.errors import ConfigError
from stithy_core.spi import Context, Dialect, Forge, ForgeKind, Identity, NotFound, ToolSpec, Version
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

SETTINGS = '[forges.work]\nkind = "pond"\nurl = "http://127.0.0.1:9"\ntoken = { env = "WORK_TOKEN" }\n'
HINT = "not set in this server"
CURES = {
    "codex-mcp-client": 'env_vars = ["WORK_TOKEN"] in [mcp_servers.stithy] of ~/.codex/config.toml',
    "gemini-cli-mcp-client": '"env": {"WORK_TOKEN": "$WORK_TOKEN"} in mcpServers.stithy of .gemini/settings.json',
    "copilot-cli": '"env": {"WORK_TOKEN": "${WORK_TOKEN:-}"} in mcpServers.stithy of ~/.copilot/mcp-config.json',
}


@frozen
class Nothing:
    pass


@frozen
class Said:
    word: str = "well"

    def render(self):
        yield "well"


class Me(Identity):
    async def me(self):
        await self.forge.http.get("/me")


class Pond(Forge):
    capabilities = (Me,)
    dialect = Dialect()

    async def identify(self):
        return Version("pond", "1.0")


async def ask(ctx: Context, args: Nothing) -> Said:
    forge, _ = await ctx.repository("o/r")
    await forge.identity.me()
    return Said()


async def miss(ctx: Context, args: Nothing) -> Said:
    raise NotFound("there is none", suggestion="Look elsewhere.", details={"status": 404})


async def say(ctx: Context, args: Nothing) -> Said:
    return Said()


@pytest.fixture
def app(tmp_path, plugin):
    def make(settings=SETTINGS, kinds=("pond",), **environ):
        tools = [
            ToolSpec(name=handler.__name__, title="T", description="D", input=Nothing, handler=handler)
            for handler in (ask, miss, say)
        ]
        forges = [ForgeKind(name=kind, title=kind.title(), forge=Pond) for kind in kinds]
        entries = [plugin("stithy-pond", stithy_forges=forges, stithy_tools=tools)]
        return make_app(tmp_path, settings, entries=entries, environ=environ)

    return make


async def errors(app, client_name, *names, mode="auto"):
    info = Implementation(name=client_name, version="1.0")
    async with connect(app, mode=mode, client_info=info) as client:
        return [await client.call_tool(name, {}) for name in names]


KNOWN = [name.replace("client-", "client-stithy") if name.endswith("-") else name for name in HOSTS]


def parts(answer):
    return "both" if answer.structured_content else "text"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("host", KNOWN)
async def test_a_known_host_gets_the_text_alone(app, host, mode):
    """Of answers and of errors: it passes on the text where there is no object, and else two to three times as much."""
    answers = await errors(app(), host, "say", "miss", mode=mode)
    assert [(parts(answer), answer.is_error) for answer in answers] == [("text", False), ("text", True)]
    assert answers[0].content[0].text == "well"
    assert answers[1].content[0].text == "there is none\nLook elsewhere.\ncode: -32002, category: api, status: 404"


@pytest.mark.parametrize("client", ["mcp", "mcp-client-of-somebody", "opencode2", "qwen-cli"])
async def test_any_other_client_gets_both(app, client):
    """`mcp` is the name of the SDK, which programs have; a name that only begins like a known one is another."""
    assert [parts(answer) for answer in await errors(app(), client, "say", "miss")] == ["both", "both"]


@pytest.mark.parametrize(("setting", "expected"), [("text", "text"), ("both", "both")])
async def test_the_setting_counts_for_every_client(app, setting, expected):
    """Whoever serves can decide what the names cannot."""
    here = app(f'{SETTINGS}[serve]\nanswers = "{setting}"\n')
    for client in ("claude-code", "mcp"):
        assert [parts(answer) for answer in await errors(here, client, "say", "miss")] == [expected, expected]


async def test_listed_output_schemas_keep_their_promise(app):
    """A client may check the object against the schema that was listed."""
    here = app(f"{SETTINGS}[serve]\noutput_schemas = true\n")
    assert [parts(answer) for answer in await errors(here, "claude-code", "say", "miss")] == ["both", "both"]
    with pytest.raises(ConfigError, match="a schema promises an object"):
        app(f'{SETTINGS}[serve]\noutput_schemas = true\nanswers = "text"\n')


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("host", CURES)
async def test_the_first_error_without_a_token_has_the_line_that_cures_it(app, host, mode):
    """Codex passes on a fixed few variables, Gemini CLI removes what looks like a secret."""
    first, second = await errors(app(), host, "ask", "ask", mode=mode)
    assert "WORK_TOKEN is not set in this server" in first.content[0].text
    assert CURES[host] in first.content[0].text
    assert HINT not in second.content[0].text


async def test_the_cure_is_in_the_object_if_that_is_sent(app):
    """Codex passes on the object alone where there is one."""
    (error,) = await errors(app(f'{SETTINGS}[serve]\nanswers = "both"\n'), "codex-mcp-client", "ask")
    assert CURES["codex-mcp-client"] in error.structured_content["note"]
    assert error.content[0].text.endswith(error.structured_content["note"])


async def test_other_clients_are_told_nothing_of_hosts(app):
    """A host that passes variables on has another cause."""
    (error,) = await errors(app(), "claude-code", "ask")
    assert HINT not in error.content[0].text


async def test_an_error_with_a_token_is_no_matter_of_hosts(app):
    """What was asked with a token, or without any forge, has another cause."""
    error, _ = await errors(app(WORK_TOKEN="pond-token-0123456789abcdef"), "codex-mcp-client", "ask", "miss")
    assert HINT not in error.content[0].text
    (error,) = await errors(app(), "codex-mcp-client", "miss")
    assert HINT not in error.content[0].text


async def test_a_server_without_any_forge_names_the_usual_variables(app):
    """No GITEA_URL arrives in Codex either."""
    (error,) = await errors(app("", kinds=("github", "gitea", "gitlab")), "codex-mcp-client", "ask")
    ways = "set GITHUB_TOKEN, or set GITEA_URL and GITEA_TOKEN, or set GITLAB_URL and GITLAB_TOKEN."
    assert f"to write stithy.toml, or {ways}" in error.content[0].text
    names = '"GITHUB_TOKEN", "GITEA_URL", "GITEA_TOKEN", "GITLAB_URL", "GITLAB_TOKEN"'
    assert f"env_vars = [{names}]" in error.content[0].text


async def test_a_kind_that_is_not_installed_is_not_named(app):
    (error,) = await errors(app("", kinds=("pond", "gitlab")), "codex-mcp-client", "ask")
    assert "to write stithy.toml, or set GITLAB_URL and GITLAB_TOKEN." in error.content[0].text
    assert "GITEA" not in error.content[0].text


async def test_the_lines_are_what_the_hosts_read(app):
    """The line for Codex is TOML, and that for Gemini CLI is JSON."""
    line = CURES["codex-mcp-client"].partition(" in [")[0]
    assert tomllib.loads(line) == {"env_vars": ["WORK_TOKEN"]}
    line = CURES["gemini-cli-mcp-client"].partition(" in mcp")[0]
    assert json.loads(f"{{{line}}}") == {"env": {"WORK_TOKEN": "$WORK_TOKEN"}}

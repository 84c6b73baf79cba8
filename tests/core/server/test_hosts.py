"""Some hosts keep the variables of tokens from the server: its first error says so, with the line that cures it."""

import json
import tomllib

import pytest
from attrs import frozen
from mcp_types import Implementation

from stithy_core.spi import Context, Dialect, Forge, ForgeKind, Identity, NotFound, ToolSpec, Version
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

SETTINGS = '[forges.work]\nkind = "pond"\nurl = "http://127.0.0.1:9"\ntoken = { env = "WORK_TOKEN" }\n'
CURES = {
    "codex-mcp-client": 'env_vars = ["WORK_TOKEN"] in [mcp_servers.stithy] of ~/.codex/config.toml',
    "gemini-cli-mcp-client": '"env": {"WORK_TOKEN": "$WORK_TOKEN"} in mcpServers.stithy of .gemini/settings.json',
    "copilot-cli": '"env": {"WORK_TOKEN": "${WORK_TOKEN}"} in mcpServers.stithy of ~/.copilot/mcp-config.json',
}


@frozen
class Nothing:
    pass


@frozen
class Said:
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
    raise NotFound("there is none")


@pytest.fixture
def app(tmp_path, plugin):
    def make(settings=SETTINGS, **environ):
        tools = [
            ToolSpec(name=handler.__name__, title="T", description="D", input=Nothing, handler=handler)
            for handler in (ask, miss)
        ]
        entries = [
            plugin("stithy-pond", stithy_forges=[ForgeKind(name="pond", title="Pond", forge=Pond)], stithy_tools=tools)
        ]
        return make_app(tmp_path, settings, entries=entries, environ=environ)

    return make


async def errors(app, client_name, *names, mode="auto"):
    info = Implementation(name=client_name, version="1.0")
    async with connect(app, mode=mode, client_info=info) as client:
        return [await client.call_tool(name, {}) for name in names]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("host", CURES)
async def test_the_first_error_without_a_token_has_the_line_that_cures_it(app, host, mode):
    """Codex passes on a fixed few variables, Gemini CLI removes what looks like a secret."""
    first, second = await errors(app(), host, "ask", "ask", mode=mode)
    assert "WORK_TOKEN is not set in this server" in first.structured_content["note"]
    assert CURES[host] in first.structured_content["note"]
    assert first.content[0].text.endswith(first.structured_content["note"])
    assert "note" not in second.structured_content


async def test_other_clients_are_told_nothing_of_hosts(app):
    """A host that passes variables on has another cause."""
    (error,) = await errors(app(), "claude-code", "ask")
    assert "note" not in error.structured_content


async def test_an_error_with_a_token_is_no_matter_of_hosts(app):
    """What was asked with a token, or without any forge, has another cause."""
    error, _ = await errors(app(WORK_TOKEN="pond-token-0123456789abcdef"), "codex-mcp-client", "ask", "miss")
    assert "note" not in error.structured_content
    (error,) = await errors(app(), "codex-mcp-client", "miss")
    assert "note" not in error.structured_content


async def test_a_server_without_any_forge_names_the_usual_variables(app):
    """No GITEA_URL arrives in Codex either."""
    (error,) = await errors(app(""), "codex-mcp-client", "ask")
    assert 'env_vars = ["GITHUB_TOKEN", "GITEA_URL", "GITEA_TOKEN"]' in error.structured_content["note"]


async def test_the_lines_are_what_the_hosts_read(app):
    """The line for Codex is TOML, and that for Gemini CLI is JSON."""
    line = CURES["codex-mcp-client"].partition(" in [")[0]
    assert tomllib.loads(line) == {"env_vars": ["WORK_TOKEN"]}
    line = CURES["gemini-cli-mcp-client"].partition(" in mcp")[0]
    assert json.loads(f"{{{line}}}") == {"env": {"WORK_TOKEN": "$WORK_TOKEN"}}

"""The hosts of agents that are known by name: what they pass on to a model, and which variables they keep back.

The names are those of their clientInfo. `docs/adr/0041-text-alone-for-known-hosts.md` has what was measured.
"""

from collections.abc import Callable, Mapping, Sequence

from attrs import frozen


@frozen
class AgentHost:
    """A host that passes the text of an answer on to its model if the answer has no object.

    Args:
        title: Its name for people.
        why: What it does with the variables of its servers; empty for one that passes all of them on.
        cure: Returns the line for some variables, and the file that it belongs in.
    """

    title: str
    why: str = ""
    cure: Callable[[Sequence[str]], str] = lambda _: ""


def _format_env(place: str, form: str) -> Callable[[Sequence[str]], str]:
    def format_cure(names: Sequence[str]) -> str:
        entries = ", ".join(f'"{name}": "{form.format(name)}"' for name in names)
        return f'"env": {{{entries}}} in mcpServers.stithy of {place}'

    return format_cure


def _format_env_vars(names: Sequence[str]) -> str:
    listed = ", ".join(f'"{name}"' for name in names)
    return f"env_vars = [{listed}] in [mcp_servers.stithy] of ~/.codex/config.toml"


HOSTS: Mapping[str, AgentHost] = {
    "claude-code": AgentHost("Claude Code"),
    "codex-mcp-client": AgentHost("Codex", "passes on a fixed few variables", _format_env_vars),
    "continue-cli-client": AgentHost("Continue"),
    "copilot-cli": AgentHost(
        "Copilot CLI", "removes GITHUB_TOKEN", _format_env("~/.copilot/mcp-config.json", "${{{}}}")
    ),
    "gemini-cli-mcp-client": AgentHost(
        "Gemini CLI", "removes variables that look like secrets", _format_env(".gemini/settings.json", "${}")
    ),
    "opencode": AgentHost("opencode"),
    "qwen-cli-mcp-client-": AgentHost("Qwen Code"),
}
"""The hosts by their names; a name that ends with a hyphen is the beginning of one."""


def find_host(client: str) -> AgentHost | None:
    """Return the host of a name in clientInfo; None for any other client.

    The default name of the MCP SDK, `mcp`, belongs to programs as well, and they read the object.
    """
    if client in HOSTS:
        return HOSTS[client]
    return next((host for name, host in HOSTS.items() if name.endswith("-") and client.startswith(name)), None)

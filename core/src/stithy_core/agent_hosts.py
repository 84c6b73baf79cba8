"""The hosts of agents that are known by name: what they pass on to a model, and which variables they keep back.

The names are those of their clientInfo. `docs/adr/0041-text-alone-for-known-hosts.md` has what was measured. The files
of these and other hosts are in stithy-init.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from attrs import frozen

NAMED = "env_vars"
"""The key of Codex for the names of variables to pass on."""


@frozen
class AgentHost:
    """A host that passes the text of an answer on to its model if the answer has no object.

    Args:
        title: Its name for people.
        why: What it does with the variables of its servers; empty for one that passes all of them on.
        reference: How a value in its settings refers to a variable, with {} for the name; empty where variables are
            listed by name.
        place: The part of its settings that has the variables.
    """

    title: str
    why: str = ""
    reference: str = ""
    place: str = ""

    def cure(self, names: Sequence[str]) -> str:
        """Return the line that passes variables on, and the file that it belongs in."""
        if self.reference:
            entries = ", ".join(f'"{name}": "{self.reference.format(name)}"' for name in names)
            return f'"env": {{{entries}}} in {self.place}'
        listed = ", ".join(f'"{name}"' for name in names)
        return f"{NAMED} = [{listed}] in {self.place}"


HOSTS: Mapping[str, AgentHost] = {
    "claude-code": AgentHost("Claude Code"),
    "codex-mcp-client": AgentHost(
        "Codex", "passes on a fixed few variables", "", "[mcp_servers.stithy] of ~/.codex/config.toml"
    ),
    "continue-cli-client": AgentHost("Continue"),
    "copilot-cli": AgentHost(
        "Copilot CLI", "removes GITHUB_TOKEN", "${{{}:-}}", "mcpServers.stithy of ~/.copilot/mcp-config.json"
    ),
    "gemini-cli-mcp-client": AgentHost(
        "Gemini CLI",
        "removes variables that look like secrets",
        "${}",
        "mcpServers.stithy of .gemini/settings.json",
    ),
    "opencode": AgentHost("opencode"),
    "qwen-cli-mcp-client-": AgentHost("Qwen Code"),
}
"""The hosts by their names; a name that ends with a hyphen is the beginning of one."""


@lru_cache(maxsize=64)  # every call of a session asks for the same
def find_host(client: str) -> AgentHost | None:
    """Return the host of a name in clientInfo; None for any other client.

    The default name of the MCP SDK, `mcp`, belongs to programs as well, and they read the object.
    """
    if client in HOSTS:
        return HOSTS[client]
    return next((host for name, host in HOSTS.items() if name.endswith("-") and client.startswith(name)), None)

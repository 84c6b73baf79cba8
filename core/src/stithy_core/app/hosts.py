"""Hosts that start a server without the variables of its tokens, and the line in their settings that cures it."""

from collections.abc import Callable, Mapping, Sequence

from attrs import frozen

from stithy_core.config import Config, usual_variables
from stithy_core.spi import ForgeConfig


@frozen
class Host:
    """A host that keeps variables from its servers.

    Args:
        title: What people call it.
        why: What it does with them.
        cure: Writes the line for some variables, and where it stands.
    """

    title: str
    why: str
    cure: Callable[[Sequence[str]], str]


def _env(place: str, form: str) -> Callable[[Sequence[str]], str]:
    def write(names: Sequence[str]) -> str:
        entries = ", ".join(f'"{name}": "{form.format(name)}"' for name in names)
        return f'"env": {{{entries}}} in mcpServers.stithy of {place}'

    return write


def _env_vars(names: Sequence[str]) -> str:
    listed = ", ".join(f'"{name}"' for name in names)
    return f"env_vars = [{listed}] in [mcp_servers.stithy] of ~/.codex/config.toml"


HOSTS: Mapping[str, Host] = {
    "codex-mcp-client": Host("Codex", "passes on a fixed few variables", _env_vars),
    "gemini-cli-mcp-client": Host(
        "Gemini CLI", "removes variables that look like secrets", _env(".gemini/settings.json", "${}")
    ),
    "copilot-cli": Host("Copilot CLI", "removes GITHUB_TOKEN", _env("~/.copilot/mcp-config.json", "${{{}}}")),
}
"""By the name in clientInfo."""


def token_hint(client: str, names: Sequence[str]) -> str:
    """Return why a server has no token and how its user cures it; empty where the client is none of these.

    Args:
        client: The name in its clientInfo.
        names: The variables that are missing.
    """
    host = HOSTS.get(client)
    if host is None or not names:
        return ""
    are = "is" if len(names) == 1 else "are"
    listed = ", ".join(names)
    return (
        f"{listed} {are} not set in this server: {host.title} {host.why}. If your shell has {listed}, write"
        f" {host.cure(names)}, and start {host.title} again."
    )


def pass_on_hint(name: str) -> str:
    """Return how hosts that keep a variable from their servers are told to pass it on."""
    shown = ("codex-mcp-client", "gemini-cli-mcp-client")
    cures = "; ".join(f"{HOSTS[client].title}: {HOSTS[client].cure([name])}" for client in shown)
    return f"Not every host passes {name} on to the server. {cures}."


def missing_variables(config: Config, environ: Mapping[str, str], lacking: Sequence[ForgeConfig]) -> list[str]:
    """Return the variables that would bring a token to the forges that have none, or a forge where there is none.

    Args:
        config: The settings.
        environ: The environment, in which they are not set.
        lacking: The forges that were asked without a token, since none was found.
    """
    names: list[str] = []
    for forge_config in lacking:
        forge = config.forges.get(forge_config.alias)
        source = forge.token if forge else None
        if source is None:
            names += usual_variables(forge_config.alias, forge_config.kind)
        elif source.env:
            names.append(source.env)
    if not config.forges and not lacking:
        names = ["GITHUB_TOKEN", "GITEA_URL", "GITEA_TOKEN"]
    return [name for name in dict.fromkeys(names) if not environ.get(name)]

"""The agent hosts that `stithy init` knows: their files, the form of an entry, and what the user has to approve.

Tests read back the files of those that npm has; the others are from their documentation, which `source` names.
"""

import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from attrs import field, frozen

from stithy_core.agent_hosts import HOSTS, NAMED
from stithy_init.documents import Format

Scope: TypeAlias = Literal["user", "project"]
SERVER = "stithy"


@frozen
class Machine:
    """Where the files of hosts are.

    Args:
        home: The user's home.
        project: The folder of the project.
        environ: The environment, which can move folders.
        platform: As `sys.platform`.
    """

    home: Path
    project: Path
    environ: Mapping[str, str]
    platform: str = sys.platform

    def expand(self, template: str) -> Path:
        """Return the path of a template: `{project}`, or a folder of the user such as `{home}` or `{CODEX_HOME}`."""
        return Path(template.format_map(self._folders()))

    def finds_program(self, name: str) -> bool:
        """Return whether a program is on PATH."""
        return shutil.which(name, path=self.environ.get("PATH", os.defpath)) is not None

    def _folders(self) -> Mapping[str, Path]:
        roaming = Path(self.environ.get("APPDATA") or self.home / "AppData/Roaming")
        xdg = Path(self.environ.get("XDG_CONFIG_HOME") or self.home / ".config")
        apps = {"win32": roaming, "darwin": self.home / "Library/Application Support"}
        named = {name: Path(self.environ.get(name) or self.home / default) for name, default in _FOLDERS.items()}
        is_windows = self.platform == "win32"
        return {
            "home": self.home,
            "project": self.project,
            "xdg": xdg,
            "apps": apps.get(self.platform, xdg),
            "zed": roaming / "Zed" if is_windows else xdg / "zed",
            "goose": roaming / "Block/goose/config" if is_windows else xdg / "goose",
            **named,
        }


_FOLDERS = {
    "CLAUDE_CONFIG_DIR": "",
    "CODEX_HOME": ".codex",
    "COPILOT_HOME": ".copilot",
    "GEMINI_CLI_HOME": "",
}
"""The variables that move the folder of a host, each with its default below the home."""


def _write_standard(command: Sequence[str], **more: Any) -> dict[str, Any]:
    return {**more, "command": command[0], "args": list(command[1:])}


def _write_stdio(command: Sequence[str]) -> dict[str, Any]:
    return _write_standard(command, type="stdio")


def _write_copilot(command: Sequence[str]) -> dict[str, Any]:
    return _write_stdio(command) | {"tools": ["*"]}


def _write_codex(command: Sequence[str]) -> dict[str, Any]:
    # Without `required`, `codex exec` asks the model a second after it started the server, ready or not.
    return _write_standard(command) | {"required": True}


def _write_opencode(command: Sequence[str]) -> dict[str, Any]:
    return {"type": "local", "command": list(command), "enabled": True}


def _write_zed(command: Sequence[str]) -> dict[str, Any]:
    return _write_standard(command, source="custom")


def _write_goose(command: Sequence[str]) -> dict[str, Any]:
    named = {"enabled": True, "type": "stdio", "name": SERVER, "description": "Pull requests, reviews, CI failures"}
    return named | {"cmd": command[0], "args": list(command[1:]), "timeout": 300}


def _write_continue(command: Sequence[str]) -> dict[str, Any]:
    return _write_standard(command, name=SERVER, type="stdio")


@frozen(kw_only=True)
class HostSetup:
    """How a host is set up.

    Args:
        name: The value of `--host`.
        title: Its name for people.
        files: Templates of the file by scope; of several, the first that exists is used, or else the first.
        key: The key of the file whose value has the servers.
        write: Returns the entry for a command.
        markers: Templates of paths that exist where the host is installed.
        programs: Programs that exist where the host is installed.
        client: Its name in clientInfo, if `stithy_core.agent_hosts` knows it.
        is_list: Whether the servers are a list of entries with names.
        form: The format of the file.
        beginning: What a new file has besides the servers.
        approval: What the user has to approve, by scope.
        check: The command that shows the server.
        source: The page of the documentation that describes the file.
    """

    name: str
    title: str
    files: Mapping[Scope, Sequence[str]]
    key: str = "mcpServers"
    write: Callable[[Sequence[str]], dict[str, Any]] = _write_standard
    markers: Sequence[str] = ()
    programs: Sequence[str] = ()
    client: str = ""
    is_list: bool = False
    form: Format = "json"
    beginning: Mapping[str, Any] = field(factory=dict)
    approval: Mapping[Scope, str] = field(factory=dict)
    check: str = ""
    source: str = ""

    def is_installed(self, machine: Machine) -> bool:
        """Return whether the machine has the host: one of its programs or folders."""
        found = any(machine.expand(marker).exists() for marker in self.markers)
        return found or any(map(machine.finds_program, self.programs))

    def find_file(self, machine: Machine, scope: Scope) -> Path | None:
        """Return the file of a scope, which need not exist; None if the host has none."""
        paths = [machine.expand(template) for template in self.files.get(scope, ())]
        return next((path for path in paths if path.exists()), paths[0] if paths else None)

    def select_variables(self, tokens: Sequence[str], others: Sequence[str]) -> Sequence[str]:
        """Return the variables that an entry must name: none of a host that passes all of them on.

        Args:
            tokens: The variables that have tokens.
            others: Other variables that the server reads.
        """
        host = HOSTS.get(self.client)
        if host is None or not host.why:
            return ()
        return tokens if host.reference else [*tokens, *others]

    def create_entry(self, command: Sequence[str], variables: Sequence[str]) -> dict[str, Any]:
        """Return the entry of the server.

        Args:
            command: The program and its arguments.
            variables: Those of `select_variables`; their values are never written.
        """
        entry = self.write(command)
        if not variables:
            return entry
        reference = HOSTS[self.client].reference
        if not reference:
            return entry | {NAMED: list(variables)}
        return entry | {"env": {name: reference.format(name) for name in variables}}


_TRUSTED = "the server starts only if the folder is trusted: {} asks when it starts there"
_RESTART = "start {} again"

SETUPS: Sequence[HostSetup] = (
    HostSetup(
        name="claude-code",
        title="Claude Code",
        client="claude-code",
        files={"user": ["{CLAUDE_CONFIG_DIR}/.claude.json"], "project": ["{project}/.mcp.json"]},
        write=_write_stdio,
        markers=["{home}/.claude", "{CLAUDE_CONFIG_DIR}/.claude.json"],
        programs=["claude"],
        approval={"project": "Claude Code asks once whether it may start a project's servers: run claude there"},
        check="claude mcp list",
    ),
    HostSetup(
        name="claude-desktop",
        title="Claude Desktop",
        files={"user": ["{apps}/Claude/claude_desktop_config.json"]},
        markers=["{apps}/Claude"],
        approval={"user": _RESTART.format("Claude Desktop")},
        source="https://modelcontextprotocol.io/docs/develop/connect-local-servers",
    ),
    HostSetup(
        name="codex",
        title="Codex",
        client="codex-mcp-client",
        files={"user": ["{CODEX_HOME}/config.toml"], "project": ["{project}/.codex/config.toml"]},
        form="toml",
        key="mcp_servers",
        write=_write_codex,
        markers=["{CODEX_HOME}"],
        programs=["codex"],
        approval={"project": "Codex reads the file only in a project that its user settings trust"},
        check="codex mcp list",
    ),
    HostSetup(
        name="gemini",
        title="Gemini CLI",
        client="gemini-cli-mcp-client",
        files={
            "user": ["{GEMINI_CLI_HOME}/.gemini/settings.json"],
            "project": ["{project}/.gemini/settings.json"],
        },
        markers=["{GEMINI_CLI_HOME}/.gemini/settings.json", "{GEMINI_CLI_HOME}/.gemini/tmp"],
        programs=["gemini"],
        approval=dict.fromkeys(("user", "project"), _TRUSTED.format("Gemini CLI")),
        check="gemini mcp list",
    ),
    HostSetup(
        name="copilot",
        title="Copilot CLI",
        client="copilot-cli",
        files={"user": ["{COPILOT_HOME}/mcp-config.json"], "project": ["{project}/.mcp.json"]},
        write=_write_copilot,
        markers=["{COPILOT_HOME}"],
        programs=["copilot"],
        approval={"project": _TRUSTED.format("Copilot CLI")},
        check="copilot mcp list",
    ),
    HostSetup(
        name="vscode",
        title="VS Code",
        files={"user": ["{apps}/Code/User/mcp.json"], "project": ["{project}/.vscode/mcp.json"]},
        key="servers",
        write=_write_stdio,
        markers=["{apps}/Code/User"],
        programs=["code"],
        approval=dict.fromkeys(("user", "project"), "VS Code asks whether it trusts the server when it starts it"),
        source="https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
    ),
    HostSetup(
        name="cursor",
        title="Cursor",
        files={"user": ["{home}/.cursor/mcp.json"], "project": ["{project}/.cursor/mcp.json"]},
        write=_write_stdio,
        markers=["{home}/.cursor"],
        programs=["cursor", "cursor-agent"],
        approval=dict.fromkeys(("user", "project"), "enable the server in Cursor's settings, under MCP"),
        source="https://docs.cursor.com/context/model-context-protocol",
    ),
    HostSetup(
        name="windsurf",
        title="Windsurf",
        files={"user": ["{home}/.codeium/windsurf/mcp_config.json"]},
        markers=["{home}/.codeium/windsurf"],
        programs=["windsurf"],
        approval={"user": "press the button Refresh under Cascade, MCP servers"},
        source="https://docs.windsurf.com/windsurf/cascade/mcp",
    ),
    HostSetup(
        name="zed",
        title="Zed",
        files={"user": ["{zed}/settings.json"]},
        key="context_servers",
        write=_write_zed,
        markers=["{zed}"],
        programs=["zed", "zeditor"],
        source="https://zed.dev/docs/ai/mcp",
    ),
    HostSetup(
        name="opencode",
        title="opencode",
        client="opencode",
        files={
            "user": ["{xdg}/opencode/opencode.json", "{xdg}/opencode/opencode.jsonc"],
            "project": ["{project}/opencode.json", "{project}/opencode.jsonc"],
        },
        key="mcp",
        write=_write_opencode,
        markers=["{xdg}/opencode"],
        programs=["opencode"],
        beginning={"$schema": "https://opencode.ai/config.json"},  # else opencode adds it
        check="opencode mcp list",
    ),
    HostSetup(
        name="goose",
        title="Goose",
        files={"user": ["{goose}/config.yaml"]},
        form="yaml",
        key="extensions",
        write=_write_goose,
        markers=["{goose}"],
        programs=["goose"],
        source="https://block.github.io/goose/docs/guides/config-files",
    ),
    HostSetup(
        name="qwen",
        title="Qwen Code",
        client="qwen-cli-mcp-client-",
        files={"user": ["{home}/.qwen/settings.json"], "project": ["{project}/.qwen/settings.json"]},
        markers=["{home}/.qwen"],
        programs=["qwen"],
        check="qwen mcp list",
    ),
    HostSetup(
        name="continue",
        title="Continue",
        client="continue-cli-client",
        files={"user": ["{home}/.continue/config.yaml"], "project": ["{project}/.continue/mcpServers/stithy.yaml"]},
        form="yaml",
        is_list=True,
        write=_write_continue,
        markers=["{home}/.continue"],
        programs=["cn"],
        beginning={"name": "stithy", "version": "1.0.0", "schema": "v1"},
        source="https://docs.continue.dev/customize/deep-dives/mcp",
    ),
)
"""The hosts in the order of the help."""

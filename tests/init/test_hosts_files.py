"""`stithy init` in the files of hosts: what it writes, what it leaves alone, and what it undoes."""

import json
import os
import stat
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from stithy_init.host_setups import SETUPS, Machine

PROGRAM = str(Path(sys.executable).with_name("stithy"))
EVERYONE = [word for setup in SETUPS for word in ("--host", setup.name)]


def read(path):
    text = path.read_text()
    return tomllib.loads(text) if path.suffix == ".toml" else yaml.safe_load(text)


def snapshot(folder):
    return {
        path.relative_to(folder): (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
        for path in folder.rglob("*")
        if path.is_file() and ".local" not in path.parts
    }


FILES = {
    "claude-code": (".claude.json", ("mcpServers", "stithy")),
    "claude-desktop": (".config/Claude/claude_desktop_config.json", ("mcpServers", "stithy")),
    "codex": (".codex/config.toml", ("mcp_servers", "stithy")),
    "gemini": (".gemini/settings.json", ("mcpServers", "stithy")),
    "copilot": (".copilot/mcp-config.json", ("mcpServers", "stithy")),
    "vscode": (".config/Code/User/mcp.json", ("servers", "stithy")),
    "cursor": (".cursor/mcp.json", ("mcpServers", "stithy")),
    "windsurf": (".codeium/windsurf/mcp_config.json", ("mcpServers", "stithy")),
    "zed": (".config/zed/settings.json", ("context_servers", "stithy")),
    "opencode": (".config/opencode/opencode.json", ("mcp", "stithy")),
    "goose": (".config/goose/config.yaml", ("extensions", "stithy")),
    "qwen": (".qwen/settings.json", ("mcpServers", "stithy")),
    "continue": (".continue/config.yaml", ("mcpServers", 0)),
}


def test_every_host_gets_the_absolute_command_and_no_token(init, home, monkeypatch):
    """Codex and Gemini CLI also the names of variables, and everything is undone."""
    monkeypatch.setenv("GITHUB_TOKEN", "pond-token-0123456789abcdef")
    monkeypatch.setenv("GITEA_URL", "https://git.example")
    before = snapshot(home)
    result = init(*EVERYONE, "--yes")
    assert (result.exit_code, result.stderr) == (0, "")
    assert set(FILES) == {setup.name for setup in SETUPS}
    entries = {}
    for name, (file, place) in FILES.items():
        entry = read(home / file)
        for key in place:
            entry = entry[key]
        entries[name] = entry
        command = entry.get("command") or entry["cmd"]
        line = command if isinstance(command, list) else [command, *entry["args"]]
        assert line == [PROGRAM, "serve"]
        assert "pond-token" not in (home / file).read_text() + result.stdout
    assert entries["codex"]["env_vars"] == ["GITHUB_TOKEN", "GITEA_URL"]
    assert entries["codex"]["required"] is True
    assert entries["gemini"]["env"] == {"GITHUB_TOKEN": "$GITHUB_TOKEN"}
    assert entries["copilot"]["env"] == {"GITHUB_TOKEN": "${GITHUB_TOKEN:-}"}
    assert not [name for name, entry in entries.items() if "env" in entry and name not in {"gemini", "copilot"}]
    assert init("--undo").exit_code == 0
    assert snapshot(home) == before
    assert [path.name for path in home.iterdir() if path.name != ".local"] == ["project"]


def test_claude_code_and_copilot_share_the_file_of_a_project(init, home):
    """And hosts without a file for projects say so."""
    result = init("--host", "claude-code", "--host", "copilot", "--host", "zed", "--scope", "project", "--yes")
    entry = read(home / "project/.mcp.json")["mcpServers"]["stithy"]
    assert entry == {
        "type": "stdio",
        "command": PROGRAM,
        "args": ["serve"],
        "tools": ["*"],
        "env": {"GITHUB_TOKEN": "${GITHUB_TOKEN:-}"},
    }
    assert result.exit_code == 1
    assert "Zed: it has no settings of a project" in result.stdout
    assert "Claude Code asks once whether it may start a project's servers" in result.stdout


def test_hosts_are_found_by_their_folders_and_programs(init, home, tmp_path, monkeypatch):
    (home / ".cursor").mkdir()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "codex").write_text("#!/bin/sh\n")
    (tmp_path / "bin" / "codex").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    assert init("--yes").exit_code == 0
    assert {str(path) for path in snapshot(home)} == {".codex/config.toml", ".cursor/mcp.json"}


def test_without_any_host_the_names_are_listed(init):
    result = init("--yes")
    assert result.exit_code == 1
    assert "No agent host was found. Name one with --host: claude-code, " in result.stderr


def test_print_writes_nothing(init, home):
    before = snapshot(home)
    result = init("--host", "qwen", "--print")
    assert result.exit_code == 0
    assert f'+      "command": "{PROGRAM}",' in result.stdout
    assert snapshot(home) == before


def test_without_a_terminal_and_without_yes_nothing_is_asked_and_nothing_written(init, home):
    before = snapshot(home)
    result = init("--host", "qwen")
    assert result.exit_code == 2
    assert "write with --yes, or show with --print" in result.stderr
    assert snapshot(home) == before


def test_options_of_the_server_are_written_and_a_second_run_changes_nothing(init, home):
    init("--host", "qwen", "--yes", "--read-only", "--toolsets", "repository_management")
    path = home / ".qwen/settings.json"
    before = path.read_bytes()
    entry = read(path)["mcpServers"]["stithy"]
    assert entry["args"] == ["serve", "--read-only", "--toolsets", "repository_management"]
    result = init("--host", "qwen", "--yes")
    assert "Qwen Code is set up in" in result.stdout
    assert path.read_bytes() == before


OWN = """{
  // my own
  "theme": "dark",
  "mcpServers": {
    "hub": {"command": "hub", "env": {"HUB_KEY": "hub-secret"}},
    "stithy": {
      "command": "stithy", // from PATH
      "args": ["serve", "--lockdown"],
      "timeout": 9000,
      "env": {"STITHY_LOG": "info"}
    }
  }
}
"""


def test_what_the_user_chose_stays(init, home, monkeypatch):
    """Of an entry that exists, only the program changes; secrets of other servers are not shown."""
    path = home / ".qwen/settings.json"
    path.parent.mkdir()
    path.write_text(OWN)
    result = init("--host", "qwen", "--yes")
    assert path.read_text() == OWN.replace('"command": "stithy"', f'"command": "{PROGRAM}"')
    assert "hub-secret" not in result.stdout
    init("--undo")
    assert path.read_text() == OWN


def test_the_permissions_and_links_of_a_file_stay(init, home):
    target = home / "dotfiles.json"
    target.write_text("{}")
    target.chmod(0o640)
    (home / ".claude.json").symlink_to(target)
    init("--host", "claude-code", "--yes")
    assert (home / ".claude.json").is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert "stithy" in target.read_text()
    init("--undo")
    assert (target.read_text(), (home / ".claude.json").is_symlink()) == ("{}", True)


@pytest.mark.parametrize(
    "text", ["{", '{"mcpServers": ["a"]}', '{"mcpServers": {"stithy": {"url": "http://a"}}}', "\xff"]
)
def test_a_file_that_cannot_be_edited_is_left_and_the_others_are_written(init, home, text):
    path = home / ".claude.json"
    path.write_bytes(text.encode("latin-1"))
    result = init("--host", "claude-code", "--host", "qwen", "--yes")
    assert result.exit_code == 1
    assert f"XX  Claude Code: {path} was not changed: " in result.stdout
    assert path.read_bytes() == text.encode("latin-1")
    assert (home / ".qwen/settings.json").exists()


def test_undo_keeps_what_others_wrote_since(init, home):
    """Claude Code writes its own file all the time."""
    path = home / ".claude.json"
    path.write_text('{"numStartups": 1}')
    init("--host", "claude-code", "--yes")
    data = read(path) | {"numStartups": 2}
    path.write_text(json.dumps(data))
    assert init("--undo").exit_code == 0
    assert read(path) == {"numStartups": 2}


def test_undo_of_an_entry_that_was_there_before_restores_it(init, home):
    path = home / ".qwen/settings.json"
    path.parent.mkdir()
    path.write_text(OWN)
    init("--host", "qwen", "--yes")
    path.write_text(path.read_text().replace("dark", "light"))
    init("--undo")
    assert yaml.safe_load(path.read_text().replace("// my own", "").replace("// from PATH", "")) == yaml.safe_load(
        OWN.replace("dark", "light").replace("// my own", "").replace("// from PATH", "")
    )


def test_undo_of_two_runs_goes_back_to_the_beginning(init, home):
    path = home / ".qwen/settings.json"
    path.parent.mkdir()
    path.write_text('{"a": 1}')
    init("--host", "qwen", "--yes")
    init("--host", "qwen", "--yes", "--read-only")
    init("--undo", "--host", "codex")
    assert "--read-only" in path.read_text()
    init("--undo", "--host", "qwen")
    assert path.read_text() == '{"a": 1}'
    assert init("--undo").stdout == "There is nothing to undo.\n"


def test_undo_after_a_change_between_two_runs_takes_out_the_entry_alone(init, home):
    """The bytes of the beginning would lose what somebody wrote in between."""
    path = home / ".qwen/settings.json"
    init("--host", "qwen", "--yes")
    path.write_text(path.read_text().replace("{", '{"theme": "dark", ', 1))
    init("--host", "qwen", "--yes", "--read-only")
    assert init("--undo").exit_code == 0
    assert read(path) == {"theme": "dark", "mcpServers": {}} or read(path) == {"theme": "dark"}


def test_undo_of_what_was_deleted_forgets_it(init, home):
    init("--host", "qwen", "--yes")
    (home / ".qwen/settings.json").unlink()
    assert init("--undo").exit_code == 0
    assert not (home / ".qwen").exists()


def test_records_that_are_damaged_are_an_error_and_nothing_is_written(init, home):
    init("--host", "qwen", "--yes")
    (home / ".local/state/stithy/init/changes.json").write_text("{")
    result = init("--host", "codex", "--yes")
    assert result.exit_code == 2
    assert "Delete it; nothing can be undone then." in result.stderr
    assert not (home / ".codex").exists()


def test_variables_that_the_user_named_stay_beside_new_ones(init, home, monkeypatch):
    path = home / ".codex/config.toml"
    path.parent.mkdir()
    path.write_text('[mcp_servers.stithy]\ncommand = "stithy"  # old\nargs = ["serve"]\nenv_vars = ["MINE"]\n')
    monkeypatch.setenv("GH_TOKEN", "pond-token-0123456789abcdef")
    assert init("--host", "codex", "--yes").exit_code == 0
    entry = read(path)["mcp_servers"]["stithy"]
    assert (entry["env_vars"], entry["required"]) == (["MINE", "GH_TOKEN"], True)
    assert "  # old" in path.read_text()


def test_the_project_of_continue_has_a_file_of_its_own(init, home):
    assert init("--host", "continue", "--scope", "project", "--yes").exit_code == 0
    data = read(home / "project/.continue/mcpServers/stithy.yaml")
    assert (data["schema"], data["mcpServers"][0]["name"]) == ("v1", "stithy")


def test_undo_of_a_file_that_is_no_longer_valid_says_so(init, home):
    init("--host", "qwen", "--yes")
    path = home / ".qwen/settings.json"
    path.write_text("{")
    result = init("--undo")
    assert (result.exit_code, path.read_text()) == (1, "{")
    assert f"XX  {path} was not changed: it is not valid JSON" in result.stdout


def test_undo_is_of_this_project_only(init, home, monkeypatch):
    init("--host", "qwen", "--scope", "project", "--yes")
    monkeypatch.chdir(home)
    assert init("--undo").stdout == "There is nothing to undo.\n"
    monkeypatch.chdir(home / "project")
    init("--undo", "--scope", "user")
    assert (home / "project/.qwen/settings.json").exists()
    init("--undo", "--scope", "project")
    assert not (home / "project/.qwen").exists()


def test_a_file_that_changes_between_reading_and_writing_is_not_written(init, home):
    from stithy_init.file_changes import ChangeJournal, FileChange, apply_changes

    path = home / "a.json"
    path.write_text("{}")
    change = FileChange.read(path, "json", ("a",)).with_text('{"a": 1}')
    path.write_text('{"b": 1}')
    assert "something else changed it meanwhile" in apply_changes([change], ChangeJournal())[path]
    assert path.read_text() == '{"b": 1}'


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_write_protected_file_is_left(init, home):
    path = home / ".claude.json"
    path.write_text("{}")
    path.chmod(0o400)
    assert init("--host", "claude-code", "--yes").exit_code == 1
    assert path.read_text() == "{}"


MACS, WINDOWS = "/h/Library/Application Support", "/h/roaming"
FOLDERS = {
    "claude-code": dict.fromkeys(("linux", "darwin", "win32"), "/h/.claude.json"),
    "claude-desktop": {
        "linux": "/x/Claude/claude_desktop_config.json",
        "darwin": f"{MACS}/Claude/claude_desktop_config.json",
        "win32": f"{WINDOWS}/Claude/claude_desktop_config.json",
    },
    "codex": dict.fromkeys(("linux", "darwin", "win32"), "/h/.codex/config.toml"),
    "vscode": {
        "linux": "/x/Code/User/mcp.json",
        "darwin": f"{MACS}/Code/User/mcp.json",
        "win32": f"{WINDOWS}/Code/User/mcp.json",
    },
    "zed": {
        **dict.fromkeys(("linux", "darwin"), "/x/zed/settings.json"),
        "win32": f"{WINDOWS}/Zed/settings.json",
    },
    "opencode": dict.fromkeys(("linux", "darwin", "win32"), "/x/opencode/opencode.json"),
    "goose": {
        **dict.fromkeys(("linux", "darwin"), "/x/goose/config.yaml"),
        "win32": f"{WINDOWS}/Block/goose/config/config.yaml",
    },
}


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
@pytest.mark.parametrize("name", FOLDERS)
def test_folders_of_hosts_depend_on_the_system(platform, name):
    """As their documentation says, which `source` of each host names."""
    (setup,) = [setup for setup in SETUPS if setup.name == name]
    machine = Machine(Path("/h"), Path("/p"), {"XDG_CONFIG_HOME": "/x", "APPDATA": "/h/roaming"}, platform)
    assert setup.find_file(machine, "user") == Path(FOLDERS[name][platform])


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_every_other_file_is_below_the_home_or_the_project_on_every_system(platform):
    """Without any variable, too."""
    machine = Machine(Path("/h"), Path("/p"), {}, platform)
    for setup in SETUPS:
        for scope, root in (("user", Path("/h")), ("project", Path("/p"))):
            path = setup.find_file(machine, scope)
            assert path is None or path.is_relative_to(root)


@pytest.mark.parametrize("name", ["uv/archive-v0/x1", "pipx/9f3a"])
def test_a_program_in_a_cache_is_written_to_no_host(init, home, monkeypatch, name):
    """`uvx` and `pipx run` make it and delete it; --print shows the lines all the same."""
    environment = home / ".cache" / name
    environment.mkdir(parents=True)
    maker = "uv" if name.startswith("uv") else "pipx"
    about = "" if maker == "uv" else "\n# This file is a cache directory tag created by pipx."
    (home / ".cache" / maker / "CACHEDIR.TAG").write_text(f"Signature: 8a477f597d28d172789f06886806bc55{about}")
    monkeypatch.setattr(sys, "prefix", str(environment))
    result = init("--host", "codex", "--yes")
    assert result.exit_code == 2
    assert f"it is in a cache, {environment}; nothing was written" in result.stderr
    assert 'Run: uv tool install "stithy[all]" or pipx install "stithy[all]", and then: stithy init' in result.stderr
    assert not (home / ".codex").exists()
    shown = init("--host", "codex", "--print")
    assert (shown.exit_code, shown.stdout.startswith("!!  this program does not stay")) == (0, True)


@pytest.mark.parametrize("tagged", ["tools/stithy", "tools", "."])
def test_an_environment_that_is_only_excluded_from_backups_stays(init, home, monkeypatch, tagged):
    """uv and virtualenv tag every environment."""
    environment = home / "tools/stithy"
    environment.mkdir(parents=True)
    (home / tagged / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55")
    monkeypatch.setattr(sys, "prefix", str(environment))
    assert init("--host", "codex", "--yes").exit_code == 0


def test_hosts_whose_folder_a_variable_moves_are_found_there(init, home, monkeypatch):
    monkeypatch.setenv("CODEX_HOME", str(home / "elsewhere"))
    init("--host", "codex", "--yes")
    assert "[mcp_servers.stithy]" in (home / "elsewhere/config.toml").read_text()


def test_the_page_of_commands_lists_every_host_and_its_files():
    page = (Path(__file__).parents[2] / "docs/commands.md").read_text()
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| `")]
    listed = {row[0].strip("`"): row[1:] for row in rows if len(row) == 4 and row[0] != "`NAME`"}
    assert list(listed) == [setup.name for setup in SETUPS]
    for setup in SETUPS:
        title, user, project = listed[setup.name]
        assert title == setup.title
        assert setup.files["user"][0].rpartition("/")[2] in user
        templates = setup.files.get("project", ["\u2013"])
        assert templates[0].removeprefix("{project}/") in project

"""A machine that has nothing: its own home and project, and no variable of whoever runs the tests."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from stithy_core.cli.command_group import list_plugin_commands, stithy
from stithy_init.init_command import PASSED_ON

VARIABLES = ("GITHUB_", "GH_", "GITEA_", "FORGEJO_", "STITHY_", "XDG_", "CLAUDE_", "CODEX_", "COPILOT_", "GEMINI_")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The home of the user; the working directory is the repository `project` in it."""
    folder = tmp_path / "home"
    (folder / "project" / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder / "project")
    for name in list(os.environ):
        if name.startswith(VARIABLES) or name in PASSED_ON:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    list_plugin_commands.cache_clear()
    yield folder
    list_plugin_commands.cache_clear()


@pytest.fixture
def init(home: Path) -> Callable[..., Result]:
    """Run `stithy init` with some words; the result has `exit_code`, `stdout` and `stderr`."""

    def init_with(*words: Any, **options: Any) -> Result:
        return CliRunner().invoke(stithy, ["init", *map(str, words)], prog_name="stithy", **options)

    return init_with

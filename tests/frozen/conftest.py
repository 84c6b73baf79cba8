"""Installs frozen plugins for one test, and runs `stithy plugins check` on them."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from stithy_core.cli.command_group import stithy

FOLDER = Path(__file__).parent


@pytest.fixture
def install_frozen(install_plugin: Callable[..., str], tmp_path: Path) -> Callable[..., None]:
    """Return a function that installs a plugin of an interface: a module, or a package."""

    def install(interface: int, module: str, **changes: str) -> None:
        source = FOLDER / f"interface_{interface}" / module
        is_package = source.is_dir()
        install_plugin(module.replace("_", "-"), "" if is_package else source.with_suffix(".py").read_text())
        target = tmp_path / "site-packages" / module
        if is_package:  # it hides the module that install_plugin wrote
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        for path in target.glob("*.py") if is_package else [target.with_suffix(".py")]:
            text = path.read_text()
            for old, new in changes.items():
                text = text.replace(old, new)
            path.write_text(text)

    return install


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[dict[str, Any]]]:
    """Return a function that runs `stithy plugins check --json` and returns its rows."""
    monkeypatch.chdir(tmp_path)

    def run(*names: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = json.loads(
            CliRunner().invoke(stithy, ["plugins", "check", "--json", *names]).stdout
        )
        return rows

    return run

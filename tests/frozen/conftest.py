"""Installs frozen plugins for one test, and runs `stithy plugins check` on them."""

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from stithy_core.cli.command_group import list_plugin_commands, stithy
from stithy_testing import write_plugin

FOLDER = Path(__file__).parent


@pytest.fixture(scope="module")
def interface_1(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Install the plugins of interface 1 for all tests of a module: importing them compares every override."""
    site, modules = tmp_path_factory.mktemp("site"), set(sys.modules)
    for name in ("stithy-quarry", "stithy-tongs"):
        write_plugin(site, name, (FOLDER / "interface_1" / f"{name.replace('-', '_')}.py").read_text())
    shutil.copy(FOLDER / "interface_1" / "stithy_tongs_spi.py", site)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(site)
        list_plugin_commands.cache_clear()  # a process asks once, and another file's tests may have asked before
        yield
    list_plugin_commands.cache_clear()
    for module in set(sys.modules) - modules:
        if str(site) in str(getattr(sys.modules[module], "__file__", "")):
            del sys.modules[module]


@pytest.fixture
def install_frozen(install_plugin: Callable[..., str], tmp_path: Path) -> Callable[..., None]:
    """Return a function that installs a plugin of interface 0 with some of its text replaced."""

    def install(module: str, **changes: str) -> None:
        source = FOLDER / "interface_0" / module
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

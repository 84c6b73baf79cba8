"""The pytest plugin: its fixtures are available wherever the kit is installed."""

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from stithy_testing.installing import write_plugin


@pytest.fixture
def install_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """Install plugins from their source, as `write_plugin` does, for the length of one test."""
    modules = set(sys.modules)
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)

    def install(name: str, source: str, **options: Any) -> str:
        write_plugin(folder, name, source, **options)
        importlib.invalidate_caches()  # two files of one tick of the clock look like one to what was listed between
        return name

    yield install
    for module in set(sys.modules) - modules:
        if str(folder) in str(getattr(sys.modules[module], "__file__", "")):
            del sys.modules[module]

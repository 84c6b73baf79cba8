"""Installs an example for one test, as `pip install` would."""

import importlib
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent


@pytest.fixture
def install_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Return a function that installs an example by the name of its folder, with the metadata of its pyproject.toml."""
    modules = set(sys.modules)
    site = tmp_path / "site-packages"
    site.mkdir()
    monkeypatch.syspath_prepend(site)

    def install(name: str) -> None:
        project = tomllib.loads((EXAMPLES / name / "pyproject.toml").read_text())["project"]
        metadata = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        metadata.mkdir()
        fields = [("Metadata-Version", "2.1"), ("Name", project["name"]), ("Version", project["version"])]
        fields += [("Requires-Dist", requirement) for requirement in project["dependencies"]]
        (metadata / "METADATA").write_text("".join(f"{key}: {value}\n" for key, value in fields))
        points = [f"{key} = {value}" for key, value in project["entry-points"]["stithy"].items()]
        (metadata / "entry_points.txt").write_text("\n".join(["[stithy]", *points, ""]))
        monkeypatch.syspath_prepend(EXAMPLES / name / "src")
        importlib.invalidate_caches()

    yield install
    for module in set(sys.modules) - modules:
        parts = Path(getattr(sys.modules[module], "__file__", None) or "/").parts
        if parts[: len(EXAMPLES.parts)] == EXAMPLES.parts and "src" in parts:
            del sys.modules[module]

"""Installs an example for the tests of a module, as `pip install` would."""

import importlib
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent


@pytest.fixture(scope="module")
def install_example(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], None]]:
    """Return a function that installs an example by the name of its folder, with the metadata of its pyproject.toml.

    It does so once in a module: importing it again for each test would take most of a set-up.
    """
    modules = set(sys.modules)
    site = tmp_path_factory.mktemp("site-packages")
    installed = set()
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(site)

        def install(name: str) -> None:
            if name not in installed:
                installed.add(name)
                _write_metadata(site, name)
                patch.syspath_prepend(EXAMPLES / name / "src")
                importlib.invalidate_caches()

        yield install
    for module in set(sys.modules) - modules:
        parts = Path(getattr(sys.modules[module], "__file__", None) or "/").parts
        if parts[: len(EXAMPLES.parts)] == EXAMPLES.parts and "src" in parts:
            del sys.modules[module]


def _write_metadata(site: Path, name: str) -> None:
    project = tomllib.loads((EXAMPLES / name / "pyproject.toml").read_text())["project"]
    metadata = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata.mkdir()
    fields = [("Metadata-Version", "2.1"), ("Name", project["name"]), ("Version", project["version"])]
    fields += [("Requires-Dist", requirement) for requirement in project["dependencies"]]
    (metadata / "METADATA").write_text("".join(f"{key}: {value}\n" for key, value in fields))
    points = [f"{key} = {value}" for key, value in project["entry-points"]["stithy"].items()]
    (metadata / "entry_points.txt").write_text("\n".join(["[stithy]", *points, ""]))

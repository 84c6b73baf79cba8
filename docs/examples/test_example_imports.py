"""The examples import of stithy only what plugins may import."""

import ast
from pathlib import Path

import pytest

SOURCES = sorted(Path(__file__).parent.glob("*/src/*/*.py"))


def list_imports(path):
    """Return the modules that a file imports, with the names imported from a package as modules below it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_an_example_imports_the_interface_and_itself_only(path):
    allowed = ("stithy_core.spi", path.parent.name)
    found = [name for name in list_imports(path) if name.startswith(("stithy_", "ci_failures", "httpx"))]
    assert [name for name in found if not f"{name}.".startswith(tuple(f"{one}." for one in allowed))] == []

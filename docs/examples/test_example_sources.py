"""The examples import of stithy only what plugins may import, and stay small."""

import ast
from pathlib import Path

import pytest

SOURCES = sorted(Path(__file__).parent.glob("*/src/*/*.py"))
PACKAGES = sorted({path.parent for path in SOURCES})
MOST_LINES = 500


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


def count_code_lines(path):
    """Count the lines of a file without docstrings, comments and blank lines."""
    text = path.read_text(encoding="utf-8")
    texts = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Expr) and is_text(node.value)]
    documentation = {line for node in texts for line in range(node.lineno, node.end_lineno + 1)}
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    return sum(bool(line) and number not in documentation for number, line in enumerate(lines, 1))


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_an_example_has_at_most_500_lines_of_code(package):
    assert sum(map(count_code_lines, package.glob("*.py"))) <= MOST_LINES

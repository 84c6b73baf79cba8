"""Parse code with ast-grep. Its panics do not derive from `Exception`; they are converted to an error."""

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from stithy_core.spi import convert_panics

if TYPE_CHECKING:
    from ast_grep_py import SgNode

ENDINGS = {
    **dict.fromkeys((".py", ".pyi"), "python"),
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs"), "javascript"),
    **dict.fromkeys((".ts", ".mts", ".cts"), "typescript"),
    ".tsx": "tsx",
    ".go": "go",
    ".rs": "rust",
    ".java": "java",
    ".cs": "csharp",
    ".php": "php",
    ".rb": "ruby",
    ".swift": "swift",
    ".scala": "scala",
}
MOST_BYTES = 300_000
MOST_NODES = 100_000
DEEPEST = 60
"""Depth limit: the cost of a search is the sum of the depths of all nodes."""


class UnparsableCode(Exception):
    """ast-grep could not parse the code."""


def get_language(path: str) -> str:
    """Return ast-grep's name of a file's language; empty for other languages."""
    return ENDINGS.get(PurePosixPath(path).suffix.lower(), "")


def parse_tree(code: str, language: str) -> "SgNode":
    """Parse code and return the root node.

    Raises:
        UnparsableCode: ast-grep failed, or panicked.
    """
    from ast_grep_py import SgRoot

    return convert_panics(
        lambda: SgRoot(code, language).root(),
        lambda error: UnparsableCode(str(error).partition("\n")[0][:200]),
    )


def walk_tree(root: "SgNode", leave: Callable[["SgNode"], bool]) -> Iterator[tuple["SgNode", int]]:
    """Yield nodes with their depths, parents first, up to `MOST_NODES`.

    Args:
        root: The first node.
        leave: Returns whether the descendants of a node are skipped.
    """
    waiting, seen = [(root, 0)], 0
    while waiting and seen < MOST_NODES:
        node, depth = waiting.pop()
        seen += 1
        yield node, depth
        if depth < DEEPEST and not leave(node):
            waiting += [(child, depth + 1) for child in reversed(node.children()) if child.is_named()]

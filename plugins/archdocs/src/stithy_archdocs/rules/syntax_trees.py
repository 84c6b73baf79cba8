"""Parse code to syntax trees and record parse errors; panics of ast-grep become exceptions."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import evolve, frozen

from stithy_archdocs.rules.added_grammars import ADDED, register_grammars
from stithy_core.spi import convert_panics

if TYPE_CHECKING:
    from ast_grep_py import SgNode

import re
from collections.abc import Iterable, Sequence

PREPROCESSED = frozenset({"c", "cpp"})
MOST_MACROS = 24
"""Maximum number of macros that are tried."""
_ABOVE = 2
_NAME = re.compile(r"\b(?:[A-Z][A-Z0-9_]{2,}|__\w+)\b")
_PARENTHESES = r"(?:[ \t]*\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*\))?"


def blank_macros(
    code: str, wrong: Sequence[int], parsed: Callable[[str], Sequence[int]]
) -> tuple[str, tuple[str, ...]]:
    """Replace macros with spaces, which keeps all lines and columns.

    Args:
        code: The code.
        wrong: Lines with parse errors, from 1.
        parsed: Returns such lines for other code.

    Returns:
        The code, and the names of the macros that were replaced.
    """
    tried: dict[str, bool] = {}
    while wrong and len(tried) < MOST_MACROS:
        name = next((one for one in _find_candidates(code, wrong) if one not in tried), None)
        if name is None:
            break
        shorter = _blank(code, name, _find_suspect_lines(code, wrong))
        left = parsed(shorter)
        tried[name] = _is_improvement(left, wrong)
        if tried[name]:
            code, wrong = shorter, left
    return code, tuple(name for name, better in tried.items() if better)


def _is_improvement(left: Sequence[int], wrong: Sequence[int]) -> bool:
    """Return whether parsing improved: fewer errors, or as many with the first one later."""
    return len(left) < len(wrong) or (len(left) == len(wrong) and min(left) > min(wrong))


def _find_candidates(code: str, wrong: Iterable[int]) -> list[str]:
    lines = code.split("\n")
    return list(
        dict.fromkeys(name for at in sorted(_find_suspect_lines(code, wrong)) for name in _NAME.findall(lines[at]))
    )


def _find_suspect_lines(code: str, wrong: Iterable[int]) -> frozenset[int]:
    """Return the indices of lines with errors and of the two code lines above them, without directives."""
    lines = code.split("\n")
    found: set[int] = set()
    for number in wrong:
        above = [at for at in range(max(0, number - 6), number - 1) if lines[at].strip()]
        found |= {number - 1, *above[-_ABOVE:]}
    return frozenset(at for at in found if not lines[at].lstrip().startswith("#"))


def _blank(code: str, name: str, where: frozenset[int]) -> str:
    lines = code.split("\n")
    macro = re.compile(rf"\b{re.escape(name)}\b{_PARENTHESES}")
    for at in where:
        lines[at] = macro.sub(lambda found: " " * len(found[0]), lines[at])
    return "\n".join(lines)


T = TypeVar("T")

MOST_WORK = 4_000_000
"""Maximum cost of searching within every node: the sum of the depths of all nodes.

Ordinary code of 50,000 characters has less than a tenth of it; deeply nested code would take minutes (measured: 25,000
brackets, 149 s).
"""
MOST_ERRORS = 20


class NotCheckable(Exception):
    """Rules cannot be applied to the code; the message says why."""


@frozen
class ParseError:
    """A position that the grammar does not allow. Lines and columns count from 1."""

    line: int
    column: int
    text: str
    last: int


@frozen(eq=False)
class SyntaxTree:
    """Parsed code.

    Args:
        language: Name of the language in ast-grep.
        code: The code that was parsed.
        root: The root node; it must stay in the thread that created it.
        errors: Positions that cannot be parsed.
        comments: Pairs of first line and text of each comment.
        macros: Macros that were skipped because no preprocessor runs.
        added: How many semicolons the parser inserted, which may follow macros; only in C and C++.
    """

    language: str
    code: str
    root: "SgNode"
    errors: tuple[ParseError, ...]
    comments: tuple[tuple[int, str], ...]
    macros: tuple[str, ...] = ()
    added: int = 0


def parse_code(code: str, language: str) -> SyntaxTree:
    """Parse code.

    Args:
        code: Any text.
        language: One of `languages.ENDINGS`.

    Raises:
        NotCheckable: The code is nested so deeply that searching it would take minutes.
    """
    tree = _parse_once(code, language)
    if language not in PREPROCESSED or not tree.errors:
        return tree
    wrong = [error.line for error in tree.errors]
    shorter, macros = blank_macros(code, wrong, lambda other: [one.line for one in _parse_once(other, language).errors])
    return evolve(_parse_once(shorter, language), code=code, macros=macros) if macros else tree


def open_tree(code: str, language: str) -> SyntaxTree:
    """Parse code whose errors and comments are not needed, which takes a tenth of the time.

    Raises:
        NotCheckable: ast-grep cannot parse it.
    """
    return SyntaxTree(language, code, _parse_root(code, language), (), ())


def _parse_root(code: str, language: str) -> "SgNode":
    from ast_grep_py import SgRoot

    if language in ADDED:
        run_contained(register_grammars)
    return run_contained(lambda: SgRoot(code, language).root())


def _parse_once(code: str, language: str) -> SyntaxTree:
    root = _parse_root(code, language)
    errors: list[ParseError] = []
    comments: list[tuple[int, str]] = []
    added = 0
    for node in _walk_nodes(root):
        kind = node.kind()
        if kind == ";" and language in PREPROCESSED:
            added += _is_missing(node, kind)
        elif kind == "ERROR" or _is_missing(node, kind):
            errors.append(_make_error(node))
        elif "comment" in kind:
            comments.append((node.range().start.line + 1, node.text()))
    return SyntaxTree(language, code, root, tuple(errors[:MOST_ERRORS]), tuple(comments), added=added)


def find_nodes(tree: SyntaxTree, config: Any) -> list["SgNode"]:
    """Return all nodes that a rule matches.

    Args:
        tree: The code.
        config: The rule; it comes from a document, so ast-grep validates it.

    Raises:
        NotCheckable: ast-grep rejects the rule.
    """
    return run_contained(lambda: list(tree.root.find_all(config)))


def run_contained(work: Callable[[], T]) -> T:
    """Run ast-grep; its panics, which derive from `BaseException`, are raised as `NotCheckable`.

    Raises:
        NotCheckable: ast-grep panicked or rejected its arguments.
    """
    return convert_panics(work, lambda error: NotCheckable(_get_first_causes(error)))


def _get_first_causes(error: BaseException) -> str:
    """Return the causes of an error in one line, without the stack trace."""
    lines = str(error).partition("\n\nStack backtrace")[0].splitlines()
    told = [line.strip().lstrip("0123456789: ") for line in lines if line.strip() and line.strip() != "Caused by:"]
    return ": ".join(told)[:500] or type(error).__name__


def _walk_nodes(root: "SgNode") -> Iterator["SgNode"]:
    waiting: list[tuple[Any, int]] = [(root, 1)]
    work = 0
    while waiting:
        node, depth = waiting.pop()
        work += depth
        if work > MOST_WORK:
            raise NotCheckable("the code is too large or nested too deeply to be searched in time")
        yield node
        waiting += [(child, depth + 1) for child in reversed(node.children())]


def _is_missing(node: "SgNode", kind: str) -> bool:
    """Return whether a node is a token that the parser had to insert: it has no width.

    Nodes that grammars leave empty on purpose have a name.
    """
    if node.is_named() or kind.startswith("_") or not kind.strip():
        return False
    place = node.range()
    return place.start.index == place.end.index


def _make_error(node: "SgNode") -> ParseError:
    place = node.range()
    text = " ".join(node.text()[:200].split())[:80]
    return ParseError(place.start.line + 1, place.start.column + 1, text, place.end.line + 1)

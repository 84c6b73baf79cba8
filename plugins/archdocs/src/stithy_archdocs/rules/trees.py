"""Code as a syntax tree, with what of it could not be parsed; what ast-grep panics about is an error here."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import evolve, frozen

from stithy_archdocs.rules.macros import PREPROCESSED, without_macros

if TYPE_CHECKING:
    from ast_grep_py import SgNode

T = TypeVar("T")

MOST_WORK = 4_000_000
"""What searching within every node may cost: the sum of all nodes' depths. Ordinary code of 50,000 characters has less
than a tenth; deep nesting made on purpose costs minutes (measured: 25,000 brackets, 149 s)."""
MOST_ERRORS = 20


class NotCheckable(Exception):
    """Code cannot be held against rules; the message says why."""


@frozen
class ParseError:
    """A place that the grammar does not allow. Lines and columns count from 1."""

    line: int
    column: int
    text: str
    last: int


@frozen(eq=False)
class Tree:
    """Parsed code.

    Args:
        language: As ast-grep calls it.
        code: What was parsed.
        root: The tree; it stays in the thread that made it.
        errors: Where it could not be parsed.
        comments: The comments, with their first lines.
        macros: What was passed over, since it could not be parsed before a preprocessor ran.
        added: How many semicolons were added behind what may be macros: C and C++ alone.
    """

    language: str
    code: str
    root: "SgNode"
    errors: tuple[ParseError, ...]
    comments: tuple[tuple[int, str], ...]
    macros: tuple[str, ...] = ()
    added: int = 0


def parse(code: str, language: str) -> Tree:
    """Parse code.

    Args:
        code: Any text.
        language: One of `languages.ENDINGS`.

    Raises:
        NotCheckable: It is nested so deeply that searching it would take minutes.
    """
    tree = _parsed(code, language)
    if language not in PREPROCESSED or not tree.errors:
        return tree
    wrong = [error.line for error in tree.errors]
    shorter, macros = without_macros(code, wrong, lambda other: [one.line for one in _parsed(other, language).errors])
    return evolve(_parsed(shorter, language), code=code, macros=macros) if macros else tree


def _parsed(code: str, language: str) -> Tree:
    from ast_grep_py import SgRoot

    root = contained(lambda: SgRoot(code, language).root())
    errors: list[ParseError] = []
    comments: list[tuple[int, str]] = []
    added = 0
    for node in _walk(root):
        kind = node.kind()
        if kind == ";" and language in PREPROCESSED:
            added += _is_missing(node, kind)
        elif kind == "ERROR" or _is_missing(node, kind):
            errors.append(_error(node))
        elif "comment" in kind:
            comments.append((node.range().start.line + 1, node.text()))
    return Tree(language, code, root, tuple(errors[:MOST_ERRORS]), tuple(comments), added=added)


def find(tree: Tree, config: Any) -> list["SgNode"]:
    """Find all that a rule matches.

    Args:
        tree: The code.
        config: As ast-grep takes it; it is a stranger's, so ast-grep checks it.

    Raises:
        NotCheckable: ast-grep does not take it.
    """
    return contained(lambda: list(tree.root.find_all(config)))


def contained(work: Callable[[], T]) -> T:
    """Run ast-grep; its panics, which are no `Exception`, are raised as one.

    Raises:
        NotCheckable: It panicked, or does not take what it was given.
    """
    try:
        return work()
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        if isinstance(error, Exception) and not isinstance(
            error, RuntimeError | TypeError | ValueError | OverflowError
        ):
            raise NotCheckable(_first(error)) from error
        raise NotCheckable(_first(error)) from error


def _first(error: BaseException) -> str:
    """Give the causes of a failure in one line, without the trace of a stack."""
    lines = str(error).partition("\n\nStack backtrace")[0].splitlines()
    told = [line.strip().lstrip("0123456789: ") for line in lines if line.strip() and line.strip() != "Caused by:"]
    return ": ".join(told)[:500] or type(error).__name__


def _walk(root: "SgNode") -> Iterator["SgNode"]:
    waiting: list[tuple[Any, int]] = [(root, 1)]
    work = 0
    while waiting:
        node, depth = waiting.pop()
        work += depth
        if work > MOST_WORK:
            raise NotCheckable("the code is too large, or nested too deeply, to be searched in time")
        yield node
        waiting += [(child, depth + 1) for child in reversed(node.children())]


def _is_missing(node: "SgNode", kind: str) -> bool:
    """Tell a mark that the grammar had to add: it has no width. What grammars leave empty themselves has a name."""
    if node.is_named() or kind.startswith("_") or not kind.strip():
        return False
    place = node.range()
    return place.start.index == place.end.index


def _error(node: "SgNode") -> ParseError:
    place = node.range()
    text = " ".join(node.text()[:200].split())[:80]
    return ParseError(place.start.line + 1, place.start.column + 1, text, place.end.line + 1)

"""Which files are code of the product, which lines are code, comments or moved, and TODO markers in comments."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from attrs import evolve, frozen

from stithy_pulls.diffs.diff_model import ChangedFile, DiffHunk, DiffLine, LineKind
from stithy_pulls.diffs.file_roles import classify_file

SLASHES = {
    *(".js", ".jsx", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte", ".go", ".rs", ".java", ".kt"),
    *(".kts", ".cs", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".m", ".mm", ".swift", ".scala", ".dart"),
    *(".groovy", ".zig", ".php"),
}
HASHES = {".py", ".pyi", ".rb", ".sh", ".bash", ".pl", ".pm", ".ex", ".exs", ".r", ".jl", ".php"}
DASHES = {".lua", ".hs", ".sql", ".elm"}
CODE = SLASHES | HASHES | DASHES | {".clj", ".erl", ".fs", ".ml"}
"""Suffixes of programming languages."""
TEMPLATE = ".blade.php"
"""The suffix of HTML with placeholders."""
MARKERS = frozenset({"TODO", "FIXME", "XXX", "HACK"})
"""Words that mark a comment, and do not belong to what it says."""
WORDS = f"(?:{'|'.join(sorted(MARKERS))})"
MARKER = re.compile(rf"{WORDS}\b(?![-_/\"'`])[^\n]*")
LATE_MARKER = re.compile(rf"\b{WORDS}(?:\([^)\n]{{0,100}}\))?:[^\n]*")
"""A marker anywhere in a comment: a colon, or a name in parentheses and a colon, follows it."""

TAG = re.compile(r"(?<!\s)\s*+</\w+>\s*$")
"""The end of an element of XML, in comments that are documentation."""
MARK, WORD = re.compile(rf"{WORDS}(?:\([^)\n]*\))?"), re.compile(r"(?!\s*[,;)\]}]).*\w")
"""The marker itself, and what must follow it: words, and not the rest of code."""


def _compile_opening(opening: str) -> re.Pattern[str]:
    """Return the pattern of what a comment begins with, and of all decoration after it."""
    return re.compile(rf"(?:^|[\s;,{{}}()])(?:{opening})[\s!*/#-]*")


FORMS = (
    (SLASHES, _compile_opening(r"//|/\*|^\s*\*"), re.compile(r"//|/\*|\*(?:[\s/*]|$)")),
    (HASHES, _compile_opening("#"), re.compile("#(?!\\[)")),
    (DASHES, _compile_opening("--"), re.compile("--")),
)
"""For each kind of comment: suffixes of files, how a comment begins, and how a line without code begins."""


BESIDE = {
    *(
        "example",
        "examples",
        "sample",
        "samples",
        "demo",
        "demos",
        "script",
        "scripts",
        "tools",
        "hack",
        "contrib",
        "bench",
    ),
    *(
        "benches",
        "benchmark",
        "benchmarks",
        "stories",
        "storybook",
        "fixtures",
        "sandbox",
        "mocks",
        "__mocks__",
        "playground",
        "bin",
    ),
    *("website", "site", "testutil", "testutils", "test-utils", "test_utils", "ci", "build"),
}
BESIDE_FOLDER = re.compile(r"(?:^|[-_])test[-_]?(?:support|utils?|helpers?)$|(?i:performancetester|benchmarks?)$")
"""How the name of a folder ends that belongs to tests or measures."""
BESIDE_NAME = re.compile(
    r"\.stories\.\w+$|^playground\.\w+$|\.config\.\w+$|^setup\.py$|^conf\.py$|^version\.\w+$|^manage\.py$|^dangerfile\b|\.d\.[mc]?ts$"
)


def is_code_file(path: str) -> bool:
    """Return whether a file is written in a programming language, by its suffix."""
    return PurePosixPath(path).suffix.lower() in CODE and not path.lower().endswith(TEMPLATE)


def is_product_code(path: str) -> bool:
    """Return whether a file is code of the product: no test, example, script, benchmark or configuration."""
    pure = PurePosixPath(path)
    folders = pure.parts[:-1]
    beside = (
        {part.lower() for part in folders} & BESIDE
        or any(map(BESIDE_FOLDER.search, folders))
        or BESIDE_NAME.search(pure.name.lower())
    )
    hidden = any(part.startswith(".") or part.endswith(".playground") for part in pure.parts)
    return is_code_file(path) and classify_file(path) == "source" and not beside and not hidden


def find_comment_marker(text: str, path: str) -> str:
    """Return the text of a comment from TODO, FIXME, XXX or HACK on; empty without one of them."""
    for opening, _ in _list_comment_forms(path):
        if found := _find_marker(text, opening):
            text = TAG.sub("", found.partition("*/")[0]).rstrip(" */}->")
            return text if WORD.match(MARK.sub("", text, count=1)) else ""
    return ""


@lru_cache
def _list_comment_forms(path: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Return the forms of comments in a file: what opens one in a line, and the beginning of a line that is one."""
    suffix = PurePosixPath(path).suffix.lower()
    return tuple((opening, begin) for suffixes, opening, begin in FORMS if suffix in suffixes)


def _find_marker(text: str, opening: re.Pattern[str]) -> str:
    """Return the text from the marker on that begins a comment, or that stands anywhere after its beginning."""
    for place, begun in enumerate(opening.finditer(text)):
        if begins := MARKER.match(text, begun.end()):
            return begins[0]
        if not place and (late := LATE_MARKER.search(text, begun.end())):
            return late[0]  # one search is enough: it sees all later comments, too
    return ""


PLAIN = re.compile(
    r"^\s*(?:import\b|from\b.*\bimport\b|package\b|namespace\b|use\b|using\b|require\b|export \* from"
    r"|#(?:include|if|ifdef|ifndef|else|elif|elseif|endif|pragma|region|endregion)\b|[(){}\[\];,]+\s*$)"
)
"""Lines without behaviour."""


def is_comment(text: str, path: str) -> bool:
    """Return whether a line is blank or nothing but a comment."""
    bare = text.strip()
    return not bare or any(begin.match(bare) for _, begin in _list_comment_forms(path))


def iterate_code(change: ChangedFile, kind: LineKind) -> Iterator[DiffLine]:
    """Iterate over the lines of one kind that have behaviour: no comments, imports or ends of blocks."""
    lines = _iterate_python(change, kind) if change.path.endswith(".py") else change.iterate_lines(kind)
    return (line for line in lines if not is_comment(line.text, change.path) and not PLAIN.match(line.text))


CONTEXT = 3
"""Unchanged lines that git shows before a change: they tell whether a docstring is open."""
QUOTES = re.compile(r'"""|\'\'\'')
STATEMENT = re.compile(
    r"^\s*(?:(?:def|class|return|if|elif|else|for|while|with|try|except|import|from|raise|assert|async|await|yield)\b|@"
    r"|[\w.\[\]\"']+(?:\s*[-+*/|&]?=|\())"
)


def _iterate_python(change: ChangedFile, kind: LineKind) -> Iterator[DiffLine]:
    """Iterate over the lines of one kind that are in no docstring, as far as hunks show where one begins."""
    for hunk in change.hunks if isinstance(change.hunks, tuple) else ():
        side = [line for line in hunk.lines if line.kind in (kind, LineKind.SAME)]
        first = next((place for place, line in enumerate(side) if QUOTES.search(line.text)), len(side))
        before = [line.text for line in side[:first] if line.text.strip()]
        is_inside = bool(before) and not any(map(STATEMENT.match, before[:CONTEXT]))
        for line in side:
            count = len(QUOTES.findall(line.text))
            if line.kind is kind and not is_inside and not count:
                yield line
            is_inside ^= count % 2 == 1


PROSE = re.compile(r"(?!.*(?:[={};]|\w\(|[:)]$))[\w\"'`(].*\s")
"""Words, and not code that is commented out."""


def get_comment_prose(text: str, path: str) -> str:
    """Return the words of a line that is a comment alone; empty if it has code, or if the comment looks like code."""
    bare = text.strip()
    begins = (begun for _, begin in _list_comment_forms(path) if (begun := begin.match(bare)))
    words = next((bare[begun.end() :].strip(" !*/#-") for begun in begins), "")
    return words if PROSE.match(words) else ""


def _normalize_space(text: str) -> str:
    return " ".join(text.split())


@frozen
class DiffTexts:
    """The texts of all lines that a diff adds and removes, whatever their white space. A text in both has moved."""

    added: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()

    def is_moved(self, line: DiffLine) -> bool:
        """Return whether a line also exists on the other side of the diff."""
        return _normalize_space(line.text) in (self.removed if line.kind is LineKind.ADDED else self.added)


def collect_texts(changes: Sequence[ChangedFile]) -> DiffTexts:
    """Return the texts of a diff."""
    added, removed = (
        frozenset(_normalize_space(line.text) for change in changes for line in change.iterate_lines(kind))
        for kind in (LineKind.ADDED, LineKind.REMOVED)
    )
    return DiffTexts(added, removed)


def count_growth(change: ChangedFile, texts: DiffTexts | None = None) -> int:
    """Return by how many lines of code a file grows; negative if it shrinks.

    Args:
        change: The file.
        texts: The texts of the diff, if lines that moved do not count, and neither does code in other lines.
    """
    written = change if texts is None else _leave_out_layout(change)
    added, removed = (
        sum(1 for line in iterate_code(written, kind) if texts is None or not texts.is_moved(line))
        for kind in (LineKind.ADDED, LineKind.REMOVED)
    )
    return added - removed


def _leave_out_layout(change: ChangedFile) -> ChangedFile:
    """Return a file without the parts in which the same code is divided into other lines."""
    if not isinstance(change.hunks, tuple):
        return change
    return evolve(change, hunks=tuple(hunk for hunk in change.hunks if not _is_layout(hunk)))


LAYOUT = re.compile(r"[\s,;(){}\[\]]+")
"""What a formatter adds or removes."""


def _is_layout(hunk: DiffHunk) -> bool:
    before, after = (
        LAYOUT.sub("", "".join(line.text for line in hunk.lines if line.kind is kind))
        for kind in (LineKind.REMOVED, LineKind.ADDED)
    )
    return bool(before) and before == after

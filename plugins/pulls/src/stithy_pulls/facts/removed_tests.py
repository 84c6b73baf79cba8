"""Facts about tests that a diff removes or disables, as far as they are not elsewhere in it."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from stithy_core.spi import Maybe, Unknown, excerpt, format_count
from stithy_pulls.diffs.diff_model import ChangedFile, DiffLine, LineKind
from stithy_pulls.diffs.file_roles import TESTS, classify_file, is_test_file
from stithy_pulls.facts.code_lines import DiffTexts, is_code_file
from stithy_pulls.facts.risk_facts import Fact
from stithy_pulls.facts.secret_masking import mask_secrets

TEST = re.compile(
    r"^(?:(?: {0,4}|\t)(?:async )?def (?P<python>test\w*)"
    r"|func (?P<go>Test(?!Main\b)\w+)\(|\s*t\.Run\(\s*(?P<mark>[\"`])(?P<part>(?:\\.|(?!(?P=mark))[^\\])+)"
    r"|\s*(?:await\s+)?(?:t\.)?x?(?:it|test|specify|scenario)(?:\.\w+)*\s*+\(?\s*+"
    r"(?P<quote>[\"'`])(?P<script>(?:\\.|(?!(?P=quote))[^\\])+)"
    r"|\s*(?:(?:public|private|internal|protected|static|async|final|pub) )*(?:void|Task|fun|fn)\s+"
    r"(?:`(?P<phrase>[^`]+)`|(?P<method>\w+))\s*(?:<[^>]*>)?\()"
)
NAMES = ("python", "go", "part", "script", "phrase", "method")
"""The groups of `TEST` that are names."""
METHODS = ("phrase", "method")
"""Those of names that are a test only below a mark."""
MARKED = re.compile(
    r"^\s*(?:@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest)\b|#\[(?:\w+::)?test"
    r"|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b)"
)
"""What stands above a test in Java, Kotlin, Rust and C#."""
BETWEEN = 6
"""Lines between a mark and its test."""
SKIP = re.compile(
    r"@(?:pytest\.mark\.skip\b|pytest\.mark\.xfail\b|unittest\.skip\b|Disabled\b|Ignore\b)"
    r"|^\s*(?:it|test|describe|context)\.skip\(|^\s*x(?:it|describe|test|context|specify|scenario)\s*[(\"'`]|#\[ignore\b|\[Ignore\b|\bSkip\s*=\s*\""
)
CONDITION = re.compile(r"\s*#\s*(?:if|else|elif|elseif)\b")
GO_SKIP = re.compile(r"^\s*t\.Skip(?:f|Now)?\(")
GO_TEST = re.compile(r"^func Test\w+\(|\bt\.Run\(.*func\(")
SHOWN = 3
AFFIX = re.compile(r"(?i:^tests?[_.-]|[_.-](?:tests?|spec|specs|it)$)|(?<=[a-z0-9])(?:Tests?|IT|Spec)$|^Test(?=[A-Z])")


def find_removed_tests(changes: Sequence[ChangedFile], texts: DiffTexts, paths: Maybe[Sequence[str]]) -> Iterator[Fact]:
    """Yield deleted test files, removed tests and disabled ones.

    A test counts as removed if no test of its name is added anywhere, and if the code that its file is named after
    still exists. As many of a file's tests as it gains under new names may have been renamed.

    Args:
        changes: The files.
        texts: The texts of the diff.
        paths: The paths of all files of the head, if known.
    """
    tests = [change for change in changes if is_test_file(change.path) and is_code_file(change.path)]
    removed = {change.path: list_tests(change, LineKind.REMOVED) for change in tests}
    added = {change.path: list_tests(change, LineKind.ADDED) for change in tests}
    lost = {name for found in removed.values() for name, _ in found}
    given = {name for found in added.values() for name, _ in found}
    given |= {f"Test{name}" for name in given}  # a test of Go may have become a part of another
    subjects = _TestedCode(changes, paths)
    for change in tests:
        gone = [(name, line) for name, line in removed[change.path] if name not in given]
        new = [name for name, _ in added[change.path] if not {name, f"Test{name}"} & lost]
        if len(gone) > len(new) and not subjects.is_deleted(change.path):
            yield _create_fact(change, gone, len(new))
        yield from _find_skips(change, texts)


def _create_fact(change: ChangedFile, gone: Sequence[tuple[str, DiffLine]], come: int) -> Fact:
    named = ", ".join(excerpt(name, 60) for name, _ in gone[:SHOWN])
    more = f" and {len(gone) - SHOWN} more" if len(gone) > SHOWN else ""
    if change.status == "deleted":
        text = f"a test file was deleted with {format_count(len(gone), 'test')}: {named}{more}"
        return Fact(kind="test deleted", focus="tests", path=change.path, text=text, points=2)
    added = f", {come} added" if come else ""
    text = f"{format_count(len(gone), 'test')} removed{added}: {named}{more}"
    return Fact(kind="test removed", focus="tests", path=change.path, text=text, points=1)


class _TestedCode:
    """The deleted source files, and those of the same names that still exist."""

    def __init__(self, changes: Sequence[ChangedFile], paths: Maybe[Sequence[str]]) -> None:
        sources = [change for change in changes if classify_file(change.path) == "source"]
        self._deleted: dict[str, list[str]] = {}
        for change in sources:
            if change.status == "deleted":
                self._deleted.setdefault(_get_stem(change.path), []).append(change.path)
        changed = [change.path for change in sources if change.status != "deleted"]
        kept = changed if isinstance(paths, Unknown) else paths
        self._kept: dict[str, list[str]] = {}
        for path in kept if self._deleted else ():
            if (stem := _get_stem(path)) in self._deleted and classify_file(path) == "source":
                self._kept.setdefault(stem, []).append(path)

    def is_deleted(self, test: str) -> bool:
        """Return whether the code that a test file is named after was deleted: the nearest one of its name."""
        stem = _get_stem(AFFIX.sub("", PurePosixPath(test).name.partition(".")[0]))
        near = {part.lower() for part in PurePosixPath(test).parts[:-1]} - TESTS
        deleted, kept = (
            max((len(near & set(_list_folders(path))) for path in found.get(stem, ())), default=-1)
            for found in (self._deleted, self._kept)
        )
        return deleted >= 0 and deleted >= kept


def _list_folders(path: str) -> list[str]:
    return [part.lower() for part in PurePosixPath(path).parts[:-1]]


def _get_stem(path: str) -> str:
    return PurePosixPath(path).name.partition(".")[0].lower().strip("_")


def list_tests(change: ChangedFile, kind: LineKind) -> list[tuple[str, DiffLine]]:
    """Return the tests that lines of one kind define: name and line."""
    found: list[tuple[str, DiffLine]] = []
    for hunk in change.hunks if isinstance(change.hunks, tuple) else ():
        marked: int | None = None
        for place, line in enumerate(line for line in hunk.lines if line.kind in (kind, LineKind.SAME)):
            marked = place if MARKED.match(line.text) else marked
            test = TEST.match(line.text)
            if test is None:
                continue
            if any(test[name] for name in METHODS):
                if marked is None or place - marked - 1 > BETWEEN:
                    continue
                marked = None
            if line.kind is kind:
                found.append((next(test[name] for name in NAMES if test[name]).strip(), line))
    return found


def _find_skips(change: ChangedFile, texts: DiffTexts) -> Iterator[Fact]:
    """Yield one fact about the tests of a file that are disabled, unless as many were before."""
    added = [line for line in _iterate_skips(change, LineKind.REMOVED) if line.kind is LineKind.ADDED]
    removed = [line for line in _iterate_skips(change, LineKind.ADDED) if line.kind is LineKind.REMOVED]
    new = [line for line in added if not texts.is_moved(line)] if len(added) > len(removed) else []
    if new:
        begin = "a test is disabled:" if len(new) == 1 else f"{len(new)} tests are disabled, the first by:"
        text = f"{begin} {excerpt(mask_secrets(new[0].text.strip(), change.path), 100)}"
        yield Fact(kind="test skipped", focus="tests", path=change.path, line=new[0].new, text=text, points=1)


def _iterate_skips(change: ChangedFile, other: LineKind) -> Iterator[DiffLine]:
    """Iterate over the lines that disable a test, on one side of the diff."""
    for hunk in change.hunks if isinstance(change.hunks, tuple) else ():
        lines = [line for line in hunk.lines if line.kind is not other]
        for place, line in enumerate(lines):
            above = lines[place - 1].text if place else ""
            if CONDITION.match(above):
                continue  # only one of several builds omits the test
            if SKIP.search(line.text) or (GO_SKIP.search(line.text) and GO_TEST.search(above)):
                yield line

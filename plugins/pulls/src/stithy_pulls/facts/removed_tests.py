"""Facts about tests that a diff removes or disables, as far as they are not elsewhere in it."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from stithy_core.spi import excerpt, format_count
from stithy_pulls.diffs.diff_model import ChangedFile, DiffLine, LineKind
from stithy_pulls.diffs.file_roles import classify_file, is_test_file
from stithy_pulls.facts.code_lines import DiffTexts, is_code_file
from stithy_pulls.facts.risk_facts import Fact
from stithy_pulls.facts.secret_masking import mask_secrets

TEST = re.compile(
    r"^(?:(?: {0,4}|\t)(?:async )?def (?P<python>test\w*)"
    r"|func (?P<go>Test(?!Main\b)\w+)\(|\s*t\.Run\(\s*\"(?P<part>\w+)"
    r"|\s*(?:it|test|specify|scenario)(?:\.\w+)*\s*\(?\s*[\"'`](?P<script>[^\"'`]+)"
    r"|\s*(?:(?:public|private|internal|protected|static|async|final|pub) )*(?:void|Task|fun|fn)\s+"
    r"(?P<method>[`\w ]+?)`?\s*(?:<[^>]*>)?\()"
)
MARKED = re.compile(
    r"^\s*(?:@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest)\b|#\[(?:\w+::)?test"
    r"|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b)"
)
"""What stands above a test in Java, Kotlin, Rust and C#."""
BETWEEN = 6
"""Lines between a mark and its test."""
SKIP = re.compile(
    r"@(?:pytest\.mark\.skip\b|pytest\.mark\.xfail\b|unittest\.skip\b|Disabled\b|Ignore\b)"
    r"|^\s*(?:it|test|describe|context)\.skip\(|^\s*(?:xit|xdescribe|xtest)\s*\(|#\[ignore\b|\[Ignore\b|\bSkip\s*=\s*\""
)
GO_SKIP = re.compile(r"^\s*t\.Skip(?:f|Now)?\(")
GO_TEST = re.compile(r"^func Test\w+\(|\bt\.Run\(.*func\(")
SHOWN = 3
AFFIX = re.compile(r"^tests?[_.-]|[_.-](?:tests?|spec|specs|it)$|(?<=[a-z0-9])(?:Tests?|IT|Spec)$", re.IGNORECASE)


def find_removed_tests(changes: Sequence[ChangedFile], texts: DiffTexts) -> Iterator[Fact]:
    """Yield deleted test files, removed tests and disabled ones.

    A test counts as removed if no test of its name is added anywhere, and if the code that its file is named after
    still exists.

    Args:
        changes: The files.
        texts: The texts of the diff.
    """
    tests = [change for change in changes if is_test_file(change.path) and is_code_file(change.path)]
    given = {name for change in tests for name, _ in list_tests(change, LineKind.ADDED)}
    given |= {f"Test{name}" for name in given}  # a test of Go may have become a part of another
    deleted = {_get_stem(change.path) for change in changes if _is_deleted_source(change)}
    for change in tests:
        gone = [(name, line) for name, line in list_tests(change, LineKind.REMOVED) if name not in given]
        renamed = len(list_tests(change, LineKind.ADDED))  # at most so many of them have a new name only
        if len(gone) > renamed and _get_stem(change.path) not in deleted:
            yield _create_fact(change, gone, renamed)
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


def _is_deleted_source(change: ChangedFile) -> bool:
    return change.status == "deleted" and classify_file(change.path) == "source"


def _get_stem(path: str) -> str:
    return AFFIX.sub("", PurePosixPath(path).name.partition(".")[0]).lower().strip("_")


def list_tests(change: ChangedFile, kind: LineKind) -> list[tuple[str, DiffLine]]:
    """Return the tests that lines of one kind define: name and line."""
    found: list[tuple[str, DiffLine]] = []
    for hunk in change.hunks if isinstance(change.hunks, tuple) else ():
        marked = -BETWEEN
        for place, line in enumerate(hunk.lines):
            if line.kind is not kind and line.kind is not LineKind.SAME:
                continue
            marked = place if MARKED.match(line.text) else marked
            test = TEST.match(line.text)
            if test is None or (test["method"] and place - marked > BETWEEN):
                continue
            marked = -BETWEEN if test["method"] else marked
            if line.kind is kind:
                found.append((next(filter(None, test.groups())).strip(), line))
    return found


def _find_skips(change: ChangedFile, texts: DiffTexts) -> Iterator[Fact]:
    """Yield the tests that are disabled, unless as many were before."""
    added = [line for line in _iterate_skips(change, LineKind.REMOVED) if line.kind is LineKind.ADDED]
    removed = [line for line in _iterate_skips(change, LineKind.ADDED) if line.kind is LineKind.REMOVED]
    for line in added if len(added) > len(removed) else ():
        if not texts.is_moved(line):
            text = f"a test is disabled: {excerpt(mask_secrets(line.text.strip(), change.path), 100)}"
            yield Fact(kind="test skipped", focus="tests", path=change.path, line=line.new, text=text, points=1)


def _iterate_skips(change: ChangedFile, other: LineKind) -> Iterator[DiffLine]:
    """Iterate over the lines that disable a test, on one side of the diff."""
    for hunk in change.hunks if isinstance(change.hunks, tuple) else ():
        lines = [line for line in hunk.lines if line.kind is not other]
        for place, line in enumerate(lines):
            above = lines[place - 1].text if place else ""
            if SKIP.search(line.text) or (GO_SKIP.search(line.text) and GO_TEST.search(above)):
                yield line

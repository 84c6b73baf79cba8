"""The fact that a diff adds code to files for which the repository has tests, and changes no test."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from stithy_core.spi import Maybe, Unknown, excerpt
from stithy_pulls.diffs.diff_model import ChangedFile, LineKind
from stithy_pulls.diffs.file_roles import TESTS, is_test_file
from stithy_pulls.facts.code_lines import DiffTexts, count_growth, is_code_file, is_product_code
from stithy_pulls.facts.migration_facts import is_migration
from stithy_pulls.facts.removed_tests import MARKED
from stithy_pulls.facts.risk_facts import Fact

LEAST = 30
"""Added lines of code from which on a diff without any test is a fact."""
CERTAIN, ROUND = 2 / 3, 10
"""Share of the lines that are code however one counts: docstrings, imports and keywords alone are doubtful. Rounded
down to tens."""
UNTESTED = {
    "locale",
    "locales",
    "i18n",
    "lang",
    "translations",
    "config",
    "configs",
    "types",
    "seeds",
    "generated",
    "gen",
}
"""Folders of code that is seldom tested."""
INLINE = re.compile(
    r"^\s*//[/!]\s*```|#\[(?:\w+::)?test\b"
    r"|#\[cfg\(test\)\]|^\s*>>> |\bmod tests\b|\b(?:def|func|fun|void) [tT]est(?:[A-Z_]\w*)?\("
    r"|^\s*(?:TEST(?:_F|_P|_CASE)?|SCENARIO)\s*\("
    rf"|{MARKED.pattern}"
)
"""Tests within the code: Rust's, also in documentation, Python's doctests, and those of suites that are products."""
RUST_TESTS = re.compile(
    rb"^[ \t]*#\[cfg\((?:all\()?test\b[^\n]*\n(?:[ \t]*#\[[^\n]*\n){0,5}[ \t]*(?:pub(?:\([^)\n]*\))? )?mod \w+",
    re.MULTILINE,
)
"""The beginning of the module of tests within a file of Rust, which is its end by custom."""
LIKE_TEST = re.compile(
    r"(?<![A-Za-z])(?:(?:unit)?tests?|specs?|fixtures?|snap|snapshots?)(?![a-z])|(?:Test|Spec|Fixture|Snapshot)s?(?![a-z])"
)
"""Words in the paths of tests, of what they expect and of what they use."""
USUAL = 20
"""Files of code for each file of tests up to which tests are usual."""
FAMILIES = (
    {".js", ".jsx", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte"},
    {".java", ".kt", ".scala", ".groovy"},
)
"""Suffixes of languages that test each other."""


def find_untested_code(
    changes: Sequence[ChangedFile], paths: Maybe[Sequence[str]], texts: DiffTexts, blobs: Mapping[str, bytes]
) -> Iterator[Fact]:
    """Yield the fact, if it is one.

    Args:
        changes: The files that people write, none of which is like a test.
        paths: The paths of all files of the head, if known.
        texts: The texts of the diff.
        blobs: The contents that were read, by object id.
    """
    if isinstance(paths, Unknown) or any(_has_inline_tests(change, blobs) for change in changes):
        return
    if _has_test_data(changes, paths):
        return
    areas = _TestedAreas(paths)
    growth = {
        change.path: (count_growth(change), count_growth(change, texts))
        for change in changes
        if is_testable(change.path) and areas.is_tested(change.path)
    }
    if sum(new for _, new in growth.values()) >= LEAST and sum(whole for whole, _ in growth.values()) > 0:
        yield from _create_fact({path: counts for path, counts in growth.items() if min(counts) > 0})


def _create_fact(grown: Mapping[str, tuple[int, int]]) -> Iterator[Fact]:
    """Yield the fact, if enough lines are certain. How many files there are is not told: some grow by another count.

    Args:
        grown: By path, by how many lines of code a file grows, and by how many that did not move.
    """
    count = sum(map(min, grown.values()))
    if count < LEAST:
        return
    largest = max(grown, key=lambda path: min(grown[path]))
    where = f"{excerpt(largest)}{' and others' if len(grown) > 1 else ''}"
    least = int(count * CERTAIN) // ROUND * ROUND
    text = f"at least {least} lines of code more in {where}, and no test was changed"
    yield Fact(kind="untested", focus="tests", path="", text=text, points=1)


def is_like_test(path: str) -> bool:
    """Return whether a file may belong to tests, by the customs of a repository."""
    return is_test_file(path) or LIKE_TEST.search(path) is not None


def is_testable(path: str) -> bool:
    """Return whether a file is code that repositories with tests usually test."""
    pure = PurePosixPath(path)
    beside = (
        {part.lower() for part in pure.parts[:-1]} & UNTESTED or pure.suffix == ".sql" or pure.name == "__init__.py"
    )
    return is_product_code(path) and not beside and not is_migration(path)


def _has_inline_tests(change: ChangedFile, blobs: Mapping[str, bytes]) -> bool:
    """Return whether a diff shows tests within the code, or lines of Rust change behind the beginning of its tests."""
    if any(INLINE.search(line.text) for kind in LineKind for line in change.iterate_lines(kind)):
        return True
    content = blobs.get(change.new, b"") if change.path.endswith(".rs") else b""
    begin = RUST_TESTS.search(content)
    first = content.count(b"\n", 0, begin.start()) + 1 if begin else 0
    return any(first and line.new and line.new >= first for line in change.iterate_lines(LineKind.ADDED))


def _has_test_data(changes: Sequence[ChangedFile], paths: Sequence[str]) -> bool:
    """Return whether a file is in a folder, or below one, whose code is tests alone."""
    folders = {str(folder) for change in changes for folder in PurePosixPath(change.path).parents if folder.name}
    kinds: dict[str, set[bool]] = {}
    for path in paths:
        folder = path.rpartition("/")[0]
        if folder in folders and is_code_file(path):
            kinds.setdefault(folder, set()).add(is_test_file(path))
    return {True} in kinds.values()


class _TestedAreas:
    """Where tests are usual: topmost folders, or the repository as a whole, by family of languages."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._tests: Counter[tuple[str, str]] = Counter()
        self._code: Counter[tuple[str, str]] = Counter()
        for path in paths:
            folder, family = _get_area(path)
            if is_test_file(path) and is_code_file(path):
                self._tests["" if folder.lower() in TESTS else folder, family] += 1
            elif is_testable(path):
                self._code.update({(folder, family), ("", family)})

    def is_tested(self, path: str) -> bool:
        """Return whether code beside a file usually has tests."""
        folder, family = _get_area(path)
        return any(
            self._tests[area] and self._tests[area] * USUAL >= self._code[area]
            for area in ((folder, family), ("", family))
        )


def _get_area(path: str) -> tuple[str, str]:
    """Return the topmost folder, empty for none, and the family of the language: its first suffix."""
    pure = PurePosixPath(path)
    suffix = pure.suffix.lower()
    family = next((min(family) for family in FAMILIES if suffix in family), suffix)
    return pure.parts[0] if len(pure.parts) > 1 else "", family

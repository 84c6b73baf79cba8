"""Facts about single files: what became of them, and what they leave out."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from stithy_core.spi import Unknown
from stithy_pulls.diffs.names import classify_file, is_test_file
from stithy_pulls.diffs.records import ChangedFile, LineKind
from stithy_pulls.facts.in_lines import is_migration, is_workflow
from stithy_pulls.facts.records import Fact
from stithy_pulls.words import many

LARGE, HUGE = 100, 400
DOWN = re.compile(
    r"\bdef (?:downgrade|down|change)\b|\bexports\.down\b|\b(?:async )?(?:function )?down\s*\(|\breverse_(?:code|sql)\b"
    r"|^--\s*(?:\+\s*(?:migrate|goose)\s*:?\s*down|!down|rollback)",
    re.IGNORECASE | re.MULTILINE,
)
NO_DOWN = re.compile(r"\bdef downgrade\b[^\n]*:\s*\n(?:\s*(?:\"\"\"[^\n]*\"\"\"|#[^\n]*)\n)*\s*pass\b")
TEST = re.compile(
    r"^\s*(?:(?:async )?def test|func Test\w+\(|@(?:Test|ParameterizedTest)\b|#\[(?:\w+::)?test\]|(?:it|test)\()"
)
CODE = ("source", "test")


def find_file_facts(change: ChangedFile, paths: frozenset[str]) -> Iterator[Fact]:
    """Find what is to be said of one file.

    Args:
        change: The file.
        paths: All that changed, in lower case.
    """
    for find in (_size, _tests, _ci, _kind):
        yield from find(change)
    if is_migration(change.path) and classify_file(change.path) == "source":
        yield from _migration(change, paths)


def _size(change: ChangedFile) -> Iterator[Fact]:
    if change.size >= LARGE and classify_file(change.path) in CODE:
        text, points = f"{change.size:,} lines changed", 2 if change.size >= HUGE else 1
        yield Fact(kind="size", focus="size", path=change.path, text=text, points=points)


def _tests(change: ChangedFile) -> Iterator[Fact]:
    if not is_test_file(change.path):
        return
    if change.status == "deleted":
        yield Fact(kind="test deleted", focus="tests", path=change.path, text="a test file was deleted", points=2)
        return
    gone = [line.old for line in change.iterate_lines(LineKind.REMOVED) if TEST.search(line.text)]
    fewer = len(gone) - sum(bool(TEST.search(line.text)) for line in change.iterate_lines(LineKind.ADDED))
    if fewer > 0:
        text = f"{many(fewer, 'test')} fewer"
        yield Fact(kind="test removed", focus="tests", path=change.path, text=text, points=1)


def _ci(change: ChangedFile) -> Iterator[Fact]:
    if is_workflow(change.path) or PurePosixPath(change.path).name in (".gitlab-ci.yml", "Jenkinsfile"):
        yield Fact(kind="ci", focus="infrastructure", path=change.path, text="what CI does changes", points=1)


def _kind(change: ChangedFile) -> Iterator[Fact]:
    if change.kind == "submodule":
        moves = [
            line.text.rpartition(" ")[2][:12] for kind in (LineKind.REMOVED, LineKind.ADDED) for line in change.iterate_lines(kind)
        ]
        verb = {"added": "is added at", "deleted": "is gone, which was at"}.get(change.status, "moves:")
        text = f"a submodule {verb} {' to '.join(moves)}" if moves else "a submodule changes"
        yield Fact(kind="submodule", focus="dependencies", path=change.path, text=text, points=1)
    elif change.kind == "binary":
        text = "it is binary, so that no diff shows what changed"
        yield Fact(kind="binary", focus="maintenance", path=change.path, text=text, points=0)
    elif isinstance(change.hunks, Unknown):
        text = f"its lines were not read: {change.hunks.reason}"
        yield Fact(kind="unread", focus="size", path=change.path, text=text, points=1)


def _migration(change: ChangedFile, paths: frozenset[str]) -> Iterator[Fact]:
    if change.status == "added":
        yield Fact(kind="migration", focus="database", path=change.path, text="a database is migrated", points=2)
        if why := _not_reversed(change, paths):
            yield Fact(kind="migration without down", focus="database", path=change.path, text=why, points=1)
    elif change.status in ("modified", "deleted"):
        text = f"a migration that was there was {change.status}"
        yield Fact(kind="migration rewritten", focus="database", path=change.path, text=text, points=3)


def _not_reversed(change: ChangedFile, paths: frozenset[str]) -> str:
    """Say why a migration cannot be undone; empty where it can, or where nobody read it."""
    text = "\n".join(line.text for line in change.iterate_lines(LineKind.ADDED))
    path = change.path.lower()
    if not text or path.endswith((".down.sql", "__init__.py", "env.py")):
        return ""
    if path.endswith(".up.sql"):
        return "" if path.replace(".up.sql", ".down.sql") in paths else "no .down.sql comes with it"
    if "migrations.Migration" in text:  # Django turns around what it knows
        one_way = re.search(r"\bRun(?:Python|SQL)\(", text) and not re.search(
            r"\breverse_(?:code|sql)|RunPython\.noop", text
        )
        return "it runs code or SQL without a reverse" if one_way else ""
    if NO_DOWN.search(text):
        return "its downgrade does nothing"
    return "" if DOWN.search(text) else "no way back was found in it"

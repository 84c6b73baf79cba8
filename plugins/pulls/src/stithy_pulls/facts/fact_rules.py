"""All facts about a diff, by file. Each kind was judged on real pull requests, for truth and use (ADR 64)."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from attrs import evolve

from stithy_core.spi import Maybe, Unknown
from stithy_pulls.code.touched_definitions import TouchedCode
from stithy_pulls.diffs.diff_model import ChangedFile, LineKind
from stithy_pulls.diffs.file_roles import classify_file
from stithy_pulls.facts.api_facts import find_api_facts
from stithy_pulls.facts.code_lines import DiffTexts, collect_texts
from stithy_pulls.facts.dependency_facts import find_dependency_facts, select_manifests
from stithy_pulls.facts.line_rules import find_line_facts
from stithy_pulls.facts.migration_facts import find_migration_facts, list_created_tables
from stithy_pulls.facts.removed_tests import find_removed_tests
from stithy_pulls.facts.risk_facts import Fact
from stithy_pulls.facts.secret_masking import LONGEST
from stithy_pulls.facts.untested_code import find_untested_code, is_like_test
from stithy_pulls.facts.workflow_facts import find_workflow_facts, select_workflows

NOT_READ = ("lock", "generated", "vendored")
"""Roles of files that nobody writes by hand: no fact is about their lines."""


def select_whole_files(changes: Sequence[ChangedFile]) -> list[ChangedFile]:
    """Return the files whose facts need both versions as a whole, beside those of code."""
    return [*select_manifests(changes), *select_workflows(changes)]


def collect_facts(
    changes: Sequence[ChangedFile], code: Maybe[TouchedCode], paths: Maybe[Sequence[str]]
) -> dict[str, list[Fact]]:
    """Return the facts by path; facts about the whole diff have an empty path.

    It uses a CPU, so call it in a thread.

    Args:
        changes: The files.
        code: The changed definitions, if known.
        paths: The paths of all files of the head, if known.
    """
    generated = code.generated if isinstance(code, TouchedCode) else frozenset()
    written = [
        _shorten_lines(change)
        for change in changes
        if classify_file(change.path) not in NOT_READ and change.path not in generated
    ]
    found: dict[str, list[Fact]] = {}
    for fact in _find_facts(written, code, paths, [change.path for change in changes]):
        found.setdefault(fact.path, []).append(fact)
    return found


def _shorten_lines(change: ChangedFile) -> ChangedFile:
    """Return a file whose lines are cut: nobody writes longer ones, and rules search each line several times."""
    hunks = change.hunks if isinstance(change.hunks, tuple) else ()
    if not any(len(line.text) > LONGEST for hunk in hunks for line in hunk.lines):
        return change
    cut = (evolve(hunk, lines=tuple(evolve(line, text=line.text[:LONGEST]) for line in hunk.lines)) for hunk in hunks)
    return evolve(change, hunks=tuple(cut))


def _find_facts(
    changes: Sequence[ChangedFile], code: Maybe[TouchedCode], paths: Maybe[Sequence[str]], touched: Sequence[str]
) -> Iterator[Fact]:
    texts = collect_texts(changes)
    names = frozenset(change.path.lower() for change in changes)
    created = list_created_tables(changes)
    blobs = code.blobs if isinstance(code, TouchedCode) else {}
    for change in changes:
        yield from find_migration_facts(change, names, created)
        yield from find_file_facts(change, texts, blobs)
    yield from find_workflow_facts(changes, blobs)
    yield from find_dependency_facts(changes, blobs, paths)
    yield from find_removed_tests(changes, texts, paths, code)
    yield from find_api_facts(code, changes, paths)
    if not any(map(is_like_test, touched)):
        yield from find_untested_code(changes, paths, texts, blobs)


def find_file_facts(change: ChangedFile, texts: DiffTexts, blobs: Mapping[str, bytes]) -> Iterator[Fact]:
    """Yield the facts that the lines of one file show.

    Args:
        change: The file.
        texts: The texts of the diff.
        blobs: The contents that were read, by object id.
    """
    yield from find_line_facts(change, texts, blobs)
    if change.kind == "submodule":
        yield _describe_submodule(change)
    elif isinstance(change.hunks, Unknown) and change.kind != "binary":
        text = f"the lines were not read: {change.hunks.reason}"
        yield Fact(kind="unread", focus="size", path=change.path, text=text, points=1)


def _describe_submodule(change: ChangedFile) -> Fact:
    moves = [
        line.text.rpartition(" ")[2][:12]
        for kind in (LineKind.REMOVED, LineKind.ADDED)
        for line in change.iterate_lines(kind)
    ]
    verb = {"added": "was added at", "deleted": "was removed; it was at"}.get(change.status, "moved from")
    text = f"a submodule {verb} {' to '.join(moves)}" if moves else "a submodule changed"
    names = (PurePosixPath(change.path).name,)
    return Fact(kind="submodule", focus="dependencies", path=change.path, text=text, points=1, names=names)

"""Code that was reverted lately, or that a pull request reverts: a file whose content equals an earlier one of its own.

Contents are compared by their ids in git, so a revert is found whatever its message says, and no file is read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from attrs import Factory, frozen

from stithy_core.spi import Unknown, excerpt, format_count
from stithy_pulls.diffs.diff_model import ChangedFile, LineKind
from stithy_pulls.facts.code_lines import is_product_code, iterate_code
from stithy_pulls.facts.risk_facts import CALLED_REVERT, Fact
from stithy_pulls.git.commit_log import parse_git_time
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.path_history import WITHHELD, list_changed_paths, list_objects_at, split_raw_log

QUARTER = timedelta(days=90)
MOST_TOUCHING = 2_000
MOST_PATHS = 500
LITERAL = "--literal-pathspecs"
RELEASE = re.compile(r"\b(?:bump|release|version|prepare)", re.IGNORECASE)
"""Commits that set a version, and set it back."""
LATEST = 2
"""Steps of a file among which a revert is of interest: later work has built upon an older one."""
MOST_SILENT = 3
"""Reverts without the word that are compared with what they undo."""
SHORT = 10
"""Digits of a SHA in a fact."""


@frozen
class FileStep:
    """One change of a file on the base branch.

    Args:
        sha: The commit.
        at: When its author made it, UTC: an imported or rebased history has other times of commits.
        subject: Its subject.
        before: The id of the file's content before.
        after: The id after; zeros if it was deleted.
        is_said: Whether its subject calls it a revert.
        is_release: Whether its subject is about a version.
    """

    sha: str
    at: datetime
    subject: str
    before: str
    after: str
    is_said: bool = False
    is_release: bool = False

    def format(self) -> str:
        """Return the short SHA and the subject."""
        return f"{self.sha[:SHORT]} ({excerpt(self.subject, 60)})"


@frozen
class FileHistory:
    """What happened to files on the base branch.

    Args:
        steps: By path, newest first.
        reverts: The commits that are reverts, by their words or since they undo all code of an earlier commit.
        removed: By path, the lines that the latest of these commits removed, without white space around them.
    """

    steps: Mapping[str, Sequence[FileStep]] = Factory(dict)
    reverts: frozenset[str] = frozenset()
    removed: Mapping[str, frozenset[str]] = Factory(dict)


async def read_file_history(
    repository: GitRepository, target: str, changes: Sequence[ChangedFile], now: datetime
) -> FileHistory:
    """Return what happened in the last 90 days to the code that a diff touches.

    Args:
        repository: A repository with the branch.
        target: The tip of the branch.
        changes: The files of the diff.
        now: The forge's time, UTC.
    """
    named = dict.fromkeys(path for change in changes for path in (change.old_path, change.path))
    paths = [path for path in named if is_product_code(path)][:MOST_PATHS]
    if not paths:
        return FileHistory()
    since = f"--since={(now - QUARTER).strftime('%Y-%m-%dT%H:%M:%SZ')}"
    words = (LITERAL, "log", "--first-parent", "-m", "--raw", "--no-abbrev", "--no-renames", "-z", f"-{MOST_TOUCHING}")
    form = "--format=%x1e%H%n%P%n%at%n%s"
    fields = await repository.run_lines(*words, form, since, target, "--", *paths, what="read history")
    steps = _parse_steps(fields, withheld=repository.remote.lockdown)
    pairs = dict.fromkeys(pair for path in paths for pair in _list_undoing(steps.get(path, ())))
    said = frozenset(step.sha for step, _ in pairs if step.is_said)
    silent = dict.fromkeys(  # a commit that changes several files is one
        (step.sha, undone[0].sha) for step, undone in pairs if _may_be_silent_revert(step, undone)
    )
    whole = [sha for sha, undone in list(silent)[:MOST_SILENT] if await _is_whole_revert(repository, sha, undone)]
    reverts = said.union(whole)
    latest = {path: step for path in paths if (step := _find_revert(steps.get(path, ()), reverts))}
    now_there = {change.old_path: change.old for change in changes}
    return FileHistory(steps, reverts, await _read_removed_lines(repository, latest, now_there))


def _find_revert(steps: Sequence[FileStep], reverts: frozenset[str]) -> FileStep | None:
    return next((step for step, _ in _list_undoing(steps) if step.sha in reverts), None)


async def _read_removed_lines(
    repository: GitRepository, reverts: Mapping[str, FileStep], contents: Mapping[str, str]
) -> dict[str, frozenset[str]]:
    """Return, by path, the lines that a file had before its revert, and neither after it nor now.

    Args:
        repository: A repository with the branch.
        reverts: By path, the latest revert.
        contents: By path, the id of the present content.
    """
    versions = {path: (step.before, step.after, contents.get(path, "")) for path, step in reverts.items()}
    texts = await repository.read_objects([oid for found in versions.values() for oid in found if oid.strip("0")])
    lines = {path: [_list_lines(texts.get(oid, b"")) for oid in found] for path, found in versions.items()}
    return {path: before.difference(*later) for path, (before, *later) in lines.items()}


def _list_lines(content: bytes) -> frozenset[str]:
    return frozenset(line.strip() for line in content.decode(errors="replace").splitlines())


def _may_be_silent_revert(step: FileStep, undone: Sequence[FileStep]) -> bool:
    return not step.is_said and len(undone) == 1 and not any(one.is_release for one in (step, *undone))


async def _is_whole_revert(repository: GitRepository, sha: str, undone: str) -> bool:
    """Return whether all code that a commit changed is, after another one, as before it."""
    before = f"{undone}^1"
    paths = [path for path in await list_changed_paths(repository, before, undone) if is_product_code(path)]
    return await list_objects_at(repository, before, paths) == await list_objects_at(repository, sha, paths)


def _parse_steps(fields: Sequence[str], *, withheld: bool) -> Mapping[str, Sequence[FileStep]]:
    """Parse commits, each followed by pairs of a raw entry and a path.

    Steps without a former content are left out: those that changed the mode alone, and those of a commit without a
    parent, which is the first of all or the last that was fetched.
    """
    steps: dict[str, list[FileStep]] = {}
    for header, rows in split_raw_log(fields):
        sha, parents, seconds, subject = header.split("\n", 3)
        for entry, path in rows if parents else ():
            _, _, before, after, _ = entry.split(" ")
            if before != after:
                step = FileStep(
                    sha=sha,
                    at=parse_git_time(seconds),
                    subject=WITHHELD if withheld else subject,
                    before=before,
                    after=after,
                    is_said=CALLED_REVERT.search(subject) is not None,
                    is_release=RELEASE.search(subject) is not None,
                )
                steps.setdefault(path, []).append(step)
    return steps


def find_revert_facts(changes: Sequence[ChangedFile], history: FileHistory) -> Iterator[Fact]:
    """Yield the files in which code returns that was reverted lately, and whether the diff as a whole is a revert.

    Args:
        changes: The files.
        history: The result of `read_file_history`.
    """
    steps = history.steps
    for change in changes:
        found = [pair for pair in _list_undoing(steps.get(change.old_path, ())) if pair[0].sha in history.reverts]
        for step, before in (
            found[:1] if _brings_back(change, history.removed.get(change.old_path, frozenset())) else ()
        ):
            later = f" and {format_count(len(before) - 1, 'later change')}" if len(before) > 1 else ""
            text = f"reverted on {step.at:%Y-%m-%d} by {step.format()}, which undid {before[-1].format()}{later}"
            yield Fact(kind="reverted", focus="maintenance", path=change.path, text=text, points=1)
    code = [change for change in changes if _has_code(change)]
    undone = [_list_undone(change.new, steps.get(change.path, ())) for change in code]
    if all(undone) and any(change.status != "deleted" for change in code):  # no cleaning up
        named = {step.sha: step for found in undone for step in found}
        first = min(named.values(), key=lambda step: step.at)
        more = f" and {format_count(len(named) - 1, 'later change')}" if len(named) > 1 else ""
        text = f"it restores {format_count(len(code), 'code file')} as before {first.format()}{more}"
        yield Fact(kind="revert", focus="maintenance", path="", text=text, points=1)


def _brings_back(change: ChangedFile, removed: frozenset[str]) -> bool:
    """Return whether a file gets lines of code again that a revert removed."""
    return any(line.text.strip() in removed for line in iterate_code(change, LineKind.ADDED))


def _has_code(change: ChangedFile) -> bool:
    """Return whether code of the product moves, or changes in a file, and not only comments."""
    lines = (line for kind in (LineKind.ADDED, LineKind.REMOVED) for line in iterate_code(change, kind))
    is_changed = change.new != change.old and (isinstance(change.hunks, Unknown) or any(True for _ in lines))
    return is_product_code(change.path) and (change.status == "renamed" or is_changed)


def _list_undone(content: str, steps: Sequence[FileStep]) -> Sequence[FileStep]:
    """Return the steps that are undone if a file has a content now; empty if it did not have it before.

    Args:
        content: The id of the content.
        steps: The earlier steps, newest first.
    """
    place = next((place for place, step in enumerate(steps) if content and step.before == content), None)
    return () if place is None else steps[: place + 1]


def _list_undoing(steps: Sequence[FileStep]) -> list[tuple[FileStep, tuple[FileStep, ...]]]:
    """Return the latest steps that restored an earlier content, each with the steps that it undid."""
    pairs = [(step, tuple(_list_undone(step.after, steps[place + 1 :]))) for place, step in enumerate(steps[:LATEST])]
    return [(step, undone) for step, undone in pairs if undone]

"""Facts about CI workflows of the forge: permissions that they gain, and runs with the base repository's secrets."""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import PurePosixPath

from attrs import frozen

from stithy_pulls.diffs.diff_model import ChangedFile, LineKind
from stithy_pulls.facts.risk_facts import Fact

SCOPES = (
    r"actions|artifact-metadata|attestations|checks|contents|deployments|discussions|id-token|issues|models|packages|pages"
    r"|pull-requests|repository-projects|security-events|statuses"
)
GRANT = re.compile(rf"^\s*+(?:permissions\s*+:\s*+)?+\{{?+\s*+(?P<scope>{SCOPES})\s*:\s*(?P<level>write)\b")
ALL = re.compile(r"^\s*permissions\s*:\s*(?P<level>write-all)\b")
BLOCK = re.compile(r"^(?P<indent>\s*)permissions\s*:")
PRIVILEGED = re.compile(
    r"^\s*+-?+\s*+(?:on\s*+:\s*+)?+\[?+\s*+(?:[\w-]++\s*+,\s*+)*(?P<event>pull_request_target|workflow_run)\s*(?:[:,\]#]|$)"
)


def is_workflow(path: str) -> bool:
    """Return whether a file is a CI workflow of the forge."""
    parts = PurePosixPath(path).parts
    is_yaml = path.lower().endswith((".yml", ".yaml"))
    return is_yaml and len(parts) > 2 and parts[0] in (".github", ".gitea", ".forgejo") and parts[1] == "workflows"  # noqa: PLR2004 -- two folders and a name


def select_workflows(changes: Sequence[ChangedFile]) -> list[ChangedFile]:
    """Return the CI workflows of the forge."""
    return [change for change in changes if is_workflow(change.path)]


@frozen
class WorkflowChange:
    """The lines of a workflow before and after a change, with their numbers.

    Args:
        change: The file.
        old: The former lines; without the contents, those of the hunks.
        new: Those now.
    """

    change: ChangedFile
    old: Sequence[tuple[int | None, str]]
    new: Sequence[tuple[int | None, str]]


def find_workflow_facts(changes: Sequence[ChangedFile], blobs: Mapping[str, bytes]) -> Iterator[Fact]:
    """Yield what workflows may do that none of them could do before.

    Args:
        changes: The files.
        blobs: Both versions of the workflows, by object id.
    """
    sides = [_read_sides(change, blobs) for change in select_workflows(changes)]
    moved = {grant for side in sides for grant in _list_grants(side.old).keys() - _list_grants(side.new).keys()}
    for side in sides:
        yield from _find_permissions(side, moved)
        yield from _find_privileges(side)


def _read_sides(change: ChangedFile, blobs: Mapping[str, bytes]) -> WorkflowChange:
    oids = [oid for oid in (change.old, change.new) if oid.strip("0")]
    if oids and all(oid in blobs for oid in oids):
        return WorkflowChange(change, _list_lines(blobs.get(change.old, b"")), _list_lines(blobs.get(change.new, b"")))
    kept = [*change.iterate_lines(LineKind.SAME)]
    old = [(line.old, line.text) for line in (*change.iterate_lines(LineKind.REMOVED), *kept)]
    new = [(line.new, line.text) for line in (*change.iterate_lines(LineKind.ADDED), *kept)]
    return WorkflowChange(change, old, new)


def _list_lines(content: bytes) -> list[tuple[int | None, str]]:
    return [*enumerate(content.decode(errors="replace").splitlines(), 1)]


def _find_permissions(side: WorkflowChange, moved: AbstractSet[str]) -> Iterator[Fact]:
    known = _list_grants(side.old).keys() | moved
    new = {name: line for name, line in _list_grants(side.new).items() if name not in known}
    if side.old and not _has_block(side.old):  # what the repository's default was is unknown, but for this one
        new = {name: line for name, line in new.items() if name.startswith("id-token")}
    if new:
        begin = "the workflow gains permissions" if side.old else "the new workflow has permissions"
        yield _create_fact(side, "workflow permissions", next(iter(new.values())), f"{begin}: {', '.join(new)}")
    elif side.new and not _has_block(side.new) and (line := _find_limit(side.old)):
        text = "the workflow's permissions are no longer limited: the repository's default applies"
        yield _create_fact(side, "workflow permissions", line, text)


def _find_privileges(side: WorkflowChange) -> Iterator[Fact]:
    known = {found["event"] for _, text in side.old if (found := PRIVILEGED.search(text))}
    for line, text in side.new:
        if (found := PRIVILEGED.search(text)) and found["event"] not in known:
            what = f"a workflow runs with the base repository's secrets ({found['event']})"
            yield _create_fact(side, "privileged workflow", line, what)


def _create_fact(side: WorkflowChange, kind: str, line: int | None, text: str) -> Fact:
    return Fact(kind=kind, focus="security", path=side.change.path, line=line, text=text, points=3)


def _list_grants(lines: Sequence[tuple[int | None, str]]) -> dict[str, int | None]:
    """Return the permissions to write, each with its first line."""
    found: dict[str, int | None] = {}
    for line, text in lines:
        if grant := GRANT.search(text):
            found.setdefault(f"{grant['scope']}: write", line)
        elif ALL.search(text):
            found.setdefault("write-all", line)
    return found


def _has_block(lines: Sequence[tuple[int | None, str]]) -> bool:
    return any(BLOCK.match(text) for _, text in lines)


def _find_limit(lines: Sequence[tuple[int | None, str]]) -> int | None:
    """Return the line of the block of permissions at the top level."""
    return next((line for line, text in lines if (found := BLOCK.match(text)) and not found["indent"]), None)

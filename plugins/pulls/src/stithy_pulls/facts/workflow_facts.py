"""Facts about CI workflows of the forge: permissions that they gain, and runs with the base repository's secrets."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from stithy_pulls.diffs.diff_model import ChangedFile, DiffLine, LineKind
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


def find_workflow_facts(change: ChangedFile) -> Iterator[Fact]:
    """Yield what a workflow may do that it could not do before.

    Args:
        change: The file.
    """
    if not is_workflow(change.path) or change.status == "deleted":
        return
    yield from _find_permissions(change)
    known = {
        found["event"] for line in change.iterate_lines(LineKind.REMOVED) if (found := PRIVILEGED.search(line.text))
    }
    for line in change.iterate_lines(LineKind.ADDED):
        if (found := PRIVILEGED.search(line.text)) and found["event"] not in known:
            text = f"a workflow runs with the base repository's secrets ({found['event']})"
            yield Fact(
                kind="privileged workflow", focus="security", path=change.path, line=line.new, text=text, points=3
            )


def _find_permissions(change: ChangedFile) -> Iterator[Fact]:
    gained, lost = _list_grants(change, LineKind.ADDED), _list_grants(change, LineKind.REMOVED)
    new = {name: line for name, line in gained.items() if name not in lost}
    if new:
        text = f"the workflow gains permissions: {', '.join(new)}"
        first = next(iter(new.values()))
        yield Fact(kind="workflow permissions", focus="security", path=change.path, line=first.new, text=text, points=3)
    elif line := _find_lost_limit(change):
        text = "the workflow's permissions are no longer limited: the repository's default applies"
        yield Fact(kind="workflow permissions", focus="security", path=change.path, line=line.old, text=text, points=3)


def _list_grants(change: ChangedFile, kind: LineKind) -> dict[str, DiffLine]:
    found: dict[str, DiffLine] = {}
    for line in change.iterate_lines(kind):
        if grant := GRANT.search(line.text):
            found.setdefault(f"{grant['scope']}: write", line)
        elif ALL.search(line.text):
            found.setdefault("write-all", line)
    return found


def _find_lost_limit(change: ChangedFile) -> DiffLine | None:
    """Return the line of a removed block of permissions at the top level, if no other block is added."""
    kept = any(BLOCK.match(line.text) for line in change.iterate_lines(LineKind.ADDED))
    lost = [
        line
        for line in change.iterate_lines(LineKind.REMOVED)
        if (found := BLOCK.match(line.text)) and not found["indent"]
    ]
    return lost[0] if lost and not kept and change.status == "modified" else None

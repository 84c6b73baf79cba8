"""Facts about single lines: a table of patterns, each with the files it applies to."""

import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from attrs import frozen

from stithy_pulls.diffs.diff_model import ChangedFile, DiffLine, LineKind
from stithy_pulls.diffs.file_roles import classify_file, is_test_file
from stithy_pulls.facts.risk_facts import Fact
from stithy_pulls.facts.secret_masking import LONGEST, contains_secret

MOST_OF_A_KIND = 20
"""Facts of one kind reported for one file."""


def is_workflow(path: str) -> bool:
    """Return whether a file is a CI workflow of the forge."""
    parts = PurePosixPath(path).parts
    return len(parts) > 2 and parts[0] in (".github", ".gitea", ".forgejo") and parts[1] == "workflows"  # noqa: PLR2004 -- two folders and a name


def is_migration(path: str) -> bool:
    """Return whether a file is a database migration, by its folder."""
    folders = [part.lower() for part in PurePosixPath(path).parts[:-1]]
    alembic = "versions" in folders and bool({"alembic", "migrations"} & set(folders))
    return alembic or bool({"migrations", "migrate", "migration"} & set(folders))


def _is_source(path: str) -> bool:
    return classify_file(path) == "source"


def _everywhere(_: str) -> bool:
    return True


@frozen
class LineRule:
    """A pattern for lines.

    Args:
        kind: As in `Fact`; likewise `focus`, `points` and `text`.
        pattern: The pattern that a line must contain.
        among: Whether added lines are searched, or removed ones.
        applies: Returns whether the rule applies to a path.
    """

    kind: str
    focus: str
    points: int
    text: str
    pattern: re.Pattern[str]
    among: tuple[LineKind, ...] = (LineKind.ADDED,)
    applies: Callable[[str], bool] = _everywhere


BOTH = (LineKind.ADDED, LineKind.REMOVED)
SCOPES = r"actions|attestations|checks|contents|deployments|id-token|issues|packages|pages|pull-requests|statuses"
RULES = (
    LineRule(
        "workflow permissions",
        "security",
        3,
        "the permissions of a workflow changed",
        re.compile(rf"^\s*(permissions\s*:|(?:{SCOPES})\s*:\s*(?:read|write|none)\b)|\b(?:write|read)-all\b"),
        BOTH,
        is_workflow,
    ),
    LineRule(
        "privileged workflow",
        "security",
        3,
        "a workflow runs with the base repository's secrets (pull_request_target, workflow_run)",
        re.compile(r"^\s*-?\s*(?:on\s*:\s*)?\[?\s*(?:pull_request_target|workflow_run)\b"),
        applies=is_workflow,
    ),
    LineRule(
        "data dropped",
        "database",
        2,
        "a migration drops data",
        re.compile(
            r"(?i)\bdrop\s+(?:table|column|database|schema)\b|\bdrop_(?:table|column)\b|\bremove_column\b|\b(?:DeleteModel|RemoveField)\("
        ),
        applies=is_migration,
    ),
    LineRule(
        "test skipped",
        "tests",
        1,
        "a test was disabled",
        re.compile(
            r"@(?:pytest\.mark\.(?:skip|xfail)|unittest\.skip|Disabled|Ignore)\b|\b(?:it|test|describe)\.skip\(|\bt\.Skip\(|#\[ignore"
        ),
        applies=is_test_file,
    ),
    LineRule("conflict marker", "maintenance", 3, "a merge conflict marker", re.compile(r"^(?:<{7}|>{7}) ")),
    LineRule(
        "certificate check",
        "security",
        2,
        "certificate verification was disabled",
        re.compile(r"\bverify\s*=\s*False\b|\bInsecureSkipVerify\s*:\s*true\b|\brejectUnauthorized\s*:\s*false\b"),
        applies=_is_source,
    ),
    LineRule("todo", "maintenance", 0, "a TODO comment was added", re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")),
)


def find_line_facts(change: ChangedFile) -> Iterator[Fact]:
    """Yield the facts that the lines of one file show."""
    rules = [rule for rule in RULES if rule.applies(change.path)]
    for rule in rules:
        lines = (
            line
            for kind in rule.among
            for line in change.iterate_lines(kind)
            if rule.pattern.search(line.text[:LONGEST])
        )
        for line, _ in zip(lines, range(MOST_OF_A_KIND), strict=False):
            yield _create_fact(change, line, rule)
    secrets = (line for line in change.iterate_lines(LineKind.ADDED) if contains_secret(line.text, change.path))
    for line, _ in zip(secrets, range(MOST_OF_A_KIND), strict=False):
        text, points = (
            "a string looks like a secret",
            1 if is_test_file(change.path) else 4,
        )  # tests contain fake secrets
        yield Fact(kind="secret", focus="security", path=change.path, line=line.new, text=text, points=points)


def _create_fact(change: ChangedFile, line: DiffLine, rule: LineRule) -> Fact:
    text = rule.text if line.new else f"{rule.text} (a line was removed)"
    number = line.new or line.old
    return Fact(kind=rule.kind, focus=rule.focus, path=change.path, line=number, text=text, points=rule.points)

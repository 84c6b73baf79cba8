"""All facts about a diff: rules about dependencies, files, and public definitions."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from stithy_core.spi import Maybe, Unknown, format_count
from stithy_pulls.code.touched_definitions import TouchedCode, TouchedDefinition
from stithy_pulls.diffs.diff_model import ChangedFile, LineKind
from stithy_pulls.diffs.file_roles import LOCKS, classify_file, is_test_file, list_manifests
from stithy_pulls.facts.line_rules import find_line_facts, is_migration, is_workflow
from stithy_pulls.facts.risk_facts import Fact
from stithy_pulls.facts.secret_masking import mask_secrets

NOT_NAMES = {"version", "name", "python", "requires-python", "node", "npm", "edition", "license", "description"}
SPECIFIER = re.compile(r"""["'](?P<name>@?[\w.-]+(?:/[\w.-]+)?)(?:\[[\w, -]*\])?\s*(?:[<>=~!]=?|@)\s*v?\d""")
FORMS = {
    "package.json": re.compile(
        r'^\s*"(?P<name>@?[\w./-]+)"\s*:\s*"(?:[\^~<>=v]*\d|\*|latest|workspace:|file:|git|npm:|https?:)'
    ),
    "go.mod": re.compile(r"^\s*(?:require\s+)?(?P<name>[\w.-]+\.[\w./-]+)\s+v\d"),
    "cargo.toml": re.compile(r'^(?P<name>[\w-]+)\s*=\s*(?:"[\^~=<>]*\d|\{.*\b(?:version|git|path)\b)'),
    "gemfile": re.compile(r"""^\s*gem\s+["'](?P<name>[\w-]+)["']"""),
    "pipfile": re.compile(r'^(?P<name>[\w.-]+)\s*=\s*(?:"|\{)'),
    "composer.json": re.compile(r'^\s*"(?P<name>[\w.-]+/[\w.-]+)"\s*:\s*"'),
    "pom.xml": re.compile(r"<artifactId>(?P<name>[\w.-]+)</artifactId>"),
    "pyproject.toml": SPECIFIER,
    "setup.py": SPECIFIER,
}
REQUIREMENT = re.compile(r"^(?P<name>[A-Za-z][\w.-]*)(?:\[[\w, -]*\])?\s*(?:[<>=~!]=|@\s|;|$)")
MOST = 10
"""Added dependencies reported for one manifest."""


def find_dependency_facts(change: ChangedFile, paths: frozenset[str]) -> Iterator[Fact]:
    """Yield added dependencies, and a lock file that changes without its manifest.

    Args:
        change: The file.
        paths: All changed paths, in lower case.
    """
    role = classify_file(change.path)
    if role == "lock" and change.status == "modified":
        manifests = list_manifests(change.path)
        if manifests and not paths.intersection(manifests):
            text = f"changed without {' or '.join(sorted(LOCKS[PurePosixPath(change.path).name.lower()]))}"
            yield Fact(kind="lock file alone", focus="dependencies", path=change.path, text=text, points=1)
    if role == "manifest":
        for name, line in list(list_added_dependencies(change).items())[:MOST]:
            text = f"dependency added: {name}"
            yield Fact(kind="dependency", focus="dependencies", path=change.path, line=line, text=text, points=1)


def list_added_dependencies(change: ChangedFile) -> dict[str, int | None]:
    """Return the dependencies that a manifest gains, each with its line. A new version is not a new dependency."""
    form = FORMS.get(PurePosixPath(change.path).name.lower(), REQUIREMENT)
    known = {
        found["name"].lower() for line in change.iterate_lines(LineKind.REMOVED) if (found := form.search(line.text))
    }
    gained: dict[str, int | None] = {}
    for line in change.iterate_lines(LineKind.ADDED):
        found = form.search(line.text)
        if found and found["name"].lower() not in known | NOT_NAMES:
            gained.setdefault(found["name"], line.new)
    return gained


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
    """Yield facts about one file.

    Args:
        change: The file.
        paths: All changed paths, in lower case.
    """
    for find in (_find_size_facts, _find_test_facts, _find_ci_facts, _find_kind_facts):
        yield from find(change)
    if is_migration(change.path) and classify_file(change.path) == "source":
        yield from _find_migration_facts(change, paths)


def _find_size_facts(change: ChangedFile) -> Iterator[Fact]:
    if change.size >= LARGE and classify_file(change.path) in CODE:
        text, points = f"{change.size:,} lines changed", 2 if change.size >= HUGE else 1
        yield Fact(kind="size", focus="size", path=change.path, text=text, points=points)


def _find_test_facts(change: ChangedFile) -> Iterator[Fact]:
    if not is_test_file(change.path):
        return
    if change.status == "deleted":
        yield Fact(kind="test deleted", focus="tests", path=change.path, text="a test file was deleted", points=2)
        return
    gone = [line.old for line in change.iterate_lines(LineKind.REMOVED) if TEST.search(line.text)]
    fewer = len(gone) - sum(bool(TEST.search(line.text)) for line in change.iterate_lines(LineKind.ADDED))
    if fewer > 0:
        text = f"{format_count(fewer, 'test')} removed"
        yield Fact(kind="test removed", focus="tests", path=change.path, text=text, points=1)


def _find_ci_facts(change: ChangedFile) -> Iterator[Fact]:
    if is_workflow(change.path) or PurePosixPath(change.path).name in (".gitlab-ci.yml", "Jenkinsfile"):
        yield Fact(kind="ci", focus="infrastructure", path=change.path, text="CI configuration changed", points=1)


def _find_kind_facts(change: ChangedFile) -> Iterator[Fact]:
    if change.kind == "submodule":
        moves = [
            line.text.rpartition(" ")[2][:12]
            for kind in (LineKind.REMOVED, LineKind.ADDED)
            for line in change.iterate_lines(kind)
        ]
        verb = {"added": "was added at", "deleted": "was removed; it was at"}.get(change.status, "moved from")
        text = f"a submodule {verb} {' to '.join(moves)}" if moves else "a submodule changed"
        yield Fact(kind="submodule", focus="dependencies", path=change.path, text=text, points=1)
    elif change.kind == "binary":
        text = "the file is binary, so the diff shows no change"
        yield Fact(kind="binary", focus="maintenance", path=change.path, text=text, points=0)
    elif isinstance(change.hunks, Unknown):
        text = f"the lines were not read: {change.hunks.reason}"
        yield Fact(kind="unread", focus="size", path=change.path, text=text, points=1)


def _find_migration_facts(change: ChangedFile, paths: frozenset[str]) -> Iterator[Fact]:
    if change.status == "added":
        yield Fact(
            kind="migration", focus="database", path=change.path, text="a database migration was added", points=2
        )
        if why := _explain_irreversible(change, paths):
            yield Fact(kind="migration without down", focus="database", path=change.path, text=why, points=1)
    elif change.status in ("modified", "deleted"):
        text = f"an existing migration was {change.status}"
        yield Fact(kind="migration rewritten", focus="database", path=change.path, text=text, points=3)


def _explain_irreversible(change: ChangedFile, paths: frozenset[str]) -> str:
    """Return why a migration cannot be reversed; empty if it can, or if its lines are unknown."""
    text = "\n".join(line.text for line in change.iterate_lines(LineKind.ADDED))
    path = change.path.lower()
    if not text or path.endswith((".down.sql", "__init__.py", "env.py")):
        return ""
    if path.endswith(".up.sql"):
        return "" if path.replace(".up.sql", ".down.sql") in paths else "it has no .down.sql"
    if "migrations.Migration" in text:  # Django reverses all operations except code and raw SQL
        one_way = re.search(r"\bRun(?:Python|SQL)\(", text) and not re.search(
            r"\breverse_(?:code|sql)|RunPython\.noop", text
        )
        return "it runs code or SQL without a reverse operation" if one_way else ""
    if NO_DOWN.search(text):
        return "its downgrade does nothing"
    return "" if DOWN.search(text) else "it has no recognizable downgrade"


UNTESTED = 20
"""Changed source lines from which on a diff without any test is a fact."""
NOT_READ = ("lock", "generated", "vendored")
"""Roles of files that nobody writes by hand: only the fact that they change matters."""


def collect_facts(changes: Sequence[ChangedFile], code: Maybe[TouchedCode]) -> dict[str, list[Fact]]:
    """Return the facts by path; facts about the whole diff have an empty path.

    It uses a CPU, so call it in a thread.

    Args:
        changes: The files.
        code: The changed definitions, if known.
    """
    paths = frozenset(change.path.lower() for change in changes)
    found: dict[str, list[Fact]] = {}
    for change in changes:
        for fact in _find_facts(change, paths):
            found.setdefault(fact.path, []).append(fact)
    for fact in (*_find_api_facts(code), *_find_missing_tests(changes)):
        found.setdefault(fact.path, []).append(fact)
    return found


def _find_facts(change: ChangedFile, paths: frozenset[str]) -> Iterator[Fact]:
    yield from find_dependency_facts(change, paths)
    if classify_file(change.path) not in NOT_READ:
        yield from find_file_facts(change, paths)
        yield from find_line_facts(change)


def _find_api_facts(code: Maybe[TouchedCode]) -> Iterator[Fact]:
    for touched in code.touched if isinstance(code, TouchedCode) else ():
        if touched.breaks and classify_file(touched.path) == "source":
            text, points = describe_break(touched)
            line = None if touched.what == "removed" else touched.symbol.first
            kind = "public name removed" if touched.what == "removed" else "public signature"
            yield Fact(kind=kind, focus="api", path=touched.path, line=line, text=text, points=points)


def describe_break(touched: TouchedDefinition) -> tuple[str, int]:
    """Return what happened to a public definition, and its points."""
    if touched.what == "removed":
        return f"{touched.symbol.kind} {touched.symbol.name} was removed", 2
    was, now = (mask_secrets(text)[:160] for text in (touched.before, touched.symbol.signature))
    return f"{touched.symbol.name} was `{was}`, is `{now}`", 1


def _find_missing_tests(changes: Sequence[ChangedFile]) -> Iterator[Fact]:
    roles = [(classify_file(change.path), change) for change in changes]
    lines = sum(change.size for role, change in roles if role == "source")
    if lines >= UNTESTED and not any(role == "test" for role, _ in roles):
        text = f"{lines:,} lines of source changed without a test file"
        yield Fact(kind="untested", focus="tests", path="", text=text, points=1)

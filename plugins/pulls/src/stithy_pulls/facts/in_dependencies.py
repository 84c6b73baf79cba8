"""Facts about what code depends on: manifests and lock files."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from stithy_pulls.diffs.names import LOCKS, classify_file, list_manifests
from stithy_pulls.diffs.records import ChangedFile, LineKind
from stithy_pulls.facts.records import Fact

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


def find_dependency_facts(change: ChangedFile, paths: frozenset[str]) -> Iterator[Fact]:
    """Find dependencies that were added, and a lock file that changes alone.

    Args:
        change: The file.
        paths: All that changed, in lower case.
    """
    role = classify_file(change.path)
    if role == "lock" and change.status == "modified":
        manifests = list_manifests(change.path)
        if manifests and not paths.intersection(manifests):
            text = f"it changes, and {' or '.join(sorted(LOCKS[PurePosixPath(change.path).name.lower()]))} does not"
            yield Fact(kind="lock file alone", focus="dependencies", path=change.path, text=text, points=1)
    if role == "manifest":
        for name, line in list(list_added_dependencies(change).items())[:MOST]:
            text = f"dependency added: {name}"
            yield Fact(kind="dependency", focus="dependencies", path=change.path, line=line, text=text, points=1)


def list_added_dependencies(change: ChangedFile) -> dict[str, int | None]:
    """Give the names of dependencies that a manifest gains, each with its line; a new version is none."""
    form = FORMS.get(PurePosixPath(change.path).name.lower(), REQUIREMENT)
    known = {found["name"].lower() for line in change.iterate_lines(LineKind.REMOVED) if (found := form.search(line.text))}
    gained: dict[str, int | None] = {}
    for line in change.iterate_lines(LineKind.ADDED):
        found = form.search(line.text)
        if found and found["name"].lower() not in known | NOT_NAMES:
            gained.setdefault(found["name"], line.new)
    return gained

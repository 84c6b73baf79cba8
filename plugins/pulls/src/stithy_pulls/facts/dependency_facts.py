"""Facts about manifests: dependencies that are new, and versions that may be incompatible with the former ones."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from attrs import frozen

from stithy_core.spi import Maybe, Unknown, excerpt
from stithy_pulls.diffs.diff_model import ChangedFile, DiffHunk, DiffLine, LineKind
from stithy_pulls.diffs.file_roles import MANIFESTS, classify_file
from stithy_pulls.facts.code_lines import BESIDE
from stithy_pulls.facts.risk_facts import Fact
from stithy_pulls.facts.secret_masking import mask_secrets

NOT_NAMES = {
    *("version", "name", "python", "requires-python", "node", "npm", "yarn", "pnpm", "edition", "license"),
    *("bun", "deno", "iojs", "vscode"),
    *("description", "rust-version", "resolver", "go", "java", "project", "maven.compiler", "target-version"),
}
"""Keys whose value may look like the version of a dependency, and words that are not names."""
QUOTED = re.compile(
    r"""["'](?P<name>@?[A-Za-z][\w.-]*(?:/[\w.-]+)?)(?:\[[\w, -]*\])?"""
    r"""\s*(?P<version>(?:[<>=~!]=|[<>]|@)\s*v?\d[^"';#]*)"""
)
POETRY = re.compile(
    r"""^(?P<name>[A-Za-z][\w.-]*)\s*=\s*(?:"(?P<version>[\^~][^"]*)"|\{[^}\n]*\bversion\s*=\s*"(?P<inner>[^"]*)")""",
    re.MULTILINE,
)
COMPILED = re.compile(r"^[ \t]*#[ \t]+via\b", re.MULTILINE)
"""What pip-compile writes below a dependency."""
REQUIREMENT = re.compile(
    r"^(?P<name>[A-Za-z][\w.-]*)(?:\[[\w, -]*\])?"
    r"\s*(?P<version>(?:[<>=~!]=|[<>]|@\s)[^;#\n]*)?(?:;[^#\n]*)?(?:#[^\n]*)?$"
    r"(?P<below>(?:\n\s+(?:#|--hash)[^\n]*)*)",
    re.MULTILINE,
)
INDENTED = re.compile(
    r"^[ \t]+(?P<name>[A-Za-z][\w.-]*)(?:\[[\w, -]*\])?\s*(?P<version>(?:[<>=~!]=|[<>])[^;#\n]*)", re.MULTILINE
)
POM = re.compile(
    r"(?:<groupId>(?P<group>[\w.-]+)</groupId>\s*)?<artifactId>(?P<name>[\w.-]+)</artifactId>"
    r"\s*<version>(?P<version>\d[^<$]*)</version>(?:(?:\s*<\w+>[^<]*</\w+>)*\s*</(?P<holder>\w+)>)?"
    r"|<(?P<property>[\w.-]+?)[.-]version>(?P<inner>\d[^<]*)</"
)
FORMS: Mapping[str, Sequence[re.Pattern[str]]] = {
    "package.json": [
        re.compile(
            r'^[ \t]*"(?P<name>@?[A-Za-z][\w./-]*)"\s*:\s*"(?P<version>[\^~<>=v\s]*\d[^"]*|npm:[^"]*)"', re.MULTILINE
        )
    ],
    "go.mod": [
        re.compile(
            r"^[ \t]*(?:require[ \t]+)?(?P<name>(?=[\w-]++\.)[\w./-]++)[ \t]+(?P<version>v(?!0\.0\.0-0001)\d\S*)"
            r"(?P<indirect>[ \t]*//[ \t]*indirect)?",
            re.MULTILINE,
        )
    ],
    "cargo.toml": [
        re.compile(
            r'^(?P<name>[A-Za-z][\w-]*)\s*=\s*(?:"(?P<version>[\^~=<>]*\d[^"]*)"'
            r'|\{(?![^}\n]*\bpath\b)[^}\n]*\bversion\s*=\s*"(?P<inner>[^"]*)")',
            re.MULTILINE,
        )
    ],
    "gemfile": [
        re.compile(r"""^[ \t]*gem[ \t]+["'](?P<name>[\w-]+)["'](?:,\s*["'](?P<version>[^"']*)["'])?""", re.MULTILINE)
    ],
    "pipfile": [POETRY],
    "composer.json": [
        re.compile(
            r'^[ \t]*"(?P<name>[\w.-]+/[\w.-]+)"\s*:\s*"(?P<version>[\^~<>=!v ]*[\d*][^"]*|dev-[^"]*)"', re.MULTILINE
        )
    ],
    "pom.xml": [POM],
    "build.gradle": [re.compile(r"""["'](?P<name>[\w.-]+:[\w.-]+):(?P<version>\d[\w.-]*)["']""")],
    "directory.packages.props": [re.compile(r'\bInclude="(?P<name>[\w.-]+)"\s+Version="(?P<version>[^"]+)"')],
    "pubspec.yaml": [re.compile(r"^  (?P<name>[a-z]\w*):\s*(?P<version>\^?\d\S*)", re.MULTILINE)],
    "mix.exs": [re.compile(r'\{:(?P<name>\w+),\s*"(?P<version>[^"]+)"')],
    "pyproject.toml": [QUOTED, POETRY],
    "setup.py": [QUOTED],
    "requirements": [REQUIREMENT],
    "setup.cfg": [INDENTED],
}
"""How dependencies are written, by the name of the manifest in lower case."""
FORMS = {**FORMS, "build.gradle.kts": FORMS["build.gradle"]}
HOLDERS = {None, "dependency", "plugin", "extension", "path", "annotationProcessorPath", "parent"}
"""The elements of a POM whose artifacts are reported; None if the end of the element is not shown."""
VENDOR = re.compile(r'^[ \t]*"name"\s*:\s*"(?P<vendor>@?[\w.-]+/)', re.MULTILINE)
"""The scope or vendor of the package that a manifest describes."""
CARETS = {"package.json", "cargo.toml", "composer.json", "pubspec.yaml"}
"""Manifests in whose ecosystem 0.1 and 0.2 count as incompatible."""
MOST = 5
"""Dependencies that one fact names."""


@frozen
class DeclaredVersion:
    """A dependency of a manifest.

    Args:
        name: Its name.
        version: Its version or range as written.
        line: Its line; 0 on the old side.
        is_indirect: Whether it is not reported, such as what only another dependency needs by Go's manifests.
    """

    name: str
    version: str
    line: int = 0
    is_indirect: bool = False

    def format(self) -> str:
        """Return name and version."""
        return excerpt(mask_secrets(f"{self.name} {self.version}".strip()), 80)


def find_dependency_facts(changes: Sequence[ChangedFile], paths: Maybe[Sequence[str]]) -> Iterator[Fact]:
    """Yield, for each manifest, its new dependencies and its versions of another compatibility.

    A dependency counts in the first manifest that gains it. One that another manifest loses has moved, and packages of
    the same repository do not count.

    Args:
        changes: The files.
        paths: The paths of all files of the head, if known.
    """
    own = _list_own_packages(() if isinstance(paths, Unknown) else paths)
    sides = [(change, *_read_sides(change)) for change in changes if _get_forms(change.path)]
    sides = [
        (change, old, {key: one for key, one in new.items() if _get_last_part(key) not in own})
        for change, old, new in sides
    ]
    lost = {name for _, old, new in sides for name in old.keys() - new.keys()}
    seen: set[str] = set()
    for change, old, new in sides:
        added = [one for key, one in new.items() if key not in old and key not in lost | seen and not one.is_indirect]
        seen |= {one.name.lower() for one in added}
        if added and change.status != "renamed":
            yield _create_fact(change, f"dependency added: {_join([one.format() for one in added])}", added[0].line)
        moved = [
            (old[key], one)
            for key, one in new.items()
            if key in old
            and key not in seen
            and not one.is_indirect
            and _is_incompatible(change.path, old[key].version, one.version)
        ]
        seen |= {one.name.lower() for _, one in moved}
        if moved:
            named = _join([f"{was.format()} → {excerpt(mask_secrets(now.version), 40)}" for was, now in moved])
            yield _create_fact(change, f"may be incompatible by semantic versioning: {named}", moved[0][1].line)


def _list_own_packages(paths: Sequence[str]) -> frozenset[str]:
    """Return the names of the folders with a manifest, as `_get_last_part` writes names of packages."""
    folders = {PurePosixPath(path).parent.name for path in paths if PurePosixPath(path).name.lower() in MANIFESTS}
    return frozenset(_get_last_part(folder) for folder in folders if folder)


def _get_last_part(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", re.split(r"[/:]", name.lower())[-1])


def _create_fact(change: ChangedFile, text: str, line: int) -> Fact:
    return Fact(kind="dependency", focus="dependencies", path=change.path, line=line or None, text=text, points=1)


def _join(named: Sequence[str]) -> str:
    more = f" and {len(named) - MOST} more" if len(named) > MOST else ""
    return ", ".join(named[:MOST]) + more


def _get_forms(path: str) -> Sequence[re.Pattern[str]]:
    if classify_file(path) != "manifest" or {part.lower() for part in PurePosixPath(path).parts[:-1]} & BESIDE:
        return ()
    name = PurePosixPath(path).name.lower()
    return FORMS["requirements"] if name.startswith("requirements") else FORMS.get(name, ())


def _read_sides(change: ChangedFile) -> tuple[dict[str, DeclaredVersion], dict[str, DeclaredVersion]]:
    """Return the dependencies on the old and the new side of the hunks, by name in lower case."""
    old: dict[str, DeclaredVersion] = {}
    new: dict[str, DeclaredVersion] = {}
    for hunk in change.hunks if isinstance(change.hunks, tuple) else ():
        for one in _read_side(change, hunk, LineKind.ADDED):
            old.setdefault(one.name.lower(), one)
        for one in _read_side(change, hunk, LineKind.REMOVED):
            new.setdefault(one.name.lower(), one)
    return old, new


def _read_side(change: ChangedFile, hunk: DiffHunk, other: LineKind) -> Iterator[DeclaredVersion]:
    lines: list[DiffLine] = [line for line in hunk.lines if line.kind is not other]
    text = "\n".join(line.text[:500] for line in lines)
    own = {found["vendor"] for found in VENDOR.finditer(text)}
    for form in _get_forms(change.path):
        for found in form.finditer(text):
            groups = found.groupdict()
            name, version = groups["name"] or groups.get("property") or "", groups["version"] or groups.get("inner")
            if name.startswith(tuple(own)) or not _is_reported(change, groups.get("holder")):
                continue
            if groups.get("group"):
                name = f"{groups['group']}:{name}"
            below = groups.get("below") or ""
            if name.lower() in NOT_NAMES or (COMPILED.search(below) and ".in" not in below):
                continue
            at = lines[text.count("\n", 0, found.start("name") if groups["name"] else found.start())]
            yield DeclaredVersion(
                name, (version or "").strip(" ,\\"), at.new or 0, _is_quiet(name, version or "", groups)
            )


def _is_reported(change: ChangedFile, holder: str | None) -> bool:
    """Return whether an artifact of a POM is reported. The parent of a new module does not count."""
    return holder in HOLDERS and not (holder == "parent" and change.status == "added")


def _is_quiet(name: str, version: str, groups: Mapping[str, str | None]) -> bool:
    """Return whether a dependency is known, but not reported: an indirect one, a virtual one, or the project's own."""
    is_own = version.endswith("-SNAPSHOT")
    return bool(groups.get("indirect")) or name.endswith("-implementation") or is_own


def _is_incompatible(path: str, was: str, now: str) -> bool:
    """Return whether another major version is required, or where `^0.1` excludes 0.2, another minor version of 0."""
    before, after = _get_compatibility(was), _get_compatibility(now)
    length = 2 if PurePosixPath(path).name.lower() in CARETS else 1
    return bool(before and after) and before[:length] != after[:length]


def _get_compatibility(version: str) -> tuple[int, ...]:
    found = re.search(r"(?<![\w.])v?(\d{1,9})(?:\.(\d{1,9}))?", version)
    if not found:
        return ()
    major = int(found[1])
    return (major,) if major or found[2] is None else (0, int(found[2]))

"""Facts about manifests: dependencies that are new, and versions that may be incompatible with the former ones."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from attrs import frozen

from stithy_core.spi import Maybe, Unknown, excerpt
from stithy_pulls.diffs.diff_model import ChangedFile, LineKind
from stithy_pulls.diffs.file_roles import MANIFESTS, classify_file
from stithy_pulls.facts.code_lines import BESIDE
from stithy_pulls.facts.manifest_parsers import (
    Declared,
    UnparsableManifest,
    has_parser,
    is_for_development,
    list_dependencies,
)
from stithy_pulls.facts.risk_facts import Fact
from stithy_pulls.facts.secret_masking import mask_secrets

CARETS = {"package.json", "cargo.toml", "composer.json", "pubspec.yaml"}
"""Manifests in whose ecosystem 0.1 and 0.2 count as incompatible."""
MOST = 5
"""Dependencies that one fact names."""
REQUIREMENTS = re.compile(r"(?:^|/)requirements(?:/[^/]+|[^/]*)\.(?:in|txt)$")
"""A file of requirements, also one that is compared with no other: from it, a dependency may move to a manifest."""
GEM = re.compile(r"\.add_(?:development_|runtime_)?dependency[ (]+[\"']([\w.-]+)")
VERSION = re.compile(r"(?<![\w.-])(?<!<)(?<!< )(?<!!=)(?<!!= )v?(\d{1,9})(?:\.(\d{1,9}))?")
"""The first parts of a version in a range, unless `<` or `!=` excludes it, or it belongs to the name of a branch."""
UPPER = re.compile(r"<(?!=)\s*v?(\d{1,9})")
"""The first part of a version that a range excludes, and all above it."""


@frozen
class ManifestChange:
    """The dependencies of a manifest before and after a change.

    Args:
        change: The file.
        old: The former names and versions, by name in lower case.
        new: Those now, without packages of the same repository.
        text: The former file as `_normalize_name` writes names.
    """

    change: ChangedFile
    old: Mapping[str, Declared]
    new: Mapping[str, Declared]
    text: str = ""

    def has_named(self, key: str) -> bool:
        """Return whether the former file names a dependency anywhere: as a peer, or with a version set elsewhere."""
        return all(
            re.search(rf"(?<![\w@/-])(?<!(?<!dependencies)\.){re.escape(part)}(?![\w/-]|\.\w)", self.text)
            for part in key.split(":")
        )

    def find_line(self, name: str, version: str) -> int | None:
        """Return the line of the new side that names a dependency, preferably with its version."""
        last = re.compile(rf"(?<![\w-]){re.escape(name.rpartition(':')[2])}(?![\w-])")
        named = [
            line
            for hunk in (self.change.hunks if isinstance(self.change.hunks, tuple) else ())
            for line in hunk.lines
            if line.kind is not LineKind.REMOVED and last.search(line.text)
        ]
        code = [line for line in named if not line.text.lstrip().startswith("#")]
        whole = (line for line in code if line.kind is LineKind.ADDED and version in line.text)
        return next((line.new for line in [*whole, *code, *named]), None)


def select_manifests(changes: Sequence[ChangedFile]) -> list[ChangedFile]:
    """Return the manifests whose dependencies can be compared."""
    return [
        change
        for change in changes
        if classify_file(change.path) == "manifest"
        and has_parser(change.path)
        and not (REQUIREMENTS.search(change.path) and is_for_development(change.path))
        and not {part.lower() for part in PurePosixPath(change.path).parts[:-1]} & BESIDE
    ]


def find_dependency_facts(
    changes: Sequence[ChangedFile], blobs: Mapping[str, bytes], paths: Maybe[Sequence[str]]
) -> Iterator[Fact]:
    """Yield, for each manifest, its new dependencies and its versions of another compatibility.

    A dependency counts in the first manifest that gains it. One that another manifest loses has moved, one that the
    former file names anywhere is not certainly new, and packages of the same repository do not count. Whole manifests
    are compared: a few lines do not show what a name belongs to, and a new manifest not what the code used before.
    Dependencies for development alone do not count.

    Args:
        changes: The files.
        blobs: Both versions of the manifests, by object id. Without them there are no facts.
        paths: The paths of all files of the head, if known.
    """
    known = () if isinstance(paths, Unknown) else paths
    sides = [*_read_sides(changes, blobs, _list_own_packages(known))]
    lost = {key for side in sides for key in side.old.keys() - side.new.keys()}
    lost |= {_normalize_name(name) for change in changes for name in _list_removed_gems(change)}
    lost |= {key for change in changes if REQUIREMENTS.search(change.old_path) for key in _list_removed(change)}
    seen: set[str] = set()
    for side in sides:
        added = {
            key: one
            for key, one in side.new.items()
            if key not in {*side.old, *lost, *seen} and _is_reported(one) and not side.has_named(key)
        }
        seen |= added.keys()
        if added and side.change.status not in {"added", "renamed"}:  # what the code used already
            text = f"dependency added: {_join([_format(*one) for one in added.values()])}"
            yield _create_fact(side, text, added)
        moved = {
            key: one
            for key, one in side.new.items()
            if key not in seen and key in side.old and _is_incompatible(side.change.path, side.old[key], one)
        }
        seen |= moved.keys()
        if moved:
            changed = [
                f"{_format(*side.old[key])} → {excerpt(mask_secrets(now), 40)}" for key, (_, now) in moved.items()
            ]
            text = f"may be incompatible by semantic versioning: {_join(changed)}"
            yield _create_fact(side, text, moved, is_version=True)


def _list_removed(change: ChangedFile) -> Iterator[str]:
    """Yield the requirements of Python that a file loses."""
    text = "\n".join(line.text for line in change.iterate_lines(LineKind.REMOVED))
    yield from map(_normalize_name, list_dependencies("requirements.txt", text.encode()))


def _list_removed_gems(change: ChangedFile) -> list[str]:
    """Return the dependencies that the specification of a gem loses, from which one may move to the Gemfile."""
    lines = change.iterate_lines(LineKind.REMOVED) if change.old_path.endswith(".gemspec") else ()
    return [found[1] for line in lines if (found := GEM.search(line.text))]


def _is_reported(one: Declared) -> bool:
    """Return whether a dependency is reported: no indirect one, no virtual package, and no snapshot of one's own."""
    return not (one[1].endswith(("// indirect", "-SNAPSHOT")) or one[0].endswith("-implementation"))


def _read_sides(
    changes: Sequence[ChangedFile], blobs: Mapping[str, bytes], own: frozenset[str]
) -> Iterator[ManifestChange]:
    """Yield the manifests that can be parsed before and after. A new one has no dependencies before."""
    for change in select_manifests(changes):
        try:
            old = _list_versions(change.old_path, change.old, blobs)
            new = _list_versions(change.path, change.new, blobs)
        except UnparsableManifest:
            continue
        text = _normalize_name(blobs.get(change.old, b"").decode(errors="replace"))
        yield ManifestChange(change, old, {key: new[key] for key in new if _get_last_part(key) not in own}, text)


def _list_versions(path: str, oid: str, blobs: Mapping[str, bytes]) -> Mapping[str, Declared]:
    if not oid.strip("0") or not has_parser(path):
        return {}
    if oid not in blobs:
        raise UnparsableManifest("git could not read the file")
    found = list_dependencies(path, blobs[oid])
    return {_normalize_name(name): (name, version) for name, version in found.items()}


def _normalize_name(text: str) -> str:
    """Return names in lower case with dashes, since Python does not tell them apart from underscores."""
    return re.sub(r"[-_]+", "-", text.lower())


def _format(name: str, version: str) -> str:
    return excerpt(mask_secrets(f"{name} {version}".strip()), 80)


def _list_own_packages(paths: Sequence[str]) -> frozenset[str]:
    """Return the names of the folders with a manifest, as `_get_last_part` writes names of packages."""
    folders = {PurePosixPath(path).parent.name for path in paths if PurePosixPath(path).name.lower() in MANIFESTS}
    return frozenset(_get_last_part(folder) for folder in folders if folder)


def _get_last_part(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", re.split(r"[/:]", name.lower())[-1])


def _create_fact(side: ManifestChange, text: str, named: Mapping[str, Declared], *, is_version: bool = False) -> Fact:
    path, line = side.change.path, side.find_line(*next(iter(named.values())))
    names = tuple(re.split(r"[/:]", name)[-1] for name, _ in named.values())
    versions = tuple(version for _, version in named.values()) if is_version else ()
    return Fact(
        kind="dependency",
        focus="dependencies",
        path=path,
        line=line,
        text=text,
        points=1,
        names=names,
        versions=versions,
    )


def _join(named: Sequence[str]) -> str:
    more = f" and {len(named) - MOST} more" if len(named) > MOST else ""
    return ", ".join(named[:MOST]) + more


def _is_incompatible(path: str, was: Declared, now: Declared) -> bool:
    """Return whether other major versions are required, or where `^0.1` excludes 0.2, other minor versions of 0."""
    length = 2 if PurePosixPath(path).name.lower() in CARETS else 1
    before, after = ({one[:length] for one in _list_compatibilities(version)} for _, version in (was, now))
    is_numbered = path.endswith("pom.xml") and was[1].isdigit() and now[1].isdigit()  # each release has the next number
    is_reported = _is_reported(was) and _is_reported(now) and not is_numbered
    is_other = bool(before and after) and before.isdisjoint(after)
    return is_reported and is_other and not _had_newer(was[1], after)


def _had_newer(version: str, after: Iterable[tuple[int, ...]]) -> bool:
    """Return whether a range is open upwards, or up to a version above the new ones."""
    above = [int(found[1]) for found in UPPER.finditer(version)]
    return version.lstrip().startswith(">") and all(min(above, default=one[0] + 1) > one[0] for one in after)


def _list_compatibilities(version: str) -> Iterator[tuple[int, ...]]:
    """Yield the major versions that a range names, with the minor version of 0; those that it excludes do not count."""
    for found in VERSION.finditer(version):
        major = int(found[1])
        yield (major,) if major or found[2] is None else (0, int(found[2]))

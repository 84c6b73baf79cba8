"""The conflicts of a merge as rows of the result, with previews for one page only."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import Any, TypeAlias

from attrs import frozen

from stithy_core.spi import map_concurrently
from stithy_pulls.conflicts.conflict_groups import ConflictGroup, group_messages, sort_groups
from stithy_pulls.conflicts.conflict_previews import (
    FOLDER,
    MARKED,
    SUBMODULE,
    ConflictPreview,
    ConflictSides,
    build_preview,
    find_sides,
    may_be_mixed,
)
from stithy_pulls.conflicts.conflict_results import Conflict, LastChange
from stithy_pulls.conflicts.merge_tree import FileVersion, MergeResult
from stithy_pulls.git.git_repository import GitRepository, PathChange
from stithy_pulls.git.path_history import find_last_changes, list_files_at

LOCK_FILES: Mapping[str, str] = {
    "package-lock.json": "npm install --package-lock-only",
    "npm-shrinkwrap.json": "npm install --package-lock-only",
    "yarn.lock": "yarn install",
    "pnpm-lock.yaml": "pnpm install --lockfile-only",
    "Cargo.lock": "cargo update --workspace",
    "poetry.lock": "poetry lock",
    "uv.lock": "uv lock",
    "pdm.lock": "pdm lock",
    "Pipfile.lock": "pipenv lock",
    "Gemfile.lock": "bundle lock",
    "composer.lock": "composer update --lock",
    "go.sum": "go mod tidy",
    "mix.lock": "mix deps.get",
    "flake.lock": "nix flake lock",
    "Podfile.lock": "pod install",
    "pubspec.lock": "dart pub get",
    "packages.lock.json": "dotnet restore --force-evaluate",
}
"""The command that regenerates a lock file, by file name."""


def suggest_resolution(
    group: ConflictGroup, sides: ConflictSides, shown: ConflictPreview, blobs: Mapping[str, bytes]
) -> str | None:
    """Return how to resolve a conflict mechanically; None if a person must decide.

    Args:
        group: The conflict.
        sides: Its versions.
        shown: Its preview, with the regions in conflict.
        blobs: The bytes of each object, by object id.
    """
    path = group.paths[0] if group.paths else ""
    if (command := LOCK_FILES.get(PurePosixPath(path).name)) and sides.ours and sides.theirs:
        return f"Lock files are generated: take the version of the base, run `{command}`, then add the file."
    if sides.mixed is not None:  # git stored a merged text in place of a side, so "take either side" would be wrong
        return None
    if shown.regions and all(
        _strip_white_space(ours.lines) == _strip_white_space(theirs.lines) for ours, theirs in shown.regions
    ):
        return "The two sides differ in white space only: take either side."
    if not shown.regions and _differs_in_white_space_only(sides, blobs):
        choice = "keep one of the names" if group.conflict_type == "rename" else "take either side"
        return f"The two sides differ in white space only: {choice}."
    return _suggest_for_move(group, sides)


def _suggest_for_move(group: ConflictGroup, sides: ConflictSides) -> str | None:
    """Return the suggestion for a file that one side only moved; None otherwise."""
    if group.git_type == "directory rename" and sides.ancestor is None and group.paths:
        return "One side moved the folder, the other added a file: keep the file where git put it, in the new folder."
    kept = sides.ours or sides.theirs
    if group.git_type == "rename/delete" and kept and sides.ancestor and kept.oid == sides.ancestor.oid:
        return "One side deleted the file, the other moved it without changing it: `git rm` loses nothing."
    return None


def _differs_in_white_space_only(sides: ConflictSides, blobs: Mapping[str, bytes]) -> bool:
    if not (sides.ours and sides.theirs) or sides.ours.mode != sides.theirs.mode:
        return False
    ours, theirs = blobs.get(sides.ours.oid), blobs.get(sides.theirs.oid)
    if ours is None or theirs is None or b"\0" in ours or sides.ours.mode not in {"100644", "100755"}:
        return False
    return b"".join(ours.split()) == b"".join(theirs.split())


def _strip_white_space(lines: tuple[bytes, ...]) -> bytes:
    return b"".join(b"".join(lines).split())


Question: TypeAlias = Callable[[], Awaitable[Any]]

MOST_SHOWN = 40
"""Conflicts with previews in one answer. A page never holds more."""


@frozen
class ConflictList:
    """The conflicts up to the end of the current page, and the number of all conflicts."""

    conflicts: tuple[Conflict, ...]
    total: int


def conflict_key(conflict: Conflict) -> str:
    """Return the cursor key of a conflict: a digest of its type and its paths."""
    identity = "\0".join((conflict.git_type, *conflict.paths))
    return blake2b(identity.encode(errors="surrogateescape"), digest_size=8).hexdigest()


async def list_conflicts(
    repository: GitRepository, merged: MergeResult, ours: str, theirs: str, after: str | None
) -> ConflictList:
    """Return all conflicts; read previews and authors only for those after the cursor key `after`."""
    groups = sort_groups(group_messages(merged))
    rows_without_details = [_create_conflict(group) for group in groups]
    begin = next((at for at, one in enumerate(rows_without_details, 1) if conflict_key(one) == after), 0)
    end = begin + MOST_SHOWN
    described = await _describe_groups(repository, merged, groups[begin:end], ours, theirs)
    return ConflictList((*rows_without_details[:begin], *described), len(groups))


async def _describe_groups(
    repository: GitRepository, merged: MergeResult, groups: Sequence[ConflictGroup], ours: str, theirs: str
) -> list[Conflict]:
    if not groups:
        return []
    paths = [path for group in groups for path in group.paths]
    new = [path for path in paths if may_be_mixed(merged, path)]
    base_files, head_files = await map_concurrently((ours, theirs), lambda tip: _list_files(repository, tip, new))
    sides = [find_sides(merged, group, (base_files, head_files)) for group in groups]
    questions: list[Question] = [  # independent of one another, so they run concurrently
        partial(_read_contents, repository, merged, groups, sides),
        partial(find_last_changes, repository, ours, theirs, paths),
    ]
    blobs, (base, head) = await map_concurrently(questions, lambda question: question())
    rows = []
    for group, own in zip(groups, sides, strict=True):
        shown = build_preview(group, own, blobs, blobs.get(_name_marked_file(group, merged)))
        rows.append(
            _create_conflict(
                group,
                base_content_preview=shown.ours,
                head_content_preview=shown.theirs,
                base_touched=_find_last_change(group, base),
                head_touched=_find_last_change(group, head),
                suggested_resolution=suggest_resolution(group, own, shown, blobs),
                places=len(shown.regions) or None,
            )
        )
    return rows


async def _list_files(repository: GitRepository, tip: str, paths: Sequence[str]) -> dict[str, FileVersion]:
    found = await list_files_at(repository, tip, list(dict.fromkeys(paths)))
    return {path: FileVersion(mode, oid) for path, (mode, oid) in found.items() if mode != FOLDER}


async def _read_contents(
    repository: GitRepository, merged: MergeResult, groups: Sequence[ConflictGroup], sides: Sequence[ConflictSides]
) -> dict[str, bytes]:
    """Read the versions of all conflicts by object id, and the files with conflict markers by `_name_marked_file`."""
    found = (version for own in sides for version in _list_versions(own))
    oids = [side.oid for side in found if side.oid and side.mode != SUBMODULE]
    return await repository.read_objects(filter(None, [*oids, *(_name_marked_file(group, merged) for group in groups)]))


def _create_conflict(group: ConflictGroup, **known: object) -> Conflict:
    return Conflict(
        file_path=group.paths[0] if group.paths else "",
        conflict_type=group.conflict_type,
        git_type=group.git_type,
        paths=group.paths,
        message="\n".join(group.texts) or None,
        **known,  # type: ignore[arg-type]
    )


def _list_versions(sides: ConflictSides) -> list[FileVersion]:
    return [side for side in (sides.ancestor, sides.ours, sides.theirs, sides.mixed) if side is not None]


def _name_marked_file(group: ConflictGroup, merged: MergeResult) -> str:
    """Return git's name of the file with conflict markers, which both sides have; empty without one."""
    if group.git_type not in MARKED:
        return ""
    path = next((path for path in group.paths if {2, 3} <= set(merged.stages.get(path, ()))), "")
    return f"{merged.tree}:{path}" if path else ""


def _find_last_change(group: ConflictGroup, touched: dict[str, PathChange]) -> LastChange | None:
    found = next((touched[path] for path in group.paths if path in touched), None)
    if found is None:
        return None
    return LastChange(commit=found.sha, author=found.author, date=found.at, subject=found.subject)

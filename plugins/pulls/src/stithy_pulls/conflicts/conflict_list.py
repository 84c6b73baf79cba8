"""From what git found to what is shown of it: previews are read for one page."""

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
from stithy_pulls.git.path_history import find_last_changes, list_files_at, list_objects_at

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


def suggest_resolution(
    group: ConflictGroup, sides: ConflictSides, shown: ConflictPreview, blobs: Mapping[str, bytes]
) -> str | None:
    """Say how to resolve a conflict mechanically; None where somebody must decide.

    Args:
        group: The conflict.
        sides: Its versions.
        shown: The places of it.
        blobs: What the versions hold.
    """
    path = group.paths[0] if group.paths else ""
    if (command := LOCK_FILES.get(PurePosixPath(path).name)) and sides.ours and sides.theirs:
        return f"A lock file is generated: take the base's, then run `{command}` and add the file."
    if sides.mixed is not None:  # to take a side would take what git put in its place
        return None
    if shown.regions and all(_unspaced(ours.lines) == _unspaced(theirs.lines) for ours, theirs in shown.regions):
        return "Both sides say the same but for white space: take either."
    if not shown.regions and _same_but_for_space(sides, blobs):
        choice = "keep one of the names" if group.conflict_type == "rename" else "take either"
        return f"Both sides hold the same but for white space: {choice}."
    return _moved(group, sides)


def _moved(group: ConflictGroup, sides: ConflictSides) -> str | None:
    """Say what to do where one side did nothing but move a file."""
    if group.git_type == "directory rename" and sides.ancestor is None and group.paths:
        return (
            "One side moved the folder, the other added a file to it: keep the file in the folder's new place, "
            "where git put it."
        )
    kept = sides.ours or sides.theirs
    if group.git_type == "rename/delete" and kept and sides.ancestor and kept.oid == sides.ancestor.oid:
        return (
            "One side deleted the file, the other only moved it and changed nothing in it: nothing is lost by `git rm`."
        )
    return None


def _same_but_for_space(sides: ConflictSides, blobs: Mapping[str, bytes]) -> bool:
    if not (sides.ours and sides.theirs) or sides.ours.mode != sides.theirs.mode:
        return False
    ours, theirs = blobs.get(sides.ours.oid), blobs.get(sides.theirs.oid)
    if ours is None or theirs is None or b"\0" in ours or sides.ours.mode not in {"100644", "100755"}:
        return False
    return b"".join(ours.split()) == b"".join(theirs.split())


def _unspaced(lines: tuple[bytes, ...]) -> bytes:
    return b"".join(b"".join(lines).split())


Question: TypeAlias = Callable[[], Awaitable[Any]]

MOST_SHOWN = 40
"""More do not fit on a page."""


@frozen
class ConflictList:
    """The conflicts of a page with all before it, and how many there are in all."""

    conflicts: tuple[Conflict, ...]
    total: int


def conflict_key(conflict: Conflict) -> str:
    """Give what tells conflicts apart in cursors."""
    said = "\0".join((conflict.git_type, *conflict.paths))
    return blake2b(said.encode(errors="surrogateescape"), digest_size=8).hexdigest()


async def list_conflicts(
    repository: GitRepository, merged: MergeResult, ours: str, theirs: str, after: str | None
) -> ConflictList:
    """Give the conflicts, those behind the key `after` with all that is known of them."""
    groups = sort_groups(group_messages(merged))
    bare = [_bare(group) for group in groups]
    begin = next((at for at, one in enumerate(bare, 1) if conflict_key(one) == after), 0)
    end = begin + MOST_SHOWN
    told = await _told(repository, merged, groups[begin:end], ours, theirs)
    return ConflictList((*bare[:begin], *told), len(groups))


async def _told(
    repository: GitRepository, merged: MergeResult, groups: Sequence[ConflictGroup], ours: str, theirs: str
) -> list[Conflict]:
    if not groups:
        return []
    paths = [path for group in groups for path in group.paths]
    new = [path for path in paths if may_be_mixed(merged, path)]
    base_files, head_files = await map_concurrently((ours, theirs), lambda tip: _files(repository, tip, new))
    sides = [find_sides(merged, group, (base_files, head_files)) for group in groups]
    questions: list[Question] = [  # none needs another's answer
        partial(_contents, repository, merged, groups, sides),
        partial(find_last_changes, repository, theirs, ours, paths),
        partial(find_last_changes, repository, ours, theirs, paths),
    ]
    (marked, blobs), base, head = await map_concurrently(questions, lambda question: question())
    rows = []
    for group, own in zip(groups, sides, strict=True):
        shown = build_preview(group, own, blobs, blobs.get(marked.get(_marked_path(group, merged), "")))
        rows.append(
            _bare(
                group,
                base_content_preview=shown.ours,
                head_content_preview=shown.theirs,
                base_touched=_touched(group, base),
                head_touched=_touched(group, head),
                suggested_resolution=suggest_resolution(group, own, shown, blobs),
                places=len(shown.regions) or None,
            )
        )
    return rows


async def _files(repository: GitRepository, tip: str, paths: Sequence[str]) -> dict[str, FileVersion]:
    found = await list_files_at(repository, tip, list(dict.fromkeys(paths)))
    return {path: FileVersion(mode, oid) for path, (mode, oid) in found.items() if mode != FOLDER}


async def _contents(
    repository: GitRepository, merged: MergeResult, groups: Sequence[ConflictGroup], sides: Sequence[ConflictSides]
) -> tuple[dict[str, str], dict[str, bytes]]:
    """Give the objects of the files with git's markers, by path, and what these and all versions hold, by object."""
    markable = [path for group in groups if (path := _marked_path(group, merged))]
    marked = await list_objects_at(repository, merged.tree, markable)
    found = (version for own in sides for version in _versions(own))
    oids = [side.oid for side in found if side.oid and side.mode != SUBMODULE]
    return marked, await repository.read_objects([*oids, *marked.values()])


def _bare(group: ConflictGroup, **known: object) -> Conflict:
    return Conflict(
        file_path=group.paths[0] if group.paths else "",
        conflict_type=group.conflict_type,
        git_type=group.git_type,
        paths=group.paths,
        message="\n".join(group.texts) or None,
        **known,  # type: ignore[arg-type]
    )


def _versions(sides: ConflictSides) -> list[FileVersion]:
    return [side for side in (sides.ancestor, sides.ours, sides.theirs, sides.mixed) if side is not None]


def _marked_path(group: ConflictGroup, merged: MergeResult) -> str:
    """Give the path at which git left a file with markers: one that both sides have."""
    if group.git_type not in MARKED:
        return ""
    return next((path for path in group.paths if {2, 3} <= set(merged.stages.get(path, ()))), "")


def _touched(group: ConflictGroup, touched: dict[str, PathChange]) -> LastChange | None:
    found = next((touched[path] for path in group.paths if path in touched), None)
    if found is None:
        return None
    return LastChange(commit=found.sha, author=found.author, date=found.at, subject=found.subject)

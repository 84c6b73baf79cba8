"""From what git found to what is shown of it: previews are read for one page."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from hashlib import blake2b
from typing import Any, TypeAlias

from attrs import frozen

from stithy_core.spi import map_concurrently
from stithy_pulls.conflicts.grouping import Group, grouped, in_order
from stithy_pulls.conflicts.merging import Merged, Side
from stithy_pulls.conflicts.previews import FOLDER, MARKED, SUBMODULE, Sides, may_be_mixed, preview, sides_of
from stithy_pulls.conflicts.results import Conflict, Touched
from stithy_pulls.conflicts.suggestions import suggestion
from stithy_pulls.git.history import files_at, objects_at, touches
from stithy_pulls.git.repository import Repository, Touch

Question: TypeAlias = Callable[[], Awaitable[Any]]

MOST_SHOWN = 40
"""More do not fit on a page."""


@frozen
class Found:
    """The conflicts of a page with all before it, and how many there are in all."""

    conflicts: tuple[Conflict, ...]
    total: int


def key_of(conflict: Conflict) -> str:
    """Give what tells conflicts apart in cursors."""
    said = "\0".join((conflict.git_type, *conflict.paths))
    return blake2b(said.encode(errors="surrogateescape"), digest_size=8).hexdigest()


async def entries(repository: Repository, merged: Merged, ours: str, theirs: str, after: str | None) -> Found:
    """Give the conflicts, those behind the key `after` with all that is known of them."""
    groups = in_order(grouped(merged))
    bare = [_bare(group) for group in groups]
    begin = next((at for at, one in enumerate(bare, 1) if key_of(one) == after), 0)
    end = begin + MOST_SHOWN
    told = await _told(repository, merged, groups[begin:end], ours, theirs)
    return Found((*bare[:begin], *told), len(groups))


async def _told(
    repository: Repository, merged: Merged, groups: Sequence[Group], ours: str, theirs: str
) -> list[Conflict]:
    if not groups:
        return []
    paths = [path for group in groups for path in group.paths]
    new = [path for path in paths if may_be_mixed(merged, path)]
    base_files, head_files = await map_concurrently((ours, theirs), lambda tip: _files(repository, tip, new))
    sides = [sides_of(merged, group, (base_files, head_files)) for group in groups]
    questions: list[Question] = [  # none needs another's answer
        partial(_contents, repository, merged, groups, sides),
        partial(touches, repository, theirs, ours, paths),
        partial(touches, repository, ours, theirs, paths),
    ]
    (marked, blobs), base, head = await map_concurrently(questions, lambda question: question())
    rows = []
    for group, own in zip(groups, sides, strict=True):
        shown = preview(group, own, blobs, blobs.get(marked.get(_marked_path(group, merged), "")))
        rows.append(
            _bare(
                group,
                base_content_preview=shown.ours,
                head_content_preview=shown.theirs,
                base_touched=_touched(group, base),
                head_touched=_touched(group, head),
                suggested_resolution=suggestion(group, own, shown, blobs),
                places=len(shown.regions) or None,
            )
        )
    return rows


async def _files(repository: Repository, tip: str, paths: Sequence[str]) -> dict[str, Side]:
    found = await files_at(repository, tip, list(dict.fromkeys(paths)))
    return {path: Side(mode, oid) for path, (mode, oid) in found.items() if mode != FOLDER}


async def _contents(
    repository: Repository, merged: Merged, groups: Sequence[Group], sides: Sequence[Sides]
) -> tuple[dict[str, str], dict[str, bytes]]:
    """Give the objects of the files with git's markers, by path, and what these and all versions hold, by object."""
    markable = [path for group in groups if (path := _marked_path(group, merged))]
    marked = await objects_at(repository, merged.tree, markable)
    found = (version for own in sides for version in _versions(own))
    oids = [side.oid for side in found if side.oid and side.mode != SUBMODULE]
    return marked, await repository.blobs([*oids, *marked.values()])


def _bare(group: Group, **known: object) -> Conflict:
    return Conflict(
        file_path=group.paths[0] if group.paths else "",
        conflict_type=group.conflict_type,
        git_type=group.git_type,
        paths=group.paths,
        message="\n".join(group.texts) or None,
        **known,  # type: ignore[arg-type]
    )


def _versions(sides: Sides) -> list[Side]:
    return [side for side in (sides.ancestor, sides.ours, sides.theirs, sides.mixed) if side is not None]


def _marked_path(group: Group, merged: Merged) -> str:
    """Give the path at which git left a file with markers: one that both sides have."""
    if group.git_type not in MARKED:
        return ""
    return next((path for path in group.paths if {2, 3} <= set(merged.stages.get(path, ()))), "")


def _touched(group: Group, touched: dict[str, Touch]) -> Touched | None:
    found = next((touched[path] for path in group.paths if path in touched), None)
    if found is None:
        return None
    return Touched(commit=found.sha, author=found.author, date=found.at, subject=found.subject)

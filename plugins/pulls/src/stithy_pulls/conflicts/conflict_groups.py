"""Group git's conflict messages into conflicts as a person counts them: several messages may be about one conflict."""

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

from attrs import evolve, frozen

from stithy_pulls.conflicts.merge_tree import MergeMessage, MergeResult

ConflictType: TypeAlias = Literal["content", "rename", "delete", "mode"]

WORD = re.compile(r"CONFLICT ?\(([^)]*)\)")
TYPES: dict[str, ConflictType] = {
    "modify/delete": "delete",
    "rename/rename": "rename",
    "rename/delete": "rename",
    "rename involved in collision": "rename",
    "file/directory": "rename",  # git moves the file out of the way
    "directory rename": "rename",
    "distinct modes": "mode",
}
"""The conflict type of the result, by git's own type. All other types are `content`."""

NAMES = {"contents": "content", "directory rename suggested": "directory rename"}
COMPANIONS = {
    "binary": {"content", "add/add", "submodule"},
    "submodule": {"submodule", "content", "add/add"},
    "rename/delete": {"modify/delete"},
    "rename/rename": {"content", "add/add"},
    "directory rename": {"content", "add/add"},
    "distinct modes": {"content", "add/add"},
    "rename involved in collision": {"content", "add/add"},
}
"""By git's type, the types of further messages that git prints for the same conflict and the same paths."""


@frozen
class ConflictGroup:
    """One conflict: git's type, all its paths, and all of git's messages about it."""

    git_type: str
    paths: tuple[str, ...]
    texts: tuple[str, ...]

    @property
    def conflict_type(self) -> ConflictType:
        """The type in the result: content, rename, delete or mode."""
        return TYPES.get(self.git_type, "content")


def group_messages(merged: MergeResult) -> list[ConflictGroup]:
    """Return the conflicts in git's order, including unmerged paths for which git printed no message."""
    groups: list[ConflictGroup] = []
    places: dict[str, list[int]] = {}  # indexes into `groups`, by path: a merge may have thousands of conflicts
    for record in merged.records:
        if not record.kind.startswith("CONFLICT"):
            continue
        conflict = ConflictGroup(_parse_type(record), record.paths, (record.text,))
        near = sorted({place for path in conflict.paths for place in places.get(path, ())})
        place = next((place for place in near if _is_same_conflict(groups[place], conflict)), len(groups))
        if place < len(groups):
            groups[place] = _join_groups(groups[place], conflict)
        else:
            groups.append(conflict)
        for path in conflict.paths:
            places.setdefault(path, []).append(place)
    groups += [ConflictGroup("unmerged", (path,), ()) for path in merged.stages if path not in places]
    return groups or ([] if merged.clean else [ConflictGroup("unmerged", (), ())])


def _parse_type(record: MergeMessage) -> str:
    """Return git's type. `contents` covers several types, which only the text of the message distinguishes."""
    kind = WORD.match(record.kind)
    word = kind[1] if kind else record.kind
    if word == "contents":
        match = WORD.match(record.text)
        word = match[1] if match else word
    if word.startswith(("directory rename", "file location")):
        word = "directory rename"
    elif word.startswith("submodule"):
        word = "submodule"
    return NAMES.get(word, word)


def _is_same_conflict(group: ConflictGroup, conflict: ConflictGroup) -> bool:
    one, other = group.git_type, conflict.git_type
    return other in COMPANIONS.get(one, ()) or one in COMPANIONS.get(other, ())


def _join_groups(group: ConflictGroup, conflict: ConflictGroup) -> ConflictGroup:
    leader = conflict if group.git_type in COMPANIONS.get(conflict.git_type, ()) else group
    paths = tuple(dict.fromkeys((*leader.paths, *group.paths, *conflict.paths)))
    return evolve(leader, paths=paths, texts=(*group.texts, *conflict.texts))


def sort_groups(groups: Sequence[ConflictGroup]) -> list[ConflictGroup]:
    """Sort conflicts by their paths, so that pages are stable."""
    return sorted(groups, key=lambda group: (group.paths, group.git_type))

"""From git's messages to conflicts as a person would count them (git-merge-tree(1))."""

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
"""By git's own word; everything else is about what a file holds."""

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
"""What git says as well, of the same paths, where it has said the former: one conflict, two messages."""


@frozen
class ConflictGroup:
    """One conflict: git's word for it, all its paths, and all that git says of it."""

    git_type: str
    paths: tuple[str, ...]
    texts: tuple[str, ...]

    @property
    def conflict_type(self) -> ConflictType:
        """Return the type that PULL-42 has for it."""
        return TYPES.get(self.git_type, "content")


def group_messages(merged: MergeResult) -> list[ConflictGroup]:
    """Give the conflicts in git's order; what git left unmerged without a word is among them."""
    groups: list[ConflictGroup] = []
    places: dict[str, list[int]] = {}  # by path: there may be thousands
    for record in merged.records:
        if not record.kind.startswith("CONFLICT"):
            continue
        found = ConflictGroup(_word(record), record.paths, (record.text,))
        near = sorted({place for path in found.paths for place in places.get(path, ())})
        place = next((place for place in near if _related(groups[place], found)), len(groups))
        if place < len(groups):
            groups[place] = _joined(groups[place], found)
        else:
            groups.append(found)
        for path in found.paths:
            places.setdefault(path, []).append(place)
    groups += [ConflictGroup("unmerged", (path,), ()) for path in merged.stages if path not in places]
    return groups or ([] if merged.clean else [ConflictGroup("unmerged", (), ())])


def _word(record: MergeMessage) -> str:
    """Give git's word: `contents` is several things, which only the text tells apart."""
    kind = WORD.match(record.kind)
    word = kind[1] if kind else record.kind
    if word == "contents":
        said = WORD.match(record.text)
        word = said[1] if said else word
    if word.startswith(("directory rename", "file location")):
        word = "directory rename"
    elif word.startswith("submodule"):
        word = "submodule"
    return NAMES.get(word, word)


def _related(group: ConflictGroup, found: ConflictGroup) -> bool:
    one, other = group.git_type, found.git_type
    return other in COMPANIONS.get(one, ()) or one in COMPANIONS.get(other, ())


def _joined(group: ConflictGroup, found: ConflictGroup) -> ConflictGroup:
    leader = found if group.git_type in COMPANIONS.get(found.git_type, ()) else group
    paths = tuple(dict.fromkeys((*leader.paths, *group.paths, *found.paths)))
    return evolve(leader, paths=paths, texts=(*group.texts, *found.texts))


def sort_groups(groups: Sequence[ConflictGroup]) -> list[ConflictGroup]:
    """Sort conflicts by their first path, so that pages stay the same."""
    return sorted(groups, key=lambda group: (group.paths, group.git_type))

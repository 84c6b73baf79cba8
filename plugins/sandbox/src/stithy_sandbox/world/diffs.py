"""Differences between two trees, in git's format."""

import re
from difflib import SequenceMatcher, unified_diff
from hashlib import sha1

from attrs import frozen

from stithy_core.spi import FileChange
from stithy_sandbox.world.history import Tree

ALIKE = 0.5
"""Minimum similarity of a renamed file, as in git."""

SHORT = 7
lines = re.compile(r"[^\n]*\n|[^\n]+").findall


@frozen
class Change:
    """A file's text before and after; None where there was no file."""

    path: str
    previous_path: str
    old: str | None
    new: str | None

    @property
    def status(self) -> str:
        """The model's word for the change."""
        if self.previous_path:
            return "renamed"
        return "added" if self.old is None else "deleted" if self.new is None else "modified"

    def hunks(self) -> str:
        """Return the hunks as text."""
        said = list(unified_diff(lines(self.old or ""), lines(self.new or "")))[2:]  # without the names of the sides
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in said)

    def as_file(self, *, patches: bool) -> FileChange:
        """Return the change as the model's record, with the patch on request."""
        hunks = self.hunks()
        return FileChange(
            path=self.path,
            status=self.status,
            additions=len(re.findall(r"^\+", hunks, re.MULTILINE)),
            deletions=len(re.findall(r"^-", hunks, re.MULTILINE)),
            previous_path=self.previous_path,
            patch=hunks if patches else None,
        )

    def text(self) -> str:
        """Return the entry of the change in a diff."""
        old, new = self.previous_path or self.path, self.path
        sides = f"--- {_side('a', old, self.old)}\n+++ {_side('b', new, self.new)}\n"
        hunks = self.hunks()
        return f"diff --git a/{old} b/{new}\n{self._about()}" + (sides + hunks if hunks else "")

    def _about(self) -> str:
        index = f"index {_blob(self.old)}..{_blob(self.new)}"
        if self.previous_path:
            said = f"similarity index {int(100 * _likeness(self.old or '', self.new or ''))}%\n"
            said += f"rename from {self.previous_path}\nrename to {self.path}\n"
            return said if self.old == self.new else f"{said}{index} 100644\n"
        if self.old is None:
            return f"new file mode 100644\n{index}\n"
        return f"deleted file mode 100644\n{index}\n" if self.new is None else f"{index} 100644\n"


def changes(old: Tree, new: Tree) -> list[Change]:
    """Return the changes between two trees by path; similar deleted and added files are one rename."""
    renamed = _renamed(old, new)
    went = set(renamed.values())
    found = [
        Change(path, renamed.get(path, ""), old.get(renamed.get(path, path)), new.get(path))
        for path in old.keys() | new.keys()
        if path not in went and old.get(path) != new.get(path)
    ]
    return sorted(found, key=lambda change: change.path)


def _renamed(old: Tree, new: Tree) -> dict[str, str]:
    """Return the former paths of renamed files by their new paths."""
    left = sorted(old.keys() - new.keys())
    found: dict[str, str] = {}
    for path in sorted(new.keys() - old.keys()):
        likeness, former = max(((_likeness(old[name], new[path]), name) for name in left), default=(0.0, ""))
        if likeness >= ALIKE:
            found[path] = former
            left.remove(former)
    return found


def _likeness(old: str, new: str) -> float:
    return SequenceMatcher(None, lines(old), lines(new), autojunk=False).ratio()


def _blob(text: str | None) -> str:
    if text is None:
        return "0" * SHORT
    content = text.encode()
    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()[:SHORT]


def _side(side: str, path: str, text: str | None) -> str:
    return "/dev/null" if text is None else f"{side}/{path}"

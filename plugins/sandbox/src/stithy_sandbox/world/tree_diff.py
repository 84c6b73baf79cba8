"""Differences between two trees, in git's format."""

import re
from difflib import SequenceMatcher, unified_diff
from hashlib import sha1

from attrs import frozen

from stithy_core.spi import FileChange
from stithy_sandbox.world.history import Tree

MIN_SIMILARITY = 0.5
"""Minimum similarity of a renamed file, as in git."""

SHORT = 7
split_lines = re.compile(r"[^\n]*\n|[^\n]+").findall


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

    def format_hunks(self) -> str:
        """Return the hunks as text."""
        # The first two lines are the names of the sides.
        rows = list(unified_diff(split_lines(self.old or ""), split_lines(self.new or "")))[2:]
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in rows)

    def to_file_change(self, *, patches: bool) -> FileChange:
        """Return the change as the model's record, with the patch on request."""
        hunks = self.format_hunks()
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
        sides = f"--- {_format_side('a', old, self.old)}\n+++ {_format_side('b', new, self.new)}\n"
        hunks = self.format_hunks()
        return f"diff --git a/{old} b/{new}\n{self._format_header()}" + (sides + hunks if hunks else "")

    def _format_header(self) -> str:
        index = f"index {_format_blob_id(self.old)}..{_format_blob_id(self.new)}"
        if self.previous_path:
            header = f"similarity index {int(100 * _measure_similarity(self.old or '', self.new or ''))}%\n"
            header += f"rename from {self.previous_path}\nrename to {self.path}\n"
            return header if self.old == self.new else f"{header}{index} 100644\n"
        if self.old is None:
            return f"new file mode 100644\n{index}\n"
        return f"deleted file mode 100644\n{index}\n" if self.new is None else f"{index} 100644\n"


def compare_trees(old: Tree, new: Tree) -> list[Change]:
    """Return the changes between two trees by path; similar deleted and added files are one rename."""
    renames = _find_renames(old, new)
    former_paths = set(renames.values())
    changes = [
        Change(path, renames.get(path, ""), old.get(renames.get(path, path)), new.get(path))
        for path in old.keys() | new.keys()
        if path not in former_paths and old.get(path) != new.get(path)
    ]
    return sorted(changes, key=lambda change: change.path)


def _find_renames(old: Tree, new: Tree) -> dict[str, str]:
    """Return the former paths of renamed files by their new paths."""
    left = sorted(old.keys() - new.keys())
    renames: dict[str, str] = {}
    for path in sorted(new.keys() - old.keys()):
        similarity, former = max(
            ((_measure_similarity(old[name], new[path]), name) for name in left), default=(0.0, "")
        )
        if similarity >= MIN_SIMILARITY:
            renames[path] = former
            left.remove(former)
    return renames


def _measure_similarity(old: str, new: str) -> float:
    return SequenceMatcher(None, split_lines(old), split_lines(new), autojunk=False).ratio()


def _format_blob_id(text: str | None) -> str:
    if text is None:
        return "0" * SHORT
    content = text.encode()
    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()[:SHORT]


def _format_side(side: str, path: str, text: str | None) -> str:
    return "/dev/null" if text is None else f"{side}/{path}"

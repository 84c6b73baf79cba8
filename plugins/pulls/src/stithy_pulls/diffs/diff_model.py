"""The model of a diff: files, their hunks, and the lines of hunks."""

from collections.abc import Iterator
from enum import Enum
from typing import Literal

from attrs import frozen

from stithy_core.spi import Maybe


class LineKind(Enum):
    """The kind of a line in a hunk, by its first character."""

    SAME = " "
    ADDED = "+"
    REMOVED = "-"


@frozen
class DiffLine:
    """A line of a hunk.

    Args:
        kind: Whether it was added, removed or is unchanged.
        text: The line without its end.
        old: Its number in the old file; None for an added line.
        new: Its number in the new file; None for a removed line.
    """

    kind: LineKind
    text: str
    old: int | None
    new: int | None


@frozen
class DiffHunk:
    """A hunk; `context` is what git prints after `@@`, such as the first line of the function."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    context: str
    lines: tuple[DiffLine, ...]

    @property
    def header(self) -> str:
        """The first line of the hunk, as git writes it."""
        ends = f"@@ -{self.old_start},{self.old_count} +{self.new_start},{self.new_count} @@"
        return f"{ends} {self.context}".rstrip()


@frozen(kw_only=True)
class ChangedFile:
    """One file of a diff.

    Args:
        path: The current path; for a deleted file, the former path.
        status: added, modified, deleted or renamed.
        additions: Added lines.
        deletions: Removed lines.
        hunks: The hunks; unknown for a binary file, for example.
        previous_path: The former path of a renamed or copied file.
        kind: text, binary, submodule or link.
        old: The object id before; empty if unknown.
        new: The object id after; empty if unknown.
    """

    path: str
    status: str
    additions: int
    deletions: int
    hunks: Maybe[tuple[DiffHunk, ...]]
    previous_path: str = ""
    kind: str = "text"
    old: str = ""
    new: str = ""

    @property
    def size(self) -> int:
        """The number of added and removed lines."""
        return self.additions + self.deletions

    @property
    def old_path(self) -> str:
        """The path before the change; for a new file, its path."""
        return self.previous_path or self.path

    def iterate_lines(self, kind: LineKind) -> Iterator[DiffLine]:
        """Iterate over the lines of one kind; empty if the hunks are unknown."""
        hunks = self.hunks if isinstance(self.hunks, tuple) else ()
        return (line for hunk in hunks for line in hunk.lines if line.kind is kind)


@frozen(kw_only=True)
class PullDiff:
    """The diff of a pull request.

    Args:
        changes: The files, by path.
        found_by: git or forge.
        cut: Why the list of files is incomplete; empty if it is complete.
        notes: What users should know of the way it was read.
    """

    changes: tuple[ChangedFile, ...]
    found_by: Literal["git", "forge"]
    cut: str = ""
    notes: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """The current and former paths of all files."""
        return tuple(dict.fromkeys(path for change in self.changes for path in (change.path, change.old_path)))

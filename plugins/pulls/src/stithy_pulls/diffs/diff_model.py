"""A diff in records: files, their hunks, and the lines of these."""

from collections.abc import Iterator
from enum import Enum
from typing import Literal

from attrs import frozen

from stithy_core.spi import Maybe


class LineKind(Enum):
    """What a line of a hunk is, by the character that it begins with."""

    SAME = " "
    ADDED = "+"
    REMOVED = "-"


@frozen
class DiffLine:
    """A line of a hunk.

    Args:
        kind: Whether it was added, removed or stayed.
        text: Without its end.
        old: Its number in the old file; None where it was added.
        new: Its number in the new file; None where it was removed.
    """

    kind: LineKind
    text: str
    old: int | None
    new: int | None


@frozen
class DiffHunk:
    """A hunk, with what git says it stands in: the line that begins a function, say."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    context: str
    lines: tuple[DiffLine, ...]

    @property
    def header(self) -> str:
        """Give its first line as git writes it."""
        ends = f"@@ -{self.old_start},{self.old_count} +{self.new_start},{self.new_count} @@"
        return f"{ends} {self.context}".rstrip()


@frozen(kw_only=True)
class ChangedFile:
    """One file that changed.

    Args:
        path: Where it is now; where it was, if it is gone.
        status: added, modified, deleted or renamed.
        additions: Lines.
        hunks: Unknown where nobody wrote them out, as of a binary file.
        previous_path: Where it was, if it was renamed or copied.
        kind: text, binary, submodule or link.
        old: Git's object before; empty where git did not say.
        new: Likewise now.
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
        """How many lines changed."""
        return self.additions + self.deletions

    @property
    def old_path(self) -> str:
        """Where it was before; its path also where it is new."""
        return self.previous_path or self.path

    def iterate_lines(self, kind: LineKind) -> Iterator[DiffLine]:
        """Give the lines of one kind, as far as they are known."""
        hunks = self.hunks if isinstance(self.hunks, tuple) else ()
        return (line for hunk in hunks for line in hunk.lines if line.kind is kind)


@frozen(kw_only=True)
class PullDiff:
    """All that changed.

    Args:
        changes: The files, by path.
        found_by: git or forge.
        cut: Why there are more files; empty where they are all.
        notes: What somebody should know of the way it was read.
    """

    changes: tuple[ChangedFile, ...]
    found_by: Literal["git", "forge"]
    cut: str = ""
    notes: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """Where the files are, and where they were."""
        return tuple(dict.fromkeys(path for change in self.changes for path in (change.path, change.old_path)))

"""Rows of changed files, without their changes: those are in the diff."""

from collections.abc import Iterator
from typing import Annotated

from attrs import frozen

from stithy_core.spi import FileChange, Meta


@frozen(kw_only=True)
class FileRow:
    """One changed file."""

    path: Annotated[str, Meta(cut=False)]
    previous_path: Annotated[str | None, Meta(cut=False)]
    status: str
    additions: int
    deletions: int

    def lines(self) -> Iterator[str]:
        """Iterate over its lines of text: one."""
        former = f", before {self.previous_path}" if self.previous_path else ""
        yield f"- {self.path}{former}: {self.status} +{self.additions} -{self.deletions}"


def create_file_row(change: FileChange) -> FileRow:
    """Create the row of a changed file."""
    return FileRow(
        path=change.path,
        previous_path=change.previous_path or None,
        status=change.status,
        additions=change.additions,
        deletions=change.deletions,
    )

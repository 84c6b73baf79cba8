"""The result of `detect_merge_conflicts` (PULL-41), with additional fields."""

from collections.abc import Iterator
from typing import Annotated, Literal

from attrs import frozen

from stithy_core.spi import Maybe, Meta, Page, Unknown, excerpt, format_count
from stithy_pulls.conflicts.conflict_groups import ConflictType
from stithy_pulls.conflicts.mergeable_state import MergeableState
from stithy_pulls.conflicts.resolution_instructions import ResolutionInstructions


@frozen(kw_only=True)
class LastChange:
    """The last commit that changed a file on one side since the two sides diverged."""

    commit: str
    author: str
    date: str
    subject: str


@frozen(kw_only=True)
class Conflict:
    """One conflict, as a person would count it.

    Args:
        file_path: The first of `paths`; empty if git names no path.
        conflict_type: content, rename, delete or mode.
        git_type: Git's own type, such as add/add.
        paths: All paths of the conflict, such as the old and the new path of a rename.
        base_content_preview: The version of the base branch, with line numbers.
        head_content_preview: The version of the pull request, with line numbers.
        base_touched: The last change on the base branch since the two sides diverged.
        head_touched: The last change on the pull request since the two sides diverged.
        suggested_resolution: How to resolve the conflict, if that takes no judgement.
        places: How many regions of the file are in conflict.
        message: Git's message.
    """

    file_path: Annotated[str, Meta(cut=False)]
    conflict_type: ConflictType
    git_type: str
    paths: tuple[Annotated[str, Meta(cut=False)], ...]
    base_content_preview: str = ""
    head_content_preview: str = ""
    base_touched: LastChange | None = None
    head_touched: LastChange | None = None
    suggested_resolution: str | None = None
    places: int | None = None
    message: str | None = None

    def format_line(self) -> str:
        """Return the conflict as a line of text."""
        names = " ".join(excerpt(path) for path in self.paths) or "(git names no file)"
        hint = f"; {self.suggested_resolution}" if self.suggested_resolution else ""
        return f"- {self.git_type}: {names}{hint}"


@frozen(kw_only=True)
class NeighbourVerdict:
    """Another open pull request that changes the same files, and whether the two conflict.

    The lists hold the first files; the counts include all.
    """

    pr: str
    title: str
    has_conflicts: Maybe[bool]
    shared_files: tuple[str, ...]
    shared_count: int
    conflicting_files: tuple[str, ...]
    conflicting_count: int


@frozen(kw_only=True)
class MergeConflicts:
    """The conflicts of a merge.

    Args:
        pr: The pull request under its current name.
        pull_state: open, closed or merged.
        target_branch: The branch the merge was tried against.
        has_conflicts: Whether the merge has conflicts, by git; by the forge if git cannot answer.
        found_by: git or forge.
        base_commit: The commit of the target branch.
        head_commit: The commit of the pull request.
        conflicts: The conflicts that git found, by path.
        total_conflicts: The number of conflicts on all pages; unknown without git.
        mergeable_state: The forge's own verdict, never git's.
        forge_state: The forge's own term, such as `blocked`, which does not mean a conflict.
        instructions: Commands that show and resolve the conflicts in a clone.
        against_open: Other open pull requests that change the same files, if requested.
        notes: Further information.
    """

    pr: str
    pull_state: Literal["open", "closed", "merged"]
    target_branch: Annotated[str, Meta(cut=False)]
    has_conflicts: Maybe[bool]
    found_by: Literal["git", "forge"]
    base_commit: str | None
    head_commit: str | None
    conflicts: Page[Conflict]
    total_conflicts: Maybe[int]
    mergeable_state: Maybe[MergeableState]
    forge_state: str | None
    instructions: ResolutionInstructions | None
    against_open: tuple[NeighbourVerdict, ...] | None
    notes: tuple[str, ...] | None

    def render(self) -> Iterator[str]:
        """Yield the verdict, a line for each conflict, the forge's verdict and the first steps."""
        yield f"{self.pr} into {excerpt(self.target_branch)}: {self._format_verdict()}"
        for conflict in self.conflicts:
            yield conflict.format_line()
        yield f"The forge's verdict: {self._format_forge_state()}"
        for other in self.against_open or ():
            yield f"- with {other.pr}: {_format_neighbour(other)}"
        for note in self.notes or ():
            yield f"Note: {excerpt(note, 400)}"
        if self.instructions:
            yield "In a clone: " + " && ".join(
                step.partition("  #")[0] for step in self.instructions.resolution_steps[:3]
            )

    def _format_verdict(self) -> str:
        if isinstance(self.has_conflicts, Unknown):
            return f"unknown whether it conflicts: {self.has_conflicts.reason}"
        if not self.has_conflicts:
            return f"no conflicts ({self.found_by})"
        if isinstance(self.total_conflicts, Unknown):
            return f"conflicts ({self.found_by})"
        return f"{format_count(self.total_conflicts, 'conflict')} ({self.found_by})"

    def _format_forge_state(self) -> str:
        state = self.mergeable_state
        verdict = f"unknown: {state.reason}" if isinstance(state, Unknown) else state
        return f"{verdict} ({self.forge_state})" if self.forge_state else verdict


def _format_neighbour(other: NeighbourVerdict) -> str:
    if isinstance(other.has_conflicts, Unknown):
        return f"unknown: {other.has_conflicts.reason}"
    if not other.has_conflicts:
        return f"no conflicts; both change {format_count(other.shared_count, 'file')}"
    left = other.conflicting_count - len(other.conflicting_files)
    more = f" and {left} more" if left else ""
    return f"conflicts in {', '.join(excerpt(path) for path in other.conflicting_files)}{more}"

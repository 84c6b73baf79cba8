"""The result of `detect_merge_conflicts`: the schema of PULL-41, with additional fields."""

from collections.abc import Iterator
from typing import Annotated, Literal

from attrs import frozen

from stithy_core.spi import Maybe, Meta, Page, Unknown, excerpt
from stithy_pulls.conflicts.conflict_groups import ConflictType
from stithy_pulls.conflicts.mergeable_state import MergeableState
from stithy_pulls.conflicts.resolution_instructions import ResolutionInstructions


@frozen(kw_only=True)
class LastChange:
    """Who touched a side last, since the two parted."""

    commit: str
    author: str
    date: str
    subject: str


@frozen(kw_only=True)
class Conflict:
    """One conflict, as a person would count it.

    Args:
        file_path: The first of `paths`; empty where git names none.
        conflict_type: As PULL-42 names it.
        git_type: In git's own.
        paths: All that it is about: of a rename the old and the new one.
        base_content_preview: The base's side, with the numbers of its lines.
        head_content_preview: That of the pull request.
        base_touched: Who touched it last on the base since the two parted.
        head_touched: Likewise on the pull request.
        suggested_resolution: Where it takes no judgement.
        places: In how many places of the file the two conflict.
        message: What git says.
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
        """Give it in a line."""
        names = " ".join(excerpt(path) for path in self.paths) or "(git names no file)"
        hint = f"; {self.suggested_resolution}" if self.suggested_resolution else ""
        return f"- {self.git_type}: {names}{hint}"


@frozen(kw_only=True)
class NeighbourVerdict:
    """Another open pull request that touches the same files: what git says of a merge of the two.

    Of the files the first are named, and all are counted.
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
    """What a merge would come to.

    Args:
        pr: Under its present name.
        pull_state: open, closed or merged.
        target_branch: Into which it was tried.
        has_conflicts: Whether a merge stops; from git, or where git could not answer, from the forge.
        found_by: git or forge.
        base_commit: Which commit of the target.
        head_commit: Which commit of the pull request.
        conflicts: Git's, by path.
        total_conflicts: On all pages; unknown without git.
        mergeable_state: The forge's own verdict, never git's.
        forge_state: The forge's own word, such as `blocked`, which is no conflict.
        instructions: How to see and resolve them in a clone.
        against_open: Other pull requests that touch the same files, where it was asked for.
        notes: What else somebody should know.
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
        """Give the verdict, a line for each conflict, and the steps."""
        yield f"{self.pr} into {excerpt(self.target_branch)}: {self._verdict()}"
        for conflict in self.conflicts:
            yield conflict.format_line()
        yield f"The forge says: {self._forge()}"
        for other in self.against_open or ():
            yield f"- beside {other.pr}: {_beside(other)}"
        for note in self.notes or ():
            yield f"Note: {excerpt(note, 400)}"
        if self.instructions:
            yield "In a clone: " + " && ".join(
                step.partition("  #")[0] for step in self.instructions.resolution_steps[:3]
            )

    def _verdict(self) -> str:
        if isinstance(self.has_conflicts, Unknown):
            return f"not known whether it conflicts: {self.has_conflicts.reason}"
        if not self.has_conflicts:
            return f"no conflicts ({self.found_by})"
        if isinstance(self.total_conflicts, Unknown):
            return f"conflicts ({self.found_by})"
        many = "1 conflict" if self.total_conflicts == 1 else f"{self.total_conflicts:,} conflicts"
        return f"{many} ({self.found_by})"

    def _forge(self) -> str:
        state = self.mergeable_state
        said = f"unknown: {state.reason}" if isinstance(state, Unknown) else state
        return f"{said} ({self.forge_state})" if self.forge_state else said


def _beside(other: NeighbourVerdict) -> str:
    if isinstance(other.has_conflicts, Unknown):
        return f"not known: {other.has_conflicts.reason}"
    if not other.has_conflicts:
        return f"no conflicts, though {other.shared_count} of its files are touched by both"
    left = other.conflicting_count - len(other.conflicting_files)
    more = f" and {left} more" if left else ""
    return f"conflicts in {', '.join(excerpt(path) for path in other.conflicting_files)}{more}"

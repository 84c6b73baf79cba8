"""What the tools are called, take and promise: all that a start needs of them (specs/2, tools 3 and 4)."""

from typing import Annotated

from attrs import frozen

from stithy_core.spi import Changes, CursorArg, Meta, PullRequestArg, PullRequests, ToolSpec


@frozen(kw_only=True)
class DetectMergeConflicts:
    """Which pull request, and against what."""

    pr: PullRequestArg
    target_branch: Annotated[
        str | None, Meta("The branch to try it against, where it is not its own base", min_length=1, max_length=255)
    ] = None
    against_open: Annotated[
        bool, Meta("Whether to try it also against other open pull requests that touch the same files")
    ] = False
    cursor: CursorArg = None


@frozen(kw_only=True)
class CheckMergeReadiness:
    """Which pull request."""

    pr: PullRequestArg


def tools() -> list[ToolSpec]:
    """Give the tools."""
    return [_detect_merge_conflicts(), _check_merge_readiness()]


def _detect_merge_conflicts() -> ToolSpec:
    return ToolSpec(
        name="detect_merge_conflicts",
        title="Conflicts before a merge",
        description="Say what git would say if a pull request were merged now: each conflict with its kind, its"
        " paths, both sides with line numbers and who touched them last, and commands that show it in a clone."
        " target_branch tries it against another branch, against_open=true against other open pull requests that"
        " touch the same files. It merges and changes nothing.",
        input=DetectMergeConflicts,
        handler="stithy_pulls.conflicts.finding:find",
        needs=[PullRequests.get, Changes.git, Changes.compare, PullRequests.of],
        duration="long",
        error_prefix="Failed to detect merge conflicts: ",
    )


def _check_merge_readiness() -> ToolSpec:
    return ToolSpec(
        name="check_merge_readiness",
        title="Ready to merge?",
        description="Say whether a pull request may be merged now, and all that stands in the way, with who must act"
        " and how: draft, conflicts, reviews, code owners, required checks that failed, wait or were never reported,"
        " conversations, branch rules, merge queue, dependencies, rights. ready_to_merge is true only when proven; what"
        " the token may not see is in unknown. It changes nothing.",
        input=CheckMergeReadiness,
        handler="stithy_pulls.readiness.checking:check",
        needs=[PullRequests.readiness, PullRequests.dependencies, PullRequests.get, Changes.git, Changes.files],
        duration="slow",
        budget=8_192,
        error_prefix="Failed to check merge readiness: ",
    )

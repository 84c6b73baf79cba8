"""What the tools are called, take and promise: all that a start needs of them (specs/2, tools 3 and 4)."""

from typing import Annotated

from attrs import frozen

from stithy_core.spi import Changes, CursorArg, Issues, Meta, PullRequestArg, PullRequests, Reviews, ToolSpec


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


@frozen(kw_only=True)
class ManageStackedPrs:
    """Which two pull requests, and how those above are moved."""

    base_pr: Annotated[str, Meta("The earlier one: owner/repo#123 or its URL")]
    dependent_pr: Annotated[str, Meta("The later one; all up to it are moved")]
    auto_fix: Annotated[bool, Meta("Whether the steps mend failing tests", preferable=True)] = True
    max_iterations: Annotated[int, Meta("How often at most", ge=1, le=20)] = 3
    use_onto: Annotated[bool | None, Meta("Whether to use --onto; by default as the facts say", preferable=True)] = None
    onto_base: Annotated[
        str | None, Meta("The branch to move onto, not the one found", min_length=1, max_length=255)
    ] = None
    cursor: CursorArg = None


def tools() -> list[ToolSpec]:
    """Give the tools."""
    return [_detect_merge_conflicts(), _check_merge_readiness(), _manage_stacked_prs()]


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


def _manage_stacked_prs() -> ToolSpec:
    return ToolSpec(
        name="manage_stacked_prs",
        title="Stacked pull requests",
        description="Say how to rebase pull requests that stand on another one after that was merged, squashed or"
        " rewritten: the stack, where own commits begin, which would conflict, and commands for a clone. It"
        " proposes and changes nothing.",
        input=ManageStackedPrs,
        handler="stithy_pulls.stacks.managing:manage",
        needs=[PullRequests.get, PullRequests.of, Changes.git, Issues.timeline, Reviews.of],
        duration="long",
        budget=24_576,
        error_prefix="Failed to manage stacked pull requests: ",
    )

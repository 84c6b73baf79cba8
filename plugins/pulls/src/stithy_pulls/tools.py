"""What the tools are called, take and promise: all that a start needs of them (PULL-30 to PULL-72)."""

from typing import Annotated, Literal

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
    onto_base: Annotated[str | None, Meta("The branch to move onto instead", min_length=1, max_length=255)] = None
    cursor: CursorArg = None


@frozen(kw_only=True)
class AnalyzePrImpact:
    """Which pull request, and how closely."""

    pr: PullRequestArg
    depth: Annotated[
        Literal["summary", "detailed"],
        Meta("detailed adds the definitions that are touched, and the tests of the files by name"),
    ] = "summary"


@frozen(kw_only=True)
class GetReviewSuggestions:
    """Which pull request, and how much of it."""

    pr: PullRequestArg
    focus_areas: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=40)], ...] | None,
        Meta("Only what is about these: security, api, database, dependencies, tests, ...", max_length=10),
    ] = None
    include_diff: Annotated[bool, Meta("Whether to give hunks of the diff")] = True
    max_diff_lines: Annotated[int, Meta("How many lines of diff at most", ge=1, le=5_000)] = 500
    cursor: CursorArg = None


def create_tool_specs() -> list[ToolSpec]:
    """Give the tools."""
    return [
        _detect_merge_conflicts(),
        _manage_stacked_prs(),
        _check_merge_readiness(),
        _analyze_pr_impact(),
        _get_review_suggestions(),
    ]


def _detect_merge_conflicts() -> ToolSpec:
    return ToolSpec(
        name="detect_merge_conflicts",
        title="Conflicts before a merge",
        description="Say what git would say if a pull request were merged now: each conflict with its kind, its"
        " paths, both sides with line numbers and who touched them last, and commands that show it in a clone."
        " target_branch tries it against another branch, against_open=true against other open pull requests that"
        " touch the same files. It merges and changes nothing.",
        input=DetectMergeConflicts,
        handler="stithy_pulls.conflicts.detection:detect_conflicts",
        needs=[PullRequests.get, Changes.git, Changes.compare, PullRequests.list],
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
        handler="stithy_pulls.readiness.readiness_check:check_readiness",
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
        " changes nothing.",
        input=ManageStackedPrs,
        handler="stithy_pulls.stacks.stack_management:manage_stack",
        needs=[PullRequests.get, PullRequests.list, Changes.git, Issues.timeline, Reviews.list],
        duration="long",
        budget=57_344,
        error_prefix="Failed to manage stacked pull requests: ",
    )


def _analyze_pr_impact() -> ToolSpec:
    return ToolSpec(
        name="analyze_pr_impact",
        title="Impact of a pull request",
        description="Say what a pull request touches before it is reviewed: areas with their risk and the facts behind"
        " it, who should review it (code owners, authors of the touched lines, earlier reviewers, with counts), and"
        " earlier pull requests like it with their outcome. Every score is the sum of its terms. It changes nothing.",
        input=AnalyzePrImpact,
        handler="stithy_pulls.impact.impact_analysis:analyze_impact",
        needs=[
            PullRequests.get,
            PullRequests.list,
            Changes.files,
            Changes.commits,
            Changes.compare,
            Changes.git,
            Reviews.list,
        ],
        duration="long",
        error_prefix="Failed to analyze the impact: ",
    )


def _get_review_suggestions() -> ToolSpec:
    return ToolSpec(
        name="get_review_suggestions",
        title="What a reviewer should look at",
        description="Give what a review of a pull request needs: files ranked by risk, their hunks within"
        " max_diff_lines, focus points that are facts with lines (public API changed, migration without down, test"
        " deleted, secret-looking string, workflow permissions, dependency added), questions the diff raises,"
        " linked issues, breaking changes. Lock and generated files are left out. No opinions.",
        input=GetReviewSuggestions,
        handler="stithy_pulls.suggestions.review_suggestions:suggest_review",
        needs=[PullRequests.get, Changes.files, Changes.commits, Changes.git, Issues.get],
        duration="long",
        budget=65_536,
        error_prefix="Failed to get review suggestions: ",
    )

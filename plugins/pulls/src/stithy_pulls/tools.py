"""The names, arguments and descriptions of the tools (PULL-30 to PULL-72). Handlers are imported on the first call."""

from typing import Annotated, Literal

from attrs import frozen

from stithy_core.spi import Changes, CursorArg, Issues, Meta, PullRequestArg, PullRequests, Reviews, ToolSpec


@frozen(kw_only=True)
class DetectMergeConflicts:
    """The arguments of `detect_merge_conflicts`."""

    pr: PullRequestArg
    target_branch: Annotated[
        str | None, Meta("Branch to merge into; default: the pull request's base branch", min_length=1, max_length=255)
    ] = None
    against_open: Annotated[bool, Meta("Also merge with each open pull request that changes the same files")] = False
    cursor: CursorArg = None


@frozen(kw_only=True)
class CheckMergeReadiness:
    """The arguments of `check_merge_readiness`."""

    pr: PullRequestArg


@frozen(kw_only=True)
class ManageStackedPrs:
    """The arguments of `manage_stacked_prs`."""

    base_pr: Annotated[str, Meta("Lower pull request: owner/repo#123 or its URL")]
    dependent_pr: Annotated[str, Meta("Upper pull request; all up to it are rebased")]
    auto_fix: Annotated[bool, Meta("Include steps that fix failing tests", preferable=True)] = True
    max_iterations: Annotated[int, Meta("Maximum number of fix attempts", ge=1, le=20)] = 3
    use_onto: Annotated[
        bool | None, Meta("Use git rebase --onto; default: chosen from the commits", preferable=True)
    ] = None
    onto_base: Annotated[
        str | None, Meta("Branch to rebase onto; default: found from the stack", min_length=1, max_length=255)
    ] = None
    cursor: CursorArg = None


@frozen(kw_only=True)
class AnalyzePrImpact:
    """The arguments of `analyze_pr_impact`."""

    pr: PullRequestArg
    depth: Annotated[
        Literal["summary", "detailed"],
        Meta("detailed adds changed definitions, and tests matched by file name"),
    ] = "summary"


@frozen(kw_only=True)
class GetReviewSuggestions:
    """The arguments of `get_review_suggestions`."""

    pr: PullRequestArg
    focus_areas: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=40)], ...] | None,
        Meta("Limit to these topics: security, api, database, dependencies, tests, ...", max_length=10),
    ] = None
    include_diff: Annotated[bool, Meta("Include hunks of the diff")] = True
    max_diff_lines: Annotated[int, Meta("Maximum number of diff lines", ge=1, le=5_000)] = 500
    cursor: CursorArg = None


def create_tool_specs() -> list[ToolSpec]:
    """Return the tools of this plugin."""
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
        title="Merge conflicts",
        description="Find the conflicts that git reports if a pull request is merged now: each conflict with its type,"
        " paths, both versions with line numbers, the last author of each, and commands that show it in a clone."
        " target_branch checks another branch; against_open=true also checks open pull requests that change the same"
        " files. Read-only: nothing is merged.",
        input=DetectMergeConflicts,
        handler="stithy_pulls.conflicts.detection:detect_conflicts",
        needs=[PullRequests.get, Changes.git, Changes.compare, PullRequests.list],
        duration="long",
        error_prefix="Failed to detect merge conflicts: ",
    )


def _check_merge_readiness() -> ToolSpec:
    return ToolSpec(
        name="check_merge_readiness",
        title="Merge readiness",
        description="Check whether a pull request can be merged now, and list every blocker with who must act and"
        " how: draft, conflicts, reviews, code owners, required checks that failed, are pending or were never reported,"
        " conversations, branch rules, merge queue, dependencies, permissions. ready_to_merge is true only when proven;"
        " what the token cannot see is in unknown. Read-only.",
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
        description="Plan the rebase of stacked pull requests after a lower one was merged, squashed or rewritten: the"
        " stack, the first own commit of each, predicted conflicts, and commands for a clone. Read-only: nothing is"
        " rebased or pushed.",
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
        description="Analyze what a pull request changes: areas with their risk and the facts behind it, suggested"
        " reviewers (code owners, authors of the changed lines, earlier reviewers, with counts), and similar earlier"
        " pull requests with their outcome. Every score is the sum of its terms. Read-only.",
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
        title="Review suggestions",
        description="Return what a review of a pull request needs: files ranked by risk, their hunks within"
        " max_diff_lines, focus points that are facts with lines (public API changed, migration without down, test"
        " deleted, possible secret, workflow permissions, dependency added), questions raised by the diff, linked"
        " issues, breaking changes. Lock and generated files are omitted. No opinions.",
        input=GetReviewSuggestions,
        handler="stithy_pulls.suggestions.review_suggestions:suggest_review",
        needs=[PullRequests.get, Changes.files, Changes.commits, Changes.git, Issues.get],
        duration="long",
        budget=65_536,
        error_prefix="Failed to get review suggestions: ",
    )

"""The names, arguments and descriptions of the tools (PULL-30 to PULL-72). Handlers are imported on the first call."""

from typing import Annotated, Literal

from attrs import frozen

from stithy_core.spi import (
    Changes,
    Comments,
    CursorArg,
    Effects,
    Identity,
    Issues,
    Meta,
    PullRequestArg,
    PullRequests,
    RepositoryArg,
    Reviews,
    ToolSpec,
)


@frozen(kw_only=True)
class DetectMergeConflicts:
    """The arguments of `detect_merge_conflicts`."""

    pr: PullRequestArg
    target_branch: Annotated[str | None, Meta("Default: its base", min_length=1, max_length=255)] = None
    against_open: Annotated[bool, Meta("Also check open pull requests that change the same files")] = False
    cursor: CursorArg = None


@frozen(kw_only=True)
class CheckMergeReadiness:
    """The arguments of `check_merge_readiness`."""

    pr: PullRequestArg


@frozen(kw_only=True)
class ManageStackedPrs:
    """The arguments of `manage_stacked_prs`."""

    base_pr: Annotated[str, Meta("Lower one: owner/repo#123 or its URL")]
    dependent_pr: Annotated[str | None, Meta("Upper one; default: all above")] = None
    upstack: Annotated[bool, Meta("And all beside it")] = False
    merge: Annotated[bool, Meta("Instead of rebasing")] = False
    auto_fix: Annotated[bool, Meta("Add steps to fix tests", preferable=True)] = True
    max_iterations: Annotated[int, Meta("Fix attempts", ge=1, le=20)] = 3
    use_onto: Annotated[bool | None, Meta("Default: chosen by commits", preferable=True)] = None
    onto_base: Annotated[str | None, Meta("Default: found by stack", min_length=1, max_length=255)] = None
    cursor: CursorArg = None


@frozen(kw_only=True)
class AnalyzePrImpact:
    """The arguments of `analyze_pr_impact`."""

    pr: PullRequestArg
    depth: Annotated[
        Literal["summary", "detailed"],
        Meta("detailed adds definitions and tests"),
    ] = "summary"


@frozen(kw_only=True)
class GetReviewSuggestions:
    """The arguments of `get_review_suggestions`."""

    pr: PullRequestArg
    focus_areas: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=40)], ...] | None,
        Meta("security, api, database, dependencies, tests, ...", max_length=10),
    ] = None
    include_diff: bool = True
    max_diff_lines: Annotated[int, Meta(ge=1, le=5_000)] = 500
    cursor: CursorArg = None


STACKS = "stacks"
"""The toolset of tools for stacks. It is off by default, so that the list of tools stays short."""


@frozen(kw_only=True)
class ListStacks:
    """The arguments of `list_stacks`."""

    repository: RepositoryArg
    cursor: CursorArg = None


@frozen(kw_only=True)
class RetargetPullRequest:
    """The arguments of `retarget_pull_request`."""

    pr: PullRequestArg
    branch: Annotated[str, Meta("Its new base", min_length=1, max_length=255)]


@frozen(kw_only=True)
class UpdatePullRequestBranch:
    """The arguments of `update_pull_request_branch`."""

    pr: PullRequestArg


@frozen(kw_only=True)
class CommentStack:
    """The arguments of `comment_stack`."""

    pr: Annotated[str, Meta("Any one of the stack: owner/repo#123 or its URL")]
    dry_run: bool = False


def create_tool_specs() -> list[ToolSpec]:
    """Return the tools of this plugin."""
    return [
        _detect_merge_conflicts(),
        _manage_stacked_prs(),
        _check_merge_readiness(),
        _analyze_pr_impact(),
        _get_review_suggestions(),
        _list_stacks(),
        _retarget_pull_request(),
        _update_pull_request_branch(),
        _comment_stack(),
    ]


def _retarget_pull_request() -> ToolSpec:
    return ToolSpec(
        name="retarget_pull_request",
        title="Change the base of a pull request",
        description="Change the base branch of an open pull request, before its rebased head is pushed: else the owners"
        " of everything in between are asked for reviews.",
        input=RetargetPullRequest,
        handler="stithy_pulls.stacks.stack_writes:retarget_pull_request",
        needs=[PullRequests.get, PullRequests.retarget],
        effects=Effects.CHANGE,
        duration="slow",
        toolset=STACKS,
        opt_in=True,
        error_prefix="Failed to change the base: ",
        keywords=("retarget a PR", "change its base branch"),
    )


def _update_pull_request_branch() -> ToolSpec:
    return ToolSpec(
        name="update_pull_request_branch",
        title="Update the branch of a pull request",
        description="Have the forge merge the base branch into the branch of a pull request; nothing is rebased.",
        input=UpdatePullRequestBranch,
        handler="stithy_pulls.stacks.stack_writes:update_pull_request_branch",
        needs=[PullRequests.get, Changes.compare, PullRequests.update_branch],
        effects=Effects.ADD,
        duration="slow",
        toolset=STACKS,
        opt_in=True,
        error_prefix="Failed to update the branch: ",
        keywords=("update branch", "merge main into the PR"),
    )


def _comment_stack() -> ToolSpec:
    return ToolSpec(
        name="comment_stack",
        title="Comment with the picture of a stack",
        description="Write the picture of a stack as one comment on each open pull request of it, or update it.",
        input=CommentStack,
        handler="stithy_pulls.stacks.stack_comments:comment_stack",
        needs=[
            PullRequests.get,
            PullRequests.list,
            Changes.git,
            Comments.list,
            Comments.create,
            Comments.edit,
            Identity.me,
        ],
        effects=Effects.CHANGE,
        duration="long",
        toolset=STACKS,
        opt_in=True,
        error_prefix="Failed to comment on the stack: ",
        keywords=("stack comment", "show the stack on each PR"),
    )


def _list_stacks() -> ToolSpec:
    return ToolSpec(
        name="list_stacks",
        title="Stacks of a repository",
        description="List the open stacks of pull requests: who, how deep, and which must be rebased.",
        input=ListStacks,
        handler="stithy_pulls.stacks.stack_list:list_stacks",
        needs=[PullRequests.list, Changes.git],
        duration="long",
        toolset=STACKS,
        opt_in=True,
        error_prefix="Failed to list stacks: ",
        keywords=("open stacks", "which PRs depend on each other"),
    )


def _detect_merge_conflicts() -> ToolSpec:
    return ToolSpec(
        name="detect_merge_conflicts",
        title="Merge conflicts",
        description="Find the conflicts that git reports if a pull request is merged now: type, paths, both versions"
        " with lines and last authors, and commands that show it in a clone.",
        input=DetectMergeConflicts,
        handler="stithy_pulls.conflicts.detection:detect_conflicts",
        needs=[PullRequests.get, Changes.git, Changes.compare, PullRequests.list],
        duration="long",
        error_prefix="Failed to detect merge conflicts: ",
        keywords=("merge conflicts", "does it merge cleanly"),
    )


def _check_merge_readiness() -> ToolSpec:
    return ToolSpec(
        name="check_merge_readiness",
        title="Merge readiness",
        description="Check whether a pull request can be merged now, and what blocks merging, with who must act and"
        " how: draft, conflicts, approvals, code owners, required checks, conversations, branch rules, merge queue,"
        " dependencies, permissions. Ready only when proven.",
        input=CheckMergeReadiness,
        handler="stithy_pulls.readiness.readiness_check:check_readiness",
        likely_first=True,
        needs=[PullRequests.readiness, PullRequests.dependencies, PullRequests.get, Changes.git, Changes.files],
        duration="slow",
        budget=8_192,
        error_prefix="Failed to check merge readiness: ",
        keywords=("merge readiness", "can this PR be merged", "may I merge", "what blocks it"),
    )


def _manage_stacked_prs() -> ToolSpec:
    return ToolSpec(
        name="manage_stacked_prs",
        title="Stacked pull requests",
        description="Plan the rebase of stacked pull requests after a lower one was merged, squashed or rewritten: the"
        " stack, first own commits, predicted conflicts, commands for a clone.",
        input=ManageStackedPrs,
        handler="stithy_pulls.stacks.stack_management:manage_stack",
        needs=[PullRequests.get, PullRequests.list, Changes.git, Issues.timeline, Reviews.list],
        duration="long",
        budget=57_344,
        error_prefix="Failed to manage stacked pull requests: ",
        keywords=("stacked PRs", "restack, rebase dependent branches"),
    )


def _analyze_pr_impact() -> ToolSpec:
    return ToolSpec(
        name="analyze_pr_impact",
        title="Impact of a pull request",
        description="Analyze what a pull request changes: areas with risk and facts, suggested reviewers (code owners,"
        " authors of the lines, earlier reviewers), similar earlier pull requests with outcome.",
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
        keywords=("PR impact", "who should review, how risky is it"),
    )


def _get_review_suggestions() -> ToolSpec:
    return ToolSpec(
        name="get_review_suggestions",
        title="Review suggestions",
        description="Return what a review of a pull request needs: files ranked by risk, their hunks, facts with lines"
        " (public API changed, test deleted, possible secret, dependency added, ...), questions, linked issues,"
        " breaking changes. No lock or generated files.",
        input=GetReviewSuggestions,
        handler="stithy_pulls.suggestions.review_suggestions:suggest_review",
        needs=[PullRequests.get, Changes.files, Changes.commits, Changes.git, Issues.get],
        duration="long",
        budget=65_536,
        error_prefix="Failed to get review suggestions: ",
        keywords=("code review", "what to look at when reviewing"),
    )

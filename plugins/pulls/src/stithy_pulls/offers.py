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


def tools() -> list[ToolSpec]:
    """Give the tools."""
    return [
        ToolSpec(
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
        ),
    ]

"""The tool that lists unresolved comments (PULL-20)."""

from typing import Annotated, Literal, TypeAlias

from attrs import frozen

from stithy_core.spi import (
    Comments,
    CursorArg,
    Identity,
    Meta,
    PullRequestArg,
    PullRequests,
    Reviews,
    Threads,
    ToolSpec,
)

Sort: TypeAlias = Literal["chronological", "by_file", "by_author"]


@frozen(kw_only=True)
class FindUnresolved:
    """Arguments of `find_unresolved_comments`."""

    pr: PullRequestArg
    include_bots: Annotated[bool, Meta("Whether to list comments of bots", preferable=True)] = True
    exclude_authors: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=100)], ...],
        Meta("Logins to exclude: exact names, case-insensitive, with or without [bot]", max_length=100),
    ] = ()
    sort: Annotated[Sort, Meta("Order of the list; chronological is oldest first", preferable=True)] = "chronological"
    cursor: CursorArg = None


def tools() -> list[ToolSpec]:
    """Return the spec of the tool."""
    return [
        ToolSpec(
            name="find_unresolved_comments",
            title="Unresolved comments of a pull request",
            description="List what reviewers still ask for on a pull request: open review threads, unanswered review"
            " bodies and general comments, and findings that bots wrote into bodies; each with ready commands to"
            " reply, resolve and view. Resolve only after the fix is verified.",
            input=FindUnresolved,
            handler="stithy_comments.unresolved.unresolved_handler:find_unresolved",
            needs=[
                PullRequests.get,
                Threads.list,
                Reviews.list,
                Comments.list,
                Comments.minimized,
                Identity.me,
            ],
            duration="slow",
            error_prefix="Failed to find unresolved comments: ",
        )
    ]

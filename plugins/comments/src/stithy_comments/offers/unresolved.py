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
    """Which pull request, and what of it to leave out."""

    pr: PullRequestArg
    include_bots: Annotated[bool, Meta("Whether comments of bots are listed", preferable=True)] = True
    exclude_authors: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=100)], ...],
        Meta("Logins to leave out: exact names, in any case, with or without [bot]", max_length=100),
    ] = ()
    sort: Annotated[Sort, Meta("Order of the whole list; chronological is oldest first", preferable=True)] = (
        "chronological"
    )
    cursor: CursorArg = None


def tools() -> list[ToolSpec]:
    """Give the tool."""
    return [
        ToolSpec(
            name="find_unresolved_comments",
            title="What is unresolved on a pull request",
            description="List what reviewers still ask for on a pull request: open review threads, review bodies and"
            " general comments that nobody answered, and findings that bots put into bodies; each with ready commands"
            " to reply, resolve and view. Resolve only after the fix is verified.",
            input=FindUnresolved,
            handler="stithy_comments.unresolved.finding:find",
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

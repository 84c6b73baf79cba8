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
UnresolvedKind: TypeAlias = Literal["threads", "reviews", "comments"]


@frozen(kw_only=True)
class FindUnresolved:
    """Arguments of `find_unresolved_comments`."""

    pr: PullRequestArg
    include_bots: Annotated[bool, Meta(preferable=True)] = True
    exclude_authors: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=100)], ...],
        Meta("Logins", max_length=100),
    ] = ()
    kinds: Annotated[tuple[UnresolvedKind, ...], Meta("Kinds to list", min_length=1, max_length=3)] = (
        "threads",
        "reviews",
        "comments",
    )
    sort: Annotated[
        Sort, Meta("Order within a kind; chronological is oldest first. Threads come first", preferable=True)
    ] = "chronological"
    cursor: CursorArg = None


def tools() -> list[ToolSpec]:
    """Return the spec of the tool."""
    return [
        ToolSpec(
            name="find_unresolved_comments",
            title="Unresolved comments of a pull request",
            description="List what reviewers still ask for on a pull request: open review threads, then unanswered"
            " review bodies and general comments, with findings that bots wrote into bodies, and the commands to reply,"
            " resolve and view. Texts are cut; pull_request_read has a whole thread. Resolve only after the fix is"
            " verified.",
            input=FindUnresolved,
            handler="stithy_comments.unresolved.unresolved_handler:find_unresolved",
            likely_first=True,
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
            keywords=("review threads", "open review threads on a PR", "what do reviewers still want"),
        )
    ]

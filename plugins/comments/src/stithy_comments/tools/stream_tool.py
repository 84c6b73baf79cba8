"""A pull request's whole conversation as one stream (SERVE-5)."""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias

from attrs import frozen

from stithy_core.spi import (
    Comments,
    CursorArg,
    Issues,
    Meta,
    PullRequestArg,
    PullRequests,
    Reviews,
    Threads,
    ToolSpec,
)

Source: TypeAlias = Literal["review", "issue", "timeline"]
Mode: TypeAlias = Literal["none", "brief", "compact"]
EventArg: TypeAlias = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]+$", max_length=64)]


@frozen(kw_only=True)
class GetConversation:
    """Arguments of `get_pull_request_conversation`."""

    pr: PullRequestArg
    include: Annotated[
        tuple[Source, ...],
        Meta(
            "review: reviews and review comments; issue: general comments. Default: both",
            min_length=1,
            max_length=3,
        ),
    ] = ("review", "issue")
    since: Annotated[datetime | None, Meta("Written or edited since")] = None
    until: Annotated[datetime | None, Meta("Written until")] = None
    max_items: Annotated[int, Meta("The newest", ge=1, le=2_000)] = 2_000
    summarize: Annotated[Mode, Meta("compact has ids", preferable=True)] = "none"
    summary_budget_chars: Annotated[int, Meta(ge=1, le=4_000)] = 2_000
    events: Annotated[
        tuple[EventArg, ...] | None,
        Meta(
            'Of the timeline: merged, ..., or "all"; default: reviews, labels and commits',
            min_length=1,
            max_length=50,
        ),
    ] = None
    cursor: CursorArg = None


def tools() -> list[ToolSpec]:
    """Return the spec of the tool."""
    return [
        ToolSpec(
            name="get_pull_request_conversation",
            title="Conversation of a pull request",
            description="Catch up on the discussion of a pull request: all reviews and comments, oldest first, on"
            " request with timeline events and a summary.",
            input=GetConversation,
            handler="stithy_comments.stream.stream_handler:get_conversation",
            needs=[PullRequests.get, Comments.list, Reviews.list, Threads.list, Issues.timeline],
            duration="slow",
            error_prefix="Failed to get pull request conversation: ",
            keywords=("PR conversation", "catch up on the discussion", "what happened since"),
        )
    ]

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
            "review: reviews and review comments; issue: the general conversation; timeline: events."
            " Default: review and issue",
            min_length=1,
            max_length=3,
        ),
    ] = ("review", "issue")
    since: Annotated[datetime | None, Meta("Only items written or edited since then: 2026-01-31T12:00:00Z")] = None
    until: Annotated[datetime | None, Meta("Only items written until then")] = None
    max_items: Annotated[int, Meta("Maximum number of items; the newest are kept", ge=1, le=2_000)] = 2_000
    summarize: Annotated[
        Mode, Meta("Add a summary: brief, one line per subject; compact, bullets with ids", preferable=True)
    ] = "none"
    summary_budget_chars: Annotated[int, Meta("Maximum length of the summary in characters", ge=1, le=4_000)] = 2_000
    events: Annotated[
        tuple[EventArg, ...] | None,
        Meta(
            'Kinds of timeline events, such as merged, or "all"; default: reviews, labels and commits',
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
            title="Conversation of a pull request as one stream",
            description="Return the whole conversation of a pull request as one list without duplicates, oldest first:"
            " reviews, review comments, the general conversation and, on request, timeline events and a summary of"
            " fixed size. Use it to catch up, or with since to read what is new.",
            input=GetConversation,
            handler="stithy_comments.stream.stream_handler:get_conversation",
            needs=[PullRequests.get, Comments.list, Reviews.list, Threads.list, Issues.timeline],
            duration="slow",
            error_prefix="Failed to get pull request conversation: ",
        )
    ]

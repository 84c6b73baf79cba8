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
    """Which pull request, and how much of it."""

    pr: PullRequestArg
    include: Annotated[
        tuple[Source, ...],
        Meta(
            "review: verdicts and comments in the diff; issue: the general conversation; timeline: events."
            " Without it, review and issue",
            min_length=1,
            max_length=3,
        ),
    ] = ("review", "issue")
    since: Annotated[datetime | None, Meta("Only what was written or edited since: 2026-01-31T12:00:00Z")] = None
    until: Annotated[datetime | None, Meta("Only what was written until")] = None
    max_items: Annotated[int, Meta("How many items at most; the newest are kept", ge=1, le=2_000)] = 2_000
    summarize: Annotated[Mode, Meta("Sum it up: a line a subject, or bullets with ids", preferable=True)] = "none"
    summary_budget_chars: Annotated[int, Meta("How many characters the summary has at most", ge=1, le=4_000)] = 2_000
    events: Annotated[
        tuple[EventArg, ...] | None,
        Meta(
            'Kinds of timeline events, such as merged, or "all"; without it, reviews, labels and commits',
            min_length=1,
            max_length=50,
        ),
    ] = None
    cursor: CursorArg = None


def tools() -> list[ToolSpec]:
    """Give the tool."""
    return [
        ToolSpec(
            name="get_pull_request_conversation",
            title="Conversation of a pull request as one stream",
            description="Read all that was said on a pull request as one list, oldest first, nothing twice: verdicts,"
            " comments in the diff and the general conversation, with timeline events if wanted; on demand with a"
            " summary of fixed size. Use it to catch up, or with since for what is new.",
            input=GetConversation,
            handler="stithy_comments.stream.conversation:get",
            needs=[PullRequests.get, Comments.list, Reviews.list, Threads.list, Issues.timeline],
            duration="slow",
            error_prefix="Failed to get pull request conversation: ",
        )
    ]

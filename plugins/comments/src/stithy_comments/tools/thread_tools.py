"""Tools that write to review threads: reply (REPLY-1), resolve, unresolve."""

from typing import Annotated

from attrs import frozen

from stithy_comments.tools.shared_arguments import ID_PATTERN, LONGEST_ID, MANAGEMENT, OwnerArg, RepoArg
from stithy_core.spi import Effects, Meta, Threads, ToolSpec

REPLY = "reply_to_review_comment"
COMMENT_ID = "comment_id must be a positive integer, or text as pull_request_read returned it"
SETTLE_NOTES = " Pass thread_id, or the comment_id of a review comment in it."


@frozen(kw_only=True)
class OwnedPullRequest:
    """Arguments that name a pull request the way GitHub's own MCP server does."""

    owner: OwnerArg
    repo: RepoArg
    pull_number: Annotated[int, Meta(ge=1, message="pull_number must be a positive integer")]


@frozen(kw_only=True)
class ReplyToReviewComment(OwnedPullRequest):
    """Arguments of `reply_to_review_comment`."""

    comment_id: Annotated[
        int | str,
        Meta(
            "Id of a review comment, from pull_request_read with method get_review_comments",
            ge=1,
            pattern=ID_PATTERN,
            max_length=LONGEST_ID,
            message=COMMENT_ID,
        ),
    ]
    body: Annotated[str, Meta("Markdown")]
    allow_duplicate: Annotated[bool, Meta("Post a text of the last day again")] = False


@frozen(kw_only=True)
class SettleThread(OwnedPullRequest):
    """Arguments of `resolve_review_thread` and `unresolve_review_thread`; exactly one of the two ids is required."""

    thread_id: Annotated[
        str | None,
        Meta(
            pattern=ID_PATTERN,
            max_length=LONGEST_ID,
            message="thread_id must be one that pull_request_read or find_unresolved_comments returned",
        ),
    ] = None
    comment_id: Annotated[
        int | str | None,
        Meta(
            ge=1,
            pattern=ID_PATTERN,
            max_length=LONGEST_ID,
            message=COMMENT_ID,
        ),
    ] = None


TOOLS = (
    ToolSpec(
        name=REPLY,
        title="Reply to a review comment",
        description="Reply to a review comment in its thread; to a general comment with pr_comment_create. Safe to"
        " repeat: the same text is posted once a day.",
        input=ReplyToReviewComment,
        handler="stithy_comments.review_threads:reply_to_review_comment",
        needs=[Threads.reply],
        effects=Effects.ADD,
        duration="slow",
        toolset=MANAGEMENT,
        error_prefix="Failed to reply to review comment: ",
        keywords=("review threads", "answer a reviewer"),
    ),
    ToolSpec(
        name="resolve_review_thread",
        title="Resolve a review thread",
        description="Mark a review thread as resolved, only after you verified that what the thread asks for is done."
        + SETTLE_NOTES,
        input=SettleThread,
        handler="stithy_comments.review_threads:resolve_review_thread",
        needs=[Threads.resolve],
        effects=Effects.CHANGE,
        duration="slow",
        toolset=MANAGEMENT,
        error_prefix="Failed to resolve review thread: ",
        keywords=("review threads", "close a discussion as done"),
    ),
    ToolSpec(
        name="unresolve_review_thread",
        title="Reopen a review thread",
        description="Reopen a review thread, only after you verified that what it asks for is not done." + SETTLE_NOTES,
        input=SettleThread,
        handler="stithy_comments.review_threads:unresolve_review_thread",
        needs=[Threads.unresolve],
        effects=Effects.CHANGE,
        duration="slow",
        toolset=MANAGEMENT,
        error_prefix="Failed to unresolve review thread: ",
        keywords=("review threads", "not fixed yet"),
    ),
)


def tools() -> list[ToolSpec]:
    """Return the specs of the tools that write to review threads."""
    return [*TOOLS]

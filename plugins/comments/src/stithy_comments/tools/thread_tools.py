"""Tools that write to review threads: reply (REPLY-1), resolve, unresolve."""

from typing import Annotated

from attrs import frozen

from stithy_comments.tools.shared_arguments import ID_PATTERN, LONGEST_ID, MANAGEMENT, OwnerArg, RepoArg
from stithy_core.spi import Effects, Meta, Threads, ToolSpec

REPLY = "reply_to_review_comment"
COMMENT_ID = "comment_id must be a positive integer, or text as pull_request_read returned it"
SETTLE_NOTES = (
    " The state is read back; the result says if nothing changed. Name the thread by thread_id or by the comment_id of"
    " any review comment in it. If the server has no API for this, the error has the page where a person can do it."
)


@frozen(kw_only=True)
class OwnedPullRequest:
    """Arguments that name a pull request the way GitHub's own MCP server does."""

    owner: OwnerArg
    repo: RepoArg
    pull_number: Annotated[
        int, Meta("Number of the pull request", ge=1, message="pull_number must be a positive integer")
    ]


@frozen(kw_only=True)
class ReplyToReviewComment(OwnedPullRequest):
    """Arguments of `reply_to_review_comment`."""

    comment_id: Annotated[
        int | str,
        Meta(
            "Id of a review comment, as pull_request_read returns it with method get_review_comments",
            ge=1,
            pattern=ID_PATTERN,
            max_length=LONGEST_ID,
            message=COMMENT_ID,
        ),
    ]
    body: Annotated[str, Meta("Markdown; posted verbatim; must not be blank")]
    allow_duplicate: Annotated[
        bool, Meta("Whether to post a text again that was posted in that thread within the last day")
    ] = False


@frozen(kw_only=True)
class SettleThread(OwnedPullRequest):
    """Arguments of `resolve_review_thread` and `unresolve_review_thread`; exactly one of the two ids is required."""

    thread_id: Annotated[
        str | None,
        Meta(
            "Id of the thread; or pass comment_id instead",
            pattern=ID_PATTERN,
            max_length=LONGEST_ID,
            message="thread_id must be one that pull_request_read or find_unresolved_comments returned",
            examples=("PRRT_kwDO…",),
        ),
    ] = None
    comment_id: Annotated[
        int | str | None,
        Meta(
            "Id of any review comment in the thread; or pass thread_id instead",
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
        description="Reply to a review comment in its thread. Call it once per comment. comment_id is the id of a"
        " review comment, as pull_request_read returns it with method get_review_comments; answer a general comment"
        " with pr_comment_create. The pull request may be open, draft, closed or merged, and the thread may be"
        " resolved. A call is safe to repeat: the same text for the same thread within a day posts nothing and"
        " returns the first reply.",
        input=ReplyToReviewComment,
        handler="stithy_comments.review_threads:reply_to_review_comment",
        needs=[Threads.reply],
        effects=Effects.ADD,
        duration="slow",
        toolset=MANAGEMENT,
        error_prefix="Failed to reply to review comment: ",
    ),
    ToolSpec(
        name="resolve_review_thread",
        title="Resolve a review thread",
        description="Mark a review thread as resolved. Call it only after you verified that what the thread asks"
        " for is done. A reply does not resolve a thread, and this tool does not post one." + SETTLE_NOTES,
        input=SettleThread,
        handler="stithy_comments.review_threads:resolve_review_thread",
        needs=[Threads.resolve],
        effects=Effects.CHANGE,
        duration="slow",
        toolset=MANAGEMENT,
        error_prefix="Failed to resolve review thread: ",
    ),
    ToolSpec(
        name="unresolve_review_thread",
        title="Reopen a review thread",
        description="Reopen a resolved review thread. Call it only after you verified that what the thread asks for"
        " is not done." + SETTLE_NOTES,
        input=SettleThread,
        handler="stithy_comments.review_threads:unresolve_review_thread",
        needs=[Threads.unresolve],
        effects=Effects.CHANGE,
        duration="slow",
        toolset=MANAGEMENT,
        error_prefix="Failed to unresolve review thread: ",
    ),
)


def tools() -> list[ToolSpec]:
    """Return the specs of the tools that write to review threads."""
    return [*TOOLS]

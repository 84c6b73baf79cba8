"""Threads in the diff: replies (REPLY-1), and resolving or unresolving a thread."""

from typing import Annotated

from attrs import frozen

from stithy_comments.offers.places import MANAGEMENT, OwnerArg, RepoArg
from stithy_core.spi import Effects, Meta, Threads, ToolSpec

REPLY = "reply_to_review_comment"
CHECK = " Its state is read back, and whether it was so already is said. Name it by thread_id or by the comment_id of"
WHERE = " any review comment in it. Where the server has no API for it, the error has the page where a person can."


@frozen(kw_only=True)
class OwnedPullRequest:
    """A pull request, as agents of GitHub's own server name it."""

    owner: OwnerArg
    repo: RepoArg
    pull_number: Annotated[
        int, Meta("The pull request's number", ge=1, message="pull_number must be a positive integer")
    ]


@frozen(kw_only=True)
class ReplyToReviewComment(OwnedPullRequest):
    """What to answer, and what."""

    comment_id: Annotated[
        int,
        Meta(
            "The number of a review comment: an id that pull_request_read gives with method get_review_comments",
            ge=1,
            message="comment_id must be a positive integer",
        ),
    ]
    body: Annotated[str, Meta("Markdown, posted exactly as given; not blank")]
    allow_duplicate: Annotated[
        bool, Meta("Whether to post a text again that you gave in that thread within the last day")
    ] = False


@frozen(kw_only=True)
class SettleThread(OwnedPullRequest):
    """Which thread to settle; it is named by one of the two."""

    thread_id: Annotated[
        str | None,
        Meta(
            "The thread's id; or give comment_id instead",
            pattern="^[A-Za-z0-9_=-]{1,200}$",
            message="thread_id must be one that pull_request_read or find_unresolved_comments has given",
            examples=("PRRT_kwDO…",),
        ),
    ] = None
    comment_id: Annotated[
        int | None,
        Meta(
            "The number of any review comment in the thread; or give thread_id instead",
            ge=1,
            message="comment_id must be a positive integer",
        ),
    ] = None


TOOLS = (
    ToolSpec(
        name=REPLY,
        title="Reply to a review comment",
        description="Reply to one review comment, in its thread in the diff; once for each. comment_id is that of"
        " a review comment, as pull_request_read gives them with method get_review_comments; a general comment is"
        " answered with pr_comment_create. The pull request may be open, draft, closed or merged, and the thread"
        " resolved. The same text for the same thread within a day posts nothing and gives the first reply, so a"
        " call may be repeated.",
        input=ReplyToReviewComment,
        handler="stithy_comments.threads.replying:reply",
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
        " for is done; a reply resolves nothing, and this posts none." + CHECK + WHERE,
        input=SettleThread,
        handler="stithy_comments.threads.settling:resolve",
        needs=[Threads.resolve],
        effects=Effects.CHANGE,
        duration="slow",
        toolset=MANAGEMENT,
        error_prefix="Failed to resolve review thread: ",
    ),
    ToolSpec(
        name="unresolve_review_thread",
        title="Open a review thread again",
        description="Open a resolved review thread again. Call it only after you verified that what the thread asks"
        " for is not done." + CHECK + WHERE,
        input=SettleThread,
        handler="stithy_comments.threads.settling:unresolve",
        needs=[Threads.unresolve],
        effects=Effects.CHANGE,
        duration="slow",
        toolset=MANAGEMENT,
        error_prefix="Failed to unresolve review thread: ",
    ),
)


def tools() -> list[ToolSpec]:
    """Give the tools that write in threads."""
    return [*TOOLS]

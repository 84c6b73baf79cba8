"""The handler of `reply_to_review_comment` (REPLY-1)."""

from collections.abc import Iterator
from datetime import timedelta

from attrs import frozen

from stithy_comments.argument_lookup import find_pull_request_ref
from stithy_comments.conversations.comment_results import describe_difference
from stithy_comments.review_threads.thread_errors import add_required_status
from stithy_comments.text_format import check_postable, format_id
from stithy_comments.tools.thread_tools import ReplyToReviewComment
from stithy_core.spi import Context, Hint, Reply

DAY = timedelta(days=1)
"""The period in which the same text for the same thread counts as one reply."""


@frozen(kw_only=True)
class ReplyResult:
    """The result of `reply_to_review_comment`: id and url; the other fields only if they apply.

    Args:
        id: The id of the reply; a number if the forge's id is one.
        url: Its page.
        way: How the reply was created on a forge without an API for replies, and what that lacks.
        repeated: True if the same reply existed and nothing was posted.
        changed_by_forge: How the stored text differs from the text passed.
    """

    id: int | str
    url: str
    way: str | None = None
    repeated: bool | None = None
    changed_by_forge: str | None = None

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: whether it was posted, then each further fact."""
        if self.repeated:
            yield f"Nothing was posted: the same reply exists already. ID: {self.id}, URL: {self.url}"
            yield Hint("It was posted in this thread within the last day. Pass allow_duplicate=true to post it again.")
        else:
            yield f"Reply posted. ID: {self.id}, URL: {self.url}"
        if self.way:
            yield f"Way: {self.way}"
        if self.changed_by_forge:
            yield f"The forge changed the text: {self.changed_by_forge}"


async def reply_to_review_comment(ctx: Context, args: ReplyToReviewComment) -> ReplyResult:
    """Reply in the thread of a review comment."""
    check_postable(args.body, "body")
    forge, pr = await find_pull_request_ref(ctx, args.owner, args.repo, args.pull_number)
    name, since = str(args.comment_id), None if args.allow_duplicate else forge.now() - DAY
    async with add_required_status(forge, pr, name):
        return _create_result(await forge.threads.reply(pr, name, args.body, unless_since=since), args.body)


def _create_result(made: Reply, given: str) -> ReplyResult:
    return ReplyResult(
        id=format_id(made.comment.id),
        url=made.comment.url,
        way=made.way or None,
        repeated=made.repeated or None,
        changed_by_forge=describe_difference(given, made.comment.body),
    )

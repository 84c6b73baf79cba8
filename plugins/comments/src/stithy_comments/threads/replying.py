"""Replying to a review comment, in its thread (REPLY-1)."""

from collections.abc import Iterator
from datetime import timedelta

from attrs import frozen

from stithy_comments.offers.threads import ReplyToReviewComment
from stithy_comments.places import owned_pull_request
from stithy_comments.talk.comments import difference
from stithy_comments.texts import check_postable, wire_id
from stithy_comments.threads.refusals import as_specified
from stithy_core.spi import Context, Hint, Reply

DAY = timedelta(days=1)
"""How long the same text for the same thread counts as one reply."""


@frozen(kw_only=True)
class Replied:
    """What `reply_to_review_comment` gives: id and url, and the rest only where it says something.

    Args:
        id: The reply's; a number wherever the forge's is one.
        url: Where people read it.
        way: How it was made where the forge has no replies of its own, and what that lacks.
        repeated: Whether it was there before, so that nothing was posted.
        changed_by_forge: How what the forge keeps differs from what was given.
    """

    id: int | str
    url: str
    way: str | None = None
    repeated: bool | None = None
    changed_by_forge: str | None = None

    def render(self) -> Iterator[str]:
        """Say whether it was posted, and the rest in a line of its own."""
        if self.repeated:
            yield f"Nothing was posted: the same reply is there already. ID: {self.id}, URL: {self.url}"
            yield Hint("It was posted in this thread within the last day; allow_duplicate=true posts the text again.")
        else:
            yield f"Reply posted. ID: {self.id}, URL: {self.url}"
        if self.way:
            yield f"Way: {self.way}"
        if self.changed_by_forge:
            yield f"The forge changed the text: {self.changed_by_forge}"


async def reply(ctx: Context, args: ReplyToReviewComment) -> Replied:
    """Answer in the thread of a review comment."""
    check_postable(args.body, "body")
    forge, pr = await owned_pull_request(ctx, args.owner, args.repo, args.pull_number)
    name, since = str(args.comment_id), None if args.allow_duplicate else forge.now() - DAY
    async with as_specified(forge, pr, name):
        return _replied(await forge.threads.reply(pr, name, args.body, unless_since=since), args.body)


def _replied(made: Reply, given: str) -> Replied:
    return Replied(
        id=wire_id(made.comment.id),
        url=made.comment.url,
        way=made.way or None,
        repeated=made.repeated or None,
        changed_by_forge=difference(given, made.comment.body),
    )

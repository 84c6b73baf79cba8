"""Conversations, read."""

from datetime import timedelta

from stithy_core.spi import Comment, Comments, IssueRef, Reaction, Reviews, Threads
from stithy_testing.conformance.facts import agrees, ascending, distinct, listing
from stithy_testing.conformance.refusals import absent_repository, missing_number, not_found
from stithy_testing.conformance.stage import Stage
from stithy_testing.conformance.support import NO_ID, needs


async def said(stage: Stage, subject: IssueRef) -> list[str]:
    """Read what is said in a conversation, in the order of the forge."""
    return [comment.body for comment in await stage.forge.comments.list(subject)]


class CommentReading:
    """`Comments.list`, `get`, `reactions` and `minimized`."""

    @needs(Comments.list)
    async def test_comments_oldest_first(self, stage: Stage) -> None:
        """A conversation is read whole, in the order in which it was written."""
        comments = listing(await stage.forge.comments.list(stage.issue))
        assert [comment.body for comment in comments] == ["first", "second", "third"]
        assert ascending(comment.created_at for comment in comments)
        assert distinct(comment.id for comment in comments)
        assert {comment.author.login for comment in comments} == {stage.author}

    @needs(Comments.list)
    async def test_comments_of_a_pull_request(self, stage: Stage) -> None:
        """Neither reviews nor what stands in the diff are among them."""
        assert [comment.body for comment in listing(await stage.forge.comments.list(stage.pr))] == ["Please look."]

    @needs(Comments.list)
    async def test_comments_of_nobody(self, stage: Stage) -> None:
        """An empty conversation is an empty listing."""
        assert listing(await stage.forge.comments.list(stage.merged)) == []

    @needs(Comments.list)
    async def test_comments_since(self, stage: Stage) -> None:
        """`since` includes its own moment, and gives nothing from before it."""
        last = (await stage.forge.comments.list(stage.issue))[-1]
        found = listing(await stage.forge.comments.list(stage.issue, since=last.updated_at))
        assert found[-1] == last
        assert all(comment.updated_at >= last.updated_at for comment in found)
        assert listing(await stage.forge.comments.list(stage.issue, since=last.updated_at + timedelta(days=1))) == []

    @needs(Comments.list)
    async def test_comments_of_a_missing_number(self, stage: Stage) -> None:
        """A missing number is told from a missing repository."""
        with missing_number(stage):
            await stage.forge.comments.list(stage.missing_issue)
        with absent_repository(stage):
            await stage.forge.comments.list(stage.absent_issue)

    @needs(Comments.list, Comments.get)
    async def test_comment_by_its_id(self, stage: Stage) -> None:
        """One comment is told as in its conversation."""
        for comment in await stage.forge.comments.list(stage.issue):
            assert _told(await stage.forge.comments.get(stage.issue, comment.id)) == _told(comment)

    @needs(Comments.list, Comments.get)
    async def test_comment_of_another_conversation(self, stage: Stage) -> None:
        """A comment is not found where it does not belong."""
        comment = (await stage.forge.comments.list(stage.issue))[0]
        with not_found(comment.id):
            await stage.forge.comments.get(stage.pr, comment.id)

    @needs(Comments.get, Threads.list)
    async def test_comment_in_the_diff(self, stage: Stage) -> None:
        """What stands in the diff is no comment of the conversation."""
        thread = (await stage.forge.threads.list(stage.pr))[0]
        with not_found(thread.comments[0].id):
            await stage.forge.comments.get(stage.pr, thread.comments[0].id)

    @needs(Comments.get)
    async def test_comment_that_is_missing(self, stage: Stage) -> None:
        """An id of nothing is not found, nor is what is no id."""
        for name in (NO_ID, "first"):
            with not_found(name):
                await stage.forge.comments.get(stage.issue, name)

    @needs(Comments.list, Comments.reactions)
    async def test_reactions_are_counted(self, stage: Stage) -> None:
        """Emoji are counted by the forge's word for each; none is an empty listing."""
        first, second, _ = await stage.forge.comments.list(stage.issue)
        assert list(await stage.forge.comments.reactions(stage.issue, first.id)) == [Reaction("heart", 1)]
        assert list(await stage.forge.comments.reactions(stage.issue, second.id)) == []

    @needs(Comments.list, Comments.reactions)
    async def test_reactions_of_another_conversation(self, stage: Stage) -> None:
        """A comment has no reactions where it does not belong."""
        comment = (await stage.forge.comments.list(stage.issue))[0]
        with not_found(comment.id):
            await stage.forge.comments.reactions(stage.pr, comment.id)

    @needs(Comments.list, Comments.minimized, Reviews.list)
    async def test_minimized_by_id(self, stage: Stage) -> None:
        """What is folded away is a comment or a review of this conversation, with the forge's word for why."""
        reviews = {review.id for review in await stage.forge.reviews.list(stage.pr)}
        for subject, others in ((stage.issue, set[str]()), (stage.pr, reviews)):
            comments = await stage.forge.comments.list(subject)
            folded = await stage.forge.comments.minimized(subject)
            assert folded.keys() <= {comment.id for comment in comments} | others
            assert all(reason.strip() for reason in folded.values())
            assert all(agrees(comment.minimized, folded.get(comment.id, "")) for comment in comments)


def _told(comment: Comment) -> tuple[object, ...]:
    return comment.id, comment.body, comment.author, comment.created_at, comment.url

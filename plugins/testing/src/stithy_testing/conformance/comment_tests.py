"""Tests of comments: reading and writing."""

from datetime import timedelta

import pytest

from stithy_core.spi import Comment, Comments, IssueRef, Reaction, Rejected, Reviews, Threads
from stithy_core.spi.call_state import DryRunStop, WriteGuard
from stithy_testing.conformance.assertions import (
    check_listing,
    check_record,
    expect_absent_repository,
    expect_error,
    expect_missing_number,
    expect_not_found,
    is_ascending,
    is_correct_or_unknown,
    is_distinct,
)
from stithy_testing.conformance.operation_calls import NO_ID, needs
from stithy_testing.conformance.stage import Stage

TEXTS = (
    "one\r\ntwo\r\n\r\nthree",
    "\n  edges and trailing spaces  \n\n",
    "👩‍🔧 🇩🇪 e\u0301 \u05e9\u05dc\u05d5\u05dd \u202eback\u202c \u200b.",
    "<b>Promise<string></b> `code` @nobody &amp; \\n %20 {{ x }}",
    "ä€😀\n" * 1_200,  # a buffer border near 4 KB, in the midst of a character
)


async def read_bodies(stage: Stage, subject: IssueRef) -> list[str]:
    """Read what is said in a conversation, in the order of the forge."""
    return [comment.body for comment in await stage.forge.comments.list(subject)]


class CommentReadTests:
    """`Comments.list`, `get`, `reactions` and `minimized`."""

    @needs(Comments.list)
    async def test_comments_oldest_first(self, stage: Stage) -> None:
        """A conversation is read whole, in the order in which it was written."""
        comments = check_listing(await stage.forge.comments.list(stage.issue))
        assert [comment.body for comment in comments] == ["first", "second", "third"]
        assert is_ascending(comment.created_at for comment in comments)
        assert is_distinct(comment.id for comment in comments)
        assert {comment.author.login for comment in comments} == {stage.author}

    @needs(Comments.list)
    async def test_comments_of_a_pull_request(self, stage: Stage) -> None:
        """Neither reviews nor what stands in the diff are among them."""
        assert [comment.body for comment in check_listing(await stage.forge.comments.list(stage.pr))] == [
            "Please look."
        ]

    @needs(Comments.list)
    async def test_comments_of_nobody(self, stage: Stage) -> None:
        """An empty conversation is an empty listing."""
        assert check_listing(await stage.forge.comments.list(stage.merged)) == []

    @needs(Comments.list)
    async def test_comments_since(self, stage: Stage) -> None:
        """`since` includes its own moment, and gives nothing from before it."""
        last = (await stage.forge.comments.list(stage.issue))[-1]
        found = check_listing(await stage.forge.comments.list(stage.issue, since=last.updated_at))
        assert found[-1] == last
        assert all(comment.updated_at >= last.updated_at for comment in found)
        assert (
            check_listing(await stage.forge.comments.list(stage.issue, since=last.updated_at + timedelta(days=1))) == []
        )

    @needs(Comments.list)
    async def test_comments_of_a_missing_number(self, stage: Stage) -> None:
        """A missing number is told from a missing repository."""
        with expect_missing_number(stage):
            await stage.forge.comments.list(stage.missing_issue)
        with expect_absent_repository(stage):
            await stage.forge.comments.list(stage.absent_issue)

    @needs(Comments.list, Comments.get)
    async def test_comment_by_its_id(self, stage: Stage) -> None:
        """One comment is told as in its conversation."""
        for comment in await stage.forge.comments.list(stage.issue):
            assert _describe_comment(await stage.forge.comments.get(stage.issue, comment.id)) == _describe_comment(
                comment
            )

    @needs(Comments.list, Comments.get)
    async def test_comment_of_another_conversation(self, stage: Stage) -> None:
        """A comment is not found where it does not belong."""
        comment = (await stage.forge.comments.list(stage.issue))[0]
        with expect_not_found(comment.id):
            await stage.forge.comments.get(stage.pr, comment.id)

    @needs(Comments.get, Threads.list)
    async def test_comment_in_the_diff(self, stage: Stage) -> None:
        """What stands in the diff is no comment of the conversation."""
        thread = (await stage.forge.threads.list(stage.pr))[0]
        with expect_not_found(thread.comments[0].id):
            await stage.forge.comments.get(stage.pr, thread.comments[0].id)

    @needs(Comments.get)
    async def test_comment_that_is_missing(self, stage: Stage) -> None:
        """An id of nothing is not found, nor is what is no id."""
        for name in (NO_ID, "first"):
            with expect_not_found(name):
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
        with expect_not_found(comment.id):
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
            assert all(is_correct_or_unknown(comment.minimized, folded.get(comment.id, "")) for comment in comments)


def _describe_comment(comment: Comment) -> tuple[object, ...]:
    return comment.id, comment.body, comment.author, comment.created_at, comment.url


class CommentWriteTests:
    """`Comments.create` and `edit`."""

    @needs(Comments.create, Comments.list)
    async def test_create_as_given(self, stage: Stage) -> None:
        """A text comes back as it was given, at once and when it is read: line ends, edges, emoji, markup, length."""
        made = [await stage.forge.comments.create(stage.merged, text) for text in TEXTS]
        assert [comment.body for comment in made] == list(TEXTS)
        assert await read_bodies(stage, stage.merged) == list(TEXTS)

    @needs(Comments.create, Comments.list)
    async def test_create_tells_what_was_made(self, stage: Stage) -> None:
        """The answer is the comment itself, by the token's user, at the end of the conversation."""
        made = check_record(await stage.forge.comments.create(stage.issue, "fourth"))
        assert made.author.login == stage.author
        read = await stage.forge.comments.list(stage.issue)
        assert [comment.body for comment in read] == ["first", "second", "third", "fourth"]
        assert (read[-1].id, read[-1].url) == (made.id, made.url)

    @needs(Comments.create, Comments.list)
    async def test_create_on_a_pull_request(self, stage: Stage) -> None:
        """A pull request's conversation takes a comment in the same way."""
        await stage.forge.comments.create(stage.pr, "Thank you.")
        assert await read_bodies(stage, stage.pr) == ["Please look.", "Thank you."]

    @needs(Comments.create)
    async def test_create_on_a_missing_number(self, stage: Stage) -> None:
        """A missing number is told from a missing repository, when writing too."""
        with expect_missing_number(stage):
            await stage.forge.comments.create(stage.missing_issue, "Hello.")
        with expect_absent_repository(stage):
            await stage.forge.comments.create(stage.absent_issue, "Hello.")

    @needs(Comments.create, Comments.list)
    async def test_create_nothing(self, stage: Stage) -> None:
        """An empty text is rejected, and nothing is written."""
        with expect_error(Rejected):
            await stage.forge.comments.create(stage.merged, "")
        assert await read_bodies(stage, stage.merged) == []

    @needs(Comments.create, Comments.list)
    async def test_a_dry_run_writes_nothing(self, stage: Stage) -> None:
        """A write asks at the door first, which a dry run keeps shut, and says there what it would write."""
        with WriteGuard("a dry run", writes=True, dry=True) as passage, pytest.raises(DryRunStop):
            await stage.forge.comments.create(stage.merged, "Not now.")
        if stage.forge.writes_by_http:
            assert [planned for planned in passage.planned if planned.method and "Not now." in planned.body]
        assert await read_bodies(stage, stage.merged) == []

    @needs(Comments.edit, Comments.list)
    async def test_edit_changes_the_text_only(self, stage: Stage) -> None:
        """An edited comment keeps its place, id, author and time of birth."""
        first, second, third = await stage.forge.comments.list(stage.issue)
        edited = check_record(await stage.forge.comments.edit(stage.issue, second.id, TEXTS[0]))
        assert (edited.id, edited.author, edited.created_at) == (second.id, second.author, second.created_at)
        assert (edited.body, edited.updated_at >= second.updated_at) == (TEXTS[0], True)
        assert await read_bodies(stage, stage.issue) == [first.body, TEXTS[0], third.body]

    @needs(Comments.edit, Comments.list)
    async def test_edit_of_another_conversation(self, stage: Stage) -> None:
        """A comment that belongs elsewhere is not found, and stays as it was."""
        first = (await stage.forge.comments.list(stage.issue))[0]
        with expect_not_found(first.id):
            await stage.forge.comments.edit(stage.pr, first.id, "Changed.")
        assert await read_bodies(stage, stage.issue) == ["first", "second", "third"]

    @needs(Comments.edit, Threads.list)
    async def test_edit_in_the_diff(self, stage: Stage) -> None:
        """What stands in the diff is not found, and stays as it was."""
        before = await stage.forge.threads.list(stage.pr)
        with expect_not_found(before[0].comments[0].id):
            await stage.forge.comments.edit(stage.pr, before[0].comments[0].id, "Changed.")
        after = await stage.forge.threads.list(stage.pr)
        assert after[0].comments[0].body == before[0].comments[0].body

    @needs(Comments.edit)
    async def test_edit_that_is_missing(self, stage: Stage) -> None:
        """An id of nothing is not found, nor is what is no id."""
        for name in (NO_ID, "first"):
            with expect_not_found(name):
                await stage.forge.comments.edit(stage.issue, name, "Changed.")

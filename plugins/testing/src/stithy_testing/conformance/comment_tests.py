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
    "ä€😀\n" * 1_200,  # a boundary of a 4 KB buffer falls within a character
)


async def read_bodies(stage: Stage, subject: IssueRef) -> list[str]:
    """Read the texts of a conversation's comments, in the order of the forge."""
    return [comment.body for comment in await stage.forge.comments.list(subject)]


class CommentReadTests:
    """`Comments.list`, `get`, `reactions` and `minimized`."""

    @needs(Comments.list)
    async def test_comments_oldest_first(self, stage: Stage) -> None:
        """All comments are read, oldest first."""
        comments = check_listing(await stage.forge.comments.list(stage.conversation))
        assert [comment.body for comment in comments] == ["first", "second", "third"]
        assert is_ascending(comment.created_at for comment in comments)
        assert is_distinct(comment.id for comment in comments)
        assert {comment.author.login for comment in comments} == {stage.author}

    @needs(Comments.list)
    async def test_comments_of_a_pull_request(self, stage: Stage) -> None:
        """Reviews and review comments are not among the comments."""
        assert [comment.body for comment in check_listing(await stage.forge.comments.list(stage.pr))] == [
            "Please look."
        ]

    @needs(Comments.list)
    async def test_comments_of_nobody(self, stage: Stage) -> None:
        """A conversation without comments has an empty listing."""
        assert check_listing(await stage.forge.comments.list(stage.merged)) == []

    @needs(Comments.list)
    async def test_comments_since(self, stage: Stage) -> None:
        """`since` is inclusive, and older comments are left out."""
        of, subject = stage.forge.comments.list, stage.conversation
        last = (await of(subject))[-1]
        found = check_listing(await of(subject, since=last.updated_at))
        assert found[-1] == last
        assert all(comment.updated_at >= last.updated_at for comment in found)
        assert check_listing(await of(subject, since=last.updated_at + timedelta(days=1))) == []

    @needs(Comments.list)
    async def test_comments_of_a_missing_number(self, stage: Stage) -> None:
        """The errors for a missing number and a missing repository differ."""
        with expect_missing_number(stage):
            await stage.forge.comments.list(stage.missing_conversation)
        with expect_absent_repository(stage):
            await stage.forge.comments.list(stage.absent_conversation)

    @needs(Comments.list, Comments.get)
    async def test_comment_by_its_id(self, stage: Stage) -> None:
        """A comment read alone equals that of the list."""
        for comment in await stage.forge.comments.list(stage.conversation):
            alone = await stage.forge.comments.get(stage.conversation, comment.id)
            assert _describe_comment(alone) == _describe_comment(comment)

    @needs(Comments.list, Comments.get)
    async def test_comment_of_another_conversation(self, stage: Stage) -> None:
        """A comment of another conversation is not found."""
        comment = (await stage.forge.comments.list(stage.conversation))[0]
        with expect_not_found(comment.id):
            await stage.forge.comments.get(stage.pr, comment.id)

    @needs(Comments.get, Threads.list)
    async def test_comment_in_the_diff(self, stage: Stage) -> None:
        """A review comment is not found among the comments of the conversation."""
        thread = (await stage.forge.threads.list(stage.pr))[0]
        with expect_not_found(thread.comments[0].id):
            await stage.forge.comments.get(stage.pr, thread.comments[0].id)

    @needs(Comments.get)
    async def test_comment_that_is_missing(self, stage: Stage) -> None:
        """A missing id is not found, nor is a text that cannot be an id."""
        for name in (NO_ID, "first"):
            with expect_not_found(name):
                await stage.forge.comments.get(stage.conversation, name)

    @needs(Comments.list, Comments.reactions)
    async def test_reactions_are_counted(self, stage: Stage) -> None:
        """Reactions are counted by the forge's word for each; a comment without any has an empty listing."""
        of, subject = stage.forge.comments.reactions, stage.conversation
        first, second, _ = await stage.forge.comments.list(subject)
        assert list(await of(subject, first.id)) == [Reaction(content="heart", count=1)]
        assert list(await of(subject, second.id)) == []

    @needs(Comments.list, Comments.reactions)
    async def test_reactions_of_another_conversation(self, stage: Stage) -> None:
        """The reactions to a comment of another conversation are not found."""
        comment = (await stage.forge.comments.list(stage.conversation))[0]
        with expect_not_found(comment.id):
            await stage.forge.comments.reactions(stage.pr, comment.id)

    @needs(Comments.list, Comments.minimized, Reviews.list)
    async def test_minimized_by_id(self, stage: Stage) -> None:
        """Only comments and reviews of this conversation are minimized, each with the forge's reason."""
        reviews = {review.id for review in await stage.forge.reviews.list(stage.pr)}
        for subject, others in ((stage.conversation, set[str]()), (stage.pr, reviews)):
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
        """A text is returned unchanged, at once and by a later read: line ends, edges, emoji, markup, length."""
        created = [await stage.forge.comments.create(stage.merged, text) for text in TEXTS]
        stored = [text if stage.keeps_white_space else text.strip() for text in TEXTS]
        assert [comment.body for comment in created] == stored
        assert await read_bodies(stage, stage.merged) == stored

    @needs(Comments.create, Comments.list)
    async def test_create_tells_what_was_made(self, stage: Stage) -> None:
        """The result is the comment itself, by the token's user, at the end of the conversation."""
        created = check_record(await stage.forge.comments.create(stage.conversation, "fourth"))
        assert created.author.login == stage.author
        read = await stage.forge.comments.list(stage.conversation)
        assert [comment.body for comment in read] == ["first", "second", "third", "fourth"]
        assert (read[-1].id, read[-1].url) == (created.id, created.url)

    @needs(Comments.create, Comments.list)
    async def test_create_on_a_pull_request(self, stage: Stage) -> None:
        """A comment can be added to a pull request."""
        await stage.forge.comments.create(stage.pr, "Thank you.")
        assert await read_bodies(stage, stage.pr) == ["Please look.", "Thank you."]

    @needs(Comments.create)
    async def test_create_on_a_missing_number(self, stage: Stage) -> None:
        """The errors of a write for a missing number and a missing repository differ."""
        with expect_missing_number(stage):
            await stage.forge.comments.create(stage.missing_conversation, "Hello.")
        with expect_absent_repository(stage):
            await stage.forge.comments.create(stage.absent_conversation, "Hello.")

    @needs(Comments.create, Comments.list)
    async def test_create_nothing(self, stage: Stage) -> None:
        """An empty text is rejected, and nothing is written."""
        with expect_error(Rejected):
            await stage.forge.comments.create(stage.merged, "")
        assert await read_bodies(stage, stage.merged) == []

    @needs(Comments.create, Comments.list)
    async def test_a_dry_run_writes_nothing(self, stage: Stage) -> None:
        """A write passes the write guard first, which ends a dry run and records the planned request."""
        with WriteGuard("a dry run", writes=True, dry=True) as guard, pytest.raises(DryRunStop):
            await stage.forge.comments.create(stage.merged, "Not now.")
        if stage.forge.writes_by_http:
            assert [planned for planned in guard.planned if planned.method and "Not now." in planned.body]
        assert await read_bodies(stage, stage.merged) == []

    @needs(Comments.edit, Comments.list)
    async def test_edit_changes_the_text_only(self, stage: Stage) -> None:
        """An edited comment keeps its place, id, author and time of creation."""
        first, second, third = await stage.forge.comments.list(stage.conversation)
        edited = check_record(await stage.forge.comments.edit(stage.conversation, second.id, TEXTS[0]))
        assert (edited.id, edited.author, edited.created_at) == (second.id, second.author, second.created_at)
        assert (edited.body, edited.updated_at >= second.updated_at) == (TEXTS[0], True)
        assert await read_bodies(stage, stage.conversation) == [first.body, TEXTS[0], third.body]

    @needs(Comments.edit, Comments.list)
    async def test_edit_of_another_conversation(self, stage: Stage) -> None:
        """A comment of another conversation is not found, and is not changed."""
        first = (await stage.forge.comments.list(stage.conversation))[0]
        with expect_not_found(first.id):
            await stage.forge.comments.edit(stage.pr, first.id, "Changed.")
        assert await read_bodies(stage, stage.conversation) == ["first", "second", "third"]

    @needs(Comments.edit, Threads.list)
    async def test_edit_in_the_diff(self, stage: Stage) -> None:
        """A review comment is not found, and is not changed."""
        before = await stage.forge.threads.list(stage.pr)
        with expect_not_found(before[0].comments[0].id):
            await stage.forge.comments.edit(stage.pr, before[0].comments[0].id, "Changed.")
        after = await stage.forge.threads.list(stage.pr)
        assert after[0].comments[0].body == before[0].comments[0].body

    @needs(Comments.edit)
    async def test_edit_that_is_missing(self, stage: Stage) -> None:
        """A missing id is not found, nor is a text that cannot be an id."""
        for name in (NO_ID, "first"):
            with expect_not_found(name):
                await stage.forge.comments.edit(stage.conversation, name, "Changed.")

"""Conversations, written to."""

import pytest

from stithy_core.spi import Comments, Rejected, Threads
from stithy_core.spi.call_state import DryRunStop, WriteGuard
from stithy_testing.conformance.comments import said
from stithy_testing.conformance.facts import sound
from stithy_testing.conformance.refusals import absent_repository, missing_number, not_found, refusal
from stithy_testing.conformance.stage import Stage
from stithy_testing.conformance.support import NO_ID, needs

TEXTS = (
    "one\r\ntwo\r\n\r\nthree",
    "\n  edges and trailing spaces  \n\n",
    "👩‍🔧 🇩🇪 e\u0301 \u05e9\u05dc\u05d5\u05dd \u202eback\u202c \u200b.",
    "<b>Promise<string></b> `code` @nobody &amp; \\n %20 {{ x }}",
    "ä€😀\n" * 1_200,  # a buffer border near 4 KB, in the midst of a character
)


class CommentWriting:
    """`Comments.create` and `edit`."""

    @needs(Comments.create, Comments.list)
    async def test_create_as_given(self, stage: Stage) -> None:
        """A text comes back as it was given, at once and when it is read: line ends, edges, emoji, markup, length."""
        made = [await stage.forge.comments.create(stage.merged, text) for text in TEXTS]
        assert [comment.body for comment in made] == list(TEXTS)
        assert await said(stage, stage.merged) == list(TEXTS)

    @needs(Comments.create, Comments.list)
    async def test_create_tells_what_was_made(self, stage: Stage) -> None:
        """The answer is the comment itself, by the token's user, at the end of the conversation."""
        made = sound(await stage.forge.comments.create(stage.issue, "fourth"))
        assert made.author.login == stage.author
        read = await stage.forge.comments.list(stage.issue)
        assert [comment.body for comment in read] == ["first", "second", "third", "fourth"]
        assert (read[-1].id, read[-1].url) == (made.id, made.url)

    @needs(Comments.create, Comments.list)
    async def test_create_on_a_pull_request(self, stage: Stage) -> None:
        """A pull request's conversation takes a comment in the same way."""
        await stage.forge.comments.create(stage.pr, "Thank you.")
        assert await said(stage, stage.pr) == ["Please look.", "Thank you."]

    @needs(Comments.create)
    async def test_create_on_a_missing_number(self, stage: Stage) -> None:
        """A missing number is told from a missing repository, when writing too."""
        with missing_number(stage):
            await stage.forge.comments.create(stage.missing_issue, "Hello.")
        with absent_repository(stage):
            await stage.forge.comments.create(stage.absent_issue, "Hello.")

    @needs(Comments.create, Comments.list)
    async def test_create_nothing(self, stage: Stage) -> None:
        """An empty text is rejected, and nothing is written."""
        with refusal(Rejected):
            await stage.forge.comments.create(stage.merged, "")
        assert await said(stage, stage.merged) == []

    @needs(Comments.create, Comments.list)
    async def test_a_dry_run_writes_nothing(self, stage: Stage) -> None:
        """A write asks at the door first, which a dry run keeps shut, and says there what it would write."""
        with WriteGuard("a dry run", writes=True, dry=True) as passage, pytest.raises(DryRunStop):
            await stage.forge.comments.create(stage.merged, "Not now.")
        if stage.forge.writes_by_http:
            assert [planned for planned in passage.planned if planned.method and "Not now." in planned.body]
        assert await said(stage, stage.merged) == []

    @needs(Comments.edit, Comments.list)
    async def test_edit_changes_the_text_only(self, stage: Stage) -> None:
        """An edited comment keeps its place, id, author and time of birth."""
        first, second, third = await stage.forge.comments.list(stage.issue)
        edited = sound(await stage.forge.comments.edit(stage.issue, second.id, TEXTS[0]))
        assert (edited.id, edited.author, edited.created_at) == (second.id, second.author, second.created_at)
        assert (edited.body, edited.updated_at >= second.updated_at) == (TEXTS[0], True)
        assert await said(stage, stage.issue) == [first.body, TEXTS[0], third.body]

    @needs(Comments.edit, Comments.list)
    async def test_edit_of_another_conversation(self, stage: Stage) -> None:
        """A comment that belongs elsewhere is not found, and stays as it was."""
        first = (await stage.forge.comments.list(stage.issue))[0]
        with not_found(first.id):
            await stage.forge.comments.edit(stage.pr, first.id, "Changed.")
        assert await said(stage, stage.issue) == ["first", "second", "third"]

    @needs(Comments.edit, Threads.list)
    async def test_edit_in_the_diff(self, stage: Stage) -> None:
        """What stands in the diff is not found, and stays as it was."""
        before = await stage.forge.threads.list(stage.pr)
        with not_found(before[0].comments[0].id):
            await stage.forge.comments.edit(stage.pr, before[0].comments[0].id, "Changed.")
        after = await stage.forge.threads.list(stage.pr)
        assert after[0].comments[0].body == before[0].comments[0].body

    @needs(Comments.edit)
    async def test_edit_that_is_missing(self, stage: Stage) -> None:
        """An id of nothing is not found, nor is what is no id."""
        for name in (NO_ID, "first"):
            with not_found(name):
                await stage.forge.comments.edit(stage.issue, name, "Changed.")

"""Conversations in the diff, read."""

from stithy_core.spi import Reviews, Threads
from stithy_testing.conformance.facts import agrees, ascending, distinct, listing
from stithy_testing.conformance.refusals import absent_repository, an_issue, missing_number
from stithy_testing.conformance.stage import Stage
from stithy_testing.conformance.support import needs


class ThreadReading:
    """`Threads.list`."""

    @needs(Threads.list)
    async def test_threads_by_place(self, stage: Stage) -> None:
        """All are read, by path and line, and each says on which side it stands."""
        threads = listing(await stage.forge.threads.list(stage.pr))
        places = [(thread.path, thread.line, thread.side) for thread in threads]
        assert places == [("hello.py", 2, "RIGHT"), ("hello.txt", 5, "RIGHT")]
        assert [thread.start_line for thread in threads] == [None, None]

    @needs(Threads.list)
    async def test_threads_begin_with_their_root(self, stage: Stage) -> None:
        """A thread has all its comments: the one that opened it, then the answers, by time."""
        alone, answered = listing(await stage.forge.threads.list(stage.pr))
        done = ["Done."] if stage.native_replies else []
        assert [comment.body for comment in alone.comments] == ["Why print?"]
        assert [comment.body for comment in answered.comments] == ["Spell it out.", *done]
        assert ascending(comment.created_at for comment in answered.comments)
        assert {comment.author.login for comment in answered.comments} == {stage.author}

    @needs(Threads.list)
    async def test_threads_have_names(self, stage: Stage) -> None:
        """A thread has an id, each of its comments has one, and no two share one."""
        threads = await stage.forge.threads.list(stage.pr)
        assert distinct(thread.id for thread in threads)
        assert distinct(comment.id for thread in threads for comment in thread.comments)
        assert all(thread.named(comment.id) for thread in threads for comment in thread.comments)

    @needs(Threads.list)
    async def test_threads_keep_their_names(self, stage: Stage) -> None:
        """Read again, they are the same, in the same order."""
        first, second = [await stage.forge.threads.list(stage.pr) for _ in range(2)]
        assert list(first) == list(second)

    @needs(Threads.list)
    async def test_threads_are_never_told_wrong(self, stage: Stage) -> None:
        """An open thread on present code is not resolved and not outdated, or it is unknown whether it is."""
        for thread in await stage.forge.threads.list(stage.pr):
            assert agrees(thread.resolved, expected=False)
            assert agrees(thread.outdated, expected=False)
            assert (thread.resolved_by, thread.cut) == (None, "")
            assert not any(comment.pending for comment in thread.comments)

    @needs(Threads.list, Reviews.list)
    async def test_threads_name_their_reviews(self, stage: Stage) -> None:
        """A comment that came with a review names it."""
        reviews = {review.id for review in await stage.forge.reviews.list(stage.pr)}
        threads = await stage.forge.threads.list(stage.pr)
        assert {comment.review for thread in threads for comment in thread.comments} <= reviews | {""}
        assert any(thread.comments[0].review for thread in threads)

    @needs(Threads.list)
    async def test_threads_of_nobody(self, stage: Stage) -> None:
        """None is an empty listing."""
        assert listing(await stage.forge.threads.list(stage.draft)) == []

    @needs(Threads.list)
    async def test_threads_of_what_is_none(self, stage: Stage) -> None:
        """An issue, a missing number and a missing repository are told apart."""
        with an_issue():
            await stage.forge.threads.list(stage.issue_as_pr)
        with missing_number(stage):
            await stage.forge.threads.list(stage.missing_pr)
        with absent_repository(stage):
            await stage.forge.threads.list(stage.absent_pr)

"""Tests of review threads: reading, replies, and their resolution."""

from datetime import timedelta

import pytest

from stithy_core.spi import Comments, PullRequests, Rejected, Reviews, Thread, Threads
from stithy_core.spi.call_state import DryRunStop, WriteGuard
from stithy_testing.conformance.assertions import (
    check_issue_number,
    check_listing,
    check_record,
    expect_absent_repository,
    expect_error,
    expect_missing_number,
    expect_not_found,
    find_single,
    is_ascending,
    is_correct_or_unknown,
    is_distinct,
)
from stithy_testing.conformance.comment_tests import TEXTS
from stithy_testing.conformance.operation_calls import NO_ID, needs
from stithy_testing.conformance.stage import Stage

DAY = timedelta(days=1)


class ThreadTests:
    """`Threads.list` and `get`."""

    @needs(Threads.list)
    async def test_threads_by_place(self, stage: Stage) -> None:
        """All threads are read, by path and line, each with its side."""
        threads = check_listing(await stage.forge.threads.list(stage.pr))
        places = [(thread.path, thread.line, thread.side) for thread in threads]
        assert places == [("hello.py", 2, "RIGHT"), ("hello.txt", 5, "RIGHT")]
        assert [thread.start_line for thread in threads] == [None, None]

    @needs(Threads.list)
    async def test_threads_begin_with_their_root(self, stage: Stage) -> None:
        """A thread has all its comments, oldest first: the opening comment, then the replies."""
        alone, answered = check_listing(await stage.forge.threads.list(stage.pr))
        done = ["Done."] if stage.native_replies else []
        assert [comment.body for comment in alone.comments] == ["Why print?"]
        assert [comment.body for comment in answered.comments] == ["Spell it out.", *done]
        assert is_ascending(comment.created_at for comment in answered.comments)
        assert {comment.author.login for comment in answered.comments} == {stage.author}

    @needs(Threads.list)
    async def test_threads_have_names(self, stage: Stage) -> None:
        """Threads and comments have ids, and no two of a kind share one."""
        threads = await stage.forge.threads.list(stage.pr)
        assert is_distinct(thread.id for thread in threads)
        assert is_distinct(comment.id for thread in threads for comment in thread.comments)
        assert all(thread.named(comment.id) for thread in threads for comment in thread.comments)

    @needs(Threads.list)
    async def test_threads_keep_their_names(self, stage: Stage) -> None:
        """A second read returns the same threads in the same order."""
        first, second = [await stage.forge.threads.list(stage.pr) for _ in range(2)]
        assert list(first) == list(second)

    @needs(Threads.list)
    async def test_threads_are_never_told_wrong(self, stage: Stage) -> None:
        """An open thread on current code is not resolved and not outdated, or that is unknown."""
        for thread in await stage.forge.threads.list(stage.pr):
            assert is_correct_or_unknown(thread.resolved, expected=False)
            assert is_correct_or_unknown(thread.outdated, expected=False)
            assert (thread.resolved_by, thread.cut) == (None, "")
            assert not any(comment.pending for comment in thread.comments)

    @needs(PullRequests.conversation, Comments.block)
    async def test_conversation_equals_its_lists(self, stage: Stage) -> None:
        """What is read at once equals what each list has, and the last block of comments the end of theirs."""
        forge, pr = stage.forge, stage.pr
        found = check_record(await forge.pull_requests.conversation(pr))
        comments = [comment.id for comment in await forge.comments.list(pr)]
        newest = [comment.id for comment in found.newest.comments]
        assert [thread.id for thread in found.threads] == [thread.id for thread in await forge.threads.list(pr)]
        assert [review.id for review in found.reviews] == [review.id for review in await forge.reviews.list(pr)]
        assert newest == comments[-len(newest) :]
        assert bool(found.newest.before) is (len(newest) < len(comments))
        assert [comment.id for comment in check_record(await forge.comments.block(pr)).comments] == newest

    @needs(Threads.list, Reviews.list)
    async def test_threads_name_their_reviews(self, stage: Stage) -> None:
        """A comment of a review has its id."""
        reviews = {review.id for review in await stage.forge.reviews.list(stage.pr)}
        threads = await stage.forge.threads.list(stage.pr)
        assert {comment.review for thread in threads for comment in thread.comments} <= reviews | {""}
        assert any(thread.comments[0].review for thread in threads) or not stage.grouped_reviews

    @needs(Threads.list)
    async def test_threads_of_nobody(self, stage: Stage) -> None:
        """A pull request without any has an empty listing."""
        assert check_listing(await stage.forge.threads.list(stage.draft)) == []

    @needs(Threads.list)
    async def test_threads_of_what_is_none(self, stage: Stage) -> None:
        """The errors for an issue, a missing number and a missing repository differ."""
        await check_issue_number(stage, stage.forge.threads.list)
        with expect_missing_number(stage):
            await stage.forge.threads.list(stage.missing_pr)
        with expect_absent_repository(stage):
            await stage.forge.threads.list(stage.absent_pr)

    @needs(Threads.get, Threads.list)
    async def test_thread_by_any_id(self, stage: Stage) -> None:
        """One thread is read as the list has it, by its own id and by that of its last comment."""
        for thread in await stage.forge.threads.list(stage.pr):
            by_thread = await stage.forge.threads.get(stage.pr, thread.id)
            by_comment = await stage.forge.threads.get(stage.pr, thread.comments[-1].id)
            assert (by_thread, by_comment) == (thread, thread)

    @needs(Threads.get)
    async def test_thread_that_is_missing(self, stage: Stage) -> None:
        """A comment that belongs to no thread of the pull request is not found."""
        with expect_not_found(NO_ID):
            await stage.forge.threads.get(stage.pr, NO_ID)


async def find_thread(stage: Stage, path: str) -> Thread:
    """Read the thread of a file."""
    return find_single(await stage.forge.threads.list(stage.pr), lambda thread: thread.path == path)


async def read_thread_bodies(stage: Stage) -> list[list[str]]:
    """Read the texts of all threads' comments."""
    return [[comment.body for comment in thread.comments] for thread in await stage.forge.threads.list(stage.pr)]


class ReplyTests:
    """`Threads.reply`."""

    @needs(Threads.reply, Threads.list)
    async def test_reply_lands_in_its_thread(self, stage: Stage) -> None:
        """A reply is the last comment of its thread, and no thread is created."""
        before = await read_thread_bodies(stage)
        thread = await find_thread(stage, "hello.py")
        reply = check_record(await stage.forge.threads.reply(stage.pr, thread.id, "Because."))
        assert (reply.comment.body, reply.comment.author.login) == ("Because.", stage.author)
        assert await read_thread_bodies(stage) == [[*before[0], "Because."], *before[1:]]
        after = await find_thread(stage, "hello.py")
        assert (after.id, after.comments[-1].id, reply.repeated) == (thread.id, reply.comment.id, False)
        assert after.named(reply.thread)

    @needs(Threads.reply)
    async def test_reply_says_its_way(self, stage: Stage) -> None:
        """`way` is set if the forge has no replies of its own."""
        thread = await find_thread(stage, "hello.py")
        reply = await stage.forge.threads.reply(stage.pr, thread.id, "Because.")
        assert (not reply.way) is stage.native_replies

    @needs(Threads.reply, Threads.list)
    async def test_reply_by_any_comment(self, stage: Stage) -> None:
        """A thread can be named by the id of any comment in it, replies included."""
        thread = await find_thread(stage, "hello.txt")
        reply = await stage.forge.threads.reply(stage.pr, thread.comments[0].id, "Indeed.")
        again = await stage.forge.threads.reply(stage.pr, reply.comment.id, "Once more.")
        assert thread.named(reply.thread)
        assert thread.named(again.thread)
        assert (await read_thread_bodies(stage))[1] == [
            *(comment.body for comment in thread.comments),
            "Indeed.",
            "Once more.",
        ]

    @needs(Threads.reply, Threads.list)
    async def test_reply_as_given(self, stage: Stage) -> None:
        """Texts are returned unchanged, by the reply and by a later read."""
        thread = await find_thread(stage, "hello.py")
        for text in TEXTS:
            assert (await stage.forge.threads.reply(stage.pr, thread.id, text)).comment.body == text
        assert (await read_thread_bodies(stage))[0] == ["Why print?", *TEXTS]

    @needs(Threads.reply, Threads.list)
    async def test_reply_to_a_foreign_thread(self, stage: Stage) -> None:
        """A thread of another pull request is not found, and nothing is written."""
        before, thread = await read_thread_bodies(stage), await find_thread(stage, "hello.py")
        for name in (thread.id, thread.comments[0].id):
            with expect_not_found(name):
                await stage.forge.threads.reply(stage.draft, name, "Because.")
        assert await read_thread_bodies(stage) == before
        assert list(await stage.forge.threads.list(stage.draft)) == []

    @needs(Threads.reply)
    async def test_reply_to_nothing(self, stage: Stage) -> None:
        """A missing thread is not found, nor is a pull request whose number is an issue's."""
        with expect_not_found(NO_ID):
            await stage.forge.threads.reply(stage.pr, NO_ID, "Because.")
        await check_issue_number(stage, lambda pr: stage.forge.threads.reply(pr, NO_ID, "Because."))

    @needs(Threads.reply, Threads.list)
    async def test_reply_without_words(self, stage: Stage) -> None:
        """A blank reply is rejected, and nothing is written."""
        before, thread = await read_thread_bodies(stage), await find_thread(stage, "hello.py")
        for blank in ("", " \n\t"):
            with expect_error(Rejected):
                await stage.forge.threads.reply(stage.pr, thread.id, blank)
        assert await read_thread_bodies(stage) == before


class ReplyRepetitionTests:
    """`Threads.reply` with `unless_since`."""

    @needs(Threads.reply, Threads.list)
    async def test_reply_is_not_repeated(self, stage: Stage) -> None:
        """With `unless_since`, the user's equal reply since then is returned, and nothing is written."""
        thread = await find_thread(stage, "hello.py")
        first = await stage.forge.threads.reply(stage.pr, thread.id, "Because.")
        since = first.comment.created_at
        again = check_record(await stage.forge.threads.reply(stage.pr, thread.id, "Because.", unless_since=since))
        assert (first.repeated, again.repeated) == (False, True)
        assert (again.comment.id, again.comment.body) == (first.comment.id, "Because.")
        assert thread.named(again.thread)
        assert (await read_thread_bodies(stage))[0] == ["Why print?", "Because."]

    @needs(Threads.reply, Threads.list)
    async def test_reply_in_other_words(self, stage: Stage) -> None:
        """With `unless_since`, another text is written, and so is that of the opening comment, which is not a reply."""
        thread = await find_thread(stage, "hello.py")
        first = await stage.forge.threads.reply(stage.pr, thread.id, "Because.")
        since = min(thread.comments[0].created_at, first.comment.created_at)
        for text in ("Because!", "Why print?"):
            assert not (await stage.forge.threads.reply(stage.pr, thread.id, text, unless_since=since)).repeated
        assert (await read_thread_bodies(stage))[0] == ["Why print?", "Because.", "Because!", "Why print?"]

    @needs(Threads.reply, Threads.list)
    async def test_reply_in_another_thread(self, stage: Stage) -> None:
        """With `unless_since`, an equal reply in another thread does not count."""
        here, there = await find_thread(stage, "hello.py"), await find_thread(stage, "hello.txt")
        first = await stage.forge.threads.reply(stage.pr, here.id, "Because.")
        since = first.comment.created_at
        second = await stage.forge.threads.reply(stage.pr, there.id, "Because.", unless_since=since)
        assert (second.repeated, second.comment.id == first.comment.id) == (False, False)
        assert [bodies[-1] for bodies in await read_thread_bodies(stage)] == ["Because.", "Because."]

    @needs(Threads.reply, Threads.list)
    async def test_reply_after_its_time(self, stage: Stage) -> None:
        """An equal reply before `unless_since` does not count: the text is written again."""
        thread = await find_thread(stage, "hello.py")
        first = await stage.forge.threads.reply(stage.pr, thread.id, "Because.")
        since = first.comment.created_at + DAY
        again = await stage.forge.threads.reply(stage.pr, thread.id, "Because.", unless_since=since)
        assert (again.repeated, again.comment.id == first.comment.id) == (False, False)
        assert (await read_thread_bodies(stage))[0] == ["Why print?", "Because.", "Because."]

    @needs(Threads.reply, Threads.list)
    async def test_reply_in_a_dry_run(self, stage: Stage) -> None:
        """A dry run finds an equal reply as well, and stops before a new one is written."""
        thread = await find_thread(stage, "hello.py")
        first = await stage.forge.threads.reply(stage.pr, thread.id, "Because.")
        since = first.comment.created_at
        with WriteGuard("a dry run", writes=True, dry=True):
            again = await stage.forge.threads.reply(stage.pr, thread.id, "Because.", unless_since=since)
            with pytest.raises(DryRunStop):
                await stage.forge.threads.reply(stage.pr, thread.id, "Not now.", unless_since=since)
        assert (again.repeated, again.comment.id) == (True, first.comment.id)
        assert (await read_thread_bodies(stage))[0] == ["Why print?", "Because."]


class ResolutionTests:
    """`Threads.resolve` and `unresolve`."""

    @needs(Threads.resolve, Threads.list)
    async def test_resolve_is_read_back(self, stage: Stage) -> None:
        """The result is the thread as read later, perhaps with a reply; the other thread stays unresolved."""
        thread = await find_thread(stage, "hello.py")
        resolved = check_record(await stage.forge.threads.resolve(stage.pr, thread.id))
        assert (resolved.id, resolved.resolved) == (thread.id, True)
        assert resolved.comments[: len(thread.comments)] == thread.comments
        assert (resolved.comments == thread.comments) is stage.silent_resolution
        assert (await find_thread(stage, "hello.py")).resolved is True
        assert (await find_thread(stage, "hello.txt")).resolved is False

    @needs(Threads.resolve, Threads.list)
    async def test_resolve_twice(self, stage: Stage) -> None:
        """ResolutionTests a resolved thread changes nothing, and `unchanged` is set."""
        thread = await find_thread(stage, "hello.py")
        first, second = [await stage.forge.threads.resolve(stage.pr, thread.id) for _ in range(2)]
        assert (first.resolved, second.resolved) == (True, True)
        assert (first.unchanged, second.unchanged) == (False, True)

    @needs(Threads.resolve, Threads.list)
    async def test_resolve_by_any_comment(self, stage: Stage) -> None:
        """A thread can be named by the id of any comment in it."""
        thread = await find_thread(stage, "hello.txt")
        resolved = await stage.forge.threads.resolve(stage.pr, thread.comments[-1].id)
        assert (resolved.id, resolved.resolved) == (thread.id, True)

    @needs(Threads.resolve, Threads.list)
    async def test_resolve_a_foreign_thread(self, stage: Stage) -> None:
        """A thread of another pull request is not found, and stays unresolved."""
        thread = await find_thread(stage, "hello.py")
        for name in (thread.id, NO_ID):
            with expect_not_found(name):
                await stage.forge.threads.resolve(stage.draft, name)
        assert (await find_thread(stage, "hello.py")).resolved is False

    @needs(Threads.resolve, Threads.unresolve, Threads.list)
    async def test_unresolve_is_read_back(self, stage: Stage) -> None:
        """A reopened thread is unresolved; reopening it again changes nothing, and `unchanged` is set."""
        thread = await find_thread(stage, "hello.py")
        await stage.forge.threads.resolve(stage.pr, thread.id)
        first, second = [check_record(await stage.forge.threads.unresolve(stage.pr, thread.id)) for _ in range(2)]
        assert (first.resolved, second.resolved) == (False, False)
        assert (first.unchanged, second.unchanged) == (False, True)
        assert (await find_thread(stage, "hello.py")).resolved is False

    @needs(Threads.unresolve, Threads.list)
    async def test_unresolve_a_foreign_thread(self, stage: Stage) -> None:
        """A thread of another pull request is not found."""
        thread = await find_thread(stage, "hello.py")
        with expect_not_found(thread.id):
            await stage.forge.threads.unresolve(stage.draft, thread.id)

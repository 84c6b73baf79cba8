"""Conversations in the diff, answered and settled."""

from datetime import timedelta

import pytest

from stithy_core.spi import Rejected, Thread, Threads
from stithy_core.spi.door import NotSent, Passage
from stithy_core.testing.conformance.facts import only, sound
from stithy_core.testing.conformance.refusals import an_issue, not_found, refusal
from stithy_core.testing.conformance.stage import Stage
from stithy_core.testing.conformance.support import NO_ID, needs
from stithy_core.testing.conformance.writing import TEXTS

DAY = timedelta(days=1)


async def at(stage: Stage, path: str) -> Thread:
    """Read the thread of a file."""
    return only(await stage.forge.threads.of(stage.pr), lambda thread: thread.path == path)


async def texts(stage: Stage) -> list[list[str]]:
    """Read what all threads say."""
    return [[comment.body for comment in thread.comments] for thread in await stage.forge.threads.of(stage.pr)]


class Replying:
    """`Threads.reply`."""

    @needs(Threads.reply, Threads.of)
    async def test_reply_lands_in_its_thread(self, stage: Stage) -> None:
        """An answer is the last comment of its thread, and no other thread comes into being."""
        before = await texts(stage)
        thread = await at(stage, "hello.py")
        reply = sound(await stage.forge.threads.reply(stage.pr, thread.id, "Because."))
        assert (reply.comment.body, reply.comment.author.login) == ("Because.", stage.author)
        assert await texts(stage) == [[*before[0], "Because."], *before[1:]]
        after = await at(stage, "hello.py")
        assert (after.id, after.comments[-1].id, reply.repeated) == (thread.id, reply.comment.id, False)
        assert after.named(reply.thread)

    @needs(Threads.reply)
    async def test_reply_says_its_way(self, stage: Stage) -> None:
        """Where the forge has no replies of its own, the answer says how it was made."""
        thread = await at(stage, "hello.py")
        reply = await stage.forge.threads.reply(stage.pr, thread.id, "Because.")
        assert (not reply.way) is stage.native_replies

    @needs(Threads.reply, Threads.of)
    async def test_reply_by_any_comment(self, stage: Stage) -> None:
        """A thread is named by any comment in it, also by an answer."""
        thread = await at(stage, "hello.txt")
        reply = await stage.forge.threads.reply(stage.pr, thread.comments[0].id, "Indeed.")
        again = await stage.forge.threads.reply(stage.pr, reply.comment.id, "Once more.")
        assert thread.named(reply.thread)
        assert thread.named(again.thread)
        assert (await texts(stage))[1] == [*(comment.body for comment in thread.comments), "Indeed.", "Once more."]

    @needs(Threads.reply, Threads.of)
    async def test_reply_as_given(self, stage: Stage) -> None:
        """Texts come back as they were given, at once and when they are read."""
        thread = await at(stage, "hello.py")
        for text in TEXTS:
            assert (await stage.forge.threads.reply(stage.pr, thread.id, text)).comment.body == text
        assert (await texts(stage))[0] == ["Why print?", *TEXTS]

    @needs(Threads.reply, Threads.of)
    async def test_reply_is_not_repeated(self, stage: Stage) -> None:
        """With `unless_since`, the answer that the user gave since then is given again, and nothing is written."""
        thread = await at(stage, "hello.py")
        first = await stage.forge.threads.reply(stage.pr, thread.id, "Because.")
        since = first.comment.created_at
        again = sound(await stage.forge.threads.reply(stage.pr, thread.id, "Because.", unless_since=since))
        assert (first.repeated, again.repeated) == (False, True)
        assert (again.comment.id, again.comment.body) == (first.comment.id, "Because.")
        assert thread.named(again.thread)
        assert (await texts(stage))[0] == ["Why print?", "Because."]

    @needs(Threads.reply, Threads.of)
    async def test_reply_in_other_words(self, stage: Stage) -> None:
        """With it, another text is written, and so is the one that opened the thread: that was no answer."""
        thread = await at(stage, "hello.py")
        first = await stage.forge.threads.reply(stage.pr, thread.id, "Because.")
        since = min(thread.comments[0].created_at, first.comment.created_at)
        for text in ("Because!", "Why print?"):
            assert not (await stage.forge.threads.reply(stage.pr, thread.id, text, unless_since=since)).repeated
        assert (await texts(stage))[0] == ["Why print?", "Because.", "Because!", "Why print?"]

    @needs(Threads.reply, Threads.of)
    async def test_reply_in_another_thread(self, stage: Stage) -> None:
        """With it, what was said in another thread is written in this one."""
        here, there = await at(stage, "hello.py"), await at(stage, "hello.txt")
        first = await stage.forge.threads.reply(stage.pr, here.id, "Because.")
        since = first.comment.created_at
        second = await stage.forge.threads.reply(stage.pr, there.id, "Because.", unless_since=since)
        assert (second.repeated, second.comment.id == first.comment.id) == (False, False)
        assert [said[-1] for said in await texts(stage)] == ["Because.", "Because."]

    @needs(Threads.reply, Threads.of)
    async def test_reply_after_its_time(self, stage: Stage) -> None:
        """An answer that is older than `unless_since` does not count: the same is written once more."""
        thread = await at(stage, "hello.py")
        first = await stage.forge.threads.reply(stage.pr, thread.id, "Because.")
        since = first.comment.created_at + DAY
        again = await stage.forge.threads.reply(stage.pr, thread.id, "Because.", unless_since=since)
        assert (again.repeated, again.comment.id == first.comment.id) == (False, False)
        assert (await texts(stage))[0] == ["Why print?", "Because.", "Because."]

    @needs(Threads.reply, Threads.of)
    async def test_reply_in_a_dry_run(self, stage: Stage) -> None:
        """A dry run finds the answer of before as well, and stops at the door where there is none."""
        thread = await at(stage, "hello.py")
        first = await stage.forge.threads.reply(stage.pr, thread.id, "Because.")
        since = first.comment.created_at
        with Passage("a dry run", writes=True, dry=True):
            again = await stage.forge.threads.reply(stage.pr, thread.id, "Because.", unless_since=since)
            with pytest.raises(NotSent):
                await stage.forge.threads.reply(stage.pr, thread.id, "Not now.", unless_since=since)
        assert (again.repeated, again.comment.id) == (True, first.comment.id)
        assert (await texts(stage))[0] == ["Why print?", "Because."]

    @needs(Threads.reply, Threads.of)
    async def test_reply_to_a_foreign_thread(self, stage: Stage) -> None:
        """A thread of another pull request is not found, and nothing is written."""
        before, thread = await texts(stage), await at(stage, "hello.py")
        for name in (thread.id, thread.comments[0].id):
            with not_found(name):
                await stage.forge.threads.reply(stage.draft, name, "Because.")
        assert await texts(stage) == before
        assert list(await stage.forge.threads.of(stage.draft)) == []

    @needs(Threads.reply)
    async def test_reply_to_nothing(self, stage: Stage) -> None:
        """A thread that is none, and a pull request that is none, are not found."""
        with not_found(NO_ID):
            await stage.forge.threads.reply(stage.pr, NO_ID, "Because.")
        with an_issue():
            await stage.forge.threads.reply(stage.issue_as_pr, NO_ID, "Because.")

    @needs(Threads.reply, Threads.of)
    async def test_reply_without_words(self, stage: Stage) -> None:
        """A blank answer is rejected, and nothing is written."""
        before, thread = await texts(stage), await at(stage, "hello.py")
        for blank in ("", " \n\t"):
            with refusal(Rejected):
                await stage.forge.threads.reply(stage.pr, thread.id, blank)
        assert await texts(stage) == before


class Resolving:
    """`Threads.resolve` and `unresolve`."""

    @needs(Threads.resolve, Threads.of)
    async def test_resolve_is_read_back(self, stage: Stage) -> None:
        """A resolved thread is given as it is read, and the other stays open."""
        thread = await at(stage, "hello.py")
        resolved = sound(await stage.forge.threads.resolve(stage.pr, thread.id))
        assert (resolved.id, resolved.resolved, resolved.comments) == (thread.id, True, thread.comments)
        assert (await at(stage, "hello.py")).resolved is True
        assert (await at(stage, "hello.txt")).resolved is False

    @needs(Threads.resolve, Threads.of)
    async def test_resolve_twice(self, stage: Stage) -> None:
        """A resolved thread stays so, and it is said that nothing was to be done."""
        thread = await at(stage, "hello.py")
        first, second = [await stage.forge.threads.resolve(stage.pr, thread.id) for _ in range(2)]
        assert (first.resolved, second.resolved) == (True, True)
        assert (first.unchanged, second.unchanged) == (False, True)

    @needs(Threads.resolve, Threads.of)
    async def test_resolve_by_any_comment(self, stage: Stage) -> None:
        """A thread is named by any comment in it."""
        thread = await at(stage, "hello.txt")
        resolved = await stage.forge.threads.resolve(stage.pr, thread.comments[-1].id)
        assert (resolved.id, resolved.resolved) == (thread.id, True)

    @needs(Threads.resolve, Threads.of)
    async def test_resolve_a_foreign_thread(self, stage: Stage) -> None:
        """A thread of another pull request is not found, and stays open."""
        thread = await at(stage, "hello.py")
        for name in (thread.id, NO_ID):
            with not_found(name):
                await stage.forge.threads.resolve(stage.draft, name)
        assert (await at(stage, "hello.py")).resolved is False

    @needs(Threads.resolve, Threads.unresolve, Threads.of)
    async def test_unresolve_is_read_back(self, stage: Stage) -> None:
        """A thread that is opened again is open; one that is open stays so, which is said."""
        thread = await at(stage, "hello.py")
        await stage.forge.threads.resolve(stage.pr, thread.id)
        first, second = [sound(await stage.forge.threads.unresolve(stage.pr, thread.id)) for _ in range(2)]
        assert (first.resolved, second.resolved) == (False, False)
        assert (first.unchanged, second.unchanged) == (False, True)
        assert (await at(stage, "hello.py")).resolved is False

    @needs(Threads.unresolve, Threads.of)
    async def test_unresolve_a_foreign_thread(self, stage: Stage) -> None:
        """A thread of another pull request is not found."""
        thread = await at(stage, "hello.py")
        with not_found(thread.id):
            await stage.forge.threads.unresolve(stage.draft, thread.id)

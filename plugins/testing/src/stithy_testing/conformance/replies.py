"""Conversations in the diff, answered."""

from stithy_core.spi import Rejected, Thread, Threads
from stithy_testing.conformance.facts import only, sound
from stithy_testing.conformance.refusals import an_issue, not_found, refusal
from stithy_testing.conformance.stage import Stage
from stithy_testing.conformance.support import NO_ID, needs
from stithy_testing.conformance.writing import TEXTS


async def at(stage: Stage, path: str) -> Thread:
    """Read the thread of a file."""
    return only(await stage.forge.threads.list(stage.pr), lambda thread: thread.path == path)


async def texts(stage: Stage) -> list[list[str]]:
    """Read what all threads say."""
    return [[comment.body for comment in thread.comments] for thread in await stage.forge.threads.list(stage.pr)]


class Replying:
    """`Threads.reply`."""

    @needs(Threads.reply, Threads.list)
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

    @needs(Threads.reply, Threads.list)
    async def test_reply_by_any_comment(self, stage: Stage) -> None:
        """A thread is named by any comment in it, also by an answer."""
        thread = await at(stage, "hello.txt")
        reply = await stage.forge.threads.reply(stage.pr, thread.comments[0].id, "Indeed.")
        again = await stage.forge.threads.reply(stage.pr, reply.comment.id, "Once more.")
        assert thread.named(reply.thread)
        assert thread.named(again.thread)
        assert (await texts(stage))[1] == [*(comment.body for comment in thread.comments), "Indeed.", "Once more."]

    @needs(Threads.reply, Threads.list)
    async def test_reply_as_given(self, stage: Stage) -> None:
        """Texts come back as they were given, at once and when they are read."""
        thread = await at(stage, "hello.py")
        for text in TEXTS:
            assert (await stage.forge.threads.reply(stage.pr, thread.id, text)).comment.body == text
        assert (await texts(stage))[0] == ["Why print?", *TEXTS]

    @needs(Threads.reply, Threads.list)
    async def test_reply_to_a_foreign_thread(self, stage: Stage) -> None:
        """A thread of another pull request is not found, and nothing is written."""
        before, thread = await texts(stage), await at(stage, "hello.py")
        for name in (thread.id, thread.comments[0].id):
            with not_found(name):
                await stage.forge.threads.reply(stage.draft, name, "Because.")
        assert await texts(stage) == before
        assert list(await stage.forge.threads.list(stage.draft)) == []

    @needs(Threads.reply)
    async def test_reply_to_nothing(self, stage: Stage) -> None:
        """A thread that is none, and a pull request that is none, are not found."""
        with not_found(NO_ID):
            await stage.forge.threads.reply(stage.pr, NO_ID, "Because.")
        with an_issue():
            await stage.forge.threads.reply(stage.issue_as_pr, NO_ID, "Because.")

    @needs(Threads.reply, Threads.list)
    async def test_reply_without_words(self, stage: Stage) -> None:
        """A blank answer is rejected, and nothing is written."""
        before, thread = await texts(stage), await at(stage, "hello.py")
        for blank in ("", " \n\t"):
            with refusal(Rejected):
                await stage.forge.threads.reply(stage.pr, thread.id, blank)
        assert await texts(stage) == before

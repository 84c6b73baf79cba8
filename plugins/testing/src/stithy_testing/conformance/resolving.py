"""Conversations in the diff, settled."""

from stithy_core.spi import Threads
from stithy_testing.conformance.facts import sound
from stithy_testing.conformance.refusals import not_found
from stithy_testing.conformance.replies import at
from stithy_testing.conformance.stage import Stage
from stithy_testing.conformance.support import NO_ID, needs


class Resolving:
    """`Threads.resolve` and `unresolve`."""

    @needs(Threads.resolve, Threads.list)
    async def test_resolve_is_read_back(self, stage: Stage) -> None:
        """A resolved thread is given as it is read, and the other stays open."""
        thread = await at(stage, "hello.py")
        resolved = sound(await stage.forge.threads.resolve(stage.pr, thread.id))
        assert (resolved.id, resolved.resolved, resolved.comments) == (thread.id, True, thread.comments)
        assert (await at(stage, "hello.py")).resolved is True
        assert (await at(stage, "hello.txt")).resolved is False

    @needs(Threads.resolve, Threads.list)
    async def test_resolve_twice(self, stage: Stage) -> None:
        """A resolved thread stays so, and it is said that nothing was to be done."""
        thread = await at(stage, "hello.py")
        first, second = [await stage.forge.threads.resolve(stage.pr, thread.id) for _ in range(2)]
        assert (first.resolved, second.resolved) == (True, True)
        assert (first.unchanged, second.unchanged) == (False, True)

    @needs(Threads.resolve, Threads.list)
    async def test_resolve_by_any_comment(self, stage: Stage) -> None:
        """A thread is named by any comment in it."""
        thread = await at(stage, "hello.txt")
        resolved = await stage.forge.threads.resolve(stage.pr, thread.comments[-1].id)
        assert (resolved.id, resolved.resolved) == (thread.id, True)

    @needs(Threads.resolve, Threads.list)
    async def test_resolve_a_foreign_thread(self, stage: Stage) -> None:
        """A thread of another pull request is not found, and stays open."""
        thread = await at(stage, "hello.py")
        for name in (thread.id, NO_ID):
            with not_found(name):
                await stage.forge.threads.resolve(stage.draft, name)
        assert (await at(stage, "hello.py")).resolved is False

    @needs(Threads.resolve, Threads.unresolve, Threads.list)
    async def test_unresolve_is_read_back(self, stage: Stage) -> None:
        """A thread that is opened again is open; one that is open stays so, which is said."""
        thread = await at(stage, "hello.py")
        await stage.forge.threads.resolve(stage.pr, thread.id)
        first, second = [sound(await stage.forge.threads.unresolve(stage.pr, thread.id)) for _ in range(2)]
        assert (first.resolved, second.resolved) == (False, False)
        assert (first.unchanged, second.unchanged) == (False, True)
        assert (await at(stage, "hello.py")).resolved is False

    @needs(Threads.unresolve, Threads.list)
    async def test_unresolve_a_foreign_thread(self, stage: Stage) -> None:
        """A thread of another pull request is not found."""
        thread = await at(stage, "hello.py")
        with not_found(thread.id):
            await stage.forge.threads.unresolve(stage.draft, thread.id)

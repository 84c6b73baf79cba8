"""The conformance suite fails for forges that act wrongly, in the tests listed here."""

import anyio
import pytest
from attrs import evolve

from stithy_core.spi import NotFound, Reply, Unsupported, since
from stithy_sandbox.capabilities.code_capabilities import SandboxChecks
from stithy_sandbox.capabilities.conversation_capabilities import SandboxComments, SandboxIdentity, SandboxThreads

pytestmark = pytest.mark.anyio


class Trimmed(SandboxComments):
    async def create(self, subject, body):
        return await super().create(subject, body and body.strip())


class AnyName(SandboxComments):
    """Writes by a former name, into an archive, and in a dry run."""

    async def create(self, subject, body):
        if not body:
            return await super().create(subject, body)
        return self.world.add_comment(subject, body)


class ForeignEdits(SandboxComments):
    """Finds a comment by its id alone, as some servers do."""

    async def edit(self, subject, comment, body):
        for found in self.world.repository(subject.repository).conversations.values():
            if comment in [one.id for one in found.comments]:
                return await super().edit(found.subject.ref, comment, body)
        raise NotFound(f"no comment {comment}", suggestion="Look again.")


class Slow(SandboxComments):
    """Stores the argument of a call where concurrent calls overwrite it."""

    async def create(self, subject, body):
        self.body = body
        await anyio.lowlevel.checkpoint()
        return await super().create(subject, self.body)


class Hasty(SandboxComments):
    """Returns before the comment exists."""

    async def create(self, subject, body):
        made = await super().create(subject, body)
        self.world.conversation(subject).comments.remove(made)
        return made


class ForeignReplies(SandboxThreads):
    async def reply(self, pr, thread, body, **more):
        for found in self.world.repository(pr.repository).conversations.values():
            if thread in getattr(found, "threads", {}):
                return await super().reply(found.subject.ref, thread, body, **more)
        return await super().reply(pr, thread, body, **more)


class RepliesInTheConversation(SandboxThreads):
    async def reply(self, pr, thread, body, **more):
        made = await super().reply(pr, thread, body, **more)
        found = self.world.thread(pr, made.thread)
        self.world.pull(pr).threads[found.id] = evolve(found, comments=found.comments[:-1])
        self.world.add_comment(pr, body)
        return evolve(made, way="as a comment of the conversation")


class ByThreadOnly(SandboxThreads):
    async def reply(self, pr, thread, body, **more):
        if thread not in self.world.pull(pr).threads:
            raise NotFound(f"{pr} is an issue, or has no thread {thread}", suggestion="Look again.")
        return await super().reply(pr, thread, body, **more)


class RepliesAgain(SandboxThreads):
    async def reply(self, pr, thread, body, *, unless_since=None):
        return await super().reply(pr, thread, body)


class RepliesOnce(SandboxThreads):
    """Remembers every reply without a time limit, in any thread."""

    async def reply(self, pr, thread, body, *, unless_since=None):
        comments = [(one.id, comment) for one in self.world.pull(pr).threads.values() for comment in one.comments]
        for name, comment in comments if unless_since else ():
            if comment.body == body:
                return Reply(comment=comment, thread=name, repeated=True)
        return await super().reply(pr, thread, body)


class GuardFirst(SandboxThreads):
    """Passes the write guard before it checks whether there is anything to write."""

    async def reply(self, pr, thread, body, **more):
        self.forge.config.admit_write()
        return await super().reply(pr, thread, body, **more)


class SaysNothingOfIt(SandboxThreads):
    async def reply(self, pr, thread, body, **more):
        return evolve(await super().reply(pr, thread, body, **more), repeated=False)


class NamesNoThread(SandboxThreads):
    async def reply(self, pr, thread, body, **more):
        return evolve(await super().reply(pr, thread, body, **more), thread="")


class SaysResolved(SandboxThreads):
    async def resolve(self, pr, thread):
        return evolve(self.world.thread(pr, thread), resolved=True)


class SaysNothingOfWhatWas(SandboxThreads):
    async def resolve(self, pr, thread):
        return evolve(await super().resolve(pr, thread), unchanged=False)

    async def unresolve(self, pr, thread):
        return evolve(await super().unresolve(pr, thread), unchanged=False)


class CannotAfterAll(SandboxThreads):
    async def resolve(self, pr, thread):
        raise self.lacks("resolve", instead="Ask somebody.")


class Mute(SandboxThreads):
    """Lacks an operation, and raises an error without a suggestion."""

    def lacks(self, operation, **_):
        return Unsupported(f"no {operation}")

    @since("99")
    async def unresolve(self, pr, thread):
        return await super().unresolve(pr, thread)


class EmptyLog(SandboxChecks):
    async def log(self, repository, job):
        yield b""


class SomebodyElse(SandboxIdentity):
    async def me(self):
        return evolve(self.world.user, id="2")


class Generous(SandboxIdentity):
    async def may_push(self, repository, login):
        return True


class Stingy(SandboxIdentity):
    async def may_push(self, repository, login):
        return False


FAULTS = {
    Trimmed: "create_as_given",
    AnyName: "a_dry_run_writes_nothing archive_takes_no_comment former_name_takes_no_comment",
    ForeignEdits: "edit_of_another_conversation",
    Slow: "many_writers",
    Hasty: "create_as_given create_on_a_pull_request create_tells_what_was_made many_writers",
    ForeignReplies: "former_name_takes_no_reply reply_to_a_foreign_thread",
    RepliesInTheConversation: "reply_after_its_time reply_as_given reply_by_any_comment reply_in_a_dry_run "
    "reply_in_another_thread reply_in_other_words reply_is_not_repeated reply_lands_in_its_thread reply_says_its_way",
    ByThreadOnly: "reply_by_any_comment",
    RepliesAgain: "reply_in_a_dry_run reply_is_not_repeated",
    RepliesOnce: "reply_after_its_time reply_in_another_thread reply_in_other_words",
    GuardFirst: "reply_in_a_dry_run",
    SaysNothingOfIt: "reply_in_a_dry_run reply_is_not_repeated",
    NamesNoThread: "reply_by_any_comment reply_is_not_repeated reply_lands_in_its_thread",
    SaysResolved: "resolve_is_read_back resolve_twice unresolve_is_read_back",
    SaysNothingOfWhatWas: "resolve_twice unresolve_is_read_back",
    CannotAfterAll: "resolve_a_foreign_thread resolve_by_any_comment resolve_is_read_back resolve_twice "
    "support_is_as_it_turns_out unresolve_is_read_back",
    Mute: "support_is_as_it_turns_out",
    EmptyLog: "log_of_a_job log_of_nothing",
    SomebodyElse: "me_writes",
    Generous: "nobody_may_not_push",
    Stingy: "the_author_may_push",
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
async def test_fault_is_detected(find_failures, fault):
    assert await find_failures(fault) == {f"test_{name}" for name in FAULTS[fault].split()}

"""The suite can fail: forges that do the wrong thing, and the tests that notice it."""

import anyio
import pytest
from attrs import evolve

from stithy_core.spi import NotFound, Unsupported, since
from stithy_sandbox.abilities.checks import SandboxChecks
from stithy_sandbox.abilities.comments import SandboxComments
from stithy_sandbox.abilities.threads import SandboxThreads
from stithy_sandbox.abilities.verdicts import SandboxIdentity

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
    """Keeps in one place what belongs to one call."""

    async def create(self, subject, body):
        self.given = body
        await anyio.lowlevel.checkpoint()
        return await super().create(subject, self.given)


class Hasty(SandboxComments):
    """Answers before the comment is there."""

    async def create(self, subject, body):
        made = await super().create(subject, body)
        self.world.conversation(subject).comments.remove(made)
        return made


class ForeignReplies(SandboxThreads):
    async def reply(self, pr, thread, body):
        for found in self.world.repository(pr.repository).conversations.values():
            if thread in getattr(found, "threads", {}):
                return await super().reply(found.subject.ref, thread, body)
        return await super().reply(pr, thread, body)


class RepliesInTheConversation(SandboxThreads):
    async def reply(self, pr, thread, body):
        made = await super().reply(pr, thread, body)
        found = self.world.thread(pr, made.thread)
        self.world.pull(pr).threads[found.id] = evolve(found, comments=found.comments[:-1])
        self.world.add_comment(pr, body)
        return evolve(made, way="as a comment of the conversation")


class ByThreadOnly(SandboxThreads):
    async def reply(self, pr, thread, body):
        if thread not in self.world.pull(pr).threads:
            raise NotFound(f"{pr} is an issue, or has no thread {thread}", suggestion="Look again.")
        return await super().reply(pr, thread, body)


class SaysResolved(SandboxThreads):
    async def resolve(self, pr, thread):
        return evolve(self.world.thread(pr, thread), resolved=True)


class CannotAfterAll(SandboxThreads):
    async def resolve(self, pr, thread):
        raise self.lacks("resolve", instead="Ask somebody.")


class Mute(SandboxThreads):
    """Lacks an operation, and does not say what to do instead."""

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
    RepliesInTheConversation: "reply_as_given reply_by_any_comment reply_lands_in_its_thread reply_says_its_way",
    ByThreadOnly: "reply_by_any_comment",
    SaysResolved: "resolve_is_read_back",
    CannotAfterAll: "resolve_a_foreign_thread resolve_by_any_comment resolve_is_read_back resolve_twice "
    "support_is_as_it_turns_out unresolve_is_read_back",
    Mute: "support_is_as_it_turns_out unresolve_a_foreign_thread unresolve_is_read_back",
    EmptyLog: "log_of_a_job log_of_nothing",
    SomebodyElse: "me_writes",
    Generous: "nobody_may_not_push",
    Stingy: "the_author_may_push",
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
async def test_fault_is_noticed(failing, fault):
    assert await failing(fault) == {f"test_{name}" for name in FAULTS[fault].split()}

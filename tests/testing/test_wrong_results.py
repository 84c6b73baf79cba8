"""The conformance suite fails for forges with wrong results, in the tests listed here."""

from datetime import timedelta, timezone

import pytest
from attrs import evolve

from stithy_core.spi import BranchRules, Listing, Unknown, Verdict
from stithy_sandbox.capabilities.code_capabilities import SandboxChanges, SandboxChecks
from stithy_sandbox.capabilities.conversation_capabilities import (
    SandboxComments,
    SandboxIssues,
    SandboxPullRequests,
    SandboxRules,
    SandboxThreads,
)
from stithy_sandbox.world.views import build_issue
from stithy_sandbox.world.world_records import Pull

pytestmark = pytest.mark.anyio


class NewestFirst(SandboxComments):
    async def list(self, subject, *, since=None):
        return Listing(tuple(reversed(await super().list(subject, since=since))))


class BareList(SandboxComments):
    async def list(self, subject, *, since=None):
        return list(await super().list(subject, since=since))


class WithoutZone(SandboxComments):
    async def list(self, subject, *, since=None):
        found = await super().list(subject, since=since)
        return found.map(lambda one: evolve(one, created_at=one.created_at.replace(tzinfo=None)))


class AnotherZone(SandboxIssues):
    async def get(self, issue):
        found = await super().get(issue)
        return evolve(found, updated_at=found.updated_at.astimezone(timezone(timedelta(hours=1))))


class HalfAnAddress(SandboxIssues):
    async def get(self, issue):
        return evolve(await super().get(issue), url=f"/issues/{issue.number}")


class PullRequestsAmongIssues(SandboxIssues):
    async def list(self, repository, *, state="open", most=100):
        found = reversed(self.world.repository(repository).conversations.values())
        return Listing(tuple(build_issue(one) for one in found if state in ("all", one.subject.state))[:most])


class FaceOfAPullRequest(SandboxIssues):
    async def get(self, issue):
        found = self.world.conversation(issue)
        return found.subject if isinstance(found, Pull) else build_issue(found)


class PullRequestsAreIssues(SandboxIssues):
    async def get(self, issue):
        return evolve(await super().get(issue), is_pull_request=False)


class EverythingIsAPullRequest(SandboxIssues):
    async def get(self, issue):
        return evolve(await super().get(issue), is_pull_request=True)


class FoldsThreadsAway(SandboxComments):
    """Lists review comments among the minimized comments."""

    async def minimized(self, subject):
        threads = self.world.pull(subject).threads.values() if subject.number == 2 else ()
        return {thread.comments[0].id: "outdated" for thread in threads}


class FoldsForNoReason(SandboxComments):
    async def minimized(self, subject):
        return {comment.id: "" for comment in await self.list(subject)}


class FoldsInOneReadingOnly(SandboxComments):
    async def minimized(self, subject):
        return {comment.id: "spam" for comment in await self.list(subject)}


class SilentlyCut(SandboxPullRequests):
    async def list(self, repository, **query):
        return Listing(tuple(await super().list(repository, **query)))


class NobodyIsDraft(SandboxPullRequests):
    async def get(self, pr):
        return evolve(await super().get(pr), draft=False)


class WithoutReplies(SandboxThreads):
    async def list(self, pr):
        return (await super().list(pr)).map(lambda one: evolve(one, comments=one.comments[:1]))


class OtherNames(SandboxThreads):
    """Changes the ids of threads at each read."""

    read = 0

    async def list(self, pr):
        self.read += 1
        return (await super().list(pr)).map(lambda one: evolve(one, id=f"{one.id}-{self.read}"))


class NoReason(SandboxThreads):
    async def list(self, pr):
        return (await super().list(pr)).map(lambda one: evolve(one, outdated=Unknown("")))


class TwiceInTheTimeline(SandboxIssues):
    async def timeline(self, issue, *, most=1_000):
        found = await super().timeline(issue, most=most)
        return Listing((*found, found[-1]), total=None, cut=found.cut)


class PatchesUnasked(SandboxChanges):
    async def files(self, pr, *, patches=False):
        return await super().files(pr, patches=True)


class TurnedRound(SandboxChanges):
    async def compare(self, repository, base, head):
        found = await super().compare(repository, base, head)
        return evolve(found, ahead=found.behind, behind=found.ahead)


class PendingHasPassed(SandboxChecks):
    async def list(self, repository, commit, *, pr=None):
        found = await super().list(repository, commit, pr=pr)
        return found.map(lambda one: evolve(one, verdict=Verdict.PASSED) if one.verdict is Verdict.PENDING else one)


class HiddenIsNothing(SandboxRules):
    async def get(self, repository, branch, *, pr=None):
        return BranchRules(protected=False, required_approvals=0, required_checks=())


class EmptyForAbsent(SandboxChecks):
    async def list(self, repository, commit, *, pr=None):
        return Listing() if repository.name == "absent" else await super().list(repository, commit)


class OtherChecksInReadiness(SandboxPullRequests):
    async def readiness(self, pr):
        return evolve(await super().readiness(pr), checks=Listing())


FAULTS = {
    NewestFirst: "comments_oldest_first create_as_given create_on_a_pull_request create_tells_what_was_made "
    "edit_of_another_conversation former_name_leads_to_lists former_name_takes_no_comment "
    "reactions_are_counted timeline_has_the_comments",
    BareList: "comments_of_a_pull_request comments_of_nobody comments_oldest_first comments_since "
    "former_name_leads_to_lists",
    WithoutZone: "conversation_equals_its_lists "
    "comment_by_its_id comments_of_a_pull_request comments_oldest_first comments_since "
    "edit_changes_the_text_only former_name_leads_to_lists",
    AnotherZone: "issue_closed issue_has_its_facts issue_of_a_pull_request",
    HalfAnAddress: "issue_closed issue_has_its_facts issue_of_a_pull_request issues_are_told_as_one_by_one",
    PullRequestsAmongIssues: "issues_are_told_as_one_by_one issues_by_state issues_up_to_a_number",
    FaceOfAPullRequest: "issue_of_a_pull_request",
    PullRequestsAreIssues: "issue_of_a_pull_request",
    EverythingIsAPullRequest: "issue_has_its_facts",
    FoldsThreadsAway: "minimized_by_id",
    FoldsForNoReason: "minimized_by_id",
    FoldsInOneReadingOnly: "minimized_by_id",
    SilentlyCut: "pull_requests_up_to_a_number",
    NobodyIsDraft: "pull_request_draft",
    WithoutReplies: "reply_after_its_time reply_as_given reply_by_any_comment reply_in_a_dry_run "
    "reply_in_another_thread reply_in_other_words reply_is_not_repeated reply_lands_in_its_thread "
    "thread_by_any_id threads_begin_with_their_root",
    OtherNames: "conversation_equals_its_lists "
    "former_name_takes_no_reply many_readers readiness_tells_what_people_said reply_after_its_time "
    "reply_as_given reply_by_any_comment reply_in_a_dry_run reply_in_another_thread reply_in_other_words "
    "reply_is_not_repeated reply_lands_in_its_thread reply_says_its_way reply_without_words "
    "resolve_by_any_comment resolve_is_read_back resolve_twice thread_by_any_id threads_keep_their_names "
    "unresolve_is_read_back",
    NoReason: "conversation_equals_its_lists "
    "readiness_is_of_its_pull_request thread_by_any_id threads_begin_with_their_root threads_by_place",
    TwiceInTheTimeline: "timeline_has_the_comments timeline_oldest_first timeline_tells_ends timeline_up_to_a_number",
    PatchesUnasked: "files_without_patches",
    TurnedRound: "compare_in_its_direction",
    PendingHasPassed: "checks_each_once checks_of_a_pull_request",
    HiddenIsNothing: "rules_name_their_source rules_of_a_protected_branch rules_of_an_absent_repository "
    "rules_for_a_pull_request",
    EmptyForAbsent: "checks_of_an_absent_repository",
    OtherChecksInReadiness: "readiness_tells_what_machines_said",
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
async def test_fault_is_detected(find_failures, fault):
    assert await find_failures(fault) == {f"test_{name}" for name in FAULTS[fault].split()}

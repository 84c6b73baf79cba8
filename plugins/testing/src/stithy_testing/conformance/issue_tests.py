"""Tests of issues, pull requests and their timelines."""

from collections.abc import Sequence
from contextlib import suppress

import pytest
from attrs import evolve

from stithy_core.spi import (
    Comments,
    Issue,
    IssueRef,
    Issues,
    Label,
    NotFound,
    PullRequestRef,
    PullRequests,
    RepositoryRef,
)
from stithy_testing.conformance.assertions import (
    check_issue_number,
    check_listing,
    check_record,
    expect_absent_repository,
    expect_missing_number,
    is_ascending,
    is_correct_or_unknown,
    is_distinct,
    require_head_branches,
    require_issue,
)
from stithy_testing.conformance.operation_calls import needs
from stithy_testing.conformance.stage import Stage

KINDS = {
    "commented",
    "reviewed",
    "review_commented",
    "committed",
    "pushed",
    "force_pushed",
    "merged",
    "closed",
    "reopened",
    "labeled",
    "unlabeled",
    "assigned",
    "unassigned",
    "renamed",
    "referenced",
    "review_requested",
    "review_request_removed",
    "review_dismissed",
    "locked",
    "unlocked",
    "milestoned",
    "demilestoned",
    "base_changed",
    "head_deleted",
    "head_restored",
    "ready_for_review",
    "converted_to_draft",
}
"""The kinds of events that the model has; see `stithy_core.spi.Event`."""


class IssueTests:
    """`Issues.get`."""

    @needs(Issues.get)
    async def test_issue_has_its_facts(self, stage: Stage) -> None:
        """All fields are set: number, texts, state, author and labels."""
        issue = check_record(await stage.forge.issues.get(require_issue(stage)))
        assert str(issue.ref) == str(stage.issue)
        assert (issue.title, issue.body, issue.state) == ("It does not greet", "Say hello.", "open")
        assert (issue.author.login, issue.closed_at, issue.is_pull_request) == (stage.author, None, False)
        assert [(label.name, label.colour) for label in issue.labels] == [("bug", "ee0701")]
        assert all(isinstance(label, Label) for label in issue.labels)

    @needs(Issues.get)
    async def test_issue_is_never_told_wrong(self, stage: Stage) -> None:
        """Optional fields are correct or unknown."""
        issue = await stage.forge.issues.get(require_issue(stage))
        assert is_correct_or_unknown(issue.locked, expected=False)
        assert is_correct_or_unknown(issue.comment_count, len(("first", "second", "third")))

    @needs(Issues.get)
    async def test_issue_closed(self, stage: Stage) -> None:
        """A closed issue has its state and the time of its closing."""
        issue = check_record(await stage.forge.issues.get(require_closed_issue(stage)))
        assert issue.state == "closed"
        assert issue.closed_at is not None
        assert issue.created_at <= issue.closed_at

    @needs(Issues.get, PullRequests.get)
    async def test_issue_of_a_pull_request(self, stage: Stage) -> None:
        """A pull request's number returns the issue that backs it: an `Issue` with `is_pull_request` set."""
        require_shared_numbers(stage)
        backing = check_record(await stage.forge.issues.get(stage.pr))
        pull = await stage.forge.pull_requests.get(stage.pr)
        assert (type(backing), backing.is_pull_request) == (Issue, True)
        assert str(backing.ref) == str(pull.ref)
        assert (backing.title, backing.body) == (pull.title, pull.body)
        assert (backing.state, backing.author) == (pull.state, pull.author)

    @needs(Issues.get, PullRequests.get)
    async def test_issue_beside_a_pull_request(self, stage: Stage) -> None:
        """Where they are numbered apart, a pull request's number is another issue's, or none."""
        if not stage.numbers_apart:
            pytest.skip("issues and pull requests share their numbers: ForgeNames.mark is '#'")
        pull = await stage.forge.pull_requests.get(stage.pr)
        with suppress(NotFound):
            issue = await stage.forge.issues.get(IssueRef(stage.repository, stage.pr.number))
            assert (issue.is_pull_request, issue.title == pull.title) == (False, False)

    @needs(Issues.get)
    async def test_issue_that_is_missing(self, stage: Stage) -> None:
        """The errors for a missing number and a missing repository differ."""
        with expect_missing_number(stage):
            await stage.forge.issues.get(evolve(require_issue(stage), number=stage.missing))

    @needs(Issues.get)
    async def test_issue_of_an_absent_repository(self, stage: Stage) -> None:
        """The error names the missing repository."""
        with expect_absent_repository(stage):
            await stage.forge.issues.get(evolve(require_issue(stage), repository=stage.absent))


class PullRequestTests:
    """`PullRequests.get`."""

    @needs(PullRequests.get)
    async def test_pull_request_has_its_facts(self, stage: Stage) -> None:
        """All required fields are set, and optional ones are correct or unknown."""
        pull = check_record(await stage.forge.pull_requests.get(stage.pr))
        assert str(pull.ref) == str(stage.pr)
        assert (pull.title, pull.body, pull.state) == ("Greet", stage.pr_body, "open")
        assert (pull.author.login, pull.merged, pull.merged_at) == (stage.author, False, None)
        assert is_correct_or_unknown(pull.locked, expected=False)
        assert is_correct_or_unknown(pull.archived, expected=False)
        assert is_correct_or_unknown(pull.requested_reviewers, ())

    @needs(PullRequests.get)
    async def test_pull_request_has_two_ends(self, stage: Stage) -> None:
        """Head and base have branch, commit and repository, and the head is not in a fork."""
        pull = await stage.forge.pull_requests.get(stage.pr)
        assert pull.base.branch == "main"
        assert pull.head.branch == "greet" or not stage.head_branches
        assert (pull.head.repository, pull.base.repository) == (stage.repository, stage.repository)
        assert {len(pull.head.commit), len(pull.base.commit)} == {40}
        assert pull.from_fork is False

    @needs(PullRequests.get)
    async def test_pull_request_counts_its_changes(self, stage: Stage) -> None:
        """The counts of lines and files are git's, or unknown."""
        pull = await stage.forge.pull_requests.get(stage.pr)
        assert is_correct_or_unknown(pull.additions, 13)
        assert is_correct_or_unknown(pull.deletions, 2)
        assert is_correct_or_unknown(pull.changed_files, 4 if stage.renames else 3)

    @needs(PullRequests.get)
    async def test_pull_request_merged(self, stage: Stage) -> None:
        """A merged pull request is closed, and has the time, the user and the commit of its merge."""
        pull = check_record(await stage.forge.pull_requests.get(stage.merged))
        assert (pull.merged, pull.state) == (True, "closed")
        assert pull.merged_at is not None
        assert pull.merged_by is not None
        assert pull.merged_by.login == stage.author
        assert pull.merge_commit

    @needs(PullRequests.get)
    async def test_pull_request_draft(self, stage: Stage) -> None:
        """`draft` is correct or unknown for a draft and for another pull request."""
        assert is_correct_or_unknown((await stage.forge.pull_requests.get(stage.draft)).draft, expected=stage.drafts)
        assert is_correct_or_unknown((await stage.forge.pull_requests.get(stage.pr)).draft, expected=False)

    @needs(PullRequests.get)
    async def test_pull_request_that_is_missing(self, stage: Stage) -> None:
        """The errors for a missing number and a missing repository differ."""
        with expect_missing_number(stage):
            await stage.forge.pull_requests.get(stage.missing_pr)

    @needs(PullRequests.get)
    async def test_pull_request_of_an_absent_repository(self, stage: Stage) -> None:
        """The error names the missing repository."""
        with expect_absent_repository(stage):
            await stage.forge.pull_requests.get(stage.absent_pr)

    @needs(PullRequests.get)
    async def test_pull_request_that_is_an_issue(self, stage: Stage) -> None:
        """The error says that the number is an issue's."""
        require_shared_numbers(stage)
        require_issue(stage)
        await check_issue_number(stage, stage.forge.pull_requests.get)


def require_closed_issue(stage: Stage) -> IssueRef:
    """Return the closed issue, or skip the test."""
    return stage.closed or pytest.skip("the stage has no closed issue: Stage.closed is None")


def require_shared_numbers(stage: Stage) -> None:
    """Skip the test if an issue and a pull request may have the same number."""
    if stage.numbers_apart:
        pytest.skip("issues and pull requests are numbered apart: ForgeNames.mark is not '#'")


def sort_pull_requests(stage: Stage, *pulls: PullRequestRef) -> list[int]:
    """Return the numbers of pull requests, the newest first, with that of the conversation if it is one."""
    conversation = {stage.conversation.number} if isinstance(stage.conversation, PullRequestRef) else set[int]()
    return sorted({pull.number for pull in pulls} | conversation, reverse=True)


def list_numbers(found: Sequence[Issue]) -> list[int]:
    """Return the numbers of a complete listing."""
    return [one.ref.number for one in check_listing(found)]


class IssueListTests:
    """`Issues.list`."""

    @needs(Issues.list)
    async def test_issues_by_state(self, stage: Stage) -> None:
        """The default is open issues; `all` has the newest first, and no pull requests."""
        of, issue, closed = stage.forge.issues.list, require_issue(stage), require_closed_issue(stage)
        assert list_numbers(await of(stage.repository)) == [issue.number]
        assert list_numbers(await of(stage.repository, state="closed")) == [closed.number]
        assert list_numbers(await of(stage.repository, state="all")) == [closed.number, issue.number]

    @needs(Issues.list, Issues.get)
    async def test_issues_are_told_as_one_by_one(self, stage: Stage) -> None:
        """An issue in a list has the same fields as one read alone."""
        alone = await stage.forge.issues.get(require_issue(stage))
        (issue,) = await stage.forge.issues.list(stage.repository)
        assert _describe_issue(issue) == _describe_issue(alone)

    @needs(Issues.list)
    async def test_issues_up_to_a_number(self, stage: Stage) -> None:
        """`most` limits the items, and `cut` is set."""
        closed = require_closed_issue(stage)
        found = await stage.forge.issues.list(stage.repository, state="all", most=1)
        assert [issue.ref.number for issue in found] == [closed.number]
        assert found.cut
        assert found.total in (None, len((stage.closed, stage.issue)))

    @needs(Issues.list)
    async def test_issues_of_an_absent_repository(self, stage: Stage) -> None:
        """A missing repository is an error, not an empty listing."""
        with expect_absent_repository(stage):
            await stage.forge.issues.list(stage.absent)


class PullRequestListTests:
    """`PullRequests.list`."""

    @needs(PullRequests.list)
    async def test_pull_requests_by_state(self, stage: Stage) -> None:
        """The default is open pull requests; `closed` includes merged ones; the newest is first."""
        of = stage.forge.pull_requests.list
        assert list_numbers(await of(stage.repository)) == sort_pull_requests(stage, stage.draft, stage.pr)
        assert list_numbers(await of(stage.repository, state="closed")) == [stage.merged.number]
        assert list_numbers(await of(stage.repository, state="all")) == sort_pull_requests(
            stage, stage.draft, stage.merged, stage.pr
        )

    @needs(PullRequests.list, PullRequests.get)
    async def test_pull_requests_are_told_as_one_by_one(self, stage: Stage) -> None:
        """A pull request in a list has the same fields as one read alone; the SHA of its head may be left out."""
        for pull in await stage.forge.pull_requests.list(stage.repository, state="all"):
            alone = await stage.forge.pull_requests.get(pull.ref)
            assert _describe_issue(pull) == _describe_issue(alone)
            head = alone.head if pull.head.commit else evolve(alone.head, commit="")
            assert (pull.head, pull.base.branch, pull.merged) == (head, alone.base.branch, alone.merged)

    @needs(PullRequests.list)
    async def test_pull_requests_by_base(self, stage: Stage) -> None:
        """`base` selects those into a branch."""
        of = stage.forge.pull_requests.list
        into_greet = [stage.draft] if stage.head_branches else []
        into_main = [stage.merged, stage.pr] if stage.head_branches else [stage.draft, stage.merged, stage.pr]
        assert list_numbers(await of(stage.repository, base="greet")) == [one.number for one in into_greet]
        assert list_numbers(await of(stage.repository, base="main", state="all")) == sort_pull_requests(
            stage, *into_main
        )

    @needs(PullRequests.list)
    async def test_pull_requests_by_head(self, stage: Stage) -> None:
        """`head` selects those from a branch of the same repository, as `branch` or `owner:branch`."""
        require_head_branches(stage)
        of, owner = stage.forge.pull_requests.list, stage.repository.namespace
        assert list_numbers(await of(stage.repository, head="greet")) == [stage.pr.number]
        assert list_numbers(await of(stage.repository, head=f"{owner}:later")) == [stage.draft.number]
        assert list_numbers(await of(stage.repository, head="nobody:greet")) == []

    @needs(PullRequests.list)
    async def test_pull_requests_up_to_a_number(self, stage: Stage) -> None:
        """`most` limits the items, and `cut` is set."""
        found = await stage.forge.pull_requests.list(stage.repository, state="all", most=2)
        assert [pull.ref.number for pull in found] == sort_pull_requests(stage, stage.draft, stage.merged, stage.pr)[:2]
        assert found.cut

    @needs(PullRequests.list)
    async def test_pull_requests_of_an_absent_repository(self, stage: Stage) -> None:
        """A missing repository is an error, not an empty listing."""
        with expect_absent_repository(stage):
            await stage.forge.pull_requests.list(stage.absent)


def _describe_issue(issue: Issue) -> tuple[object, ...]:
    ref = IssueRef(RepositoryRef(issue.ref.repository.namespace, issue.ref.repository.name), issue.ref.number)
    return ref, issue.title, issue.body, issue.state, issue.author, issue.url, issue.labels, issue.created_at


class TimelineTests:
    """`Issues.timeline`."""

    @needs(Issues.timeline)
    async def test_timeline_oldest_first(self, stage: Stage) -> None:
        """Events are in order, and none occurs twice."""
        for subject in (stage.conversation, stage.pr, stage.merged):
            events = check_listing(await stage.forge.issues.timeline(subject))
            assert is_ascending(event.at for event in events)
            assert is_distinct(event.id for event in events)

    @needs(Issues.timeline)
    async def test_timeline_is_stable(self, stage: Stage) -> None:
        """A second read returns the same events with the same ids."""
        first, second = [await stage.forge.issues.timeline(stage.pr) for _ in range(2)]
        assert [event.id for event in first] == [event.id for event in second]

    @needs(Issues.timeline)
    async def test_timeline_in_words_of_the_model(self, stage: Stage) -> None:
        """A kind is one of the model's, or the forge's own word where the model has none."""
        for event in await stage.forge.issues.timeline(stage.pr):
            assert event.kind in KINDS or event.kind == event.raw

    @needs(Issues.timeline, Comments.list)
    async def test_timeline_has_the_comments(self, stage: Stage) -> None:
        """Comments are events, with their whole text and their ids."""
        for subject in (stage.conversation, stage.pr):
            events = [event for event in await stage.forge.issues.timeline(subject) if event.kind == "commented"]
            comments = await stage.forge.comments.list(subject)
            assert [(one.subject, one.text) for one in events] == [(one.id, one.body) for one in comments]
            assert {one.actor.login for one in events if one.actor} == {stage.author}

    @needs(Issues.timeline)
    async def test_timeline_tells_ends(self, stage: Stage) -> None:
        """A merge and a closing are events of the model's kinds, each with its actor."""
        for subject, word in ((stage.merged, "merged"), (stage.closed, "closed")):
            if subject is None:
                continue
            events = [event for event in await stage.forge.issues.timeline(subject) if event.kind == word]
            assert [event.actor.login for event in events if event.actor] == [stage.author]

    @needs(Issues.timeline)
    async def test_timeline_up_to_a_number(self, stage: Stage) -> None:
        """`most` limits the items, and `cut` is set."""
        found = await stage.forge.issues.timeline(stage.conversation, most=2)
        whole = await stage.forge.issues.timeline(stage.conversation)
        assert [event.id for event in found] == [event.id for event in whole[:2]]
        assert found.cut

    @needs(Issues.timeline)
    async def test_timeline_of_what_is_missing(self, stage: Stage) -> None:
        """The errors for a missing number and a missing repository differ."""
        with expect_missing_number(stage):
            await stage.forge.issues.timeline(stage.missing_conversation)
        with expect_absent_repository(stage):
            await stage.forge.issues.timeline(stage.absent_conversation)

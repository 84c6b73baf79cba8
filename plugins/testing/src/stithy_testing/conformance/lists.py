"""Issues and pull requests, listed."""

from collections.abc import Sequence

from stithy_core.spi import Issue, IssueRef, Issues, PullRequests, RepositoryRef
from stithy_testing.conformance.facts import listing
from stithy_testing.conformance.refusals import absent_repository
from stithy_testing.conformance.stage import Stage
from stithy_testing.conformance.support import needs


def numbers(found: Sequence[Issue]) -> list[int]:
    """Give the numbers of what was listed whole."""
    return [one.ref.number for one in listing(found)]


class IssueLists:
    """`Issues.list`."""

    @needs(Issues.list)
    async def test_issues_by_state(self, stage: Stage) -> None:
        """Open ones are asked for by default; `all` gives the newest first, and no pull requests."""
        of = stage.forge.issues.list
        assert numbers(await of(stage.repository)) == [stage.issue.number]
        assert numbers(await of(stage.repository, state="closed")) == [stage.closed.number]
        assert numbers(await of(stage.repository, state="all")) == [stage.closed.number, stage.issue.number]

    @needs(Issues.list, Issues.get)
    async def test_issues_are_told_as_one_by_one(self, stage: Stage) -> None:
        """A list tells of an issue what reading it tells."""
        (issue,) = await stage.forge.issues.list(stage.repository)
        assert _told(issue) == _told(await stage.forge.issues.get(stage.issue))

    @needs(Issues.list)
    async def test_issues_up_to_a_number(self, stage: Stage) -> None:
        """`most` is kept to, and the listing says that it was cut."""
        found = await stage.forge.issues.list(stage.repository, state="all", most=1)
        assert [issue.ref.number for issue in found] == [stage.closed.number]
        assert found.cut
        assert found.total in (None, len((stage.closed, stage.issue)))

    @needs(Issues.list)
    async def test_issues_of_an_absent_repository(self, stage: Stage) -> None:
        """A missing repository has no empty list."""
        with absent_repository(stage):
            await stage.forge.issues.list(stage.absent)


class PullRequestLists:
    """`PullRequests.list`."""

    @needs(PullRequests.list)
    async def test_pull_requests_by_state(self, stage: Stage) -> None:
        """Open ones are asked for by default; `closed` has the merged ones; the newest is first."""
        of, draft, pr, merged = stage.forge.pull_requests.list, stage.draft, stage.pr, stage.merged
        assert numbers(await of(stage.repository)) == [draft.number, pr.number]
        assert numbers(await of(stage.repository, state="closed")) == [merged.number]
        assert numbers(await of(stage.repository, state="all")) == [draft.number, merged.number, pr.number]

    @needs(PullRequests.list, PullRequests.get)
    async def test_pull_requests_are_told_as_one_by_one(self, stage: Stage) -> None:
        """A list tells of a pull request what reading it tells."""
        for pull in await stage.forge.pull_requests.list(stage.repository, state="all"):
            alone = await stage.forge.pull_requests.get(pull.ref)
            assert _told(pull) == _told(alone)
            assert (pull.head, pull.base.branch, pull.merged) == (alone.head, alone.base.branch, alone.merged)

    @needs(PullRequests.list)
    async def test_pull_requests_by_base(self, stage: Stage) -> None:
        """`base` keeps those into a branch."""
        of = stage.forge.pull_requests.list
        assert numbers(await of(stage.repository, base="greet")) == [stage.draft.number]
        assert numbers(await of(stage.repository, base="main", state="all")) == [stage.merged.number, stage.pr.number]

    @needs(PullRequests.list)
    async def test_pull_requests_by_head(self, stage: Stage) -> None:
        """`head` keeps those from a branch of the same repository, which its owner may be written before."""
        of, owner = stage.forge.pull_requests.list, stage.repository.namespace
        assert numbers(await of(stage.repository, head="greet")) == [stage.pr.number]
        assert numbers(await of(stage.repository, head=f"{owner}:later")) == [stage.draft.number]
        assert numbers(await of(stage.repository, head="nobody:greet")) == []

    @needs(PullRequests.list)
    async def test_pull_requests_up_to_a_number(self, stage: Stage) -> None:
        """`most` is kept to, and the listing says that it was cut."""
        found = await stage.forge.pull_requests.list(stage.repository, state="all", most=2)
        assert [pull.ref.number for pull in found] == [stage.draft.number, stage.merged.number]
        assert found.cut

    @needs(PullRequests.list)
    async def test_pull_requests_of_an_absent_repository(self, stage: Stage) -> None:
        """A missing repository has no empty list."""
        with absent_repository(stage):
            await stage.forge.pull_requests.list(stage.absent)


def _told(issue: Issue) -> tuple[object, ...]:
    ref = IssueRef(RepositoryRef(issue.ref.repository.namespace, issue.ref.repository.name), issue.ref.number)
    return ref, issue.title, issue.body, issue.state, issue.author, issue.url, issue.labels, issue.created_at

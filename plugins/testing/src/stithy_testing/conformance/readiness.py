"""What stands before a merge, at once and in its parts."""

from collections.abc import Callable
from typing import TypeVar

from stithy_core.spi import Maybe, PullRequests, Unknown, or_unknown
from stithy_testing.conformance.facts import agrees, sound
from stithy_testing.conformance.refusals import an_issue, missing_number
from stithy_testing.conformance.stage import Stage
from stithy_testing.conformance.support import needs

T = TypeVar("T")


def same(whole: Maybe[T], part: Maybe[T], told: Callable[[T], object]) -> bool:
    """Say whether two answers tell the same, as far as both are known."""
    return isinstance(whole, Unknown) or isinstance(part, Unknown) or told(whole) == told(part)


class ReadinessFacts:
    """`PullRequests.readiness`."""

    @needs(PullRequests.readiness, PullRequests.get)
    async def test_readiness_is_of_its_pull_request(self, stage: Stage) -> None:
        """The pull request in it is the one that is read alone."""
        whole = sound(await stage.forge.pull_requests.readiness(stage.pr)).pull_request
        alone = await stage.forge.pull_requests.get(stage.pr)
        assert (whole.ref, whole.head, whole.base) == (alone.ref, alone.head, alone.base)
        assert (whole.title, whole.state, whole.draft) == (alone.title, alone.state, alone.draft)

    @needs(PullRequests.readiness)
    async def test_readiness_tells_what_people_said(self, stage: Stage) -> None:
        """Reviews and threads are those that are read alone."""
        whole = await stage.forge.pull_requests.readiness(stage.pr)
        reviews, threads = (
            await or_unknown(stage.forge.reviews.list(stage.pr)),
            await or_unknown(stage.forge.threads.list(stage.pr)),
        )
        assert same(whole.reviews, reviews, lambda all_: [(one.id, one.state, one.author.login) for one in all_])
        assert same(whole.threads, threads, lambda all_: [(one.id, one.path, len(one.comments)) for one in all_])
        assert not isinstance(whole.reviews, Unknown) or isinstance(reviews, Unknown)
        assert not isinstance(whole.threads, Unknown) or isinstance(threads, Unknown)

    @needs(PullRequests.readiness)
    async def test_readiness_tells_what_machines_said(self, stage: Stage) -> None:
        """Checks and rules are those that are read alone."""
        whole = await stage.forge.pull_requests.readiness(stage.pr)
        checks = await or_unknown(stage.forge.checks.list(stage.repository, whole.pull_request.head.commit))
        rules = await or_unknown(stage.forge.rules.get(stage.repository, "main"))
        assert same(whole.checks, checks, lambda all_: sorted((one.name, str(one.verdict)) for one in all_))
        assert same(whole.rules, rules, lambda one: agrees(one.required_approvals, 1))
        assert not isinstance(whole.checks, Unknown) or isinstance(checks, Unknown)

    @needs(PullRequests.readiness)
    async def test_readiness_tells_what_git_says(self, stage: Stage) -> None:
        """Commits are those that are read alone, and how far it is behind is right or unknown."""
        whole = await stage.forge.pull_requests.readiness(stage.pr)
        commits = await or_unknown(stage.forge.changes.commits(stage.pr))
        assert same(whole.commits, commits, lambda all_: [one.sha for one in all_])
        assert agrees(whole.behind, len(("before", "its merge")))

    @needs(PullRequests.readiness)
    async def test_readiness_of_what_is_none(self, stage: Stage) -> None:
        """An issue and a missing number are told apart."""
        with an_issue():
            await stage.forge.pull_requests.readiness(stage.issue_as_pr)
        with missing_number(stage):
            await stage.forge.pull_requests.readiness(stage.missing_pr)

    @needs(PullRequests.dependencies)
    async def test_readiness_waits_for_nothing(self, stage: Stage) -> None:
        """A pull request that must wait for nothing else has no dependencies."""
        assert list(sound(await stage.forge.pull_requests.dependencies(stage.pr))) == []

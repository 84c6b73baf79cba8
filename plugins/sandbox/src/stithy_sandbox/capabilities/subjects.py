"""Issues and pull requests."""

from attrs import evolve

from stithy_core.spi import (
    Event,
    Issue,
    IssueRef,
    Issues,
    Listing,
    PullRequest,
    PullRequestRef,
    PullRequests,
    Readiness,
    RepositoryRef,
    composed_readiness,
)
from stithy_sandbox.capabilities.base import InWorld, first
from stithy_sandbox.world.records import Pull
from stithy_sandbox.world.timeline import timeline
from stithy_sandbox.world.views import issue_of, pull_request_of


class SandboxIssues(InWorld, Issues):
    """Issues; a pull request can also be read as an issue."""

    async def get(self, issue: IssueRef) -> Issue:
        """Read one issue."""
        return issue_of(self.world.conversation(issue))

    async def list(self, repository: RepositoryRef, *, state: str = "open", most: int = 100) -> Listing[Issue]:
        """List issues without pull requests, newest first."""
        conversations = reversed(self.world.repository(repository).conversations.values())
        issues = [issue_of(one) for one in conversations if not isinstance(one, Pull)]
        return first([issue for issue in issues if state in ("all", issue.state)], most)

    async def timeline(self, issue: IssueRef, *, most: int = 1_000) -> Listing[Event]:
        """Read the events, oldest first."""
        return first(timeline(self.world, self.world.conversation(issue)), most)


class SandboxPullRequests(InWorld, PullRequests):
    """Pull requests."""

    async def get(self, pr: PullRequestRef) -> PullRequest:
        """Read one pull request."""
        return pull_request_of(self.world, self.world.pull(pr))

    async def list(
        self, repository: RepositoryRef, *, state: str = "open", base: str = "", head: str = "", most: int = 100
    ) -> Listing[PullRequest]:
        """List pull requests, newest first."""
        home = self.world.repository(repository)
        found = reversed([one for one in home.conversations.values() if isinstance(one, Pull)])
        pulls = [pull_request_of(self.world, one) for one in found if state in ("all", one.subject.state)]
        fitting = [pull for pull in pulls if base in ("", pull.base.branch) and _from(pull, head)]
        return first(fitting, most)

    async def readiness(self, pr: PullRequestRef) -> Readiness:
        """Read the conditions for a merge."""
        whole = await composed_readiness(self.forge, pr)
        return evolve(whole, may_merge=self.world.repository(pr.repository).writable)

    async def dependencies(self, pr: PullRequestRef) -> Listing[Issue]:
        """Read the issues and pull requests that block it."""
        return Listing(tuple(issue_of(self.world.conversation(one)) for one in self.world.pull(pr).waits_for))


def _from(pull: PullRequest, head: str) -> bool:
    """Return whether a pull request comes from a branch, written as `branch` or `owner:branch`."""
    owner, _, branch = head.rpartition(":")
    if not branch:
        return True
    home = pull.head.repository
    ours = home == pull.base.repository if not owner else home is not None and home.namespace == owner
    return ours and pull.head.branch == branch

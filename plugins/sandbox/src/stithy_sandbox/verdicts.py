"""What a pull request changes, what people and machines say to it, and what its branch demands."""

from collections.abc import Sequence
from operator import attrgetter

from stithy_core.spi import (
    BranchRules,
    Changes,
    Checks,
    CommitCheck,
    FileChange,
    PullRequestRef,
    RepositoryRef,
    Review,
    Reviews,
    Rules,
)
from stithy_sandbox.abilities import InWorld

NONE = BranchRules(required_approvals=0, required_checks=())


class SandboxReviews(InWorld, Reviews):
    """Verdicts of people."""

    async def of(self, pr: PullRequestRef) -> Sequence[Review]:
        """Read all reviews, oldest first."""
        return tuple(self.world.pull(pr).reviews)


class SandboxChanges(InWorld, Changes):
    """What a pull request changes."""

    async def files(self, pr: PullRequestRef) -> Sequence[FileChange]:
        """Read all changed files, by path."""
        return sorted(self.world.pull(pr).files.values(), key=attrgetter("path"))


class SandboxChecks(InWorld, Checks):
    """Verdicts of machines."""

    async def of(self, pr: PullRequestRef) -> Sequence[CommitCheck]:
        """Read the latest attempt of every check, by name."""
        return sorted(self.world.pull(pr).checks.values(), key=attrgetter("name"))


class SandboxRules(InWorld, Rules):
    """What branches demand."""

    async def of(self, repository: RepositoryRef, branch: str) -> BranchRules:
        """Read what stands before a merge; a branch without rules demands nothing."""
        return self.world.repository(repository).rules.get(branch, NONE)

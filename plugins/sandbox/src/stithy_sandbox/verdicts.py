"""What a pull request changes, what people and machines say to it, and what its branch demands."""

from operator import attrgetter

from attrs import evolve

from stithy_core.spi import (
    BranchRules,
    Changes,
    Checks,
    CommitCheck,
    FileChange,
    Listing,
    PullRequestRef,
    RepositoryRef,
    Review,
    Reviews,
    Rules,
)
from stithy_sandbox.abilities import InWorld

NONE = BranchRules(protected=False, required_approvals=0, required_checks=())


class SandboxReviews(InWorld, Reviews):
    """Verdicts of people."""

    async def of(self, pr: PullRequestRef) -> Listing[Review]:
        """Read all reviews, oldest first."""
        return Listing(tuple(self.world.pull(pr).reviews))


class SandboxChanges(InWorld, Changes):
    """What a pull request changes."""

    async def files(self, pr: PullRequestRef, *, patches: bool = False) -> Listing[FileChange]:
        """Read all changed files, by path."""
        files = sorted(self.world.pull(pr).files.values(), key=attrgetter("path"))
        return Listing(tuple(file if patches else evolve(file, patch=None) for file in files))


class SandboxChecks(InWorld, Checks):
    """Verdicts of machines."""

    async def of(self, repository: RepositoryRef, commit: str) -> Listing[CommitCheck]:
        """Read the latest attempt of every check, by name."""
        checks = self.world.head(repository, commit).checks.values()
        return Listing(tuple(sorted(checks, key=attrgetter("name"))))


class SandboxRules(InWorld, Rules):
    """What branches demand."""

    async def of(self, repository: RepositoryRef, branch: str) -> BranchRules:
        """Read what stands before a merge; a branch without rules demands nothing."""
        return self.world.repository(repository).rules.get(branch, NONE)

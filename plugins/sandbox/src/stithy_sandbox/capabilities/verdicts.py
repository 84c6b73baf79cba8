"""Verdicts of people, what branches demand, and who the token speaks for."""

from stithy_core.spi import (
    Access,
    BranchRules,
    Identity,
    Listing,
    PullRequestRef,
    RepositoryRef,
    Review,
    Reviews,
    Rules,
    Unknown,
    User,
)
from stithy_sandbox.capabilities.base import InWorld

NO_TOKEN = Unknown("the sandbox has no tokens")


class SandboxReviews(InWorld, Reviews):
    """Verdicts of people."""

    async def list(self, pr: PullRequestRef) -> Listing[Review]:
        """Read all reviews, oldest first."""
        return Listing(tuple(self.world.pull(pr).reviews))


class SandboxRules(InWorld, Rules):
    """What branches demand."""

    async def get(self, repository: RepositoryRef, branch: str) -> BranchRules:
        """Read what stands before a merge; a branch without rules demands nothing."""
        return self.world.repository(repository).rules.get(branch, BranchRules.none())


class SandboxIdentity(InWorld, Identity):
    """Who the token speaks for."""

    async def me(self) -> User:
        """Give the world's one user."""
        return self.world.user

    async def access(self) -> Access:
        """Say that there is no token, and so no budget."""
        return Access(scopes=NO_TOKEN)

    async def may_push(self, repository: RepositoryRef, login: str) -> bool:
        """Say whether an account may push: the owner may, and whoever was let."""
        return self.world.may_push(repository, login)

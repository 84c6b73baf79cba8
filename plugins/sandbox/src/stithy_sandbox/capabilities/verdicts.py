"""Reviews, branch rules and the token's user."""

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
    """Reviews."""

    async def list(self, pr: PullRequestRef) -> Listing[Review]:
        """Read all reviews, oldest first."""
        return Listing(tuple(self.world.pull(pr).reviews))


class SandboxRules(InWorld, Rules):
    """Branch rules."""

    async def get(self, repository: RepositoryRef, branch: str) -> BranchRules:
        """Read the rules of a branch; empty rules for a branch without any."""
        return self.world.repository(repository).rules.get(branch, BranchRules.none())


class SandboxIdentity(InWorld, Identity):
    """The token's user."""

    async def me(self) -> User:
        """Return the world's user."""
        return self.world.user

    async def access(self) -> Access:
        """Return unknown scopes, since the sandbox has no tokens."""
        return Access(scopes=NO_TOKEN)

    async def may_push(self, repository: RepositoryRef, login: str) -> bool:
        """Return whether an account has write access to a repository."""
        return self.world.may_push(repository, login)

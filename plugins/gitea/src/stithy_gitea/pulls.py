"""Pull requests."""

from typing import Any

from stithy_core.spi import (
    Listing,
    PullRequest,
    PullRequestRef,
    PullRequests,
    Readiness,
    RepositoryRef,
    composed_readiness,
)
from stithy_gitea.listing import first
from stithy_gitea.mapping import to_pull_request
from stithy_gitea.paths import path_of
from stithy_gitea.subjects import read_pull


class GiteaPullRequests(PullRequests):
    """Pull requests."""

    async def get(self, pr: PullRequestRef) -> PullRequest:
        """Read one pull request."""
        return to_pull_request(await read_pull(self.forge, pr), pr.repository)

    async def of(
        self, repository: RepositoryRef, *, state: str = "open", base: str = "", head: str = "", most: int = 100
    ) -> Listing[PullRequest]:
        """List pull requests, the newest first.

        Gitea filters by base alone, Forgejo by neither end: the rest is sorted out of all that there are.
        """
        path = f"{path_of(repository)}/pulls"
        found = await first(
            self.forge, repository, path, most, keep=_between(base, head), state=state, base_branch=base
        )
        return found.map(lambda raw: to_pull_request(raw, repository))

    async def readiness(self, pr: PullRequestRef) -> Readiness:
        """Read all that stands before a merge; there is no one question for it."""
        return await composed_readiness(self.forge, pr)


class _between:  # noqa: N801 -- a predicate that remembers its ends
    """Says whether a pull request goes from one branch into another; an empty name stands for any."""

    def __init__(self, base: str, head: str) -> None:
        self.base = base
        self.owner, _, self.branch = head.rpartition(":")

    def __call__(self, raw: dict[str, Any]) -> bool:
        """Say whether it does."""
        base, head = raw.get("base") or {}, raw.get("head") or {}
        return (not self.base or base.get("ref") == self.base) and (not self.branch or self._is_head(head, base))

    def _is_head(self, head: dict[str, Any], base: dict[str, Any]) -> bool:
        # The label keeps the branch's name when the branch is gone; the repository may be gone, too.
        if self.branch not in (head.get("ref"), head.get("label")):
            return False
        if not self.owner:
            return head.get("repo_id") == base.get("repo_id")
        return self.owner.lower() == (((head.get("repo") or {}).get("owner") or {}).get("login") or "").lower()

"""Pull requests."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import evolve

from stithy_core.spi import (
    NOT_REPORTED,
    ForgeError,
    Issue,
    Listing,
    Maybe,
    NotFound,
    PullRequest,
    PullRequestRef,
    PullRequests,
    Readiness,
    RepositoryRef,
    Unknown,
    composed_readiness,
    or_unknown,
)
from stithy_gitea.listing import first
from stithy_gitea.mapping import to_issue, to_pull_request, to_users
from stithy_gitea.paging import page_size
from stithy_gitea.paths import issue_path, path_of
from stithy_gitea.reviews import requested
from stithy_gitea.rules import read_branch
from stithy_gitea.subjects import read_pull

if TYPE_CHECKING:
    from stithy_core.spi import Forge

DOUBT = (
    "Gitea and Forgejo say of what they still check that it cannot be merged, as of a conflict, and Gitea does not"
    " notice conflicts between renames"
)
"""See docs/forge-behaviour/gitea.md#pull-requests and docs/forge-behaviour/forgejo.md#pull-requests."""
ANSWERED_TOO = Unknown("lists name those as well who have answered", "Read the pull request by its number.")


class GiteaPullRequests(PullRequests):
    """Pull requests."""

    async def get(self, pr: PullRequestRef) -> PullRequest:
        """Read one pull request, and its reviews where somebody may be asked for one."""
        raw = await read_pull(self.forge, pr)
        pull = to_pull_request(raw, pr.repository)
        if not pull.requested_reviewers:
            return pull
        try:  # Gitea and Forgejo list those as well who have answered
            return evolve(pull, requested_reviewers=to_users(await requested(self.forge, pr)))
        except ForgeError as error:
            reason = f"the reviews could not be read, which tell who has answered: {error.message}"
            return evolve(pull, requested_reviewers=Unknown(reason, error.suggestion))

    async def list(
        self, repository: RepositoryRef, *, state: str = "open", base: str = "", head: str = "", most: int = 100
    ) -> Listing[PullRequest]:
        """List pull requests, the newest first.

        Gitea filters by base alone, Forgejo by neither end: the rest is sorted out of all that there are.
        """
        path = f"{path_of(repository)}/pulls"
        found = await first(
            self.forge, repository, path, most, keep=_between(base, head), state=state, base_branch=base
        )
        return found.map(lambda raw: _listed(to_pull_request(raw, repository)))

    async def readiness(self, pr: PullRequestRef) -> Readiness:
        """Read all that stands before a merge; there is no one question for it."""
        whole = await composed_readiness(self.forge, pr)
        return evolve(whole, may_merge=await _may_merge(self.forge, whole.pull_request), owners=(), doubt=DOUBT)

    async def dependencies(self, pr: PullRequestRef) -> Listing[Issue]:
        """Read what it waits for; there is nothing where the repository has that switched off."""
        try:
            rows = await self.forge.http.items(f"{issue_path(pr)}/dependencies", size=await page_size(self.forge))
        except NotFound:
            await read_pull(self.forge, pr)
            return Listing()
        return rows.map(lambda raw: to_issue(raw, pr.repository))


async def _may_merge(forge: "Forge", pull: PullRequest) -> Maybe[bool]:
    """Say whether the token's user may merge into the base: by their rights, and where it is restricted, by name."""
    branch = await or_unknown(read_branch(forge, pull.ref.repository, pull.base.branch))
    return branch if isinstance(branch, Unknown) else branch.get("user_can_merge", NOT_REPORTED)


def _listed(pull: PullRequest) -> PullRequest:
    return evolve(pull, requested_reviewers=ANSWERED_TOO) if pull.requested_reviewers else pull


def _between(base: str, head: str) -> Callable[[dict[str, Any]], bool]:
    """Choose what goes from one branch into another; an empty name stands for any."""
    owner, _, branch = head.rpartition(":")

    def chosen(raw: dict[str, Any]) -> bool:
        into, of = raw.get("base") or {}, raw.get("head") or {}
        return (not base or into.get("ref") == base) and (not branch or _is_of(of, owner, branch, into))

    return chosen


def _is_of(head: dict[str, Any], owner: str, branch: str, base: dict[str, Any]) -> bool:
    """Say whether a head is a branch: its label keeps the name when the branch is gone."""
    if branch not in (head.get("ref"), head.get("label")):
        return False
    if not owner:
        return bool(head.get("repo_id") == base.get("repo_id"))
    login = ((head.get("repo") or {}).get("owner") or {}).get("login") or ""
    return owner.lower() == str(login).lower()

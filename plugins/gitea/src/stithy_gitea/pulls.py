"""Pull requests."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import evolve

from stithy_core.spi import (
    NOT_REPORTED,
    Conflict,
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
from stithy_gitea.listing import read_first_rows
from stithy_gitea.mapping import to_issue, to_pull_request, to_users
from stithy_gitea.paging import page_size
from stithy_gitea.reviews import read_requested_reviewers
from stithy_gitea.rules import read_branch
from stithy_gitea.subjects import PULL_REQUEST, explain_refused_write, issue_path, path_of, pull_path, read_pull

if TYPE_CHECKING:
    from stithy_core.spi import Forge

DOUBT = (
    "Gitea and Forgejo report a pull request that they still check as not mergeable, like a conflict, and Gitea does"
    " not notice conflicts between renames"
)
"""See docs/forge-behaviour/gitea.md#pull-requests and docs/forge-behaviour/forgejo.md#pull-requests."""
ANSWERED_TOO = Unknown("lists also name reviewers who have answered", "Read the pull request by its number.")


class GiteaPullRequests(PullRequests):
    """Pull requests."""

    async def get(self, pr: PullRequestRef) -> PullRequest:
        """Return a pull request; its reviews are read if it has requested reviewers."""
        raw = await read_pull(self.forge, pr)
        pull = to_pull_request(raw, pr.repository)
        if not pull.requested_reviewers:
            return pull
        try:  # Gitea and Forgejo also list reviewers who have answered
            return evolve(pull, requested_reviewers=to_users(await read_requested_reviewers(self.forge, pr)))
        except ForgeError as error:
            reason = f"the reviews, which tell who has answered, could not be read: {error.message}"
            return evolve(pull, requested_reviewers=Unknown(reason, error.suggestion))

    async def list(
        self, repository: RepositoryRef, *, state: str = "open", base: str = "", head: str = "", most: int = 100
    ) -> Listing[PullRequest]:
        """Return pull requests, newest first.

        Gitea filters by base only, Forgejo not at all: all are read, and the others are filtered here.
        """
        path = f"{path_of(repository)}/pulls"
        found = await read_first_rows(
            self.forge,
            repository,
            path,
            most,
            kind=PULL_REQUEST,
            keep=_between(base, head),
            state=state,
            base_branch=base,
        )
        return found.map(lambda raw: _mark_reviewers_unknown(to_pull_request(raw, repository)))

    async def readiness(self, pr: PullRequestRef) -> Readiness:
        """Return everything that a merge depends on, by several requests."""
        whole = await composed_readiness(self.forge, pr)
        return evolve(whole, may_merge=await _may_merge(self.forge, whole.pull_request), owners=(), doubt=DOUBT)

    async def dependencies(self, pr: PullRequestRef) -> Listing[Issue]:
        """Return its dependencies; an empty list if the repository has them disabled."""
        try:
            rows = await self.forge.http.items(f"{issue_path(pr)}/dependencies", size=await page_size(self.forge))
        except NotFound:
            await read_pull(self.forge, pr)
            return Listing()
        return rows.map(lambda raw: to_issue(raw, pr.repository))

    async def retarget(self, pr: PullRequestRef, branch: str) -> PullRequest:
        """Change the base branch. A missing branch and a missing pull request are both a 404."""

        async def send() -> Any:
            async with explain_refused_write(self.forge, pr):
                return await self.forge.http.send("PATCH", pull_path(pr), {"base": branch}, idempotent=True, shape=dict)

        async def find() -> PullRequest | None:
            found = await self.get(pr)
            return found if found.base.branch == branch else None

        if (found := await find()) is not None:
            return found
        try:
            return await self.forge.outbox.confirm(send, find)
        except NotFound as error:
            await read_pull(self.forge, pr)
            text, remedy = f"{pr.repository} has no branch {branch!r}", "Check the name of the branch."
            raise NotFound(text, suggestion=remedy, details=error.details) from error

    async def update_branch(self, pr: PullRequestRef, head: str) -> PullRequest:
        """Merge the base branch into the head branch. The API takes no expected head, so it is compared before."""

        async def send() -> Any:
            async with explain_refused_write(self.forge, pr):
                return await self.forge.http.send("POST", f"{pull_path(pr)}/update")

        async def find() -> PullRequest | None:
            found = await self.get(pr)
            return found if found.head.commit != head else None

        current = (await self.get(pr)).head.commit
        if current != head:
            remedy = "Read the pull request again."
            raise Conflict(f"the head of {pr} is {current[:12]} now, not {head[:12]}", suggestion=remedy)
        return await self.forge.outbox.confirm(send, find)


async def _may_merge(forge: "Forge", pull: PullRequest) -> Maybe[bool]:
    """Return whether the token's user may merge into the base branch, by permission and by the branch's own list."""
    branch = await or_unknown(read_branch(forge, pull.ref.repository, pull.base.branch))
    return branch if isinstance(branch, Unknown) else branch.get("user_can_merge", NOT_REPORTED)


def _mark_reviewers_unknown(pull: PullRequest) -> PullRequest:
    return evolve(pull, requested_reviewers=ANSWERED_TOO) if pull.requested_reviewers else pull


def _between(base: str, head: str) -> Callable[[dict[str, Any]], bool]:
    """Return a filter for pull requests between two branches; an empty name matches any."""
    owner, _, branch = head.rpartition(":")

    def chosen(raw: dict[str, Any]) -> bool:
        into, of = raw.get("base") or {}, raw.get("head") or {}
        return (not base or into.get("ref") == base) and (not branch or _is_of(of, owner, branch, into))

    return chosen


def _is_of(head: dict[str, Any], owner: str, branch: str, base: dict[str, Any]) -> bool:
    """Return whether a head is a branch; its label keeps the name of a deleted branch."""
    if branch not in (head.get("ref"), head.get("label")):
        return False
    if not owner:
        return bool(head.get("repo_id") == base.get("repo_id"))
    login = ((head.get("repo") or {}).get("owner") or {}).get("login") or ""
    return owner.lower() == str(login).lower()

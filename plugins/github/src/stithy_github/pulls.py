"""Pull requests."""

from typing import Any

from stithy_core.spi import (
    Issue,
    Listing,
    NotFound,
    PullRequest,
    PullRequestRef,
    PullRequests,
    Readiness,
    RepositoryRef,
)
from stithy_github.issues_mapping import to_pull_request
from stithy_github.listings import PAGE_SIZE
from stithy_github.mapping import pull_path, repository_path, to_repository_ref
from stithy_github.not_found_errors import missing_repository, read_from_pull_request
from stithy_github.pull_readiness import read_readiness


class GitHubPullRequests(PullRequests):
    """Pull requests."""

    async def get(self, pr: PullRequestRef) -> PullRequest:
        """Read one pull request."""
        return to_pull_request(
            await read_from_pull_request(self.forge, pr, self.forge.http.get(pull_path(pr), shape=dict)), pr
        )

    async def list(
        self, repository: RepositoryRef, *, state: str = "open", base: str = "", head: str = "", most: int = 100
    ) -> Listing[PullRequest]:
        """List pull requests, the newest first."""
        try:
            found = await self._list_from(
                repository, state=state, base=base, head=_qualify_head(head, repository), most=most
            )
            if head and not found:
                found = await self._list_after_rename(repository, state=state, base=base, head=head, most=most)
        except NotFound as error:
            raise missing_repository(self.forge, repository, error) from error
        return found

    async def readiness(self, pr: PullRequestRef) -> Readiness:
        """Read all that stands before a merge, most of it with one question in GraphQL."""
        return await read_readiness(self.forge, pr)

    async def dependencies(self, pr: PullRequestRef) -> Listing[Issue]:  # noqa: ARG002 -- the base class has it
        """Give none: GitHub makes no merge wait for an issue or for another pull request."""
        return Listing()

    async def _list_from(self, repository: RepositoryRef, *, most: int, **query: Any) -> Listing[PullRequest]:
        path = f"{repository_path(repository)}/pulls"
        rows = await self.forge.http.items(path, size=PAGE_SIZE, most=most, sort="created", direction="desc", **query)
        return rows.map(lambda row: to_pull_request(row, PullRequestRef(repository, row["number"])))

    async def _list_after_rename(
        self, repository: RepositoryRef, *, head: str, most: int, **query: str
    ) -> Listing[PullRequest]:
        """Ask again where the repository has another owner now: GitHub finds no head by the name of a former one."""
        present = to_repository_ref(await self.forge.http.get(repository_path(repository), shape=dict))
        if present.namespace.lower() == repository.namespace.lower():
            return Listing()
        return await self._list_from(present, head=_qualify_head(head, present), most=most, **query)


def _qualify_head(head: str, repository: RepositoryRef) -> str:
    """Write a branch with its owner, without whom GitHub does not look for it but gives all."""
    return f"{repository.namespace}:{head}" if head and ":" not in head else head

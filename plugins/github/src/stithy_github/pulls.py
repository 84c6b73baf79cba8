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
from stithy_github.absence import absent_repository, of_pull_request
from stithy_github.counting import PAGE
from stithy_github.issues_mapping import to_pull_request
from stithy_github.mapping import path_of, pull_path, to_repository_ref
from stithy_github.readiness import readiness


class GitHubPullRequests(PullRequests):
    """Pull requests."""

    async def get(self, pr: PullRequestRef) -> PullRequest:
        """Read one pull request."""
        return to_pull_request(
            await of_pull_request(self.forge, pr, self.forge.http.get(pull_path(pr), shape=dict)), pr
        )

    async def list(
        self, repository: RepositoryRef, *, state: str = "open", base: str = "", head: str = "", most: int = 100
    ) -> Listing[PullRequest]:
        """List pull requests, the newest first."""
        try:
            found = await self._read(repository, state=state, base=base, head=_whole(head, repository), most=most)
            if head and not found:
                found = await self._after_rename(repository, state=state, base=base, head=head, most=most)
        except NotFound as error:
            raise absent_repository(self.forge, repository, error) from error
        return found

    async def readiness(self, pr: PullRequestRef) -> Readiness:
        """Read all that stands before a merge, most of it with one question in GraphQL."""
        return await readiness(self.forge, pr)

    async def dependencies(self, pr: PullRequestRef) -> Listing[Issue]:  # noqa: ARG002 -- the base class has it
        """Give none: GitHub makes no merge wait for an issue or for another pull request."""
        return Listing()

    async def _read(self, repository: RepositoryRef, *, most: int, **query: Any) -> Listing[PullRequest]:
        path = f"{path_of(repository)}/pulls"
        rows = await self.forge.http.items(path, size=PAGE, most=most, sort="created", direction="desc", **query)
        return rows.map(lambda row: to_pull_request(row, PullRequestRef(repository, row["number"])))

    async def _after_rename(
        self, repository: RepositoryRef, *, head: str, most: int, **query: str
    ) -> Listing[PullRequest]:
        """Ask again where the repository has another owner now: GitHub finds no head by the name of a former one."""
        present = to_repository_ref(await self.forge.http.get(path_of(repository), shape=dict))
        if present.namespace.lower() == repository.namespace.lower():
            return Listing()
        return await self._read(present, head=_whole(head, present), most=most, **query)


def _whole(head: str, repository: RepositoryRef) -> str:
    """Write a branch with its owner, without whom GitHub does not look for it but gives all."""
    return f"{repository.namespace}:{head}" if head and ":" not in head else head

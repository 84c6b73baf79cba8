"""Pull requests."""

from typing import Any

from stithy_core.spi import (
    Conflict,
    Conversation,
    Issue,
    Listing,
    NotFound,
    PullRequest,
    PullRequestRef,
    PullRequests,
    Readiness,
    RepositoryRef,
    Unclear,
)
from stithy_github.comment_writes import describe_write_errors
from stithy_github.issues_mapping import to_pull_request
from stithy_github.listings import PAGE_SIZE
from stithy_github.mapping import pull_path, repository_path, to_repository_ref
from stithy_github.not_found_errors import missing_repository, read_from_pull_request
from stithy_github.pull_conversation import read_conversation
from stithy_github.pull_readiness import read_readiness


class GitHubPullRequests(PullRequests):
    """Pull requests."""

    async def get(self, pr: PullRequestRef) -> PullRequest:
        """Return a pull request."""
        return to_pull_request(
            await read_from_pull_request(self.forge, pr, self.forge.http.get(pull_path(pr), shape=dict)), pr
        )

    async def list(
        self, repository: RepositoryRef, *, state: str = "open", base: str = "", head: str = "", most: int = 100
    ) -> Listing[PullRequest]:
        """Return pull requests, newest first."""
        try:
            pulls = await self._list_from(
                repository, state=state, base=base, head=_qualify_head(head, repository), most=most
            )
            if head and not pulls:
                pulls = await self._list_after_rename(repository, state=state, base=base, head=head, most=most)
        except NotFound as error:
            raise missing_repository(self.forge, repository, error) from error
        return pulls

    async def readiness(self, pr: PullRequestRef) -> Readiness:
        """Return everything that a merge depends on, most of it by one GraphQL query."""
        return await read_readiness(self.forge, pr)

    async def conversation(self, pr: PullRequestRef) -> Conversation:
        """Return threads, reviews and the newest comments, by one GraphQL query for each hundred."""
        return await read_conversation(self.forge, pr)

    async def dependencies(self, pr: PullRequestRef) -> Listing[Issue]:  # noqa: ARG002 -- the base class has it
        """Return an empty list: on GitHub a merge does not depend on issues or other pull requests."""
        return Listing()

    async def retarget(self, pr: PullRequestRef, branch: str) -> PullRequest:
        """Change the base branch."""

        async def send() -> Any:
            async with describe_write_errors(self.forge, pr):
                return await self.forge.http.send("PATCH", pull_path(pr), {"base": branch}, idempotent=True, shape=dict)

        async def find() -> PullRequest | None:
            found = await self.get(pr)
            return found if found.base.branch == branch else None

        if (found := await find()) is not None:
            return found
        return await self.forge.outbox.confirm(send, find, read=lambda raw: to_pull_request(raw, pr))

    async def update_branch(self, pr: PullRequestRef, head: str) -> PullRequest:
        """Have GitHub merge the base branch into the head branch; it does so in the background, at this head only."""

        async def send() -> Any:
            async with describe_write_errors(self.forge, pr):
                body = {"expected_head_sha": head}
                return await self.forge.http.send("PUT", f"{pull_path(pr)}/update-branch", body, shape=dict)

        current = (await self.get(pr)).head.commit
        if current != head:
            remedy = "Read the pull request again."
            raise Conflict(f"the head of {pr} is {current[:12]} now, not {head[:12]}", suggestion=remedy)
        try:
            await send()
        except Unclear:
            found = await self.get(pr)
            if found.head.commit == head:  # it may still be merged in the background
                raise
            return found
        return await self.get(pr)

    async def _list_from(self, repository: RepositoryRef, *, most: int, **query: Any) -> Listing[PullRequest]:
        path = f"{repository_path(repository)}/pulls"
        rows = await self.forge.http.items(path, size=PAGE_SIZE, most=most, sort="created", direction="desc", **query)
        return rows.map(lambda row: to_pull_request(row, PullRequestRef(repository, row["number"])))

    async def _list_after_rename(
        self, repository: RepositoryRef, *, head: str, most: int, **query: str
    ) -> Listing[PullRequest]:
        """List again if the repository's owner has changed: GitHub finds no head by the former owner's name."""
        current = to_repository_ref(await self.forge.http.get(repository_path(repository), shape=dict))
        if current.namespace.lower() == repository.namespace.lower():
            return Listing()
        return await self._list_from(current, head=_qualify_head(head, current), most=most, **query)


def _qualify_head(head: str, repository: RepositoryRef) -> str:
    """Return a branch with its owner; GitHub ignores the filter without the owner."""
    return f"{repository.namespace}:{head}" if head and ":" not in head else head

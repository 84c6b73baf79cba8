"""Merge requests, and the verdicts on them."""

from typing import Any

from stithy_core.spi import (
    Conflict,
    Conversation,
    Issue,
    Listing,
    PullRequest,
    PullRequestRef,
    PullRequests,
    Readiness,
    Rejected,
    RepositoryRef,
    Review,
    Reviews,
    Unknown,
    or_unknown,
)
from stithy_gitlab.gitlab_discussions import read_conversation
from stithy_gitlab.gitlab_merge_request_reads import (
    complete_merge_request,
    map_dependencies,
    map_merge_requests,
    map_reviews,
    read_approvals,
    read_branch,
    read_reviewers,
    read_states,
)
from stithy_gitlab.gitlab_projects import (
    explain_refused_write,
    list_subject_rows,
    read_merge_request,
    read_project,
    read_together,
    subject_path,
)
from stithy_gitlab.gitlab_readiness import read_readiness

STATES = {"open": ("opened",), "closed": ("closed", "merged"), "all": ("all",)}


class GitLabPullRequests(PullRequests):
    """Merge requests."""

    async def get(self, pr: PullRequestRef) -> PullRequest:
        """Return a merge request, with what its own JSON leaves out: the target's head, labels and who has reviewed."""
        raw, project = await read_together(
            lambda: read_merge_request(self.forge, pr), lambda: read_project(self.forge, pr.repository)
        )
        return await complete_merge_request(self.forge, pr, raw, project=project)

    async def list(
        self, repository: RepositoryRef, *, state: str = "open", base: str = "", head: str = "", most: int = 100
    ) -> Listing[PullRequest]:
        """List merge requests, the newest first; closed and merged ones are two lists."""
        project, parts = await read_together(
            lambda: read_project(self.forge, repository),
            lambda: read_states(self.forge, repository, STATES[state], base=base, head=head, most=most),
        )
        return await map_merge_requests(self.forge, repository, project, parts, head=head, most=most)

    async def readiness(self, pr: PullRequestRef) -> Readiness:
        """Return everything that a merge depends on, by requests in two waves."""
        return await read_readiness(self.forge, pr)

    async def conversation(self, pr: PullRequestRef) -> Conversation:
        """Return what people wrote: the list of discussions also has the general comments."""
        return await read_conversation(self.forge, pr)

    async def dependencies(self, pr: PullRequestRef) -> Listing[Issue]:
        """Return the merge requests that block this one; servers without the tier Premium have none."""
        rows = await or_unknown(list_subject_rows(self.forge, pr, "blocks"))
        if isinstance(rows, Unknown):
            await read_merge_request(self.forge, pr)
        return map_dependencies(self.forge, pr, rows)

    async def retarget(self, pr: PullRequestRef, branch: str) -> PullRequest:
        """Change the target branch.

        GitLab ignores it for a merge request that is not open, and stores the name of a branch that does not exist
        (`app/services/merge_requests/update_service.rb`), so that both are read before.
        """

        async def send() -> Any:
            async with explain_refused_write(self.forge, pr):
                body = {"target_branch": branch}
                return await self.forge.http.send("PUT", subject_path(pr), body, idempotent=True, shape=dict)

        async def find() -> PullRequest | None:
            found = await self.get(pr)
            return found if found.base.branch == branch else None

        current = await self.get(pr)
        if current.base.branch == branch:
            return current
        if current.state != "open":
            raise Rejected(f"{pr} is not open; nothing was written", suggestion="Pass an open merge request.")
        await read_branch(self.forge, pr.repository, branch)
        try:
            return await self.forge.outbox.confirm(send, find)
        except Conflict as error:
            remedy = "Close the other merge request from this branch, or choose another target branch."
            raise Rejected(error.message, suggestion=remedy, details=error.details) from error


class GitLabReviews(Reviews):
    """Approvals, and the states of reviewers. GitLab has no reviews with texts and comments of their own."""

    async def list(self, pr: PullRequestRef) -> Listing[Review]:
        """Return the current verdict of each person. What `approved` means depends on the tier, so it is not used."""
        approvals, reviewers = await read_together(
            lambda: read_approvals(self.forge, pr), lambda: or_unknown(read_reviewers(self.forge, pr))
        )
        return map_reviews(approvals, reviewers)

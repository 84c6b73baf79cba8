"""Issues, and what happened to them."""

from stithy_core.spi import Event, Issue, IssueRef, Issues, Listing, RepositoryRef
from stithy_gitea.listing import first
from stithy_gitea.mapping import rows_of, to_issue
from stithy_gitea.paths import issue_path, path_of
from stithy_gitea.subjects import named, read_issue
from stithy_gitea.timeline import to_events


class GiteaIssues(Issues):
    """Issues."""

    async def get(self, issue: IssueRef) -> Issue:
        """Read one issue; of a pull request's number, the issue that it is as well."""
        return to_issue(await read_issue(self.forge, issue), issue.repository)

    async def of(self, repository: RepositoryRef, *, state: str = "open", most: int = 100) -> Listing[Issue]:
        """List issues without pull requests, the newest first."""
        found = await first(self.forge, repository, f"{path_of(repository)}/issues", most, state=state, type="issues")
        return found.map(lambda raw: to_issue(raw, repository))

    async def timeline(self, issue: IssueRef, *, most: int = 1_000) -> Listing[Event]:
        """Read what happened, oldest first.

        The server leaves inline comments out: the reviews they came with are here, and `Threads.of` has them. It
        filters rows after it has cut a page, so it is asked for all at once.
        """
        async with named(self.forge, issue):
            rows = rows_of(await self.forge.http.get(f"{issue_path(issue)}/timeline"))
        events = to_events(rows)
        cut = f"only the first {most:,} of {len(events):,} are given" if len(events) > most else ""
        return Listing(events[:most], len(events), cut)

"""Issues, and what happened to them."""

from collections.abc import Sequence
from typing import Any

from stithy_core.spi import Event, Issue, IssueRef, Issues, Listing, NotFound, RepositoryRef
from stithy_github.issues_mapping import to_issue
from stithy_github.listings import PAGE_SIZE
from stithy_github.mapping import issue_path, repository_path
from stithy_github.not_found_errors import has_status_404, missing_issue, missing_repository, read_issue
from stithy_github.timeline_mapping import to_events

MOST_ROWS = 5_000
"""How many rows to look through for issues, since GitHub lists pull requests among them."""


class GitHubIssues(Issues):
    """Issues. To GitHub a pull request is one, too, and stands in their lists."""

    async def get(self, issue: IssueRef) -> Issue:
        """Read one issue, or a pull request as the issue that it is, too."""
        return to_issue(await read_issue(self.forge, issue), issue)

    async def list(self, repository: RepositoryRef, *, state: str = "open", most: int = 100) -> Listing[Issue]:
        """List issues without pull requests, the newest first."""
        try:
            rows, cut = await self._read_rows(repository, state, most)
        except NotFound as error:
            raise missing_repository(self.forge, repository, error) if has_status_404(error) else error from error
        return Listing(tuple(to_issue(row, IssueRef(repository, row["number"])) for row in rows), cut=cut)

    async def timeline(self, issue: IssueRef, *, most: int = 1_000) -> Listing[Event]:
        """Read what happened to an issue or a pull request, oldest first, nothing twice."""
        try:
            rows = await self.forge.http.items(f"{issue_path(issue)}/timeline", size=PAGE_SIZE, most=most)
        except NotFound as error:
            raise await missing_issue(self.forge, issue, error) from error
        events = to_events(rows)
        cut = rows.cut or (f"only the first {most:,} are given" if len(events) > most else "")
        return Listing(events[:most], cut=cut)

    async def _read_rows(self, repository: RepositoryRef, state: str, most: int) -> tuple[Sequence[Any], str]:
        """Page until there are enough issues, and one more that tells whether there are others."""
        pages = self.forge.http.pages(
            f"{repository_path(repository)}/issues", size=PAGE_SIZE, state=state, sort="created", direction="desc"
        )
        found: list[Any] = []
        seen = 0
        async for rows in pages:
            seen += len(rows)
            found += [row for row in rows if "pull_request" not in row]
            if len(found) > most:
                return found[:most], f"only the first {most:,} were read"
            if seen >= MOST_ROWS:
                return found, f"only the newest {seen:,} issues and pull requests were looked through"
        return found, ""

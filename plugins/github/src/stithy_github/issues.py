"""Issues and their timelines."""

from collections.abc import Sequence
from typing import Any

from stithy_core.spi import Event, Issue, IssueRef, Issues, Listing, NotFound, RepositoryRef, raise_explained
from stithy_github.issues_mapping import to_issue
from stithy_github.listings import PAGE_SIZE
from stithy_github.mapping import issue_path, repository_path
from stithy_github.not_found_errors import has_status_404, missing_issue, missing_repository, read_issue
from stithy_github.timeline_mapping import to_events

MOST_ROWS = 5_000
"""The maximum number of rows to search for issues, since GitHub lists pull requests among them."""


class GitHubIssues(Issues):
    """Issues. On GitHub every pull request is also an issue, and lists of issues contain it."""

    async def get(self, issue: IssueRef) -> Issue:
        """Return an issue; for a pull request's number, the issue that backs it."""
        return to_issue(await read_issue(self.forge, issue), issue)

    async def list(self, repository: RepositoryRef, *, state: str = "open", most: int = 100) -> Listing[Issue]:
        """Return issues without pull requests, newest first."""
        try:
            rows, cut = await self._read_rows(repository, state, most)
        except NotFound as error:
            raise missing_repository(self.forge, repository, error) if has_status_404(error) else error from error
        return Listing(tuple(to_issue(row, IssueRef(repository, row["number"])) for row in rows), cut=cut)

    async def timeline(self, issue: IssueRef, *, most: int = 1_000) -> Listing[Event]:
        """Return the timeline of an issue or a pull request, oldest first, each event once."""
        try:
            rows = await self.forge.http.items(f"{issue_path(issue)}/timeline", size=PAGE_SIZE, most=most)
        except NotFound as error:
            raise_explained(await missing_issue(self.forge, issue, error), error)
        events = to_events(rows)
        cut = rows.cut or (f"only the first {most:,} are listed" if len(events) > most else "")
        return Listing(events[:most], cut=cut)

    async def _read_rows(self, repository: RepositoryRef, state: str, most: int) -> tuple[Sequence[Any], str]:
        """Return the JSON of the first issues, and why others are missing: reads one more than `most` to know that."""
        pages = self.forge.http.pages(
            f"{repository_path(repository)}/issues", size=PAGE_SIZE, state=state, sort="created", direction="desc"
        )
        issues: list[Any] = []
        read = 0
        async for rows in pages:
            read += len(rows)
            issues += [row for row in rows if "pull_request" not in row]
            if len(issues) > most:
                return issues[:most], f"only the first {most:,} were read"
            if read >= MOST_ROWS:
                return issues, f"only the newest {read:,} issues and pull requests were searched"
        return issues, ""

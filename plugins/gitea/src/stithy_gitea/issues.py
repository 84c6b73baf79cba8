"""Issues and their events."""

from collections.abc import Sequence
from functools import partial

from stithy_core.spi import Event, Issue, IssueRef, Issues, Listing, PullRequestRef, RepositoryRef, Unknown, or_unknown
from stithy_gitea.filtered import Row, read_uncounted_rows
from stithy_gitea.listing import read_first_rows
from stithy_gitea.mapping import to_issue
from stithy_gitea.reviews import read_reviews
from stithy_gitea.subjects import ISSUE, issue_path, name_missing_subject, path_of, read_issue
from stithy_gitea.timeline import to_events


class GiteaIssues(Issues):
    """Issues."""

    async def get(self, issue: IssueRef) -> Issue:
        """Return an issue. For a pull request's number, return the issue that backs it."""
        return to_issue(await read_issue(self.forge, issue), issue.repository)

    async def list(self, repository: RepositoryRef, *, state: str = "open", most: int = 100) -> Listing[Issue]:
        """Return issues without pull requests, newest first."""
        found = await read_first_rows(
            self.forge, repository, f"{path_of(repository)}/issues", most, kind=ISSUE, state=state, type="issues"
        )
        return found.map(lambda raw: to_issue(raw, repository))

    async def timeline(self, issue: IssueRef, *, most: int = 1_000) -> Listing[Event]:
        """Return the events, oldest first.

        The server leaves inline comments out; their reviews are included, and `Threads.list` has the comments.
        """
        async with name_missing_subject(self.forge, issue):
            rows, lost = await read_uncounted_rows(
                self.forge, f"{issue_path(issue)}/timeline", partial(self._inline, issue)
            )
        events = to_events(rows, self.forge.config.url, issue)
        cuts = [f"only the first {most:,} of {len(events):,} are returned"] if len(events) > most else []
        cuts += [f"the server wrote null in place of {lost:,} events"] if lost else []
        return Listing(events[:most], total=None if lost else len(events), cut="; ".join(cuts))

    async def _inline(self, issue: IssueRef, rows: Sequence[Row]) -> int:
        """Count the inline comments of a pull request, which its timeline leaves out."""
        if any(row.get("issue_url") for row in rows):
            return 0
        reviews = await or_unknown(read_reviews(self.forge, PullRequestRef(issue.repository, issue.number)))
        return 0 if isinstance(reviews, Unknown) else sum(review.get("comments_count") or 0 for review in reviews)

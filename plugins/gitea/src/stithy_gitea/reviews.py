"""Verdicts on pull requests, and the comments that came with them: docs/forge-behaviour/gitea.md."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from stithy_core.spi import NOT_REPORTED, Listing, NotFound, PullRequestRef, Review, Reviews
from stithy_gitea.filtered import read_counted_rows
from stithy_gitea.mapping import to_time, to_user
from stithy_gitea.places import places_of
from stithy_gitea.subjects import missing_pull_request, pull_path, review_path

if TYPE_CHECKING:
    from stithy_core.spi import Forge

PENDING = "PENDING"
REQUEST = "REQUEST_REVIEW"
STATES = {
    "APPROVED": "approved",
    "REQUEST_CHANGES": "changes_requested",
    "COMMENT": "commented",
    PENDING: "pending",
}

Row = Mapping[str, Any]


class GiteaReviews(Reviews):
    """Verdicts. Others' drafts are not shown, except to administrators of the site."""

    async def list(self, pr: PullRequestRef) -> Listing[Review]:
        """Return all reviews, oldest first, without the review requests that the server lists among them."""
        rows = [row for row in await read_reviews(self.forge, pr) if row.get("state") != REQUEST]
        root = self.forge.config.url
        return Listing(tuple(to_review(row, f"{root}{review_path(pr, row['id'])}") for row in rows), total=len(rows))


async def read_reviews(forge: "Forge", pr: PullRequestRef) -> list[Row]:
    """Return the JSON of all reviews.

    Raises:
        NotFound: There is no such pull request.
    """
    try:
        rows = await read_counted_rows(forge, f"{pull_path(pr)}/reviews")
    except NotFound as error:
        raise await missing_pull_request(forge, pr) from error
    return sorted(rows, key=lambda row: (_when(row), row["id"]))


async def read_requested_reviewers(forge: "Forge", pr: PullRequestRef) -> list[Any]:
    """Read the JSON of the users whose latest review is the request for one."""
    rows = [row for row in await read_reviews(forge, pr) if row.get("user") and row.get("state") != PENDING]
    latest = {row["user"]["login"]: row for row in rows}
    return [row["user"] for row in latest.values() if row.get("state") == REQUEST]


async def read_inline(forge: "Forge", pr: PullRequestRef, review: Row) -> list[Row]:
    """Read the JSON of the comments of one review, in no order; of one that was deleted meanwhile there are none."""
    try:
        rows: list[Row] = await forge.http.get(f"{review_path(pr, review['id'])}/comments", shape=list)
    except NotFound:
        rows = []
    (await places_of(forge)).note(pr, review, rows)
    return rows


def to_review(raw: Row, api_url: str) -> Review:
    """Map a review; a dismissed one no longer approves or rejects."""
    state = raw.get("state") or ""
    return Review(
        id=str(raw["id"]),
        author=to_user(raw.get("user")),
        state="dismissed" if raw.get("dismissed") else STATES.get(state, state.lower()),
        body=raw.get("body") or "",
        submitted_at=to_time(raw["submitted_at"]) if raw.get("submitted_at") and state != PENDING else None,
        url=raw.get("html_url") or "",
        commit=raw.get("commit_id") or "",
        stale=raw.get("stale", NOT_REPORTED),
        official=raw.get("official", NOT_REPORTED),
        api_url=api_url,
    )


def _when(raw: Row) -> str:
    return to_time(raw["submitted_at"]).isoformat() if raw.get("submitted_at") else ""

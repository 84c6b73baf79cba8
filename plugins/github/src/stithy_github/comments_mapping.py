"""Map GitHub's JSON of comments and reviews to the model (docs/forge-behaviour/github.md#comments-and-threads)."""

from collections.abc import Mapping
from typing import Any

from stithy_core.spi import NOT_REPORTED, Comment, Maybe, Reaction, Review, ReviewComment
from stithy_github.mapping import to_reactions, to_time, to_time_or_none, to_user

MINIMIZED = "minimized"


def to_comment(raw: Mapping[str, Any]) -> Comment:
    """Map a comment of a conversation; recent servers report whether it is minimized."""
    return Comment(minimized=_map_minimized(raw), **_map_common(raw))


def to_review_comment(raw: Mapping[str, Any], *, pending: bool = False) -> ReviewComment:
    """Map a review comment of REST.

    Args:
        raw: The JSON.
        pending: Whether its review is pending; REST does not say so of the comment.
    """
    review = raw.get("pull_request_review_id")
    return ReviewComment(
        **_map_common(raw),
        review="" if review is None else str(review),
        pending=pending,
        commit=raw.get("original_commit_id") or raw.get("commit_id") or "",
    )


def to_review(raw: Mapping[str, Any]) -> Review:
    """Map a review; a pending one has no time, and only its author sees it.

    States are in capitals in lists, and in lower case in timelines.
    """
    return Review(
        id=str(raw["id"]),
        author=to_user(raw.get("user")),
        state=str(raw["state"]).lower(),
        official=raw.get("authorCanPushToRepository", NOT_REPORTED),
        body=raw.get("body") or "",
        submitted_at=to_time_or_none(raw.get("submitted_at")),
        url=raw.get("html_url") or "",
        commit=raw.get("commit_id") or "",
        association=raw.get("author_association") or "",
        api_url=review_api_url(raw),
    )


def review_api_url(raw: Mapping[str, Any]) -> str:
    """Return the API's URL of a review, which REST itself leaves out; empty without its pull request's URL."""
    return f"{raw['pull_request_url']}/reviews/{raw['id']}" if raw.get("pull_request_url") else ""


def _map_common(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": str(raw["id"]),
        "body": raw.get("body") or "",
        "author": to_user(raw.get("user")),
        "created_at": to_time(raw["created_at"]),
        "updated_at": to_time(raw.get("updated_at") or raw["created_at"]),
        "url": raw.get("html_url") or "",
        "association": raw.get("author_association") or "",
        "reactions": _map_reactions(raw),
        "api_url": raw.get("url") or "",
    }


def _map_minimized(raw: Mapping[str, Any]) -> Maybe[str]:
    if "minimized" not in raw:
        return NOT_REPORTED
    return minimized_reason((raw["minimized"] or {}).get("reason"), minimized=raw["minimized"] is not None)


def minimized_reason(reason: str | None, *, minimized: bool) -> str:
    """Return why something is minimized, or an empty text; GitHub's reason may be missing."""
    return (reason or MINIMIZED) if minimized else ""


def _map_reactions(raw: Mapping[str, Any]) -> Maybe[tuple[Reaction, ...]]:
    counts = raw.get("reactions")
    return NOT_REPORTED if counts is None else to_reactions(counts)

"""Map GitHub's JSON of comments and reviews to the model (docs/forge-behaviour/github.md#comments-and-threads)."""

from collections.abc import Mapping
from typing import Any

from stithy_core.spi import NOT_REPORTED, Comment, Maybe, Reaction, Review, ReviewComment
from stithy_github.mapping import to_reactions, to_time, to_time_or_none, to_user

MINIMIZED = "minimized"


def to_comment(raw: Mapping[str, Any]) -> Comment:
    """Read a comment of a conversation; servers that are new enough say whether they fold it away."""
    return Comment(minimized=_map_minimized(raw), **_map_common(raw))


def to_review_comment(raw: Mapping[str, Any], *, pending: bool = False) -> ReviewComment:
    """Read a comment in the diff, as REST gives it.

    Args:
        raw: The JSON.
        pending: Whether the review that it belongs to was not sent yet; REST does not say it of the comment.
    """
    review = raw.get("pull_request_review_id")
    return ReviewComment(
        **_map_common(raw),
        review="" if review is None else str(review),
        pending=pending,
        commit=raw.get("original_commit_id") or raw.get("commit_id") or "",
    )


def to_review(raw: Mapping[str, Any]) -> Review:
    """Read a review; one that is pending has no time, and only its author sees it.

    The states of lists are in capitals, those of the timeline are not.
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
    """Give where the API has a review, which REST does not tell but for its pull request."""
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
    return minimized_reason((raw["minimized"] or {}).get("reason"), away=raw["minimized"] is not None)


def minimized_reason(reason: str | None, *, away: bool) -> str:
    """Give why something is folded away; GitHub may do so without a reason."""
    return (reason or MINIMIZED) if away else ""


def _map_reactions(raw: Mapping[str, Any]) -> Maybe[tuple[Reaction, ...]]:
    counts = raw.get("reactions")
    return NOT_REPORTED if counts is None else to_reactions(counts)

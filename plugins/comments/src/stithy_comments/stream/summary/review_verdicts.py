"""Current verdicts of reviewers and the changes they request."""

from collections.abc import Iterator

from stithy_comments.stream.merged_stream import ConversationStream
from stithy_comments.stream.stream_items import StreamEntry
from stithy_comments.stream.summary.summary_points import SummaryPoint
from stithy_core.spi import Review, ReviewComment, User, UserKind

ORDER = ("changes_requested", "approved", "dismissed", "pending")
"""The states that are verdicts, the most important first; a review that only comments changes no verdict."""


def list_verdicts(stream: ConversationStream) -> list[SummaryPoint]:
    """Return the current verdict of each reviewer, and drafts that were not submitted."""
    found = sorted(_list_latest(stream), key=lambda review: (ORDER.index(review.state), review.author.login.casefold()))
    return [SummaryPoint(f"{review.author.login} {_format_state(review)}", review.id) for review in found]


def list_change_requests(stream: ConversationStream) -> list[SummaryPoint]:
    """Return the texts of the reviews whose current verdict requests changes."""
    remarks = _first_remarks(stream)
    asking = [review for review in _list_latest(stream) if review.state == "changes_requested"]
    return [SummaryPoint(review.author.login, review.id, _get_request_text(review, remarks)) for review in asking]


def _list_latest(stream: ConversationStream) -> list[Review]:
    """Return the latest verdict of each reviewer, oldest first; a dismissed one replaces an earlier one.

    Deleted accounts share one login, so each of their reviews counts for itself.
    """
    found: dict[tuple[str, str], Review] = {}
    for review in _reviews(stream):
        key = (_identity(review.author, review), "draft" if review.state == "pending" else "sent")
        found.pop(key, None)
        found[key] = review
    return list(found.values())


def _reviews(stream: ConversationStream) -> Iterator[Review]:
    for entry in stream.entries:
        if isinstance(entry.said, Review) and entry.said.state in ORDER:
            yield entry.said


def _identity(author: User, review: Review) -> str:
    return f"review {review.id}" if author.kind is UserKind.GHOST else f"user {author.id or author.login}"


def _format_state(review: Review) -> str:
    word = review.state.replace("_", " ")
    return f"{word} (draft, not submitted)" if review.state == "pending" else word


def _first_remarks(stream: ConversationStream) -> dict[str, StreamEntry]:
    """Return the first review comment of each review, by the review's id."""
    found: dict[str, StreamEntry] = {}
    for entry in stream.entries:
        if isinstance(entry.said, ReviewComment):
            found.setdefault(entry.said.review, entry)
    return found


def _get_request_text(review: Review, remarks: dict[str, StreamEntry]) -> str:
    """Return the body of a review; if it is empty, the body of its first review comment."""
    if review.body.strip() or review.id not in remarks:
        return review.body
    return remarks[review.id].row.body

"""The common parts of reviews and threads in REST and GraphQL."""

from typing import Any

from github_double.records import Account, Pull, Review, ReviewComment, Thread

PENDING = "user_id can only have one pending review per pull request"


def is_visible(review: Review | None, viewer: Account | None) -> bool:
    """Return whether an account sees a review and its comments."""
    return review is None or review.state != "PENDING" or (viewer is not None and review.user is viewer)


def pending(pull: Pull, viewer: Account | None) -> Review | None:
    """Find the viewer's own review that is not submitted."""
    return next((one for one in pull.reviews if one.state == "PENDING" and one.user is viewer), None)


def list_visible_comments(thread: Thread, viewer: Account | None) -> list[ReviewComment]:
    """Return the comments of a thread that an account sees."""
    return [comment for comment in thread.comments if is_visible(comment.review, viewer)]


def show_place(thread: Thread) -> dict[str, Any]:
    """Return the fields of a comment's place in the diff."""
    begins = None if thread.outdated else thread.start_line
    side = {"start_side": thread.side if thread.start_line else None, "side": thread.side}
    lines = {"start_line": begins, "original_start_line": thread.start_line}
    position = {"position": None if thread.line is None else 1, "original_position": 1}
    return side | lines | position | {"line": thread.line, "original_line": thread.original_line}

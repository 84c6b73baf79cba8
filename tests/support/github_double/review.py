"""What REST and GraphQL have alike of reviews and threads."""

PENDING = "user_id can only have one pending review per pull request"


def visible(review, viewer):
    """Say whether somebody sees a review, or what came with it."""
    return review is None or review.state != "PENDING" or (viewer is not None and review.user is viewer)


def pending(pull, viewer):
    """Find the viewer's own review that is not submitted."""
    return next((one for one in pull.reviews if one.state == "PENDING" and one.user is viewer), None)


def comments_of(thread, viewer):
    """Give the comments of a thread that somebody sees."""
    return [comment for comment in thread.comments if visible(comment.review, viewer)]


def place(thread):
    """Give the fields of a comment that say where it stands."""
    begins = None if thread.outdated else thread.start_line
    side = {"start_side": thread.side if thread.start_line else None, "side": thread.side}
    lines = {"start_line": begins, "original_start_line": thread.start_line}
    position = {"position": None if thread.line is None else 1, "original_position": 1}
    return side | lines | position | {"line": thread.line, "original_line": thread.original_line}

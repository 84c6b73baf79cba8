"""Which state of a target prevents a write, read from the message (docs/forge-behaviour/github.md#errors)."""

import re

from stithy_core.spi import Archived, Conflict, ForgeError, Locked

ARCHIVED = "archived so is read-only"
LOCKED = re.compile(r"\block(ed)?\b", re.IGNORECASE)
PENDING = "one pending review"


def obstacle(text: str) -> ForgeError | None:
    """Find an archived repository, a locked conversation or a review that was begun and not sent."""
    if ARCHIVED in text:
        return Archived(text, suggestion="Its owner can unarchive it.")
    if PENDING in text:
        remedy = "Submit or discard the pending review on the pull request's page, then repeat the call."
        return Conflict(f"{text} (the token's user has begun a review and not sent it)", suggestion=remedy)
    if LOCKED.search(text):
        remedy = "Only people with write access to the repository may comment, or unlock it."
        return Locked(text, suggestion=remedy)
    return None

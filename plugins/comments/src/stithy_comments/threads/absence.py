"""What an id is that names no thread: asked only after a write to it has failed, so that a reply stays cheap."""

from collections.abc import Awaitable
from typing import TypeVar

from stithy_core.spi import Forge, ForgeError, NotFound, PullRequestRef, Unsupported

T = TypeVar("T")

SOURCE = "pull_request_read gives with method get_review_comments"


async def absent(forge: Forge, pr: PullRequestRef, name: str, error: NotFound) -> NotFound:
    """Say why a thread was not found, as far as the forge lets us know.

    A missing repository, a missing pull request and an issue's number are told apart, and so are the ids of a general
    comment and of a review. What the forge said stays in `details`.
    """
    try:
        await forge.pull_requests.get(pr)
    except NotFound as missing:
        missing.details = error.details | missing.details
        return missing
    except (ForgeError, Unsupported):  # the first refusal says more
        return error
    text, remedy = await _instead(forge, pr, name, error)
    return NotFound(text, suggestion=remedy, retry_after=error.retry_after, details=error.details)


async def _instead(forge: Forge, pr: PullRequestRef, name: str, error: NotFound) -> tuple[str, str]:
    """Give what an id is, and what to do about it."""
    remedy = f"Answer it with pr_comment_create. Threads have the ids that {SOURCE}."
    if await _read(forge.comments.get(pr, name)) is not None:
        return f"{name} is a general comment of {pr}, not a review comment", remedy
    if any(review.id == name for review in await _read(forge.reviews.list(pr)) or ()):
        return f"{name} is a review of {pr}, whose body has no thread, and not a review comment", remedy
    if any(thread.named(name) for thread in await _read(forge.threads.list(pr)) or ()):
        remedy = "The token, or its user, may lack the right to write to pull requests: forges may hide that so."
        return f"{name} is in a thread of {pr}, yet nothing may be done to it: {error.message}", remedy
    remedy = f"Take an id that {SOURCE}; what was deleted has none any more."
    return f"review comment or thread {name} was not found on {pr}: {error.message}", remedy


async def _read(reading: Awaitable[T]) -> T | None:
    """Read something; None where that fails, since it is asked for only to say more."""
    try:
        return await reading
    except (ForgeError, Unsupported):
        return None

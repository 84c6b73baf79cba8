"""Explain what an id names if not a thread; only after a failed write, so that a reply costs no extra requests."""

from collections.abc import Awaitable
from typing import TypeVar

from stithy_core.spi import Forge, ForgeError, NotFound, PullRequestRef, Unsupported

T = TypeVar("T")

SOURCE = "pull_request_read returns with method get_review_comments"


async def explain_missing_thread(forge: Forge, pr: PullRequestRef, name: str, error: NotFound) -> NotFound:
    """Return the error that says why a thread was not found, as far as the forge reveals it.

    It distinguishes a missing repository, a missing pull request, an issue's number, the id of a general comment and
    the id of a review. The forge's own answer stays in `details`.
    """
    try:
        await forge.pull_requests.get(pr)
    except NotFound as missing:
        missing.details = error.details | missing.details
        return missing
    except (ForgeError, Unsupported):  # the error of the write says more than this one
        return error
    text, remedy = await _identify(forge, pr, name, error)
    return NotFound(text, suggestion=remedy, retry_after=error.retry_after, details=error.details)


async def _identify(forge: Forge, pr: PullRequestRef, name: str, error: NotFound) -> tuple[str, str]:
    """Return what an id names, and what to do about it."""
    remedy = f"Answer it with pr_comment_create. Ids of threads are those that {SOURCE}."
    if await _read(forge.comments.get(pr, name)) is not None:
        return f"{name} is a general comment of {pr}, not a review comment", remedy
    if any(review.id == name for review in await _read(forge.reviews.list(pr)) or ()):
        return f"{name} is a review of {pr}, not a review comment; the body of a review has no thread", remedy
    if any(thread.named(name) for thread in await _read(forge.threads.list(pr)) or ()):
        remedy = "Check that the token and its user may write to pull requests: some forges answer 404 if not."
        return f"{name} is in a thread of {pr}, but the forge refused the write: {error.message}", remedy
    remedy = f"Pass an id that {SOURCE}; the comment may have been deleted."
    return f"review comment or thread {name} was not found on {pr}: {error.message}", remedy


async def _read(reading: Awaitable[T]) -> T | None:
    """Return what is read, or None on failure: it only adds detail to an error."""
    try:
        return await reading
    except (ForgeError, Unsupported):
        return None

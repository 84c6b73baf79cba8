"""Errors of writes to review threads, with the statuses of REPLY-4 to REPLY-7."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from stithy_comments.review_threads.missing_threads import explain_missing_thread
from stithy_core.spi import Archived, Forbidden, Forge, ForgeError, NotFound, PullRequestRef, Rejected

STATUSES: tuple[tuple[type[ForgeError], int], ...] = (
    (NotFound, 404),
    (Forbidden, 403),
    (Archived, 403),
    (Rejected, 422),
)
"""The statuses of REPLY-4 to REPLY-7; `Locked` is a `Forbidden`."""


@asynccontextmanager
async def add_required_status(forge: Forge, pr: PullRequestRef, name: str) -> AsyncIterator[None]:
    """Add the statuses of REPLY-4 to REPLY-7 to errors of a write to a thread; other errors pass unchanged.

    Args:
        forge: The forge of the write.
        pr: The pull request of the thread.
        name: The id by which the caller named the thread.

    Raises:
        ForgeError: The error of the write, of the same class. `details["status"]` is the required status,
            `details["forge_status"]` the forge's own if it differs.
    """
    try:
        yield
    except NotFound as error:
        raise _add_status(await explain_missing_thread(forge, pr, name, error)) from error
    except ForgeError as error:
        _add_status(error)
        raise


def _add_status(error: ForgeError) -> ForgeError:
    status = next((status for kind, status in STATUSES if isinstance(error, kind)), None)
    if status is not None:
        said = error.details.get("status", status)
        error.details |= {"status": status} | ({} if said == status else {"forge_status": said})
    return error

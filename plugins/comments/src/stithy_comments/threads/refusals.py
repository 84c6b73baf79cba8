"""Errors of writes to threads, with the statuses of REPLY-4 to REPLY-7."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from stithy_comments.threads.absence import absent
from stithy_core.spi import Archived, Forbidden, Forge, ForgeError, NotFound, PullRequestRef, Rejected

STATUSES: tuple[tuple[type[ForgeError], int], ...] = (
    (NotFound, 404),
    (Forbidden, 403),
    (Archived, 403),
    (Rejected, 422),
)
"""The statuses of REPLY-4 to REPLY-7; a locked conversation is forbidden, too."""


@asynccontextmanager
async def as_specified(forge: Forge, pr: PullRequestRef, name: str) -> AsyncIterator[None]:
    """Let failures of a write to a thread out with the statuses of REPLY-4 to REPLY-7; any other passes as it is.

    Args:
        forge: Where it was written.
        pr: Where the thread should be.
        name: What the caller called the thread by.

    Raises:
        ForgeError: Of the class that it had; `details["status"]` is the spec's, and `forge_status` the forge's own
            where that is another.
    """
    try:
        yield
    except NotFound as error:
        raise _numbered(await absent(forge, pr, name, error)) from error
    except ForgeError as error:
        _numbered(error)
        raise


def _numbered(error: ForgeError) -> ForgeError:
    status = next((status for kind, status in STATUSES if isinstance(error, kind)), None)
    if status is not None:
        said = error.details.get("status", status)
        error.details |= {"status": status} | ({} if said == status else {"forge_status": said})
    return error

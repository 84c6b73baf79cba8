"""All threads of a pull request: from GraphQL, which alone knows whether they are resolved, or else from REST.

Whatever keeps GraphQL from answering, a missing token above all, leaves what it alone knows unknown, with the reason;
it is never taken for false (docs/forge-behaviour/github.md#comments-and-threads).
"""

from collections.abc import Container
from typing import TYPE_CHECKING

from stithy_core.spi import ForgeError, Listing, PullRequestRef, RateLimited, Thread, Unauthorized, Unknown
from stithy_github.absence import of_pull_request
from stithy_github.counting import PAGE
from stithy_github.mapping import pull_path
from stithy_github.threads_again import read_with_memory
from stithy_github.threads_mapping import in_place, to_threads

if TYPE_CHECKING:
    from stithy_core.spi import Forge


async def read_threads(forge: "Forge", pr: PullRequestRef) -> Listing[Thread]:
    """Read all threads with all their comments, by path, line and time."""
    try:
        return await read_with_memory(forge, pr)
    except ForgeError as error:
        try:
            return await _from_rest(forge, pr, error)
        except RateLimited as limited:  # a limit of both was told by the first
            raise (error if isinstance(error, RateLimited) else limited) from error


async def _from_rest(forge: "Forge", pr: PullRequestRef, error: ForgeError) -> Listing[Thread]:
    """Put the threads together from comments."""
    rows = await of_pull_request(forge, pr, forge.http.items(f"{pull_path(pr)}/comments", size=PAGE))
    # Who has no token is not shown what was not sent.
    pending = await _pending(forge, pr) if rows and not isinstance(error, Unauthorized) else ()
    return Listing(in_place(to_threads(rows, _why_unknown(error), pending)), cut=rows.cut)


async def _pending(forge: "Forge", pr: PullRequestRef) -> Container[str]:
    """Give the reviews that were begun and not sent, which REST does not say of their comments."""
    return {review.id for review in await forge.reviews.list(pr) if review.state == "pending"}


def _why_unknown(error: ForgeError) -> Unknown:
    """Say why nobody knows what GraphQL alone knows."""
    if isinstance(error, Unauthorized):
        return Unknown("only GitHub's GraphQL knows it, which takes a token", "Set a token for this forge.")
    remedy = error.suggestion or "Ask again later."
    return Unknown(f"only GitHub's GraphQL knows it, which did not answer: {error.message}", remedy)

"""Reading threads whole: in GraphQL, which alone knows whether they are resolved, or else from REST.

Whatever keeps GraphQL from answering, a missing token above all, leaves what it alone knows unknown, with the reason;
it is never taken for false (field notes on GitHub's API, section 3).
"""

from typing import TYPE_CHECKING, Any

from stithy_core.spi import ForgeError, Listing, PullRequestRef, RateLimited, Thread, Unauthorized, Unknown, each
from stithy_github.absence import of_pull_request
from stithy_github.asking import Connection, ask, pages, place, pull_request_in
from stithy_github.counting import PAGE
from stithy_github.mapping import pull_path
from stithy_github.threads_mapping import in_place, to_thread, to_threads
from stithy_github.threads_queries import MORE_REMARKS, THREADS

if TYPE_CHECKING:
    from stithy_core.spi import Forge


async def read_threads(forge: "Forge", pr: PullRequestRef) -> Listing[Thread]:
    """Read all threads with all their comments, by path, line and time."""
    try:
        first = (await _page(forge, pr))["reviewThreads"]
        return await whole_threads(forge, pr, first)
    except ForgeError as error:
        try:
            return await _from_rest(forge, pr, why_unknown(error))
        except RateLimited as limited:  # a limit of both was told by the first
            raise (error if isinstance(error, RateLimited) else limited) from error


async def whole_threads(forge: "Forge", pr: PullRequestRef, first: Connection) -> Listing[Thread]:
    """Read on from the first page of threads, each of the fragment `Talk`, and complete them all.

    Args:
        forge: Where they are.
        pr: Whose they are.
        first: The connection `reviewThreads(first: 100)` of the pull request, with `totalCount`.
    """

    async def more(cursor: str) -> Connection:
        found: Connection = (await _page(forge, pr, cursor))["reviewThreads"]
        return found

    rows = [row async for page in pages(first, more) for row in page["nodes"] if row]
    threads = await each(rows, lambda row: whole_thread(forge, row))
    return Listing(in_place(threads), first.get("totalCount"))


async def whole_thread(forge: "Forge", raw: Any) -> Thread:
    """Complete one thread; where its later comments cannot be read, it says so and keeps the others."""

    async def more(cursor: str) -> Connection:
        data = await ask(forge, MORE_REMARKS, {"thread": raw["id"], "after": cursor})
        found: Connection = data["node"]["comments"]
        return found

    remarks: list[Any] = []
    try:
        async for page in pages(raw["comments"], more):
            remarks += page["nodes"]
    except ForgeError as error:
        return to_thread(raw, remarks, f"only the first {len(remarks)} comments could be read: {error.message}")
    return to_thread(raw, remarks)


def why_unknown(error: ForgeError) -> Unknown:
    """Say why nobody knows what GraphQL alone knows."""
    if isinstance(error, Unauthorized):
        return Unknown("only GitHub's GraphQL knows it, which takes a token", "Set a token for this forge.")
    remedy = error.suggestion or "Ask again later."
    return Unknown(f"only GitHub's GraphQL knows it, which did not answer: {error.message}", remedy)


async def _page(forge: "Forge", pr: PullRequestRef, after: str | None = None) -> Any:
    return pull_request_in(await ask(forge, THREADS, place(pr) | {"after": after}), pr)


async def _from_rest(forge: "Forge", pr: PullRequestRef, unknown: Unknown) -> Listing[Thread]:
    """Put the threads together from comments; those of a review that was not sent are told by the reviews alone."""
    rows = await of_pull_request(forge, pr, forge.http.items(f"{pull_path(pr)}/comments", size=PAGE))
    reviews = await forge.reviews.of(pr) if rows else ()
    pending = {review.id for review in reviews if review.state == "pending"}
    return Listing(in_place(to_threads(rows, unknown, pending)), cut=rows.cut)

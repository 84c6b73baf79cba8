"""The handler of `pull_request_read`: each method reads its own part only."""

from collections.abc import Awaitable, Callable
from typing import Any

from stithy_comments.offers.reading import Method, ReadPullRequest
from stithy_comments.places import owned_pull_request
from stithy_comments.reading.bodies import READERS
from stithy_comments.reading.checks import Status, check_row, counts_of, failing, state_of
from stithy_comments.reading.details import details_of
from stithy_comments.reading.diffs import DiffPart
from stithy_comments.reading.files import file_row
from stithy_comments.reading.lists import Wanted
from stithy_comments.reading.paging import page_of_diff, page_of_text
from stithy_comments.reading.remarks import comment_row, remarks_of, review_comment_row, review_row
from stithy_comments.reading.results import PullRequestPart
from stithy_core.spi import Context, Forge, InvalidArguments, Listing, NotFound, Page, PullRequestRef, TooLarge

Part = dict[str, Any]
"""Fields of `PullRequestPart`."""


async def read(ctx: Context, args: ReadPullRequest) -> PullRequestPart:
    """Return one part of a pull request, or the whole body of one comment or review."""
    _check(args)
    forge, ref = await owned_pull_request(ctx, args.owner, args.repo, args.pull_number)
    return PullRequestPart(pull_request=str(ref), method=args.method, **await _part(ctx, args, forge, ref))


def _check(args: ReadPullRequest) -> None:
    """Check that the method accepts an id if there is one.

    Raises:
        InvalidArguments: The method does not accept an id.
    """
    if args.id is None or args.method in READERS:
        return
    message = f"method {args.method} does not accept an id"
    row = {"path": "id", "given": str(args.id)[:100], "allowed": f"an id with method {', '.join(READERS)}"}
    details = {"errors": [row | {"message": message}]}
    raise InvalidArguments(message, suggestion="Omit id.", details=details)


async def _part(ctx: Context, args: ReadPullRequest, forge: Forge, ref: PullRequestRef) -> Part:
    if args.id is not None:
        item, body = await READERS[args.method](forge, ref, str(args.id))
        parts = page_of_text(body, ctx.after, args.limit)
        return {"item": item, "parts": parts, "total": parts.total}
    if args.method == "get_diff":
        diff = await _diff(ctx, args, forge, ref)
        return {"diff": diff, "total": diff.total}
    return await LISTS[args.method](forge, ref, Wanted(ctx.after, args.limit))


async def _diff(ctx: Context, args: ReadPullRequest, forge: Forge, ref: PullRequestRef) -> Page[DiffPart]:
    try:
        return await page_of_diff(forge.changes.diff(ref), ctx.after, args.limit)
    except TooLarge as error:
        remedy = "List the changed files with get_files, or read the diff in a local clone."
        raise TooLarge(error.message, suggestion=remedy, details=error.details) from error


async def _details(forge: Forge, ref: PullRequestRef, wanted: Wanted) -> Part:  # noqa: ARG001 -- not a list
    return {"details": details_of(await forge.pull_requests.get(ref))}


async def _files(forge: Forge, ref: PullRequestRef, wanted: Wanted) -> Part:
    return wanted.part("files", await forge.changes.files(ref), file_row, key="path")


async def _status(forge: Forge, ref: PullRequestRef, wanted: Wanted) -> Part:
    pull = await forge.pull_requests.get(ref)
    sha = pull.head.commit
    if not sha:
        remedy = f"Open its page: {pull.url}"
        raise NotFound(f"{forge.config.alias} does not report the head commit of {ref}", suggestion=remedy)
    found = await forge.checks.list(pull.ref.repository, sha)
    status = Status(state=state_of(found), sha=sha, counts=counts_of(found), failing=failing(found))
    rows = Listing(tuple(map(check_row, found)), found.total, found.cut)
    return {"status": status} | wanted.part("checks", rows, lambda row: row, key="key")


async def _comments(forge: Forge, ref: PullRequestRef, wanted: Wanted) -> Part:
    pull = await forge.pull_requests.get(ref)  # rejects an issue's number, which has comments, too
    return wanted.part("comments", await forge.comments.list(pull.ref), comment_row)


async def _reviews(forge: Forge, ref: PullRequestRef, wanted: Wanted) -> Part:
    return wanted.part("reviews", await forge.reviews.list(ref), review_row)


async def _review_comments(forge: Forge, ref: PullRequestRef, wanted: Wanted) -> Part:
    remarks = remarks_of(await forge.threads.list(ref))
    return wanted.part("review_comments", remarks, review_comment_row)


LISTS: dict[Method, Callable[[Forge, PullRequestRef, Wanted], Awaitable[Part]]] = {
    "get": _details,
    "get_files": _files,
    "get_status": _status,
    "get_comments": _comments,
    "get_reviews": _reviews,
    "get_review_comments": _review_comments,
}

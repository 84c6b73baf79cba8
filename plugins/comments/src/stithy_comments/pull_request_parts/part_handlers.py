"""The handler of `pull_request_read`: each method reads its own part only."""

from collections.abc import Awaitable, Callable
from typing import Any

from stithy_comments.argument_lookup import find_pull_request_ref
from stithy_comments.pull_request_parts.comment_rows import (
    create_comment_row,
    create_review_comment_row,
    create_review_row,
    list_thread_comments,
)
from stithy_comments.pull_request_parts.commit_status import (
    CommitStatus,
    combine_verdicts,
    count_verdicts,
    create_check_row,
    list_failing_checks,
)
from stithy_comments.pull_request_parts.diff_parts import DiffPart
from stithy_comments.pull_request_parts.file_rows import create_file_row
from stithy_comments.pull_request_parts.list_pages import PageRequest
from stithy_comments.pull_request_parts.part_result import PullRequestPart
from stithy_comments.pull_request_parts.piece_pages import paginate_diff, paginate_text
from stithy_comments.pull_request_parts.pull_request_details import create_details
from stithy_comments.pull_request_parts.whole_texts import READERS
from stithy_comments.tools.read_tool import Method, ReadPullRequest
from stithy_core.spi import Context, Forge, InvalidArguments, Listing, NotFound, Page, PullRequestRef, TooLarge

Part = dict[str, Any]
"""Fields of `PullRequestPart`."""


async def read_pull_request(ctx: Context, args: ReadPullRequest) -> PullRequestPart:
    """Return one part of a pull request, or the whole body of one comment or review."""
    _check(args)
    forge, ref = await find_pull_request_ref(ctx, args.owner, args.repo, args.pull_number)
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
        parts = paginate_text(body, ctx.after, args.limit)
        return {"item": item, "parts": parts, "total": parts.total}
    if args.method == "get_diff":
        diff = await _diff(ctx, args, forge, ref)
        return {"diff": diff, "total": diff.total}
    return await LISTS[args.method](forge, ref, PageRequest(ctx.after, args.limit))


async def _diff(ctx: Context, args: ReadPullRequest, forge: Forge, ref: PullRequestRef) -> Page[DiffPart]:
    try:
        return await paginate_diff(forge.changes.diff(ref), ctx.after, args.limit)
    except TooLarge as error:
        remedy = "List the changed files with get_files, or read the diff in a local clone."
        raise TooLarge(error.message, suggestion=remedy, details=error.details) from error


async def _details(forge: Forge, ref: PullRequestRef, wanted: PageRequest) -> Part:  # noqa: ARG001 -- not a list
    return {"details": create_details(await forge.pull_requests.get(ref))}


async def _files(forge: Forge, ref: PullRequestRef, wanted: PageRequest) -> Part:
    return wanted.part("files", await forge.changes.files(ref), create_file_row, key="path")


async def _status(forge: Forge, ref: PullRequestRef, wanted: PageRequest) -> Part:
    pull = await forge.pull_requests.get(ref)
    sha = pull.head.commit
    if not sha:
        remedy = f"Open its page: {pull.url}"
        raise NotFound(f"{forge.config.alias} does not report the head commit of {ref}", suggestion=remedy)
    found = await forge.checks.list(pull.ref.repository, sha)
    status = CommitStatus(
        state=combine_verdicts(found), sha=sha, counts=count_verdicts(found), failing=list_failing_checks(found)
    )
    rows = Listing(tuple(map(create_check_row, found)), found.total, found.cut)
    return {"status": status} | wanted.part("checks", rows, lambda row: row, key="key")


async def _comments(forge: Forge, ref: PullRequestRef, wanted: PageRequest) -> Part:
    pull = await forge.pull_requests.get(ref)  # rejects an issue's number, which has comments, too
    return wanted.part("comments", await forge.comments.list(pull.ref), create_comment_row)


async def _reviews(forge: Forge, ref: PullRequestRef, wanted: PageRequest) -> Part:
    return wanted.part("reviews", await forge.reviews.list(ref), create_review_row)


async def _review_comments(forge: Forge, ref: PullRequestRef, wanted: PageRequest) -> Part:
    remarks = list_thread_comments(await forge.threads.list(ref))
    return wanted.part("review_comments", remarks, create_review_comment_row)


LISTS: dict[Method, Callable[[Forge, PullRequestRef, PageRequest], Awaitable[Part]]] = {
    "get": _details,
    "get_files": _files,
    "get_status": _status,
    "get_comments": _comments,
    "get_reviews": _reviews,
    "get_review_comments": _review_comments,
}

"""The handler of `pull_request_read`: each method reads its own part only."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from operator import attrgetter
from typing import Any, Generic, TypeVar

from attrs import Factory, define, frozen

from stithy_comments.argument_lookup import find_pull_request_ref
from stithy_comments.kept_reads import read_for_page
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
from stithy_comments.pull_request_parts.diff_parts import DiffPart, split_diff
from stithy_comments.pull_request_parts.part_result import PullRequestPart, TextOwner, create_file_row
from stithy_comments.pull_request_parts.pull_request_details import create_details
from stithy_comments.pull_request_parts.text_pieces import Piece, measure_json, split_text
from stithy_comments.pull_request_parts.whole_thread import (
    create_thread_details,
    create_whole_comment,
    list_comments,
)
from stithy_comments.text_format import format_id
from stithy_comments.tools.read_tool import Method, ReadPullRequest
from stithy_core.spi import (
    BYTE_BUDGET,
    Comment,
    Conflict,
    Context,
    Forge,
    InvalidArguments,
    Listing,
    NotFound,
    Page,
    PullRequest,
    PullRequestRef,
    Review,
    TooLarge,
    read_thread,
)

T = TypeVar("T")
THREAD = "get_thread"
TAKING_IDS = "get, get_comments, get_reviews, get_review_comments, get_thread"

WholeText = tuple[TextOwner, str]
"""The facts about the text, and the text."""
Part = dict[str, Any]
"""Fields of `PullRequestPart`."""


@frozen
class PageRequest:
    """The page that a caller asks for.

    Args:
        after: The key of the last row seen; None for the first page.
        limit: Maximum number of rows.
    """

    after: str | None
    limit: int

    def part(self, name: str, found: Listing[T], row: Callable[[T], Any], key: str = "id") -> dict[str, Any]:
        """Return the fields of a result: the page under `name`, `total`, and `cut` if the forge's list is incomplete.

        Args:
            name: The field of the page.
            found: The list.
            row: The function that creates a row from an item.
            key: The attribute of both items and rows that identifies them.
        """
        identity = attrgetter(key)
        keys = [str(identity(item)) for item in found]
        # If the cursor's row is gone or its key is not unique, the server compares the rows before it: it needs all.
        unclear = self.after is not None and keys.count(self.after) != 1
        seen = keys.index(self.after) + 1 if self.after is not None and not unclear else 0
        items = found.items if unclear else found.items[seen : seen + self.limit]
        page: Page[Any] = Page(
            [row(item) for item in items],
            key=lambda shown: str(identity(shown)),
            partial=seen + len(items) < len(found),
            limit=self.limit,
            total=found.total if found.cut else len(found),
        )
        return {name: page, "total": page.total, "cut": found.cut or None}


@define
class PageCollector(Generic[T]):
    """Collects the pieces of a page in order and skips those before the cursor.

    Args:
        after: The key of the last piece seen; None once the page has begun.
        limit: Maximum number of pieces.
    """

    after: str | None
    limit: int
    items: list[T] = Factory(list)
    passed: int = 0
    free: int = BYTE_BUDGET
    more: bool = False

    def add(self, item: T, text: str) -> None:
        """Add the next piece, or set `more` if it does not fit.

        Raises:
            Conflict: The text up to the last piece seen has changed.
        """
        key = get_piece_key(text)
        if self.after is not None:
            if _number(key) == _number(self.after) and key != self.after:
                raise create_changed_error()
            self.after = None if key == self.after else self.after
            self.passed += 1
        elif self.free <= 0 or len(self.items) == self.limit:
            self.more = True
        else:
            self.items.append(item)
            self.free -= measure_json(text)


def paginate_text(text: str, after: str | None, limit: int) -> Page[str]:
    """Return a page of a text; joined, the pieces of all pages are the text.

    Raises:
        Conflict: The text has changed since the previous page.
    """
    page, pieces = PageCollector[str](after, limit), split_text(text)
    for piece in pieces:
        page.add(piece, piece)
    if page.after is not None:
        raise create_changed_error()
    return Page(page.items, key=get_piece_key, partial=page.more, limit=limit, total=len(pieces))


async def paginate_diff(diff: AsyncIterator[bytes], after: str | None, limit: int) -> Page[DiffPart]:
    """Return a page of a diff; the diff is read up to the end of the page, and what is before the page is discarded.

    Raises:
        Conflict: The diff up to the cursor has changed since the previous page.
    """
    page = PageCollector[DiffPart](after, limit)
    async with aclosing(split_diff(diff)) as parts:
        async for part in parts:
            page.add(part, part.text)
            if page.more:
                break
    if page.after is not None:
        raise create_changed_error()
    total = None if page.more else page.passed + len(page.items)
    return Page(page.items, key=lambda part: get_piece_key(part.text), partial=page.more, limit=limit, total=total)


def get_piece_key(text: str) -> str:
    """Return the key of a piece; empty for other texts."""
    return text.key if isinstance(text, Piece) else ""


def create_changed_error() -> Conflict:
    """Create the error for a text that has changed since its previous page."""
    return Conflict(
        "the text has changed since the previous page, so the next part would not match",
        suggestion="Repeat the call without cursor to start from the first page.",
    )


def _number(key: str) -> str:
    return key.partition(".")[0]


async def read_description(forge: Forge, ref: PullRequestRef, name: str) -> WholeText:
    """Return the description of a pull request.

    Raises:
        NotFound: `name` is not the pull request's number.
    """
    pull = await forge.pull_requests.get(ref)
    if name != str(ref.number):
        raise _create_not_found(ref, f"description {name}", f"Pass the pull request's own number as id: {ref.number}.")
    return _create_whole_text(pull, ref.number, at=pull.created_at, state=pull.state)


async def read_comment(forge: Forge, ref: PullRequestRef, name: str) -> WholeText:
    """Return a comment of the general conversation.

    Raises:
        NotFound: The conversation has no comment with that id.
    """
    pull = await forge.pull_requests.get(ref)  # rejects an issue's number, which has comments, too
    found = await forge.comments.get(pull.ref, name)
    return _create_whole_text(found, format_id(found.id), at=found.created_at)


async def read_review(forge: Forge, ref: PullRequestRef, name: str) -> WholeText:
    """Return a review.

    Raises:
        NotFound: The pull request has no review with that id.
    """
    for found in await forge.reviews.list(ref):
        if found.id == name:
            return _create_whole_text(found, format_id(found.id), at=found.submitted_at, state=found.state)
    raise _create_not_found(ref, f"review {name}", "List the ids with method get_reviews.")


async def read_review_comment(forge: Forge, ref: PullRequestRef, name: str) -> WholeText:
    """Return a review comment.

    Raises:
        NotFound: No thread of the pull request has the id; or it is that of a thread, whose comments the suggestion
            lists.
        Conflict: Several threads have the id.
    """
    thread = await read_thread(forge, ref, name)
    if found := next((comment for comment in thread.comments if comment.id == name), None):
        place = {"path": thread.path, "line": thread.line, "thread_id": thread.id}
        return _create_whole_text(found, format_id(found.id), at=found.created_at, **place)
    ids = ", ".join(comment.id for comment in thread.comments[:10])
    remedy = f"This id names a thread. Read it with method get_thread, or pass the id of a comment in it: {ids}."
    raise _create_not_found(ref, f"review comment {name}", remedy)


READERS: dict[Method, Callable[[Forge, PullRequestRef, str], Awaitable[WholeText]]] = {
    "get": read_description,
    "get_comments": read_comment,
    "get_reviews": read_review,
    "get_review_comments": read_review_comment,
}
"""The reader of a whole text, by the method that lists such texts."""


def _create_whole_text(owner: Comment | Review | PullRequest, name: int | str, **rest: Any) -> WholeText:
    item = TextOwner(id=name, author=owner.author.login, url=owner.url, characters=len(owner.body), **rest)
    return item, owner.body


def _create_not_found(ref: PullRequestRef, what: str, remedy: str) -> NotFound:
    return NotFound(f"{ref} has no {what}", suggestion=remedy, details={"status": 404})


async def read_pull_request(ctx: Context, args: ReadPullRequest) -> PullRequestPart:
    """Return one part of a pull request, or the whole body of one comment or review."""
    _check(args)
    forge, ref = await find_pull_request_ref(ctx, args.owner, args.repo, args.pull_number)
    return PullRequestPart(pull_request=str(ref), method=args.method, **await _part(ctx, args, forge, ref))


def _check(args: ReadPullRequest) -> None:
    """Check that there is an id where the method needs one, and none where it accepts none.

    Raises:
        InvalidArguments: Either is not so.
    """
    if args.method == THREAD and args.id is None:
        message, remedy = f"method {THREAD} needs an id", "Pass the id of the thread, or of any comment in it."
    elif args.id is not None and args.method not in (THREAD, *READERS):
        message, remedy = f"method {args.method} does not accept an id", "Omit id."
    else:
        return
    row = {"path": "id", "given": str(args.id)[:100], "allowed": f"an id with method {TAKING_IDS}"}
    raise InvalidArguments(message, suggestion=remedy, details={"errors": [row | {"message": message}]})


async def _part(ctx: Context, args: ReadPullRequest, forge: Forge, ref: PullRequestRef) -> Part:
    wanted = PageRequest(ctx.after, args.limit)
    if args.method == THREAD:
        return await _thread(forge, ref, str(args.id), wanted)
    if args.id is not None:
        item, body = await READERS[args.method](forge, ref, str(args.id))
        parts = paginate_text(body, ctx.after, args.limit)
        return {"item": item, "parts": parts, "total": parts.total}
    if args.method == "get_diff":
        diff = await _diff(ctx, args, forge, ref)
        return {"diff": diff, "total": diff.total}
    if args.method in LISTINGS:
        return await _read_listing(ctx, args.method, forge, ref, wanted)
    return await OTHERS[args.method](forge, ref, wanted)


async def _read_listing(ctx: Context, method: Method, forge: Forge, ref: PullRequestRef, wanted: PageRequest) -> Part:
    """Return the page of a list that is read once for all its pages."""
    listing = LISTINGS[method]
    found = await read_for_page(
        ctx,
        forge,
        ref,
        method,
        lambda: listing.read(forge, ref),
        subject_of=lambda value: value[0],
        parts=lambda value: value[1:],
    )
    page = wanted.part(method.removeprefix("get_"), found.value[1], listing.create_row, key=listing.key)
    return page | {"changed": found.changed or None}


async def _thread(forge: Forge, ref: PullRequestRef, name: str, wanted: PageRequest) -> Part:
    thread = await read_thread(forge, ref, name)
    page = wanted.part("thread_comments", list_comments(thread), create_whole_comment)
    return {"thread": create_thread_details(thread)} | page


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
    found = await forge.checks.list(pull.ref.repository, sha, pr=pull.ref)
    status = CommitStatus(
        state=combine_verdicts(found), sha=sha, counts=count_verdicts(found), failing=list_failing_checks(found)
    )
    rows = Listing(tuple(map(create_check_row, found)), total=found.total, cut=found.cut)
    return {"status": status} | wanted.part("checks", rows, lambda row: row, key="key")


ListRead = tuple[PullRequest | None, Listing[Any]]
"""The pull request, where a list needs it, and the list."""


async def _comments(forge: Forge, ref: PullRequestRef) -> ListRead:
    pull = await forge.pull_requests.get(ref)  # rejects an issue's number, which has comments, too
    return pull, await forge.comments.list(pull.ref)


async def _reviews(forge: Forge, ref: PullRequestRef) -> ListRead:
    return None, (await forge.reviews.list(ref)).map(create_review_row)


async def _review_comments(forge: Forge, ref: PullRequestRef) -> ListRead:
    return None, list_thread_comments(await forge.threads.list(ref))


@frozen
class ListingPart:
    """A part that is a list of the forge.

    Args:
        read: Reads it.
        create_row: Creates the row of an item.
        key: The attribute of both items and rows that identifies them.
    """

    read: Callable[[Forge, PullRequestRef], Awaitable[ListRead]]
    create_row: Callable[[Any], Any]
    key: str = "id"


LISTINGS: dict[Method, ListingPart] = {
    "get_comments": ListingPart(_comments, create_comment_row),
    "get_reviews": ListingPart(_reviews, lambda row: row, key="key"),
    "get_review_comments": ListingPart(_review_comments, create_review_comment_row),
}
OTHERS: dict[Method, Callable[[Forge, PullRequestRef, PageRequest], Awaitable[Part]]] = {
    "get": _details,
    "get_files": _files,
    "get_status": _status,
}

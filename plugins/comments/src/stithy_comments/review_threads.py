"""Handlers of the tools that reply to review threads (REPLY-1), resolve them and reopen them."""

from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TypeVar

from attrs import evolve, frozen

from stithy_comments.argument_lookup import find_pull_request_ref
from stithy_comments.comment_results import describe_difference
from stithy_comments.kept_reads import forget_reads
from stithy_comments.text_format import check_postable, format_id, format_line
from stithy_comments.tools.thread_tools import ReplyToReviewComment, SettleThread
from stithy_core.spi import (
    Archived,
    Conflict,
    Context,
    Forbidden,
    Forge,
    ForgeError,
    Hint,
    InvalidArguments,
    Maybe,
    NotFound,
    PullRequestRef,
    Rejected,
    Reply,
    Thread,
    Unknown,
    Unsupported,
    find_thread,
    raise_explained,
)

T = TypeVar("T")

SOURCE = "pull_request_read returns with method get_review_comments"
STATUSES: tuple[tuple[type[ForgeError], int], ...] = (
    (NotFound, 404),
    (Forbidden, 403),
    (Archived, 403),
    (Rejected, 422),
)
"""The statuses of REPLY-4 to REPLY-7; `Locked` is a `Forbidden`."""
DAY = timedelta(days=1)
"""The period in which the same text for the same thread counts as one reply."""


async def explain_missing_thread(forge: Forge, pr: PullRequestRef, name: str, error: NotFound) -> NotFound:
    """Return the error that says why a thread was not found, as far as the forge reveals it.

    Called only after a write failed, so that a reply costs no further requests.
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
        raise_explained(_add_status(await explain_missing_thread(forge, pr, name, error)), error)
    except ForgeError as error:
        _add_status(error)
        raise


def _add_status(error: ForgeError) -> ForgeError:
    status = next((status for kind, status in STATUSES if isinstance(error, kind)), None)
    if status is not None:
        forge_status = error.details.get("status", status)
        error.details |= {"status": status} | ({} if forge_status == status else {"forge_status": forge_status})
    return error


@frozen(kw_only=True)
class ReplyResult:
    """The result of `reply_to_review_comment`: id and url; the other fields only if they apply.

    Args:
        id: The id of the reply; a number if the forge's id is one.
        url: Its page.
        way: How the reply was created on a forge without an API for replies, and what that lacks.
        repeated: True if the same reply existed and nothing was posted.
        pending: True if it belongs to a draft review, which others do not see yet.
        changed_by_forge: How the stored text differs from the text passed.
    """

    id: int | str
    url: str
    way: str | None = None
    repeated: bool | None = None
    pending: bool | None = None
    changed_by_forge: str | None = None

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: whether it was posted, then each further fact."""
        if self.repeated:
            yield f"Nothing was posted: the same reply exists already. ID: {self.id}, URL: {self.url}"
            yield Hint("It was posted in this thread within the last day. Pass allow_duplicate=true to post it again.")
        else:
            yield f"Reply posted. ID: {self.id}, URL: {self.url}"
        if self.pending:
            yield "It belongs to a draft review: others see it once that is submitted"
        if self.way:
            yield f"Way: {self.way}"
        if self.changed_by_forge:
            yield f"The forge changed the text: {self.changed_by_forge}"


async def reply_to_review_comment(ctx: Context, args: ReplyToReviewComment) -> ReplyResult:
    """Reply in the thread of a review comment."""
    check_postable(args.body, "body")
    forge, pr = await find_pull_request_ref(ctx, args.owner, args.repo, args.pull_number)
    name, since = str(args.comment_id), None if args.allow_duplicate else forge.now() - DAY
    async with add_required_status(forge, pr, name):
        return _create_result(await forge.threads.reply(pr, name, args.body, unless_since=since), args.body)


def _create_result(reply: Reply, text: str) -> ReplyResult:
    return ReplyResult(
        id=format_id(reply.comment.id),
        url=reply.comment.url,
        way=reply.way or None,
        repeated=reply.repeated or None,
        pending=reply.comment.pending or None,
        changed_by_forge=describe_difference(text, reply.comment.body),
    )


@frozen(kw_only=True)
class ThreadState:
    """The result of `resolve_review_thread` and `unresolve_review_thread`: the thread as it was read back.

    Args:
        thread_id: The thread's id.
        resolved: Whether it is resolved.
        path: The file; None if the thread has no place in the code.
        line: The line; None for the whole file.
        resolved_by: The login of the user who resolved it.
        unchanged: True if it had that state before and nothing was sent.
        url: The page of its first comment.
    """

    thread_id: str
    resolved: Maybe[bool]
    path: str | None = None
    line: int | None = None
    resolved_by: str | None = None
    unchanged: bool | None = None
    url: str | None = None

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: the state and whether this call changed it, then the URL."""
        place = format_line(f"Thread {self.thread_id}{f' at {self.path}' if self.path else ''}")
        place += f":{self.line}" if self.line else ""
        if isinstance(self.resolved, Unknown):
            yield f"{place}: whether it is resolved could not be read back"
        else:
            by = f" by {self.resolved_by}" if self.resolved_by else ""
            state = f"resolved{by}" if self.resolved else "not resolved"
            yield f"{place} is {state}" + ("; it was already, nothing was changed" if self.unchanged else "")
        if self.url:
            yield f"URL: {self.url}"


async def resolve_review_thread(ctx: Context, args: SettleThread) -> ThreadState:
    """Mark a thread as resolved."""
    return await _settle(ctx, args, resolved=True)


async def unresolve_review_thread(ctx: Context, args: SettleThread) -> ThreadState:
    """Reopen a thread."""
    return await _settle(ctx, args, resolved=False)


async def _settle(ctx: Context, args: SettleThread, *, resolved: bool) -> ThreadState:
    name = _get_thread_name(args)
    forge, pr = await find_pull_request_ref(ctx, args.owner, args.repo, args.pull_number)
    forget_reads(ctx, forge, pr)
    async with add_required_status(forge, pr, name):
        thread = await _change_state(forge, pr, name, resolved=resolved)
        if thread.resolved is (not resolved):
            text = f"{pr}: the change of thread {name} was sent, but reading it back shows the old state"
            raise Conflict(text, suggestion=f"Read the thread, then repeat the call or change it there: {_url(thread)}")
    return ThreadState(
        thread_id=thread.id,
        resolved=thread.resolved,
        path=thread.path,
        line=thread.line,
        resolved_by=thread.resolved_by.login if thread.resolved_by else None,
        unchanged=thread.unchanged or None,
        url=_url(thread) or None,
    )


async def _change_state(forge: Forge, pr: PullRequestRef, name: str, *, resolved: bool) -> Thread:
    try:
        return await (forge.threads.resolve if resolved else forge.threads.unresolve)(pr, name)
    except Unsupported as error:
        return await _check_state(forge, pr, name, error, resolved=resolved)


async def _check_state(forge: Forge, pr: PullRequestRef, name: str, error: Unsupported, *, resolved: bool) -> Thread:
    """Return a thread that has the wanted state already, on a forge that cannot change it.

    Raises:
        NotFound: The pull request has no such thread.
        Conflict: Several threads have the id.
        Unsupported: The state would have to change; the suggestion names the page where a person can do it.
    """
    thread = find_thread(await forge.threads.list(pr), name)
    if thread is None:
        raise NotFound(f"{pr} has no thread {name}") from error
    if thread.resolved is resolved:
        return evolve(thread, unchanged=True)
    url = _url(thread)
    remedy = f"A person can do it on the thread's page: {url}" if url else error.suggestion
    raise Unsupported(error.message, suggestion=remedy, details=error.details | {"url": url}) from error


def _get_thread_name(args: SettleThread) -> str:
    """Return the id that names the thread: `thread_id`, or `comment_id` as text.

    Raises:
        InvalidArguments: Both are set, or neither.
    """
    if args.thread_id is not None and args.comment_id is None:
        return args.thread_id
    if args.comment_id is not None and args.thread_id is None:
        return str(args.comment_id)
    message = "pass exactly one of thread_id and comment_id"
    problem = {"path": "thread_id", "given": "both" if args.thread_id else "neither", "allowed": "exactly one"}
    raise InvalidArguments(
        message, suggestion="Pass exactly one of them.", details={"errors": [problem | {"message": message}]}
    )


def _url(thread: Thread) -> str:
    return thread.comments[0].url if thread.comments else ""

"""The handlers of `resolve_review_thread` and `unresolve_review_thread`."""

from collections.abc import Iterator

from attrs import evolve, frozen

from stithy_comments.argument_lookup import find_pull_request_ref
from stithy_comments.review_threads.thread_errors import add_required_status
from stithy_comments.text_format import format_line
from stithy_comments.tools.thread_tools import SettleThread
from stithy_core.spi import (
    Conflict,
    Context,
    Forge,
    InvalidArguments,
    Maybe,
    NotFound,
    PullRequestRef,
    Thread,
    Unknown,
    Unsupported,
)


@frozen(kw_only=True)
class ThreadState:
    """The result of `resolve_review_thread` and `unresolve_review_thread`: the thread as it was read back.

    Args:
        thread_id: The thread's id.
        resolved: Whether it is resolved.
        path: The file.
        line: The line; None for the whole file.
        resolved_by: The login of the user who resolved it.
        unchanged: True if it had that state before and nothing was sent.
        url: The page of its first comment.
    """

    thread_id: str
    resolved: Maybe[bool]
    path: str
    line: int | None = None
    resolved_by: str | None = None
    unchanged: bool | None = None
    url: str | None = None

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: the state and whether this call changed it, then the URL."""
        place = format_line(f"Thread {self.thread_id} at {self.path}") + (f":{self.line}" if self.line else "")
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
        Unsupported: The state would have to change; the suggestion names the page where a person can do it.
    """
    thread = next((one for one in await forge.threads.list(pr) if one.named(name)), None)
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

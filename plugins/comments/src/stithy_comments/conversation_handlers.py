"""Handlers of the tools for issues, pull requests and their conversations (COM-1, COM-9)."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import datetime
from itertools import dropwhile
from typing import Any, ClassVar, Generic, TypeVar

from attrs import frozen

from stithy_comments.argument_lookup import (
    find_issue,
    find_pull_request,
    find_repository,
    find_writable_issue,
    find_writable_pull_request,
)
from stithy_comments.comment_results import (
    CommentEditResult,
    CommentWriteResult,
    ListedComment,
    count_total,
    create_comment_page,
    edit_comment,
    format_comment_lines,
    format_incomplete,
)
from stithy_comments.kept_reads import PageSource, read_for_page
from stithy_comments.text_format import UrlPatterns, check_postable, format_line, format_time
from stithy_comments.tools.comment_tools import (
    CreateIssueComment,
    CreatePullRequestComment,
    EditIssueComment,
    EditPullRequestComment,
    ListIssueComments,
    ListPullRequestComments,
    ListSubjects,
)
from stithy_core.spi import BranchRef, Comment, Context, Forge, Issue, Listing, Maybe, Page, PullRequest, excerpt

T = TypeVar("T", bound=Issue)
R = TypeVar("R", bound="IssueRow")
Read = Callable[[int], Awaitable[Listing[T]]]
"""Reads the newest items of a list, at most as many as the argument says."""

MOST_TITLE = 120
"""Maximum characters of a title in a line."""


@frozen(kw_only=True)
class IssueRow:
    """An issue in a list: short, since other tools read the rest by its number."""

    number: int
    title: str
    state: str
    author: str
    labels: tuple[str, ...]
    comments: Maybe[int]
    created_at: datetime
    updated_at: Maybe[datetime]
    url: str

    def format_line_with(self, facts: str) -> str:
        """Format the row as a line; `facts` is the part between title and times."""
        marks = f" [{', '.join(self.labels)}]" if self.labels else ""
        comments = f", comments: {self.comments}" if isinstance(self.comments, int) and self.comments else ""
        title = excerpt(self.title, MOST_TITLE)
        last = self.updated_at
        updated = f", updated {format_time(last)}" if isinstance(last, datetime) and last != self.created_at else ""
        return format_line(f"- {self.name} {title}{marks}: {facts}, {format_time(self.created_at)}{updated}{comments}")

    @property
    def name(self) -> str:
        """The name within the repository: `#7`."""
        return f"#{self.number}"


@frozen(kw_only=True)
class PullRequestRow(IssueRow):
    """A pull request in a list.

    Args:
        head: The head branch; from a fork, `owner:branch`.
        from_fork: Whether it comes from a fork, also from a deleted one.
        base: The base branch.
        short: The name within the repository, such as `!7`; None where that is `#` and the number.
    """

    head: str
    from_fork: bool
    base: str
    draft: Maybe[bool]
    merged: bool
    short: str | None = None

    @property
    def name(self) -> str:
        """The name within the repository: `#7` or `!7`."""
        return self.short or super().name

    def format_state(self) -> str:
        """Return the state in one or two words: `open draft`, `merged`."""
        state = "merged" if self.merged else self.state
        return f"{state} draft" if self.draft is True else state


@frozen
class NewestPage(Generic[T]):
    """A page of a list that is sorted newest first.

    Each page reads as many items as the caller has seen plus one page, so the first page of fifty thousand issues costs
    one request. New items appear at the front of the list. Therefore a cursor names the number of the last item seen;
    the count of items before it only says how many to read.

    Args:
        items: In the order of the list; one more than the limit, if there is one.
        place: The number of items before this page.
        total: The number of items in the whole list; None if unknown.
        incomplete: Why further items cannot be read; None if the list is complete.
    """

    items: Sequence[T]
    place: int
    total: int | None
    incomplete: str | None

    def key(self, number: int) -> str:
        """Return the cursor key of an item, `number.count`: its number, and its 1-based position in the list."""
        at = next(index for index, item in enumerate(self.items, 1) if item.ref.number == number)
        return f"{number}.{self.place + at}"

    def paginate_rows(self, create_row: Callable[[T], R], limit: int) -> Page[R]:
        """Return the rows of the items as a page of a result."""
        rows = [create_row(item) for item in self.items]
        return Page(rows, key=lambda row: self.key(row.number), limit=limit, total=self.total)


async def read_newest(read: Read[T], after: str | None, limit: int) -> NewestPage[T]:
    """Read the page after a cursor.

    Args:
        read: A function that reads the newest items, as many as its argument says.
        after: What `NewestPage.key` returned for the last item seen; None for the first page.
        limit: The number of items on the page.
    """
    number, _, seen = (after or "").partition(".")
    most = int(seen or 0) + limit + 1
    while True:
        found = await read(most)
        rest = _list_after(found, int(number)) if number else found.items
        ended = not found.cut or len(found) < most
        if ended or len(rest) > limit:
            lost = found.cut if ended and len(rest) <= limit else ""
            return NewestPage(rest[: limit + 1], len(found) - len(rest), count_total(found), lost or None)
        most *= 2  # many items are new since the last page, or the cursor's item is gone


def _list_after(found: Listing[T], number: int) -> tuple[T, ...]:
    """Return the items after a number; if that item is gone, all older ones, so that none is skipped."""
    numbers = [item.ref.number for item in found]
    if number in numbers:
        return found.items[numbers.index(number) + 1 :]
    return tuple(dropwhile(lambda item: item.ref.number > number, found.items))


def create_issue_row(issue: Issue) -> IssueRow:
    """Create the row of an issue."""
    return IssueRow(**_collect_issue_fields(issue))


def create_pull_request_row(pull: PullRequest) -> PullRequestRow:
    """Create the row of a pull request."""
    return PullRequestRow(
        **_collect_issue_fields(pull),
        head=_branch(pull.head, pull),
        from_fork=pull.from_fork,
        base=pull.base.branch,
        draft=pull.draft,
        merged=pull.merged,
        short=None if pull.ref.mark == "#" else pull.ref.short,
    )


def _collect_issue_fields(issue: Issue) -> dict[str, Any]:
    """Return the fields of an `IssueRow` by name."""
    return {
        "number": issue.ref.number,
        "title": issue.title,
        "state": issue.state,
        "author": issue.author.login,
        "labels": tuple(label.name for label in issue.labels),
        "comments": issue.comment_count,
        "created_at": issue.created_at,
        "updated_at": issue.updated_at,
        "url": issue.url,
    }


def _branch(head: BranchRef, pull: PullRequest) -> str:
    if not pull.from_fork or head.repository is None:
        return head.branch
    return f"{head.repository.namespace or head.repository.name}:{head.branch}"


def format_heading(rows: Page[Any], what: str, repository: str) -> str:
    """Format the first line of a list; `what` names the items, such as `open issues`."""
    what = what.removeprefix("all ")
    shown = sum(1 for _ in rows)
    if not shown:
        return f"No {'more ' if rows.total else ''}{what} in {repository}"
    whole = "" if rows.total is None else f" of {rows.total:,}"
    return f"{shown}{whole} {what} in {repository}, newest first"


def format_row_urls(rows: Page[R]) -> Iterator[str]:
    """Iterate over the lines with the URLs of a list: their pattern, and those of the rows that have another."""
    patterns = UrlPatterns.find(("", row.number, row.url) for row in rows)
    yield from patterns.lines()
    others = (row for row in rows if not patterns.cover("", row.number, row.url))
    yield from (format_line(f"{row.name}: {row.url}") for row in others)


@frozen(kw_only=True)
class IssueComment(CommentWriteResult):
    """The result of `issue_comment_create`."""

    what: ClassVar[str] = "Issue comment"


@frozen(kw_only=True)
class EditedIssueComment(CommentEditResult):
    """The result of `issue_comment_edit`."""

    what: ClassVar[str] = "Issue comment"


@frozen(kw_only=True)
class IssueConversation:
    """The result of `issue_comment_list`."""

    issue: str
    total: int | None
    incomplete: str | None
    changed: bool | None
    comments: Page[ListedComment]

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: one per comment."""
        return format_comment_lines(self.comments, self.issue, self.incomplete, changed=self.changed)


@frozen(kw_only=True)
class IssueList:
    """The result of `issue_list`."""

    repository: str
    state: str
    total: int | None
    incomplete: str | None
    issues: Page[IssueRow]

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: one per issue."""
        yield format_heading(self.issues, f"{self.state} issues", self.repository)
        for issue in self.issues:
            yield issue.format_line_with(f"{issue.state}, by {issue.author}")
        yield from format_row_urls(self.issues)
        yield from format_incomplete(self.incomplete)


async def list_issues(ctx: Context, args: ListSubjects) -> IssueList:
    """List a repository's issues."""
    forge, repository = await find_repository(ctx, args)
    part = await read_newest(
        lambda most: forge.issues.list(repository, state=args.state, most=most), ctx.after, args.limit
    )
    return IssueList(
        repository=str(repository),
        state=args.state,
        total=part.total,
        incomplete=part.incomplete,
        issues=part.paginate_rows(create_issue_row, args.limit),
    )


async def create_issue_comment(ctx: Context, args: CreateIssueComment) -> IssueComment:
    """Add a comment to an issue's conversation."""
    check_postable(args.comment, "comment")
    forge, issue = await find_writable_issue(ctx, args, instead="pr_comment_create")
    return IssueComment.from_comment(await forge.comments.create(issue.ref, args.comment), args.comment)


async def edit_issue_comment(ctx: Context, args: EditIssueComment) -> EditedIssueComment:
    """Replace the text of a comment on an issue."""
    check_postable(args.new_content, "new_content")
    forge, issue = await find_writable_issue(ctx, args, instead="pr_comment_edit")
    comment = await edit_comment(forge, issue.ref, args.comment_id, args.new_content)
    return EditedIssueComment.from_comment(comment, args.new_content)


async def list_issue_comments(ctx: Context, args: ListIssueComments) -> IssueConversation:
    """List an issue's conversation."""
    forge, issue = await find_issue(ctx, args, instead="pr_comment_list")
    found = await _read_comments(ctx, forge, issue)
    page = create_comment_page(found.value, args.limit)
    return IssueConversation(
        issue=str(issue.ref),
        total=page.total,
        incomplete=found.value.cut or None,
        changed=found.changed or None,
        comments=page,
    )


@frozen(kw_only=True)
class PullRequestComment(CommentWriteResult):
    """The result of `pr_comment_create`."""

    what: ClassVar[str] = "Pull request comment"


@frozen(kw_only=True)
class EditedPullRequestComment(CommentEditResult):
    """The result of `pr_comment_edit`."""

    what: ClassVar[str] = "Pull request comment"


@frozen(kw_only=True)
class PullRequestConversation:
    """The result of `pr_comment_list`."""

    pull_request: str
    total: int | None
    incomplete: str | None
    changed: bool | None
    comments: Page[ListedComment]

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: one per comment."""
        return format_comment_lines(self.comments, self.pull_request, self.incomplete, changed=self.changed)


@frozen(kw_only=True)
class PullRequestList:
    """The result of `pr_list`."""

    repository: str
    state: str
    total: int | None
    incomplete: str | None
    pull_requests: Page[PullRequestRow]

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: one per pull request."""
        yield format_heading(self.pull_requests, f"{self.state} pull requests", self.repository)
        for pull in self.pull_requests:
            yield pull.format_line_with(f"{pull.format_state()}, by {pull.author}, {pull.head} -> {pull.base}")
        yield from format_row_urls(self.pull_requests)
        yield from format_incomplete(self.incomplete)


async def list_pull_requests(ctx: Context, args: ListSubjects) -> PullRequestList:
    """List a repository's pull requests."""
    forge, repository = await find_repository(ctx, args)
    part = await read_newest(
        lambda most: forge.pull_requests.list(repository, state=args.state, most=most), ctx.after, args.limit
    )
    return PullRequestList(
        repository=str(repository),
        state=args.state,
        total=part.total,
        incomplete=part.incomplete,
        pull_requests=part.paginate_rows(create_pull_request_row, args.limit),
    )


async def create_pull_request_comment(ctx: Context, args: CreatePullRequestComment) -> PullRequestComment:
    """Add a comment to a pull request's conversation."""
    check_postable(args.comment, "comment")
    forge, pull = await find_writable_pull_request(ctx, args)
    return PullRequestComment.from_comment(await forge.comments.create(pull.ref, args.comment), args.comment)


async def edit_pull_request_comment(ctx: Context, args: EditPullRequestComment) -> EditedPullRequestComment:
    """Replace the text of a comment on a pull request."""
    check_postable(args.new_content, "new_content")
    forge, pull = await find_writable_pull_request(ctx, args)
    comment = await edit_comment(forge, pull.ref, args.comment_id, args.new_content)
    return EditedPullRequestComment.from_comment(comment, args.new_content)


async def list_pull_request_comments(ctx: Context, args: ListPullRequestComments) -> PullRequestConversation:
    """List a pull request's conversation."""
    forge, pull = await find_pull_request(ctx, args)
    found = await _read_comments(ctx, forge, pull)
    page = create_comment_page(found.value, args.limit)
    return PullRequestConversation(
        pull_request=str(pull.ref),
        total=page.total,
        incomplete=found.value.cut or None,
        changed=found.changed or None,
        comments=page,
    )


async def _read_comments(ctx: Context, forge: Forge, subject: Issue) -> PageSource[Listing[Comment]]:
    """Read a conversation, once for all its pages."""
    ref = subject.ref
    return await read_for_page(ctx, forge, ref, "comments", lambda: forge.comments.list(ref), subject=subject)

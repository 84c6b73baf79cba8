"""Handlers of the tools for pull requests and their conversations (COM-1, COM-9)."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from stithy_comments.argument_lookup import find_pull_request, find_repository, find_writable_pull_request
from stithy_comments.conversations.comment_results import (
    CommentEditResult,
    CommentWriteResult,
    ListedComment,
    create_comment_page,
    edit_comment,
    format_comment_lines,
    format_incomplete,
)
from stithy_comments.conversations.newest_first import read_newest
from stithy_comments.conversations.subject_rows import PullRequestRow, create_pull_request_row, format_heading
from stithy_comments.text_format import check_postable
from stithy_comments.tools.comment_tools import (
    CreatePullRequestComment,
    EditPullRequestComment,
    ListPullRequestComments,
    ListSubjects,
)
from stithy_core.spi import Context, Page


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
    comments: Page[ListedComment]

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: one per comment."""
        return format_comment_lines(self.comments, self.pull_request, self.incomplete)


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
        yield from format_incomplete(self.incomplete)


async def list_pull_requests(ctx: Context, args: ListSubjects) -> PullRequestList:
    """List a repository's pull requests."""
    forge, repository = await find_repository(ctx, args)
    part = await read_newest(
        lambda most: forge.pull_requests.list(repository, state=args.state, most=most), ctx.after, args.limit
    )
    rows = [create_pull_request_row(pull) for pull in part.items]
    return PullRequestList(
        repository=str(repository),
        state=args.state,
        total=part.total,
        incomplete=part.incomplete,
        pull_requests=Page(rows, key=lambda row: part.key(row.number), limit=args.limit, total=part.total),
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
    comments = await forge.comments.list(pull.ref)
    page = create_comment_page(comments, args.limit)
    return PullRequestConversation(
        pull_request=str(pull.ref), total=page.total, incomplete=comments.cut or None, comments=page
    )

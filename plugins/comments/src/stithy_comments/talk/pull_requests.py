"""Handlers of the tools for pull requests and their conversations (COM-1, COM-9)."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from stithy_comments.offers.talk import (
    CreatePullRequestComment,
    EditPullRequestComment,
    ListPullRequestComments,
    ListSubjects,
)
from stithy_comments.places import find_pull_request, find_writable_pull_request, repository_of
from stithy_comments.talk.comments import Edited, Listed, Written, edited, lines, page_of, unread
from stithy_comments.talk.newest import newest
from stithy_comments.talk.rows import PullRequestRow, heading, pull_request_row
from stithy_comments.texts import check_postable
from stithy_core.spi import Context, Page


@frozen(kw_only=True)
class PullRequestComment(Written):
    """The result of `pr_comment_create`."""

    what: ClassVar[str] = "Pull request comment"


@frozen(kw_only=True)
class EditedPullRequestComment(Edited):
    """The result of `pr_comment_edit`."""

    what: ClassVar[str] = "Pull request comment"


@frozen(kw_only=True)
class Conversation:
    """The result of `pr_comment_list`."""

    pull_request: str
    total: int | None
    incomplete: str | None
    comments: Page[Listed]

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: one per comment."""
        return lines(self.comments, self.pull_request, self.incomplete)


@frozen(kw_only=True)
class PullRequests:
    """The result of `pr_list`."""

    repository: str
    state: str
    total: int | None
    incomplete: str | None
    pull_requests: Page[PullRequestRow]

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: one per pull request."""
        yield heading(self.pull_requests, f"{self.state} pull requests", self.repository)
        for pull in self.pull_requests:
            yield pull.line(f"{pull.standing()}, by {pull.author}, {pull.head} -> {pull.base}")
        yield from unread(self.incomplete)


async def list_pull_requests(ctx: Context, args: ListSubjects) -> PullRequests:
    """List a repository's pull requests."""
    forge, repository = await repository_of(ctx, args)
    part = await newest(
        lambda most: forge.pull_requests.list(repository, state=args.state, most=most), ctx.after, args.limit
    )
    rows = [pull_request_row(pull) for pull in part.items]
    return PullRequests(
        repository=str(repository),
        state=args.state,
        total=part.total,
        incomplete=part.incomplete,
        pull_requests=Page(rows, key=lambda row: part.key(row.number), limit=args.limit, total=part.total),
    )


async def create(ctx: Context, args: CreatePullRequestComment) -> PullRequestComment:
    """Add a comment to a pull request's conversation."""
    check_postable(args.comment, "comment")
    forge, pull = await find_writable_pull_request(ctx, args)
    return PullRequestComment.of(await forge.comments.create(pull.ref, args.comment), args.comment)


async def edit(ctx: Context, args: EditPullRequestComment) -> EditedPullRequestComment:
    """Replace the text of a comment on a pull request."""
    check_postable(args.new_content, "new_content")
    forge, pull = await find_writable_pull_request(ctx, args)
    comment = await edited(forge, pull.ref, args.comment_id, args.new_content)
    return EditedPullRequestComment.of(comment, args.new_content)


async def list_comments(ctx: Context, args: ListPullRequestComments) -> Conversation:
    """List a pull request's conversation."""
    forge, pull = await find_pull_request(ctx, args)
    comments = await forge.comments.list(pull.ref)
    page = page_of(comments, args.limit)
    return Conversation(pull_request=str(pull.ref), total=page.total, incomplete=comments.cut or None, comments=page)

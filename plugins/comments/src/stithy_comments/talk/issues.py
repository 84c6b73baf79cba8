"""Handlers of the tools for issues and their conversations (COM-9)."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from stithy_comments.offers.talk import CreateIssueComment, EditIssueComment, ListIssueComments, ListSubjects
from stithy_comments.places import find_issue, find_writable_issue, repository_of
from stithy_comments.talk.comments import Edited, Listed, Written, edited, lines, page_of, unread
from stithy_comments.talk.newest import newest
from stithy_comments.talk.rows import Row, heading, told
from stithy_comments.texts import check_postable
from stithy_core.spi import Context, Page


@frozen(kw_only=True)
class IssueComment(Written):
    """The result of `issue_comment_create`."""

    what: ClassVar[str] = "Issue comment"


@frozen(kw_only=True)
class EditedIssueComment(Edited):
    """The result of `issue_comment_edit`."""

    what: ClassVar[str] = "Issue comment"


@frozen(kw_only=True)
class Conversation:
    """The result of `issue_comment_list`."""

    issue: str
    total: int | None
    incomplete: str | None
    comments: Page[Listed]

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: one per comment."""
        return lines(self.comments, self.issue, self.incomplete)


@frozen(kw_only=True)
class Issues:
    """The result of `issue_list`."""

    repository: str
    state: str
    total: int | None
    incomplete: str | None
    issues: Page[Row]

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: one per issue."""
        yield heading(self.issues, f"{self.state} issues", self.repository)
        for issue in self.issues:
            yield issue.line(f"{issue.state}, by {issue.author}")
        yield from unread(self.incomplete)


async def list_issues(ctx: Context, args: ListSubjects) -> Issues:
    """List a repository's issues."""
    forge, repository = await repository_of(ctx, args)
    part = await newest(lambda most: forge.issues.list(repository, state=args.state, most=most), ctx.after, args.limit)
    rows = [Row(**told(issue)) for issue in part.items]
    return Issues(
        repository=str(repository),
        state=args.state,
        total=part.total,
        incomplete=part.incomplete,
        issues=Page(rows, key=lambda row: part.key(row.number), limit=args.limit, total=part.total),
    )


async def create(ctx: Context, args: CreateIssueComment) -> IssueComment:
    """Add a comment to an issue's conversation."""
    check_postable(args.comment, "comment")
    forge, issue = await find_writable_issue(ctx, args, instead="pr_comment_create")
    return IssueComment.of(await forge.comments.create(issue.ref, args.comment), args.comment)


async def edit(ctx: Context, args: EditIssueComment) -> EditedIssueComment:
    """Replace the text of a comment on an issue."""
    check_postable(args.new_content, "new_content")
    forge, issue = await find_writable_issue(ctx, args, instead="pr_comment_edit")
    comment = await edited(forge, issue.ref, args.comment_id, args.new_content)
    return EditedIssueComment.of(comment, args.new_content)


async def list_comments(ctx: Context, args: ListIssueComments) -> Conversation:
    """List an issue's conversation."""
    forge, issue = await find_issue(ctx, args, instead="pr_comment_list")
    comments = await forge.comments.list(issue.ref)
    page = page_of(comments, args.limit)
    return Conversation(issue=str(issue.ref), total=page.total, incomplete=comments.cut or None, comments=page)

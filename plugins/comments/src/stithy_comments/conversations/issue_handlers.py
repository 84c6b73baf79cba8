"""Handlers of the tools for issues and their conversations (COM-9)."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from stithy_comments.argument_lookup import find_issue, find_repository, find_writable_issue
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
from stithy_comments.conversations.subject_rows import IssueRow, collect_issue_fields, format_heading
from stithy_comments.text_format import check_postable
from stithy_comments.tools.comment_tools import CreateIssueComment, EditIssueComment, ListIssueComments, ListSubjects
from stithy_core.spi import Context, Page


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
    comments: Page[ListedComment]

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: one per comment."""
        return format_comment_lines(self.comments, self.issue, self.incomplete)


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
        yield from format_incomplete(self.incomplete)


async def list_issues(ctx: Context, args: ListSubjects) -> IssueList:
    """List a repository's issues."""
    forge, repository = await find_repository(ctx, args)
    part = await read_newest(
        lambda most: forge.issues.list(repository, state=args.state, most=most), ctx.after, args.limit
    )
    rows = [IssueRow(**collect_issue_fields(issue)) for issue in part.items]
    return IssueList(
        repository=str(repository),
        state=args.state,
        total=part.total,
        incomplete=part.incomplete,
        issues=Page(rows, key=lambda row: part.key(row.number), limit=args.limit, total=part.total),
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
    comments = await forge.comments.list(issue.ref)
    page = create_comment_page(comments, args.limit)
    return IssueConversation(issue=str(issue.ref), total=page.total, incomplete=comments.cut or None, comments=page)

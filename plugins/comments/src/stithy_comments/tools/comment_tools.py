"""Tools for issues, pull requests and their conversations (COM-1, COM-9)."""

from typing import Annotated, Literal, TypeAlias

from attrs import frozen

from stithy_comments.tools.shared_arguments import (
    ID_PATTERN,
    LONGEST_ID,
    MANAGEMENT,
    USUAL_LIMIT,
    IssuePlace,
    LimitArg,
    PullRequestPlace,
    RepositoryPlace,
)
from stithy_core.spi import Comments, CursorArg, Effects, Issues, Meta, PullRequests, ToolSpec

State: TypeAlias = Literal["open", "closed", "all"]
CommentText: TypeAlias = Annotated[str, Meta("Markdown", pattern=r"\S", message="comment must not be blank")]
NewContent: TypeAlias = Annotated[
    str,
    Meta("Markdown; replaces all of it", pattern=r"\S", message="new_content must not be blank"),
]
CommentId: TypeAlias = Annotated[
    int | str,
    Meta(
        ge=1,
        pattern=ID_PATTERN,
        max_length=LONGEST_ID,
        message="comment_id must be a positive number, or text as the list tool returned it",
    ),
]

SAFE = " Repeat it if the outcome was unclear: nothing is posted twice."


@frozen(kw_only=True)
class ListSubjects(RepositoryPlace):
    """Arguments of `issue_list` and `pr_list`."""

    state: State = "open"
    limit: LimitArg = USUAL_LIMIT
    cursor: CursorArg = None


@frozen(kw_only=True)
class ListIssueComments(IssuePlace):
    """Arguments of `issue_comment_list`."""

    limit: LimitArg = USUAL_LIMIT
    cursor: CursorArg = None


@frozen(kw_only=True)
class ListPullRequestComments(PullRequestPlace):
    """Arguments of `pr_comment_list`."""

    limit: LimitArg = USUAL_LIMIT
    cursor: CursorArg = None


@frozen(kw_only=True)
class CreateIssueComment(IssuePlace):
    """Arguments of `issue_comment_create`."""

    comment: CommentText


@frozen(kw_only=True)
class CreatePullRequestComment(PullRequestPlace):
    """Arguments of `pr_comment_create`."""

    comment: CommentText


@frozen(kw_only=True)
class EditIssueComment(IssuePlace):
    """Arguments of `issue_comment_edit`."""

    comment_id: CommentId
    new_content: NewContent


@frozen(kw_only=True)
class EditPullRequestComment(PullRequestPlace):
    """Arguments of `pr_comment_edit`."""

    comment_id: CommentId
    new_content: NewContent


ISSUE_TOOLS = (
    ToolSpec(
        name="issue_list",
        title="Issues of a repository",
        description="List issues, newest first.",
        input=ListSubjects,
        handler="stithy_comments.conversation_handlers:list_issues",
        needs=[Issues.list],
        duration="slow",
        error_prefix="Failed to list issues: ",
        keywords=("issues", "open bugs and tickets"),
    ),
    ToolSpec(
        name="issue_comment_list",
        title="Comments of an issue",
        description="List the comments on an issue, oldest first.",
        input=ListIssueComments,
        handler="stithy_comments.conversation_handlers:list_issue_comments",
        needs=[Issues.get, Comments.list],
        error_prefix="Failed to list issue comments: ",
    ),
    ToolSpec(
        name="issue_comment_create",
        title="Comment on an issue",
        description=f"Comment on an issue.{SAFE}",
        input=CreateIssueComment,
        handler="stithy_comments.conversation_handlers:create_issue_comment",
        needs=[Issues.get, Comments.create],
        effects=Effects.ADD,
        duration="slow",
        toolset=MANAGEMENT,
        error_prefix="Failed to create issue comment: ",
        keywords=("issues", "answer an issue"),
    ),
    ToolSpec(
        name="issue_comment_edit",
        title="Edit a comment on an issue",
        description="Edit a comment on an issue.",
        input=EditIssueComment,
        handler="stithy_comments.conversation_handlers:edit_issue_comment",
        needs=[Issues.get, Comments.edit],
        effects=Effects.CHANGE,
        duration="slow",
        toolset=MANAGEMENT,
        error_prefix="Failed to edit issue comment: ",
    ),
)
PULL_REQUEST_TOOLS = (
    ToolSpec(
        name="pr_list",
        title="Pull requests of a repository",
        description="List pull requests, newest first; closed ones include merged ones.",
        input=ListSubjects,
        handler="stithy_comments.conversation_handlers:list_pull_requests",
        needs=[PullRequests.list],
        duration="slow",
        error_prefix="Failed to list pull requests: ",
        keywords=("pull requests", "open PRs"),
    ),
    ToolSpec(
        name="pr_comment_list",
        title="Comments of a pull request",
        description="List the general comments, oldest first.",
        input=ListPullRequestComments,
        handler="stithy_comments.conversation_handlers:list_pull_request_comments",
        needs=[PullRequests.get, Comments.list],
        error_prefix="Failed to list pull request comments: ",
    ),
    ToolSpec(
        name="pr_comment_create",
        title="Comment on a pull request",
        description=f"Post a general comment on a PR.{SAFE}",
        input=CreatePullRequestComment,
        handler="stithy_comments.conversation_handlers:create_pull_request_comment",
        needs=[PullRequests.get, Comments.create],
        effects=Effects.ADD,
        duration="slow",
        toolset=MANAGEMENT,
        error_prefix="Failed to create pull request comment: ",
        keywords=("PR comments", "answer a PR"),
    ),
    ToolSpec(
        name="pr_comment_edit",
        title="Edit a comment on a pull request",
        description="Edit a general comment on a PR, not a review comment.",
        input=EditPullRequestComment,
        handler="stithy_comments.conversation_handlers:edit_pull_request_comment",
        needs=[PullRequests.get, Comments.edit],
        effects=Effects.CHANGE,
        duration="slow",
        toolset=MANAGEMENT,
        error_prefix="Failed to edit pull request comment: ",
    ),
)


def tools() -> list[ToolSpec]:
    """Return the specs of the tools of COM-1 and COM-9."""
    return [*ISSUE_TOOLS, *PULL_REQUEST_TOOLS]

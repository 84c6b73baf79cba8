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

State: TypeAlias = Annotated[
    Literal["open", "closed", "all"], Meta("State to list; merged pull requests count as closed")
]
CommentText: TypeAlias = Annotated[
    str, Meta("Markdown; posted verbatim", pattern=r"\S", message="comment must not be blank")
]
NewContent: TypeAlias = Annotated[
    str,
    Meta("Markdown that replaces the whole comment", pattern=r"\S", message="new_content must not be blank"),
]
CommentId: TypeAlias = Annotated[
    int | str,
    Meta(
        "Id of the comment, as the list tool returns it",
        ge=1,
        pattern=ID_PATTERN,
        max_length=LONGEST_ID,
        message="comment_id must be a positive number, or text as the list tool returned it",
    ),
]

SAFE = (
    " It is posted immediately and verbatim. If the outcome of a call was unclear, repeat the call:"
    " it looks for the first attempt before posting."
)
CHECKED = (
    " The comment must belong to that number. The new text replaces the whole old text; the call is safe to repeat."
)


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
        description="List the issues of a repository, newest first. Pull requests are not included.",
        input=ListSubjects,
        handler="stithy_comments.conversation_handlers:list_issues",
        needs=[Issues.list],
        duration="slow",
        error_prefix="Failed to list issues: ",
    ),
    ToolSpec(
        name="issue_comment_list",
        title="Comments of an issue",
        description="List the comments in the conversation of an issue, oldest first.",
        input=ListIssueComments,
        handler="stithy_comments.conversation_handlers:list_issue_comments",
        needs=[Issues.get, Comments.list],
        error_prefix="Failed to list issue comments: ",
    ),
    ToolSpec(
        name="issue_comment_create",
        title="Comment on an issue",
        description=f"Create a comment in the conversation of an issue.{SAFE}",
        input=CreateIssueComment,
        handler="stithy_comments.conversation_handlers:create_issue_comment",
        needs=[Issues.get, Comments.create],
        effects=Effects.ADD,
        duration="slow",
        toolset=MANAGEMENT,
        error_prefix="Failed to create issue comment: ",
    ),
    ToolSpec(
        name="issue_comment_edit",
        title="Edit a comment on an issue",
        description=f"Edit a comment in the conversation of an issue.{CHECKED}",
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
        description="List the pull requests of a repository, newest first.",
        input=ListSubjects,
        handler="stithy_comments.conversation_handlers:list_pull_requests",
        needs=[PullRequests.list],
        duration="slow",
        error_prefix="Failed to list pull requests: ",
    ),
    ToolSpec(
        name="pr_comment_list",
        title="Comments of a pull request",
        description="List the comments in the conversation of a pull request, oldest first."
        " Review comments in the diff are not included.",
        input=ListPullRequestComments,
        handler="stithy_comments.conversation_handlers:list_pull_request_comments",
        needs=[PullRequests.get, Comments.list],
        error_prefix="Failed to list pull request comments: ",
    ),
    ToolSpec(
        name="pr_comment_create",
        title="Comment on a pull request",
        description=f"Create a comment in the conversation of a pull request.{SAFE}",
        input=CreatePullRequestComment,
        handler="stithy_comments.conversation_handlers:create_pull_request_comment",
        needs=[PullRequests.get, Comments.create],
        effects=Effects.ADD,
        duration="slow",
        toolset=MANAGEMENT,
        error_prefix="Failed to create pull request comment: ",
    ),
    ToolSpec(
        name="pr_comment_edit",
        title="Edit a comment on a pull request",
        description=f"Edit a comment in the conversation of a pull request. Review comments in the diff cannot be"
        f" edited.{CHECKED}",
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

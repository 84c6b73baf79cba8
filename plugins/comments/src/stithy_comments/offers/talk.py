"""Tools for issues, pull requests and their conversations (COM-1, COM-9)."""

from typing import Annotated, Literal, TypeAlias

from attrs import frozen

from stithy_comments.offers.places import (
    MANAGEMENT,
    USUAL_LIMIT,
    IssuePlace,
    LimitArg,
    PullRequestPlace,
    RepositoryPlace,
)
from stithy_core.spi import Comments, CursorArg, Effects, Issues, Meta, PullRequests, ToolSpec

State: TypeAlias = Annotated[Literal["open", "closed", "all"], Meta("Which of them; one that was merged is closed")]
CommentText: TypeAlias = Annotated[
    str, Meta("Markdown, posted exactly as given", pattern=r"\S", message="comment must not be blank")
]
NewContent: TypeAlias = Annotated[
    str,
    Meta("Markdown that takes the place of the whole text", pattern=r"\S", message="new_content must not be blank"),
]
CommentId: TypeAlias = Annotated[
    int, Meta("The comment's id, as the list gives it", ge=1, message="comment_id must be positive")
]

SAFE = (
    " It is posted at once and exactly as given; a call whose outcome was unclear may be repeated:"
    " it looks for the first attempt before posting."
)
CHECKED = (
    " The comment must belong to that number. The new text takes the place of the whole old one; to repeat a call"
    " does no harm."
)


@frozen(kw_only=True)
class ListSubjects(RepositoryPlace):
    """Which issues or pull requests to list, and how many."""

    state: State = "open"
    limit: LimitArg = USUAL_LIMIT
    cursor: CursorArg = None


@frozen(kw_only=True)
class ListIssueComments(IssuePlace):
    """Whose conversation to read, and how much of it."""

    limit: LimitArg = USUAL_LIMIT
    cursor: CursorArg = None


@frozen(kw_only=True)
class ListPullRequestComments(PullRequestPlace):
    """Whose conversation to read, and how much of it."""

    limit: LimitArg = USUAL_LIMIT
    cursor: CursorArg = None


@frozen(kw_only=True)
class CreateIssueComment(IssuePlace):
    """Where a comment goes, and what it says."""

    comment: CommentText


@frozen(kw_only=True)
class CreatePullRequestComment(PullRequestPlace):
    """Where a comment goes, and what it says."""

    comment: CommentText


@frozen(kw_only=True)
class EditIssueComment(IssuePlace):
    """Which comment, and what it says from now on."""

    comment_id: CommentId
    new_content: NewContent


@frozen(kw_only=True)
class EditPullRequestComment(PullRequestPlace):
    """Which comment, and what it says from now on."""

    comment_id: CommentId
    new_content: NewContent


OF_ISSUES = (
    ToolSpec(
        name="issue_list",
        title="Issues of a repository",
        description="List the issues of a repository, the newest first. Pull requests are not among them.",
        input=ListSubjects,
        handler="stithy_comments.talk.issues:list_issues",
        needs=[Issues.list],
        duration="slow",
        error_prefix="Failed to list issues: ",
    ),
    ToolSpec(
        name="issue_comment_list",
        title="Comments of an issue",
        description="List the comments in the conversation of an issue, oldest first.",
        input=ListIssueComments,
        handler="stithy_comments.talk.issues:list_comments",
        needs=[Issues.get, Comments.list],
        error_prefix="Failed to list issue comments: ",
    ),
    ToolSpec(
        name="issue_comment_create",
        title="Comment on an issue",
        description=f"Create a comment in the conversation of an issue.{SAFE}",
        input=CreateIssueComment,
        handler="stithy_comments.talk.issues:create",
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
        handler="stithy_comments.talk.issues:edit",
        needs=[Issues.get, Comments.edit],
        effects=Effects.CHANGE,
        duration="slow",
        toolset=MANAGEMENT,
        error_prefix="Failed to edit issue comment: ",
    ),
)
OF_PULL_REQUESTS = (
    ToolSpec(
        name="pr_list",
        title="Pull requests of a repository",
        description="List the pull requests of a repository, the newest first.",
        input=ListSubjects,
        handler="stithy_comments.talk.pull_requests:list_pull_requests",
        needs=[PullRequests.list],
        duration="slow",
        error_prefix="Failed to list pull requests: ",
    ),
    ToolSpec(
        name="pr_comment_list",
        title="Comments of a pull request",
        description="List the comments in the conversation of a pull request, oldest first."
        " Review comments in the diff are not among them.",
        input=ListPullRequestComments,
        handler="stithy_comments.talk.pull_requests:list_comments",
        needs=[PullRequests.get, Comments.list],
        error_prefix="Failed to list pull request comments: ",
    ),
    ToolSpec(
        name="pr_comment_create",
        title="Comment on a pull request",
        description=f"Create a comment in the conversation of a pull request.{SAFE}",
        input=CreatePullRequestComment,
        handler="stithy_comments.talk.pull_requests:create",
        needs=[PullRequests.get, Comments.create],
        effects=Effects.ADD,
        duration="slow",
        toolset=MANAGEMENT,
        error_prefix="Failed to create pull request comment: ",
    ),
    ToolSpec(
        name="pr_comment_edit",
        title="Edit a comment on a pull request",
        description=f"Edit a comment in the conversation of a pull request; review comments in the diff are not"
        f" among them.{CHECKED}",
        input=EditPullRequestComment,
        handler="stithy_comments.talk.pull_requests:edit",
        needs=[PullRequests.get, Comments.edit],
        effects=Effects.CHANGE,
        duration="slow",
        toolset=MANAGEMENT,
        error_prefix="Failed to edit pull request comment: ",
    ),
)


def tools() -> list[ToolSpec]:
    """Return the specs of the tools of COM-1 and COM-9."""
    return [*OF_ISSUES, *OF_PULL_REQUESTS]

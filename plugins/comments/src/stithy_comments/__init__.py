"""Conversations on issues and pull requests, on every forge whose plugin is installed."""

from stithy_comments.arguments import CreatePullRequestComment, ListPullRequestComments
from stithy_core.spi import Comments, Effects, PullRequests, ToolSpec, hookimpl

STITHY_API = 0


@hookimpl
def stithy_tools() -> list[ToolSpec]:
    """Bring the tools of specs/1."""
    return [
        ToolSpec(
            name="pr_comment_create",
            title="Comment on a pull request",
            description="Create a comment in the conversation of a pull request. It is posted at once and exactly as"
            " given; a call whose outcome was unclear may be repeated: it looks for the first attempt before posting.",
            input=CreatePullRequestComment,
            handler="stithy_comments.pull_requests:create",
            needs=[PullRequests.get, Comments.create],
            effects=Effects.ADD,
            duration="slow",
            toolset="repository_management",
            error_prefix="Failed to create pull request comment: ",
        ),
        ToolSpec(
            name="pr_comment_list",
            title="Comments of a pull request",
            description="List the comments in the conversation of a pull request, oldest first."
            " Review comments in the diff are not among them.",
            input=ListPullRequestComments,
            handler="stithy_comments.pull_requests:list_comments",
            needs=[PullRequests.get, Comments.of],
            error_prefix="Failed to list pull request comments: ",
        ),
    ]

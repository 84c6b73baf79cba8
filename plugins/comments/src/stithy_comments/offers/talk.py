"""The family of specs/1: issues, pull requests, and what is said in their conversations."""

from typing import Annotated

from attrs import frozen

from stithy_comments.offers.places import USUAL_LIMIT, LimitArg, PullRequestPlace
from stithy_core.spi import Comments, CursorArg, Effects, Meta, PullRequests, ToolSpec


@frozen(kw_only=True)
class CreatePullRequestComment(PullRequestPlace):
    """Where a comment goes, and what it says."""

    comment: Annotated[
        str, Meta("Markdown, posted exactly as given", pattern=r"\S", message="comment must not be blank")
    ]


@frozen(kw_only=True)
class ListPullRequestComments(PullRequestPlace):
    """Whose conversation to read, and how much of it."""

    limit: LimitArg = USUAL_LIMIT
    cursor: CursorArg = None


def tools() -> list[ToolSpec]:
    """Give the tools of specs/1 and their family."""
    return [
        ToolSpec(
            name="pr_comment_create",
            title="Comment on a pull request",
            description="Create a comment in the conversation of a pull request. It is posted at once and exactly as"
            " given; a call whose outcome was unclear may be repeated: it looks for the first attempt before posting.",
            input=CreatePullRequestComment,
            handler="stithy_comments.talk.pull_requests:create",
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
            handler="stithy_comments.talk.pull_requests:list_comments",
            needs=[PullRequests.get, Comments.of],
            error_prefix="Failed to list pull request comments: ",
        ),
    ]

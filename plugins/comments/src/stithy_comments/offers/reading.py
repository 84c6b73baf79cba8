"""Reading a pull request part by part."""

from typing import Annotated, Literal, TypeAlias

from attrs import frozen

from stithy_comments.offers.places import USUAL_LIMIT, LimitArg, OwnerArg, RepoArg
from stithy_core.spi import Changes, Checks, Comments, CursorArg, Meta, PullRequests, Reviews, Threads, ToolSpec

Method: TypeAlias = Literal[
    "get", "get_diff", "get_files", "get_status", "get_comments", "get_reviews", "get_review_comments"
]


@frozen(kw_only=True)
class ReadPullRequest:
    """Which part of which pull request to read, and how much of it."""

    owner: OwnerArg
    repo: RepoArg
    pull_number: Annotated[
        int, Meta("The pull request's number", ge=1, name="pullNumber", message="pullNumber must be positive")
    ]
    method: Annotated[Method, Meta("Which part to read")]
    id: Annotated[
        int | str | None,
        Meta(
            "Only the comment, review or review comment with this id, whole: its body comes in parts."
            " With get, pullNumber itself: the whole description",
            ge=1,
            pattern="^[A-Za-z0-9_=-]+$",
            message="id must be one that pull_request_read has given",
        ),
    ] = None
    limit: LimitArg = USUAL_LIMIT
    cursor: CursorArg = None


def tools() -> list[ToolSpec]:
    """Give the tool."""
    return [
        ToolSpec(
            name="pull_request_read",
            title="Read a pull request",
            description="Read one part of a pull request, in pages."
            " get: title, description, state, branches, labels, reviewers, counts."
            " get_diff: parts that joined are the diff."
            " get_files: changed files with line counts."
            " get_status: the checks of its head."
            " get_comments: its conversation, without comments in the diff."
            " get_reviews: verdicts."
            " get_review_comments: comments in the diff by thread, with the ids that"
            " reply_to_review_comment and resolve_review_thread take.",
            input=ReadPullRequest,
            handler="stithy_comments.reading.handling:read",
            needs=[
                PullRequests.get,
                Changes.diff,
                Changes.files,
                Checks.list,
                Comments.list,
                Comments.get,
                Reviews.list,
                Threads.list,
            ],
            duration="slow",
            error_prefix="Failed to read pull request: ",
        )
    ]

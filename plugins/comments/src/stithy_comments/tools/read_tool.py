"""The tool that reads one part of a pull request."""

from typing import Annotated, Literal, TypeAlias

from attrs import frozen

from stithy_comments.tools.shared_arguments import ID_PATTERN, LONGEST_ID, USUAL_LIMIT, LimitArg, OwnerArg, RepoArg
from stithy_core.spi import Changes, Checks, Comments, CursorArg, Meta, PullRequests, Reviews, Threads, ToolSpec

Method: TypeAlias = Literal[
    "get",
    "get_diff",
    "get_files",
    "get_status",
    "get_comments",
    "get_reviews",
    "get_review_comments",
    "get_thread",
]


@frozen(kw_only=True)
class ReadPullRequest:
    """Arguments of `pull_request_read`."""

    owner: OwnerArg
    repo: RepoArg
    pull_number: Annotated[int, Meta(ge=1, name="pullNumber", message="pullNumber must be positive")]
    method: Method
    id: Annotated[
        int | str | None,
        Meta(
            "Only this comment or review, whole; with get, pullNumber for the whole description; with get_thread, a"
            " thread or a comment in it",
            ge=1,
            pattern=ID_PATTERN,
            max_length=LONGEST_ID,
            message="id must be one that pull_request_read returned",
        ),
    ] = None
    limit: LimitArg = USUAL_LIMIT
    cursor: CursorArg = None


def tools() -> list[ToolSpec]:
    """Return the spec of the tool."""
    return [
        ToolSpec(
            name="pull_request_read",
            title="Read a pull request",
            description="Read a pull request of GitHub, Gitea, ... by parts. get: title, text, state, branches, labels,"
            " reviewers; get_diff; get_files; get_status: its checks; get_comments: general ones; get_reviews;"
            " get_review_comments: by thread, with ids for replying and resolving; get_thread: one in full.",
            input=ReadPullRequest,
            handler="stithy_comments.pull_request_parts.part_handlers:read_pull_request",
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
            keywords=("pull requests", "show the PR, its diff and files"),
        )
    ]

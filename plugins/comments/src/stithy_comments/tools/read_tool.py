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
    pull_number: Annotated[
        int, Meta("Number of the pull request", ge=1, name="pullNumber", message="pullNumber must be positive")
    ]
    method: Annotated[Method, Meta("Part of the pull request to read")]
    id: Annotated[
        int | str | None,
        Meta(
            "Return only the comment, review or review comment with this id, with its whole body in parts."
            " With get, pass pullNumber here for the whole description; with get_thread, the id of a thread or of any"
            " comment in it",
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
            description="Read one part of a pull request, in pages."
            " get: title, text, state, branches, labels, reviewers, counts."
            " get_diff: its diff, in parts."
            " get_files: changed files with line counts."
            " get_status: the checks of its head commit."
            " get_comments: general comments."
            " get_reviews: reviews with verdicts."
            " get_review_comments: review comments by thread, with the ids for replying and resolving."
            " get_thread: one thread in full, by id.",
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
        )
    ]

"""What the tools take."""

from typing import Annotated

from attrs import frozen

from stithy_core.spi import CursorArg, Meta


@frozen(kw_only=True)
class PullRequestPlace:
    """Where a pull request is."""

    repository: Annotated[
        str | None,
        Meta("owner/repo, alias:owner/repo or a URL of it; or give directory instead", examples=("owner/repo",)),
    ] = None
    directory: Annotated[str | None, Meta("A local clone whose remote names the repository")] = None
    pull_request_number: Annotated[
        int, Meta("The pull request's number", ge=1, message="pull_request_number must be positive")
    ]


@frozen(kw_only=True)
class CreatePullRequestComment(PullRequestPlace):
    """Where a comment goes, and what it says."""

    comment: Annotated[
        str, Meta("Markdown, posted exactly as given", pattern=r"\S", message="comment must not be blank")
    ]


@frozen(kw_only=True)
class ListPullRequestComments(PullRequestPlace):
    """Whose conversation to read, and how much of it."""

    limit: Annotated[int, Meta("How many comments at most", ge=1, le=100)] = 15
    cursor: CursorArg = None

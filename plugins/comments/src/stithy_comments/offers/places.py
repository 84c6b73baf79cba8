"""Where something is: a repository, an issue, a pull request."""

from typing import Annotated, TypeAlias

from attrs import frozen

from stithy_core.spi import Meta

LimitArg: TypeAlias = Annotated[int, Meta("How many at most", ge=1, le=100)]
USUAL_LIMIT = 15
MANAGEMENT = "repository_management"
"""The toolset of tools that write (REPLY-16)."""

OwnerArg: TypeAlias = Annotated[
    str,
    Meta(
        "Who owns the repository; alias:owner names the forge, too",
        pattern="^[A-Za-z0-9]",  # what begins otherwise would be a path
        message="owner must be the name of a user or an organisation",
        examples=("owner",),
    ),
]
RepoArg: TypeAlias = Annotated[
    str,
    Meta(
        "The repository's name",
        pattern=r"^[A-Za-z0-9._-]+$",
        message="repo must be the name of a repository, without its owner",
        examples=("repo",),
    ),
]


@frozen(kw_only=True)
class RepositoryPlace:
    """Where a repository is."""

    repository: Annotated[
        str | None,
        Meta("owner/repo, alias:owner/repo or a URL of it", examples=("owner/repo",), instead=("directory",)),
    ] = None
    directory: Annotated[str | None, Meta("A local clone whose remote names the repository", local=True)] = None


@frozen(kw_only=True)
class IssuePlace(RepositoryPlace):
    """Where an issue is."""

    issue_number: Annotated[int, Meta("The issue's number", ge=1, message="issue_number must be positive")]


@frozen(kw_only=True)
class PullRequestPlace(RepositoryPlace):
    """Where a pull request is."""

    pull_request_number: Annotated[
        int, Meta("The pull request's number", ge=1, message="pull_request_number must be positive")
    ]

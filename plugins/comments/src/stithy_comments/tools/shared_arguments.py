"""Arguments that several tools share: a repository, an issue, a pull request, a limit."""

from typing import Annotated, TypeAlias

from attrs import frozen

from stithy_core.spi import Meta

LimitArg: TypeAlias = Annotated[int, Meta(ge=1, le=100)]
USUAL_LIMIT = 15
MANAGEMENT = "repository_management"
"""The toolset of tools that write (REPLY-16)."""

OwnerArg: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^[^./~]",  # with a leading '.', '/' or '~' it would be read as a directory
        message="owner must be the name of a user or an organization",
    ),
]
RepoArg: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[^/\\:#?%]+$",  # the forge decides what else a name may have
        message="repo must be the name of a repository without its owner",
    ),
]
ID_PATTERN = "^[A-Za-z0-9_=:~+-]+(/[A-Za-z0-9_=:~+-]+)*$"
"""What an id as text may consist of: numbers, hexadecimal digits, base64 for URLs, and parts as in `thread/comment`."""
LONGEST_ID = 200


@frozen(kw_only=True)
class RepositoryPlace:
    """Arguments that name a repository."""

    repository: Annotated[str | None, Meta("owner/repo or its URL", instead=("directory",), from_clone=True)] = None
    directory: Annotated[str | None, Meta("A clone", local=True)] = None


@frozen(kw_only=True)
class IssuePlace(RepositoryPlace):
    """Arguments that name an issue."""

    issue_number: Annotated[int, Meta(ge=1, message="issue_number must be positive")]


@frozen(kw_only=True)
class PullRequestPlace(RepositoryPlace):
    """Arguments that name a pull request."""

    pull_request_number: Annotated[int, Meta(ge=1, message="pull_request_number must be positive")]

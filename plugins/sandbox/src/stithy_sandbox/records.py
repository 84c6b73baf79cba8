"""What a world is made of: repositories and what hangs on their numbers.

The values inside are the model's own frozen records; a change puts another record in the place.
"""

from attrs import Factory, define

from stithy_core.spi import (
    BranchRules,
    Comment,
    CommitCheck,
    FileChange,
    Issue,
    PullRequest,
    RepositoryRef,
    Review,
    Thread,
)


@define(kw_only=True, eq=False)
class Conversation:
    """An issue, and what was said on it."""

    subject: Issue
    comments: list[Comment] = Factory(list)


@define(kw_only=True, eq=False)
class Pull(Conversation):
    """A pull request, and all that hangs on it. A check of a name takes the place of its earlier attempt."""

    subject: PullRequest
    reviews: list[Review] = Factory(list)
    threads: dict[str, Thread] = Factory(dict)
    files: dict[str, FileChange] = Factory(dict)
    checks: dict[str, CommitCheck] = Factory(dict)


@define(kw_only=True, eq=False)
class Repository:
    """A repository: `writable` says whether the token's user has write access."""

    ref: RepositoryRef
    writable: bool
    archived: bool = False
    conversations: dict[int, Conversation] = Factory(dict)
    rules: dict[str, BranchRules] = Factory(dict)

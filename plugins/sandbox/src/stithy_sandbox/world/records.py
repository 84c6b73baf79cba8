"""What a world is made of: repositories and what hangs on their numbers.

The values inside are the model's own frozen records; a change puts another record in the place.
"""

from collections import defaultdict

from attrs import Factory, define

from stithy_core.spi import (
    Annotation,
    Artifact,
    BranchRules,
    Comment,
    CommitCheck,
    Event,
    Issue,
    IssueRef,
    PullRequest,
    RepositoryRef,
    Review,
    Thread,
    WorkflowJob,
    WorkflowRun,
)
from stithy_sandbox.world.history import History


@define(kw_only=True, eq=False)
class Conversation:
    """An issue, what was said on it, and what else happened to it."""

    subject: Issue
    comments: list[Comment] = Factory(list)
    events: list[Event] = Factory(list)


@define(kw_only=True, eq=False)
class Pull(Conversation):
    """A pull request, and all that hangs on it.

    `folded` says why reviews are folded away, by their ids; `waits_for` is what must be closed before; `ends` are the
    commits of base and head that a merge has kept.
    """

    subject: PullRequest
    reviews: list[Review] = Factory(list)
    folded: dict[str, str] = Factory(dict)
    threads: dict[str, Thread] = Factory(dict)
    waits_for: list[IssueRef] = Factory(list)
    ends: tuple[str, str] | None = None


@define(kw_only=True, eq=False)
class Run:
    """A run of the forge's own CI, with its jobs, their logs, and what it left."""

    run: WorkflowRun
    jobs: dict[str, WorkflowJob] = Factory(dict)
    logs: dict[str, bytes] = Factory(dict)
    artifacts: dict[str, Artifact] = Factory(dict)
    archives: dict[str, bytes] = Factory(dict)


@define(kw_only=True, eq=False)
class RepositoryRecord:
    """A repository: `writable` says whether the token's user has write access, `pushers` has the logins of others.

    `checks` has, for each commit, the latest attempt of every check by its name; `annotations` what each remarked.
    """

    ref: RepositoryRef
    writable: bool
    pushers: set[str] = Factory(set)
    private: bool = False
    archived: bool = False
    parent: RepositoryRef | None = None
    history: History = Factory(History)
    conversations: dict[int, Conversation] = Factory(dict)
    rules: dict[str, BranchRules] = Factory(dict)
    checks: defaultdict[str, dict[str, CommitCheck]] = Factory(lambda: defaultdict(dict))
    annotations: defaultdict[tuple[str, str], list[Annotation]] = Factory(lambda: defaultdict(list))
    runs: dict[str, Run] = Factory(dict)

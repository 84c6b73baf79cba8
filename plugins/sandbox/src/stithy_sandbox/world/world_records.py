"""The records of a world: repositories with their conversations and CI runs.

Their values are the model's own frozen records; a change replaces the record.
"""

from collections import defaultdict

from attrs import Factory, define, field

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
    TestReport,
    Thread,
    WorkflowJob,
    WorkflowRun,
)
from stithy_sandbox.world.history import History


@define(kw_only=True, eq=False)
class Conversation:
    """An issue with its comments and events."""

    subject: Issue
    comments: list[Comment] = Factory(list)
    events: list[Event] = Factory(list)


@define(kw_only=True, eq=False)
class Pull(Conversation):
    """A pull request with its reviews and threads.

    `folded` has the reasons why reviews are minimized, by review id; `waits_for` the issues and pull requests that
    block it; `ends` the SHAs of base and head at the time of the merge.
    """

    subject: PullRequest
    reviews: list[Review] = Factory(list)
    folded: dict[str, str] = Factory(dict)
    threads: dict[str, Thread] = Factory(dict)
    waits_for: list[IssueRef] = Factory(list)
    ends: tuple[str, str] | None = None


@define(kw_only=True, eq=False)
class Run:
    """A run of the forge's own CI with its jobs, logs and artifacts, each by id, and its test report."""

    run: WorkflowRun
    jobs: dict[str, WorkflowJob] = Factory(dict)
    logs: dict[str, bytes] = Factory(dict)
    artifacts: dict[str, Artifact] = Factory(dict)
    archives: dict[str, bytes] = Factory(dict)
    tests: TestReport = field(factory=TestReport)


@define(kw_only=True, eq=False)
class RepositoryRecord:
    """A repository.

    `writable` is whether the token's user has write access; `pushers` has the logins of other users with write access.
    `checks` has the latest attempt of every check by SHA and name; `annotations` has those of checks by the same.
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

"""What machines and rules say: checks, workflow runs, artifacts, test reports, and the rules of branches."""

from datetime import datetime
from enum import Enum
from typing import ClassVar

from attrs import frozen

from stithy_core.model import NOT_REPORTED, Listing, Maybe
from stithy_core.model.code import Commit
from stithy_core.model.conversations import PullRequest, Review, Thread


class Verdict(Enum):
    """The status of a check. Skipped and neutral are not failed; pending and running are not passed."""

    PASSED = "passed"
    FAILED = "failed"
    PENDING = "pending"
    RUNNING = "running"
    SKIPPED = "skipped"
    NEUTRAL = "neutral"
    CANCELLED = "cancelled"
    TIMED_OUT = "timed_out"
    ACTION_REQUIRED = "action_required"
    STARTUP_FAILURE = "startup_failure"
    STALE = "stale"


@frozen(kw_only=True)
class CommitCheck:
    """A check of a commit: a check run, a commit status or a job, depending on the forge.

    Args:
        name: Its name in rules and for people; two programs may use the same name.
        verdict: The verdict of its latest attempt; unknown if the forge reports a word that stithy does not know.
        kind: check_run, status or job.
        id: The forge's id of it, within its kind.
        raw: The forge's own word for the verdict.
        source: The program or account that reported it.
        app_id: The forge's id of the app that reported it; empty where no app did, or the forge does not say.
        summary: Its own summary, one or more lines.
        run: The id of its run, if it is a job of the forge's own CI.
        job: The id for `Checks.log`, likewise.
        log_hidden: Why this token cannot read its log, and which one can; empty if no reason is known.
        annotations: The number of its annotations.
        reported: Whether it stands on the commit, so that rules count it; a job that posts no status there does not.
        allowed_to_fail: Whether its failure does not count, neither for its run nor for a merge; nor does it count
            then that it waits for a person. A pending one counts as any other. False on a forge without such checks;
            unknown counts as False.
    """

    name: str
    verdict: Maybe[Verdict]
    url: str = ""
    kind: str = "status"
    id: str = ""
    raw: str = ""
    source: str = ""
    app_id: str = ""
    summary: str = ""
    run: str = ""
    job: str = ""
    log_hidden: str = ""
    annotations: Maybe[int] = 0
    reported: bool = True
    allowed_to_fail: Maybe[bool] = False
    started_at: datetime | None = None
    completed_at: datetime | None = None


@frozen(kw_only=True)
class Step:
    """One step of a job, in the order of `number`.

    Args:
        url: The URL of its log; empty without one.
        lines: The URL of a line of its log, without the line's number at its end, from 1 on; empty if lines have no
            URL.
    """

    number: int
    name: str
    verdict: Maybe[Verdict]
    url: str = ""
    lines: str = ""
    started_at: datetime | None = None
    completed_at: datetime | None = None


@frozen(kw_only=True)
class WorkflowJob:
    """A job of a run, as its latest attempt.

    Args:
        labels: The labels that a runner must have to run it.
        awaits_runner: Whether it waits for nothing but a runner.
    """

    id: str
    run: str
    name: str
    verdict: Maybe[Verdict]
    raw: str = ""
    attempt: int = 1
    steps: tuple[Step, ...] = ()
    runner: str = ""
    labels: tuple[str, ...] = ()
    awaits_runner: bool = False
    url: str = ""
    started_at: datetime | None = None
    completed_at: datetime | None = None


@frozen(kw_only=True)
class WorkflowRun:
    """A run of the forge's own CI: `name` is the workflow's, `number` counts within it or the repository."""

    id: str
    name: str
    number: int
    verdict: Maybe[Verdict]
    raw: str = ""
    attempt: int = 1
    event: str = ""
    branch: str = ""
    commit: str = ""
    url: str = ""
    started_at: datetime | None = None
    completed_at: datetime | None = None


@frozen(kw_only=True)
class Annotation:
    """A remark of a check at a place in the code: `level` is notice, warning or failure."""

    path: str
    start_line: int
    end_line: int
    level: str
    message: str
    title: str = ""
    details: str = ""


@frozen(kw_only=True)
class Artifact:
    """A zip archive of files that a run uploaded.

    Args:
        id: The id for `Checks.artifact`.
        name: Its name, which need not describe what it has: on some forges all archives have the same one.
        size: Its size in bytes.
        job: The id of the job that uploaded it, as in `WorkflowJob.id`; empty if the forge does not report it.
        expired: Whether it can no longer be read.
        created_at: When it was uploaded.
        expires_at: When it expires; None if it does not.
    """

    id: str
    name: str
    size: int
    job: str = ""
    expired: bool = False
    created_at: datetime | None = None
    expires_at: datetime | None = None


class TestStatus(Enum):
    """The result of a test. Of `FAILED` and `ERROR`, the latter is a fault outside of the test's own assertions."""

    __test__ = False  # pytest collects classes by this name otherwise

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"


@frozen(kw_only=True)
class TestCase:
    """A test as a forge's report names it.

    Args:
        name: Its own name, with the parameters of a parameterized test: `test_login[admin]`.
        status: Its result; unknown if the forge reports a word that stithy does not know.
        class_name: The class, module or file that contains it, as the test tool wrote it: `classname` of JUnit XML.
        suite: The name of its suite; some forges put the name of the job here.
        file: Its source file, as the test tool wrote it; empty if the report has none.
        message: The assertion or the error; empty if there is none, or the report has only a stack trace.
        stack_trace: The stack trace, or the output with it.
        seconds: How long it took; None if the report does not say.
        job: The id of the job that ran it, as in `WorkflowJob.id`; empty if the forge does not report it.
    """

    __test__: ClassVar[bool] = False

    name: str
    status: Maybe[TestStatus]
    class_name: str = ""
    suite: str = ""
    file: str = ""
    message: str = ""
    stack_trace: str = ""
    seconds: float | None = None
    job: str = ""


@frozen(kw_only=True)
class TestReport:
    """The tests of a run's latest attempt, as the forge collected them from the result files of its jobs.

    An empty report proves nothing: no job may have uploaded a result file, or all of them may have expired. The counts
    are those of the forge, and may exceed the number of `cases`.

    Args:
        cases: The tests; at least those that failed or had an error, unless `cut` has a reason.
        total: The number of tests.
        passed: How many of them passed.
        failed: How many of them failed, without those that had an error.
        errors: How many of them had an error.
        skipped: How many of them were skipped.
        cut: Why failures may be missing, such as a result file that the forge could not read; empty if none can.
    """

    __test__: ClassVar[bool] = False

    cases: tuple[TestCase, ...] = ()
    total: Maybe[int] = NOT_REPORTED
    passed: Maybe[int] = NOT_REPORTED
    failed: Maybe[int] = NOT_REPORTED
    errors: Maybe[int] = NOT_REPORTED
    skipped: Maybe[int] = NOT_REPORTED
    cut: str = ""


@frozen(kw_only=True)
class PinnedCheck:
    """A required check that counts only when one app reported it.

    Args:
        name: The check's name, as in `BranchRules.required_checks`.
        app_id: The app's id, as in `CommitCheck.app_id`.
        app: The app's name, as in `CommitCheck.source`; empty where the rule has only the id.
    """

    name: str
    app_id: str
    app: str = ""

    def __str__(self) -> str:
        return f"{self.name} of app {self.app or self.app_id}"


@frozen(kw_only=True)
class BranchRules:
    """The rules for merging into a branch: branch protections and rulesets together.

    Args:
        protected: Whether any rule applies.
        required_approvals: The number of approvals that a merge requires.
        required_checks: By name; on Gitea and Forgejo glob patterns, see `patterns`.
        patterns: Whether `required_checks` are glob patterns.
        all_checks: Whether every check that was reported must pass, by whatever name: "the pipeline must succeed". One
            that is allowed to fail does not count. If no check was reported, only `PullRequest.blocked` decides.
        pinned_checks: Those of `required_checks` that one app must report, as far as the token is shown it.
        up_to_date: Whether the head must contain the base.
        code_owners: Whether the owners of the changed code must approve.
        last_push: Whether somebody other than the last pusher must approve.
        dismisses_stale: Whether a push dismisses approvals.
        resolved_threads: Whether every thread must be resolved.
        rejection_blocks: Whether a review that asks for changes blocks.
        requests_block: Whether an open request for a review blocks.
        signed: Whether commits must be signed.
        linear: Whether there may be no merge commits.
        merge_queue: Whether merging goes through a queue.
        binds_admins: Whether administrators are bound as well.
        locked: Whether nobody may change it.
        protected_files: Glob patterns of files that no merge may change, in lower case; `*` stops at `.` and `/`.
        sources: The names of the rules, such as `branch protection main` or `ruleset 12`.
        others: Further requirements, in the forge's words; only the forge knows whether they are met.
    """

    protected: Maybe[bool] = NOT_REPORTED
    required_approvals: Maybe[int] = NOT_REPORTED
    required_checks: Maybe[tuple[str, ...]] = NOT_REPORTED
    patterns: bool = False
    all_checks: Maybe[bool] = NOT_REPORTED
    pinned_checks: tuple[PinnedCheck, ...] = ()
    up_to_date: Maybe[bool] = NOT_REPORTED
    code_owners: Maybe[bool] = NOT_REPORTED
    last_push: Maybe[bool] = NOT_REPORTED
    dismisses_stale: Maybe[bool] = NOT_REPORTED
    resolved_threads: Maybe[bool] = NOT_REPORTED
    rejection_blocks: Maybe[bool] = NOT_REPORTED
    requests_block: Maybe[bool] = NOT_REPORTED
    signed: Maybe[bool] = NOT_REPORTED
    linear: Maybe[bool] = NOT_REPORTED
    merge_queue: Maybe[bool] = NOT_REPORTED
    binds_admins: Maybe[bool] = NOT_REPORTED
    locked: Maybe[bool] = NOT_REPORTED
    protected_files: Maybe[tuple[str, ...]] = NOT_REPORTED
    sources: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @classmethod
    def none(cls) -> "BranchRules":
        """Return the rules of an unprotected branch."""
        return cls(
            protected=False,
            required_approvals=0,
            required_checks=(),
            all_checks=False,
            up_to_date=False,
            code_owners=False,
            last_push=False,
            dismisses_stale=False,
            resolved_threads=False,
            rejection_blocks=False,
            requests_block=False,
            signed=False,
            linear=False,
            merge_queue=False,
            binds_admins=False,
            locked=False,
            protected_files=(),
        )


@frozen(kw_only=True)
class Queued:
    """A place in a merge queue: `state` is the forge's own word."""

    position: int
    state: str


@frozen(kw_only=True)
class Readiness:
    """Everything that a merge depends on, read at once as far as the forge allows.

    Args:
        decision: The forge's own verdict on the reviews, such as `REVIEW_REQUIRED`; empty without one.
        behind: The number of commits that only the base has.
        may_merge: Whether the token's user may change the base at all.
        owners: The code owners whose review is requested: logins, and teams as `organization/team`.
        queued: Its place in the merge queue; None if it is not queued.
        auto_merge: Whether auto-merge is enabled: the forge merges it once every requirement is met.
        doubt: Why `pull_request.mergeable` does not decide about conflicts, so that git must; empty if it does.
    """

    pull_request: PullRequest
    reviews: Maybe[Listing[Review]]
    threads: Maybe[Listing[Thread]]
    checks: Maybe[Listing[CommitCheck]]
    rules: Maybe[BranchRules]
    behind: Maybe[int]
    commits: Maybe[Listing[Commit]]
    decision: str = ""
    may_merge: Maybe[bool] = NOT_REPORTED
    owners: Maybe[tuple[str, ...]] = NOT_REPORTED
    queued: Queued | None = None
    auto_merge: bool = False
    doubt: str = ""


@frozen(kw_only=True)
class RateLimitStatus:
    """A rate limit of the forge for this token: `left` of `limit` requests until `resets_at`."""

    name: str
    limit: int
    left: int
    resets_at: datetime


@frozen(kw_only=True)
class Access:
    """What the forge reports about the token itself.

    Args:
        scopes: Its scopes, in the forge's words; unknown if the forge does not list them.
        expires_at: None if it does not expire, or the forge does not report it.
    """

    scopes: Maybe[tuple[str, ...]] = NOT_REPORTED
    expires_at: datetime | None = None
    quotas: tuple[RateLimitStatus, ...] = ()

"""What machines and rules say: checks, workflow runs, artifacts, test reports, and the rules of branches."""

from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import ClassVar

from attrs import field, frozen

from stithy_core.model import NOT_REPORTED, Listing, Maybe
from stithy_core.model.code import Commit
from stithy_core.model.conversations import Issue, PullRequest, Review, Thread


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
        url: Its page; empty if it has none.
        kind: check_run, status or job; run for a status of a whole run, whose jobs are listed beside it.
        id: The forge's id of it, within its kind.
        raw: The forge's own word for the verdict.
        source: The program or account that reported it; empty if the forge does not say.
        app_id: The forge's id of the app that reported it; empty where no app did, or the forge does not say.
        summary: Its own summary, one or more lines; empty without one.
        run: The id of its run, if it is a job of the forge's own CI, or a whole run; else empty.
        job: The id for `Checks.log`, if it is a job; else empty.
        log_hidden: Why this token cannot read its log, and which one can; empty if no reason is known.
        annotations: The number of its annotations; unknown if it may have some, and the forge does not count them here.
        reported: Whether it stands on the commit, so that rules count it; a job that posts no status there does not.
        allowed_to_fail: Whether neither its failure nor its waiting for a person counts, for its run and for a merge; a
            pending one counts as any other. False on a forge without such checks; unknown counts as False.
        started_at: When its latest attempt began; None before, or if the forge does not report it.
        completed_at: When its latest attempt ended; None before, or if the forge does not report it.
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
        number: Its number in the job, from 1 on.
        name: Its name.
        verdict: Its verdict; unknown if the forge reports a word that stithy does not know, or only the job's verdict.
        url: The URL of its log; empty without one.
        lines: The URL of a line of its log, without the line's number at its end, from 1 on; empty if lines have no
            URL.
        started_at: When it began; None before, or if the forge does not report it.
        completed_at: When it ended; None before, or if the forge does not report it.
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
        id: The id for `Checks.log`.
        run: The id of its run.
        name: Its name, with the values of a matrix.
        verdict: Its verdict; unknown if the forge reports a word that stithy does not know.
        raw: The forge's own word for the verdict.
        attempt: The number of the attempt, from 1 on.
        steps: Its steps; empty if the forge does not report them.
        runner: The name of the runner that ran it; empty if none did yet.
        labels: The labels that a runner must have to run it.
        awaits_runner: Whether it waits for nothing but a runner.
        url: Its page; empty if it has none.
        started_at: When it began; None before, or if the forge does not report it.
        completed_at: When it ended; None before, or if the forge does not report it.
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
    """A run of the forge's own CI.

    Args:
        id: The id for `Checks.jobs` and `Checks.artifacts`.
        name: The name of its workflow or pipeline.
        number: The number of the run, counted within the workflow or the repository.
        verdict: The verdict of its latest attempt; unknown if the forge reports a word that stithy does not know.
        raw: The forge's own word for the verdict.
        attempt: The number of the latest attempt, from 1 on.
        event: The forge's word for what started it, such as `push`; empty if it does not say.
        branch: The branch that it ran for; empty if the forge does not report it.
        commit: The SHA that it ran on.
        url: Its page; empty if it has none.
        started_at: When its latest attempt began; None before, or if the forge does not report it.
        completed_at: When its latest attempt ended; None before, or if the forge does not report it.
    """

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
    """A remark of a check at a place in the code.

    Args:
        path: The file.
        start_line: Its first line, from 1 on.
        end_line: Its last line; `start_line` if there is only one.
        level: notice, warning or failure.
        message: The remark.
        title: Its title; empty without one.
        details: Further text, such as a stack trace; empty without one.
    """

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
        created_at: When it was uploaded; None if the forge does not report it.
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
        total: The number of tests; unknown, as are the four numbers below, if the forge does not report it.
        passed: How many of them passed, or unknown.
        failed: How many of them failed, without those that had an error, or unknown.
        errors: How many of them had an error, or unknown.
        skipped: How many of them were skipped, or unknown.
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
class EvaluatedRule:
    """A rule with its result for one pull request: a merge check, a policy, a submit requirement.

    Args:
        name: What must be the case, as a clause in the forge's words: `2 default reviewers approve`.
        met: Whether it is the case; unknown if the token is not shown it.
        action: What to do if it is not; empty where only the pull request's page says it.
        at_merge: Whether the forge compares it only when it merges, so that `PullRequest.blocked` does not cover it.
    """

    name: str
    met: Maybe[bool]
    action: str = ""
    at_merge: bool = False


@frozen(kw_only=True)
class BranchRules:
    """The rules for merging into a branch: branch protections and rulesets together.

    A field is unknown if the token may not read the rule. A rule that the forge does not have is False, 0 or empty.

    Args:
        protected: Whether any rule applies; unknown to a token that cannot read rules.
        required_approvals: The number of approvals that a merge requires, or unknown.
        required_checks: The names of the checks that must pass, or unknown; on Gitea and Forgejo they are `patterns`.
        patterns: Whether `required_checks` are glob patterns.
        all_checks: Whether every check that was reported must pass, by whatever name: "the pipeline must succeed". One
            that is allowed to fail does not count. If no check was reported, only `PullRequest.blocked` decides.
            Unknown if the token may not read it.
        pinned_checks: Those of `required_checks` that one app must report, as far as the token is shown it.
        up_to_date: Whether the head must contain the base, or unknown.
        code_owners: Whether the owners of the changed code must approve, or unknown.
        last_push: Whether somebody other than the last pusher must approve, or unknown.
        dismisses_stale: Whether a push dismisses approvals, or unknown.
        resolved_threads: Whether every thread must be resolved, or unknown.
        rejection_blocks: Whether a review that asks for changes blocks, or unknown.
        requests_block: Whether an open request for a review blocks, or unknown.
        signed: Whether commits must be signed, or unknown.
        linear: Whether there may be no merge commits, or unknown.
        merge_queue: Whether merging goes through a queue, or unknown.
        binds_admins: Whether administrators are bound as well, or unknown.
        locked: Whether nobody may change it, or unknown.
        protected_files: Glob patterns of files that no merge may change, in lower case; `*` stops at `.` and `/`.
            Unknown if the token may not read them.
        sources: The names of the rules, such as `branch protection main` or `ruleset 12`.
        evaluated: Further requirements whose results are known: those of the pull request that was passed to
            `Rules.get`.
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
    evaluated: tuple[EvaluatedRule, ...] = ()
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
    """A place in a merge queue.

    Args:
        position: Its position in the queue, from 1 on; unknown if the forge does not report it.
        state: The forge's own word for its state there.
    """

    position: Maybe[int]
    state: str


@frozen(kw_only=True)
class Readiness:
    """Everything that a merge depends on, read at once as far as the forge allows.

    Args:
        pull_request: The pull request.
        reviews: Its reviews, as from `Reviews.list`; unknown if they cannot be read.
        threads: Its threads, as from `Threads.list`; unknown if they cannot be read.
        checks: The checks of its head, as from `Checks.list`; unknown if they cannot be read.
        rules: The rules of its base, as from `Rules.get`; unknown if they cannot be read.
        behind: The number of commits that only the base has; unknown if the forge does not count them.
        commits: Its commits, oldest first; unknown if they cannot be read.
        decision: The forge's verdict on the reviews: `APPROVED`, `CHANGES_REQUESTED`, `REVIEW_REQUIRED`; or empty.
        may_merge: Whether the token's user may change the base at all; unknown if the forge does not report it.
        owners: The code owners whose review is requested: logins, and teams as `organization/team`; or unknown.
        queued: Its place in the merge queue; None if it is not queued.
        auto_merge: Whether auto-merge is enabled: the forge merges it once every requirement is met.
        doubt: Why `pull_request.mergeable` does not decide about conflicts, so that git must; empty if it does.
        dependencies: As from `PullRequests.dependencies`; unknown if they cannot be read, None if they were not.
        children: The open pull requests into its head branch; unknown if they cannot be read, None if they were not.
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
    dependencies: Maybe[Listing[Issue]] | None = None
    children: Maybe[Listing[PullRequest]] | None = None


@frozen(kw_only=True)
class PullRequestChecks:
    """A pull request and the checks of its head, read at once.

    Args:
        pull_request: The pull request.
        checks: The checks of its head, as from `Checks.list`.
        annotations: All annotations of a check, as from `Checks.annotations`, by `CommitCheck.id`; ask for others.
        rules: The rules of its base, as from `Rules.get`; unknown if these requests did not return them: ask for them.
        runs: The workflow runs of its head, as from `Checks.runs`; None if these requests did not return them.
    """

    pull_request: PullRequest
    checks: Listing[CommitCheck]
    annotations: Mapping[str, Listing[Annotation]] = field(factory=dict)
    rules: Maybe[BranchRules] = NOT_REPORTED
    runs: Listing[WorkflowRun] | None = None


@frozen(kw_only=True)
class RateLimitStatus:
    """A rate limit of the forge for this token.

    Args:
        name: The forge's name for it, such as `core` or `search`.
        limit: The number of requests or points in a period.
        left: How many of them are left.
        resets_at: When the next period begins, in UTC.
    """

    name: str
    limit: int
    left: int
    resets_at: datetime


@frozen(kw_only=True)
class Access:
    """What the forge reports about the token itself.

    Args:
        scopes: Its scopes, in the forge's words; unknown if the forge does not list them.
        expires_at: When it expires, in UTC; None if it does not expire, or the forge does not report it.
        quotas: The remaining rate limits; empty if the forge does not report them.
        kind: The kind of the token in the forge's words, such as `project access token`; empty if it is not known.
    """

    scopes: Maybe[tuple[str, ...]] = NOT_REPORTED
    expires_at: datetime | None = None
    quotas: tuple[RateLimitStatus, ...] = ()
    kind: str = ""

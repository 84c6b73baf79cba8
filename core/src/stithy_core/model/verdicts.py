"""What machines and rules say: checks, runs, their logs' and artifacts' places, and what branches demand."""

from datetime import datetime
from enum import Enum

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
        name: What rules and people call it; two programs may use one name.
        verdict: Of its latest attempt; unknown where the forge's word for it is none that we know.
        kind: check_run, status or job.
        id: The forge's id of it, within its kind.
        raw: The forge's own word for the verdict.
        source: The program or account that reported it.
        app_id: The forge's id of the app that reported it; empty where no app did, or the forge does not say.
        summary: What it says of itself, in a line or more.
        run: The id of the run it belongs to, where it is a job of the forge's own CI.
        job: The id for `Checks.log`, likewise.
        log_hidden: Why this token cannot read its log, and which one can; empty where nothing is known to hinder it.
        annotations: How many there are to read.
        reported: Whether it stands on the commit, so that rules count it; a job that posts no status there does not.
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
    started_at: datetime | None = None
    completed_at: datetime | None = None


@frozen(kw_only=True)
class Step:
    """One step of a job, in the order of `number`.

    Args:
        url: Where its log can be read, where it has a place there.
        lines: What the number of a line of its log, from 1 on, is written behind to lead there; empty where lines have
            no address.
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
        labels: What a runner must have to take it.
        awaits_runner: Whether nothing is missing for it to begin but a runner that takes it.
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
    """A file that a run left: `size` is in bytes."""

    id: str
    name: str
    size: int
    expired: bool = False
    created_at: datetime | None = None
    expires_at: datetime | None = None


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
        protected: Whether anything is demanded at all.
        required_approvals: How many.
        required_checks: By name; on Gitea and Forgejo glob patterns, see `patterns`.
        patterns: Whether `required_checks` are glob patterns.
        pinned_checks: Those of `required_checks` that one app must report, as far as the token is shown it.
        up_to_date: Whether the head must hold all of the base.
        code_owners: Whether the owners of the changed code must approve.
        last_push: Whether somebody else than the last pusher must approve.
        dismisses_stale: Whether a push takes approvals away.
        resolved_threads: Whether every thread must be resolved.
        rejection_blocks: Whether a review that asks for changes blocks.
        requests_block: Whether an open request for a review blocks.
        signed: Whether commits must be signed.
        linear: Whether there may be no merge commits.
        merge_queue: Whether merging goes through a queue.
        binds_admins: Whether administrators are bound as well.
        locked: Whether nobody may change it.
        protected_files: Glob patterns of files that no merge may change, in lower case; `*` stops at `.` and `/`.
        sources: What demands it, such as `branch protection main` or `ruleset 12`.
        others: What is demanded beside all this, in the forge's words; whether it is met, the forge alone knows.
    """

    protected: Maybe[bool] = NOT_REPORTED
    required_approvals: Maybe[int] = NOT_REPORTED
    required_checks: Maybe[tuple[str, ...]] = NOT_REPORTED
    patterns: bool = False
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


@frozen
class Queued:
    """A place in a merge queue: `state` is the forge's own word."""

    position: int
    state: str


@frozen(kw_only=True)
class Readiness:
    """Everything that a merge depends on, read at one time as far as the forge allows.

    Args:
        decision: The forge's own verdict on the reviews, such as `REVIEW_REQUIRED`; empty without one.
        behind: How many commits the base has that the head has not.
        may_merge: Whether the token's user may change the base at all.
        owners: Who is asked for a review as an owner of the changed code: logins, and teams as `organization/team`.
        queued: Its place in the merge queue; None where it is in none.
        auto_merge: Whether the forge was told to merge it by itself as soon as nothing stands in the way.
        doubt: Why `pull_request.mergeable` does not decide about conflicts, so that git must; empty where it does.
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
    """A budget of requests that the forge keeps for this token: `left` of `limit` until `resets_at`."""

    name: str
    limit: int
    left: int
    resets_at: datetime


@frozen(kw_only=True)
class Access:
    """What the forge says of the token itself.

    Args:
        scopes: What it may do, in the forge's words; unknown where the forge does not list it.
        expires_at: None where it does not, or where the forge does not say.
    """

    scopes: Maybe[tuple[str, ...]] = NOT_REPORTED
    expires_at: datetime | None = None
    quotas: tuple[RateLimitStatus, ...] = ()

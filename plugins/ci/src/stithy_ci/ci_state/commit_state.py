"""Read the state of CI: all checks of the head commit, its runs, and the rules of the base branch."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, TypeVar

from attrs import evolve, field, frozen

from stithy_ci.ci_state.check_verdicts import (
    HARMLESS,
    Status,
    combine_statuses,
    has_failed,
    is_blocking,
    is_under_way,
)
from stithy_core.spi import (
    Annotation,
    BranchRules,
    Checks,
    CommitCheck,
    Forge,
    ForgeError,
    Listing,
    Maybe,
    NotFound,
    PullRequest,
    PullRequestChecks,
    PullRequestRef,
    RepositoryRef,
    Unknown,
    Unsupported,
    UserError,
    WorkflowJob,
    WorkflowRun,
    map_concurrently,
    or_unknown,
)


@frozen(kw_only=True)
class CommitState:
    """The state of one commit at one time.

    Args:
        repository: The repository.
        commit: The commit.
        checks: All checks, by name; a run without a job, or one that could not start, has an entry of its own.
        cut: Why there are more checks; empty if these are all.
        runs: The runs, the newest first.
        rules: The rules of the base branch; unknown if the token may not read them, or if they were not requested.
        annotations: Those that were read with the checks, by `CommitCheck.id`.
    """

    repository: RepositoryRef
    commit: str
    checks: tuple[CommitCheck, ...]
    cut: str = ""
    runs: Maybe[Listing[WorkflowRun]]
    rules: Maybe[BranchRules]
    annotations: Mapping[str, Listing[Annotation]] = field(factory=dict)

    @property
    def failing(self) -> tuple[CommitCheck, ...]:
        """The checks that have failed in any way."""
        return tuple(check for check in self.checks if has_failed(check))

    @property
    def blocking(self) -> tuple[CommitCheck, ...]:
        """The checks that have failed, without those that are allowed to fail."""
        return tuple(filter(is_blocking, self.checks))

    @property
    def allowed(self) -> frozenset[str]:
        """The names of checks, and of runs, all of whose failures are allowed."""
        blocked: dict[str, bool] = {}
        for check in self.failing:
            run = self.run_of(check)
            for name in (check.name, *([run.name] if run else ())):
                blocked[name] = blocked.get(name, False) or is_blocking(check)
        return frozenset(name for name, blocks in blocked.items() if not blocks)

    @property
    def under_way(self) -> tuple[CommitCheck, ...]:
        """The checks that have not ended."""
        return tuple(check for check in self.checks if is_under_way(check))

    @property
    def missing(self) -> tuple[str, ...]:
        """The required checks that were not reported."""
        reported = [check.name for check in self.checks]
        return tuple(name for name in self._list_required() if not any(self._is(one, name) for one in reported))

    @property
    def status(self) -> Status:
        """The common status of all checks."""
        return combine_statuses(self.checks, cut=self.cut, missing=self.missing)

    def is_required(self, check: CommitCheck) -> bool | None:
        """Check whether the base branch requires a check; None if that is not known."""
        if isinstance(self.rules, Unknown):
            return None
        if self.rules.all_checks is True or any(self._is(check.name, name) for name in self._list_required()):
            return check.reported
        return None if isinstance(self.rules.required_checks, Unknown) else False

    def run_of(self, check: CommitCheck) -> WorkflowRun | None:
        """Return the run of a check; None if it has none."""
        runs = () if isinstance(self.runs, Unknown) else self.runs
        return next((run for run in runs if check.run and run.id == check.run), None)

    def _list_required(self) -> tuple[str, ...]:
        if isinstance(self.rules, Unknown) or isinstance(self.rules.required_checks, Unknown):
            return ()
        return self.rules.required_checks

    def _is(self, name: str, required: str) -> bool:
        patterns = not isinstance(self.rules, Unknown) and self.rules.patterns
        return name == required or (patterns and fnmatchcase(name, required))


NOT_REQUESTED = Unknown("not requested")
T = TypeVar("T")


async def read_head_state(
    forge: Forge, ref: PullRequestRef, *, rules: Maybe[BranchRules] = NOT_REQUESTED
) -> tuple[PullRequest, CommitState]:
    """Read a pull request and the state of its head commit.

    Args:
        forge: The forge of the pull request.
        ref: The pull request.
        rules: The rules of the base branch, if they were read before.

    Raises:
        UserError: The pull request does not exist (PULL-16).
        ForgeError: The pull request, or all of its checks, cannot be read.
    """
    pull = await _name_missing(forge.pull_requests.get(ref), ref)
    if rules is NOT_REQUESTED:
        truth, rules = await _read_both((lambda: read_checks(forge, pull), lambda: read_rules(forge, pull)))
    else:
        truth = await read_checks(forge, pull)
    return pull, evolve(truth, rules=rules)


async def read_pull_request(forge: Forge, ref: PullRequestRef) -> tuple[PullRequest, PullRequestChecks | None]:
    """Read a pull request, with its checks if the forge returns both by one request.

    Raises:
        UserError: It does not exist (PULL-16).
        ForgeError: It cannot be read.
    """
    if not await forge.supports(Checks.of_pull_request):
        return await _name_missing(forge.pull_requests.get(ref), ref), None
    found = await _name_missing(forge.checks.of_pull_request(ref), ref)
    return found.pull_request, found


async def _name_missing(read: Awaitable[T], ref: PullRequestRef) -> T:
    try:
        return await read
    except NotFound as error:
        text = f"PR {ref} not found: {error.message}"
        raise UserError(text, suggestion=error.suggestion, details=error.details) from error


async def read_checks(forge: Forge, pull: PullRequest) -> CommitState:
    """Read the state of a pull request's head commit, without the rules of its base branch.

    Raises:
        ForgeError: None of its checks can be read.
    """
    return await read_commit_state(forge, pull.ref.repository, pull.head.commit, pr=pull.ref)


async def read_commit_state(
    forge: Forge, repository: RepositoryRef, commit: str, *, pr: PullRequestRef | None = None
) -> CommitState:
    """Read the state of a commit.

    Args:
        forge: The forge of the repository.
        repository: The repository.
        commit: The commit.
        pr: The pull request that has the commit as its head, if its checks are wanted.

    Raises:
        ForgeError: None of its checks can be read.
    """
    questions = (
        lambda: forge.checks.list(repository, commit, pr=pr),
        lambda: or_unknown(forge.checks.runs(repository, commit, pr=pr)),
    )
    checks, runs = await _read_both(questions)
    return await _add_runs(forge, _create_state(repository, commit, checks), runs)


def create_early_state(found: PullRequestChecks) -> CommitState:
    """Return the state of a head commit whose runs are not known yet: some failed runs may have no check."""
    pull = found.pull_request
    return evolve(
        _create_state(pull.ref.repository, pull.head.commit, found.checks),
        annotations=dict(found.annotations),
        runs=NOT_REQUESTED if found.runs is None else found.runs,
    )


async def read_runs(forge: Forge, pull: PullRequest, early: CommitState) -> CommitState:
    """Read the runs of a pull request's head commit, unless they came with the checks; return its state with them."""
    if early.runs is not NOT_REQUESTED:
        return await _add_runs(forge, early, early.runs)
    runs = await or_unknown(forge.checks.runs(early.repository, early.commit, pr=pull.ref))
    return await _add_runs(forge, early, runs)


def _create_state(repository: RepositoryRef, commit: str, checks: Listing[CommitCheck]) -> CommitState:
    return CommitState(
        repository=repository,
        commit=commit,
        checks=tuple(checks),
        cut=checks.cut,
        runs=NOT_REQUESTED,
        rules=NOT_REQUESTED,
    )


async def _add_runs(forge: Forge, early: CommitState, runs: Maybe[Listing[WorkflowRun]]) -> CommitState:
    if isinstance(runs, Unknown):
        return evolve(early, runs=runs)
    lone = await _list_runs_without_check(forge, early.repository, runs, early.checks)
    return evolve(early, checks=(*early.checks, *lone), cut=early.cut or runs.cut, runs=runs)


async def _read_both(questions: tuple[Callable[[], Awaitable[Any]], ...]) -> list[Any]:
    return await map_concurrently(questions, lambda question: question())


async def read_rules(forge: Forge, pull: PullRequest, found: PullRequestChecks | None = None) -> Maybe[BranchRules]:
    """Read the rules for a merge, unless they came with the checks.

    Without them, only which checks are required is unknown.
    """
    if found and not isinstance(found.rules, Unknown):
        return found.rules
    rules = forge.rules.get(pull.ref.repository, pull.base.branch, pr=pull.ref)
    return await or_unknown(rules, on=(ForgeError, Unsupported))


async def _list_runs_without_check(
    forge: Forge, repository: RepositoryRef, runs: Sequence[WorkflowRun], checks: Sequence[CommitCheck]
) -> list[CommitCheck]:
    """Return, as checks, the latest runs whose state no check shows: they failed, or still run.

    Such a run waits, could not start, is about to start its next job, or the forge omits its checks.
    """
    latest: dict[tuple[str, str], WorkflowRun] = {}
    for run in runs:
        latest.setdefault((run.name, run.event), run)
    loud = [run for run in latest.values() if run.id and not _is_quiet(run) and not _has_own_check(run, checks)]
    return [_create_check(run) for run in loud if await _has_no_check(forge, repository, run, checks)]


def _has_own_check(run: WorkflowRun, checks: Sequence[CommitCheck]) -> bool:
    """Check whether one of a run's own checks shows the state of the run."""
    own = [check for check in checks if check.run == run.id]
    return any(map(is_blocking, own)) or (is_under_way(_create_check(run)) and any(map(is_under_way, own)))


async def _has_no_check(
    forge: Forge, repository: RepositoryRef, run: WorkflowRun, checks: Sequence[CommitCheck]
) -> bool:
    """Check whether no check shows the state of a run.

    If the checks name all its jobs of this state, they belong to a later run of the same workflow.
    """
    if any(check.run == run.id for check in checks):
        return True
    jobs = await or_unknown(forge.checks.jobs(repository, run.id))
    if isinstance(jobs, Unknown) or not jobs:
        return True
    loud = [job for job in jobs if not _is_quiet(job)]
    return any(all(job.name not in check.name for check in checks) for job in loud)


def _is_quiet(run: WorkflowRun | WorkflowJob) -> bool:
    return isinstance(run.verdict, Unknown) or run.verdict in HARMLESS


def _create_check(run: WorkflowRun) -> CommitCheck:
    return CommitCheck(
        name=run.name,
        verdict=run.verdict,
        url=run.url,
        kind="run",
        id=run.id,
        raw=run.raw,
        run=run.id,
        started_at=run.started_at,
        completed_at=run.completed_at,
    )

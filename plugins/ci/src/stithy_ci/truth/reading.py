"""Reading what CI has come to: all checks of the head commit, its runs, and what the base branch demands."""

from collections.abc import Awaitable, Callable, Sequence
from fnmatch import fnmatchcase
from typing import Any

from attrs import frozen

from stithy_ci.truth.verdicts import HARMLESS, Status, has_failed, is_under_way, status_of
from stithy_core.spi import (
    BranchRules,
    CommitCheck,
    Forge,
    ForgeError,
    Listing,
    Maybe,
    NotFound,
    PullRequest,
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
class Truth:
    """What was read of one commit at one time.

    Args:
        repository: Where it was read.
        commit: Which.
        checks: All, by name; a run that has no job yet, or could not begin, stands for itself.
        cut: Why there are more checks; empty where these are all.
        runs: The newest first.
        rules: What the base branch demands; unknown where the token may not ask, or where nobody asked.
    """

    repository: RepositoryRef
    commit: str
    checks: tuple[CommitCheck, ...]
    cut: str = ""
    runs: Maybe[Listing[WorkflowRun]]
    rules: Maybe[BranchRules]

    @property
    def failing(self) -> tuple[CommitCheck, ...]:
        """The checks that have failed, in any way."""
        return tuple(check for check in self.checks if has_failed(check))

    @property
    def under_way(self) -> tuple[CommitCheck, ...]:
        """The checks that have still to end."""
        return tuple(check for check in self.checks if is_under_way(check))

    @property
    def missing(self) -> tuple[str, ...]:
        """The required checks that nobody has reported."""
        reported = [check.name for check in self.checks]
        return tuple(name for name in self._required() if not any(self._is(one, name) for one in reported))

    @property
    def status(self) -> Status:
        """What it all comes to."""
        return status_of(self.checks, cut=self.cut, missing=self.missing)

    def is_required(self, check: CommitCheck) -> bool | None:
        """Return whether the base branch demands a check; None where that is not known."""
        if isinstance(self.rules, Unknown) or isinstance(self.rules.required_checks, Unknown):
            return None
        return any(self._is(check.name, name) for name in self._required())

    def run_of(self, check: CommitCheck) -> WorkflowRun | None:
        """Return the run that a check belongs to, if one does."""
        runs = () if isinstance(self.runs, Unknown) else self.runs
        return next((run for run in runs if check.run and run.id == check.run), None)

    def _required(self) -> tuple[str, ...]:
        if isinstance(self.rules, Unknown) or isinstance(self.rules.required_checks, Unknown):
            return ()
        return self.rules.required_checks

    def _is(self, name: str, required: str) -> bool:
        patterns = not isinstance(self.rules, Unknown) and self.rules.patterns
        return name == required or (patterns and fnmatchcase(name, required))


NOBODY_ASKED = Unknown("nobody asked")


async def read_truth(
    forge: Forge, ref: PullRequestRef, *, rules: Maybe[BranchRules] = NOBODY_ASKED
) -> tuple[PullRequest, Truth]:
    """Read the head commit of a pull request.

    Args:
        forge: Where it is.
        ref: Which.
        rules: What the base branch demands, where that was read before.

    Raises:
        UserError: There is no such pull request (PULL-16).
        ForgeError: It cannot be read, or none of its checks.
    """
    try:
        pull = await forge.pull_requests.get(ref)
    except NotFound as error:
        text = f"PR {ref} not found: {error.message}"
        raise UserError(text, suggestion=error.suggestion, details=error.details) from error
    home = pull.ref.repository
    if rules is NOBODY_ASKED:
        questions = (lambda: read_commit(forge, home, pull.head.commit), lambda: _rules(forge, home, pull.base.branch))
        truth, rules = await _both(questions)
    else:
        truth = await read_commit(forge, home, pull.head.commit)
    return pull, Truth(
        repository=home, commit=truth.commit, checks=truth.checks, cut=truth.cut, runs=truth.runs, rules=rules
    )


async def read_commit(forge: Forge, repository: RepositoryRef, commit: str) -> Truth:
    """Read what was run on a commit.

    Raises:
        ForgeError: None of its checks can be read.
    """
    questions = (
        lambda: forge.checks.list(repository, commit),
        lambda: or_unknown(forge.checks.runs(repository, commit)),
    )
    checks, runs = await _both(questions)
    lone = [] if isinstance(runs, Unknown) else await _unspoken_runs(forge, repository, runs, checks)
    cut = checks.cut or ("" if isinstance(runs, Unknown) else runs.cut)
    return Truth(repository=repository, commit=commit, checks=(*checks, *lone), cut=cut, runs=runs, rules=NOBODY_ASKED)


async def _both(questions: tuple[Callable[[], Awaitable[Any]], ...]) -> list[Any]:
    return await map_concurrently(questions, lambda question: question())


async def _rules(forge: Forge, repository: RepositoryRef, branch: str) -> Maybe[BranchRules]:
    """Read what a branch demands; it says what is required, and nothing of what failed depends on it."""
    try:
        return await forge.rules.get(repository, branch)
    except (ForgeError, Unsupported) as error:
        return Unknown(error.message, error.suggestion)


async def _unspoken_runs(
    forge: Forge, repository: RepositoryRef, runs: Sequence[WorkflowRun], checks: Sequence[CommitCheck]
) -> list[CommitCheck]:
    """Return, as checks, the latest runs that say more than the checks do: they failed, or still go on.

    Such a run waits, could not begin, begins its next job in a moment, or the forge left its checks out.
    """
    latest: dict[tuple[str, str], WorkflowRun] = {}
    for run in runs:
        latest.setdefault((run.name, run.event), run)
    loud = [run for run in latest.values() if run.id and not _is_quiet(run) and not _speaks(run, checks)]
    return [_as_check(run) for run in loud if await _is_unspoken(forge, repository, run, checks)]


def _speaks(run: WorkflowRun, checks: Sequence[CommitCheck]) -> bool:
    """Check whether one of a run's own checks says what the run says."""
    own = [check for check in checks if check.run == run.id]
    return any(map(has_failed, own)) or (is_under_way(_as_check(run)) and any(map(is_under_way, own)))


async def _is_unspoken(
    forge: Forge, repository: RepositoryRef, run: WorkflowRun, checks: Sequence[CommitCheck]
) -> bool:
    """Check whether no check tells of what a run says.

    Where the checks name all its jobs that say so, they are those of a later run of the same workflow.
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


def _as_check(run: WorkflowRun) -> CommitCheck:
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

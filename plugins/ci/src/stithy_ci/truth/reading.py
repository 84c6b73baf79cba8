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
    WorkflowRun,
    each,
    known,
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
        """Say whether the base branch demands a check; None where that is not known."""
        if isinstance(self.rules, Unknown) or isinstance(self.rules.required_checks, Unknown):
            return None
        return any(self._is(check.name, name) for name in self._required())

    def run_of(self, check: CommitCheck) -> WorkflowRun | None:
        """Give the run that a check belongs to, if one does."""
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
        UserError: There is no such pull request (specs/2).
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
        lambda: forge.checks.of(repository, commit),
        lambda: known(forge.checks.runs(repository, commit)),
    )
    checks, runs = await _both(questions)
    lone = [] if isinstance(runs, Unknown) else await _runs_alone(forge, repository, _silent(runs, checks))
    cut = checks.cut or ("" if isinstance(runs, Unknown) else runs.cut)
    return Truth(repository=repository, commit=commit, checks=(*checks, *lone), cut=cut, runs=runs, rules=NOBODY_ASKED)


async def _both(questions: tuple[Callable[[], Awaitable[Any]], ...]) -> list[Any]:
    return await each(questions, lambda question: question())


async def _rules(forge: Forge, repository: RepositoryRef, branch: str) -> Maybe[BranchRules]:
    """Read what a branch demands; it says what is required, and nothing of what failed depends on it."""
    try:
        return await forge.rules.of(repository, branch)
    except (ForgeError, Unsupported) as error:
        return Unknown(error.message, error.suggestion)


async def _runs_alone(forge: Forge, repository: RepositoryRef, runs: Sequence[WorkflowRun]) -> list[CommitCheck]:
    """Give, as checks, the runs that have no job: those wait, wait to be let, or could not begin.

    One that has jobs is told of by them, or by those of a later run of the same workflow.
    """
    jobs = await each(runs, lambda run: known(forge.checks.jobs(repository, run.id)))
    return [_as_check(run) for run, found in zip(runs, jobs, strict=True) if isinstance(found, Unknown) or not found]


def _silent(runs: Sequence[WorkflowRun], checks: Sequence[CommitCheck]) -> list[WorkflowRun]:
    """Give the latest run of each workflow where no check tells of it, and it has not passed."""
    told = {check.run for check in checks}
    latest: dict[tuple[str, str], WorkflowRun] = {}
    for run in runs:
        latest.setdefault((run.name, run.event), run)
    return [run for run in latest.values() if run.id and run.id not in told and not _is_quiet(run)]


def _is_quiet(run: WorkflowRun) -> bool:
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

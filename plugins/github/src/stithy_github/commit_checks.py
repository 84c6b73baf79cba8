"""Check runs, commit statuses and jobs of a commit as one list (docs/forge-behaviour/github.md#checks).

A verdict needs both of GitHub's systems: what one of them does not know, the other may have as failed.
"""

from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import quote

from stithy_core.spi import (
    CommitCheck,
    Forbidden,
    Listing,
    NotFound,
    Rejected,
    RepositoryRef,
    Unknown,
    map_concurrently,
    or_unknown,
)
from stithy_github.actions import read_jobs, read_runs
from stithy_github.checks_mapping import ACTIONS, get_app_slug, to_check_run, to_job_check, to_run_check, to_status
from stithy_github.listings import PAGE_SIZE, build_listing
from stithy_github.mapping import repository_path
from stithy_github.not_found_errors import missing_in_repository

if TYPE_CHECKING:
    from stithy_core.spi import Forge

MOST_SUITES = 1_000
CHECK_RUNS = "check runs, for which only the jobs of GitHub Actions stand in"
JOBS = "the jobs of GitHub Actions"
STATUSES = "commit statuses"
NO_COMMIT = "No commit found"

Part: TypeAlias = Listing[CommitCheck] | Forbidden
"""Some of the checks, or the reason why the token may not read them."""


async def read_checks(forge: "Forge", repository: RepositoryRef, commit: str) -> Listing[CommitCheck]:
    """Read every check once, by name; what the token may not read is said in `cut`.

    Raises:
        NotFound: There is no such commit.
        Forbidden: The token may read nothing of all this.
    """
    questions = (lambda: _read_check_runs(forge, repository, commit), lambda: _read_statuses(forge, repository, commit))
    try:
        runs, statuses = await map_concurrently(questions, _read_permitted)
    except (NotFound, Rejected) as error:
        if isinstance(error, Rejected) and NO_COMMIT not in error.message:
            raise
        raise await missing_in_repository(
            forge, repository, f"commit {commit}", error, remedy="Check the SHA."
        ) from error
    jobs: Part = Listing()
    if isinstance(runs, Forbidden):
        jobs = await _read_permitted(lambda: _read_jobs(forge, repository, commit))
    return _merge({CHECK_RUNS: runs, JOBS: jobs, STATUSES: statuses})


async def _read_permitted(ask: Callable[[], Awaitable[Listing[CommitCheck]]]) -> Part:
    try:
        return await ask()
    except Forbidden as error:
        return error


def _merge(parts: Mapping[str, Part]) -> Listing[CommitCheck]:
    """Put together what the token may read, and say what it may not."""
    read = [part for part in parts.values() if isinstance(part, Listing)]
    refused = {what: part for what, part in parts.items() if isinstance(part, Forbidden)}
    if not read:
        raise next(iter(refused.values()))
    cuts = [f"the token may not read {what} ({error.message})" for what, error in refused.items()]
    cuts += [part.cut for part in read if part.cut]
    checks = sorted((check for part in read for check in part), key=lambda check: (check.name, check.source, check.id))
    return Listing(tuple(checks), None if cuts else len(checks), "; ".join(cuts))


async def _read_statuses(forge: "Forge", repository: RepositoryRef, commit: str) -> Listing[CommitCheck]:
    """Read the latest status of each context. The combined state is left alone: it is pending also without any."""
    rows = await forge.http.items(f"{_commit_path(repository, commit)}/status", rows="statuses", size=PAGE_SIZE)
    return build_listing(map(to_status, rows), rows.total, "statuses of the commit", rows.cut)


async def _read_check_runs(forge: "Forge", repository: RepositoryRef, commit: str) -> Listing[CommitCheck]:
    path = f"{_commit_path(repository, commit)}/check-runs"
    rows = await forge.http.items(path, rows="check_runs", size=PAGE_SIZE, filter="latest")
    read = build_listing(rows, rows.total, "check runs of the commit", rows.cut)
    cut = read.cut
    if not cut and len({_get_suite_id(row) for row in rows}) >= MOST_SUITES:
        cut = f"GitHub lists the check runs of the {MOST_SUITES:,} newest check suites only"
    workflows = await _read_workflows(forge, repository, commit) if _has_duplicate_names(rows) else {}
    return Listing(tuple(map(to_check_run, select_latest(rows, workflows))), None, cut)


def select_latest(rows: Iterable[Mapping[str, Any]], workflows: Mapping[Any, Hashable]) -> list[Mapping[str, Any]]:
    """Keep the newest of what has one name in one app, and of Actions' jobs of what has one in one workflow.

    Two workflows may call a job alike, and then both count. GitHub itself tells no more than that a check run is the
    latest of its suite; a workflow that was started again for the same commit has another suite.

    Args:
        rows: The JSON of check runs.
        workflows: What each suite is a run of, where that is known.
    """
    found: dict[Hashable, Mapping[str, Any]] = {}
    for row in sorted(rows, key=lambda row: row["id"]):
        app, suite = get_app_slug(row), _get_suite_id(row)
        found[app, row["name"], workflows.get(suite, suite) if app == ACTIONS else None] = row
    return list(found.values())


def _has_duplicate_names(rows: Listing[Any]) -> bool:
    """Say whether jobs of several suites have one name."""
    names = [row["name"] for row in rows if get_app_slug(row) == ACTIONS]
    return len(names) != len(set(names))


async def _read_workflows(forge: "Forge", repository: RepositoryRef, commit: str) -> Mapping[Any, Hashable]:
    """Tell which workflow each suite is a run of, and what started it."""
    runs = await or_unknown(read_runs(forge, repository, commit))
    if isinstance(runs, Unknown):
        return {}
    return {run.get("check_suite_id"): (run["workflow_id"], run["event"]) for run in runs}


async def _read_jobs(forge: "Forge", repository: RepositoryRef, commit: str) -> Listing[CommitCheck]:
    """Read the jobs of each workflow's latest run; one without jobs, which could not start, stands for itself."""
    runs = await read_runs(forge, repository, commit)
    latest = {(run["workflow_id"], run["event"]): run for run in reversed(runs)}
    jobs = await map_concurrently(latest.values(), lambda run: read_jobs(forge, repository, str(run["id"])))
    checks = [to_job_check(job) for found in jobs for job in found]
    checks += [to_run_check(run) for run, found in zip(latest.values(), jobs, strict=True) if not found]
    cuts = [runs.cut, *(found.cut for found in jobs)]
    return Listing(tuple(checks), None, "; ".join(cut for cut in cuts if cut))


def _commit_path(repository: RepositoryRef, commit: str) -> str:
    return f"{repository_path(repository)}/commits/{quote(commit, safe='')}"


def _get_suite_id(row: Mapping[str, Any]) -> Any:
    return (row.get("check_suite") or {}).get("id")

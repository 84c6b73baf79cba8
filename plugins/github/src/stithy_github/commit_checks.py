"""Check runs, commit statuses and jobs of a commit as one list (docs/forge-behaviour/github.md#checks).

A verdict needs both of GitHub's systems: a failure may be in either.
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
CHECK_RUNS = "check runs, which only the jobs of GitHub Actions replace"
JOBS = "the jobs of GitHub Actions"
STATUSES = "commit statuses"
NO_COMMIT = "No commit found"

Part: TypeAlias = Listing[CommitCheck] | Forbidden
"""Some of the checks, or the error if the token may not read them."""


async def read_checks(forge: "Forge", repository: RepositoryRef, commit: str) -> Listing[CommitCheck]:
    """Return every check once, by name; `cut` names the checks that the token may not read.

    Raises:
        NotFound: There is no such commit.
        Forbidden: The token may read none of them.
    """
    reads = (lambda: _read_check_runs(forge, repository, commit), lambda: _read_statuses(forge, repository, commit))
    try:
        runs, statuses = await map_concurrently(reads, _read_permitted)
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


async def _read_permitted(read: Callable[[], Awaitable[Listing[CommitCheck]]]) -> Part:
    try:
        return await read()
    except Forbidden as error:
        return error


def _merge(parts: Mapping[str, Part]) -> Listing[CommitCheck]:
    """Merge the parts that the token may read, and name the others in `cut`."""
    readable = [part for part in parts.values() if isinstance(part, Listing)]
    refused = {name: part for name, part in parts.items() if isinstance(part, Forbidden)}
    if not readable:
        raise next(iter(refused.values()))
    cuts = [f"the token may not read {name} ({error.message})" for name, error in refused.items()]
    cuts += [part.cut for part in readable if part.cut]
    every = (check for part in readable for check in part)
    checks = sorted(every, key=lambda check: (check.name, check.source, check.id))
    return Listing(tuple(checks), total=None if cuts else len(checks), cut="; ".join(cuts))


async def _read_statuses(forge: "Forge", repository: RepositoryRef, commit: str) -> Listing[CommitCheck]:
    """Return the latest status of each context; the combined state is ignored, since it is pending without any."""
    rows = await forge.http.items(f"{_commit_path(repository, commit)}/status", rows="statuses", size=PAGE_SIZE)
    return build_listing(map(to_status, rows), rows.total, "statuses of the commit", rows.cut)


async def _read_check_runs(forge: "Forge", repository: RepositoryRef, commit: str) -> Listing[CommitCheck]:
    path = f"{_commit_path(repository, commit)}/check-runs"
    rows = await forge.http.items(path, rows="check_runs", size=PAGE_SIZE, filter="latest")
    cut = build_listing(rows, rows.total, "check runs of the commit", rows.cut).cut
    if not cut and len({_get_suite_id(row) for row in rows}) >= MOST_SUITES:
        cut = f"GitHub lists the check runs of the {MOST_SUITES:,} newest check suites only"
    workflows = await _read_workflows(forge, repository, commit) if _has_duplicate_names(rows) else {}
    return Listing(tuple(map(to_check_run, select_latest(rows, workflows))), total=None, cut=cut)


def select_latest(rows: Iterable[Mapping[str, Any]], workflows: Mapping[Any, Hashable]) -> list[Mapping[str, Any]]:
    """Return the newest check run per app and name; for jobs of Actions, per workflow and name.

    Two workflows may have jobs of the same name, and then both count. GitHub's `filter=latest` returns the latest check
    run of a suite only; a workflow that runs again for the same commit has another suite.

    Args:
        rows: The JSON of check runs.
        workflows: The workflow of each suite, where it is known.
    """
    latest: dict[Hashable, Mapping[str, Any]] = {}
    for row in sorted(rows, key=lambda row: row["id"]):
        app, suite = get_app_slug(row), _get_suite_id(row)
        latest[app, row["name"], workflows.get(suite, suite) if app == ACTIONS else None] = row
    return list(latest.values())


def _has_duplicate_names(rows: Listing[Any]) -> bool:
    """Return whether several jobs of Actions have the same name."""
    names = [row["name"] for row in rows if get_app_slug(row) == ACTIONS]
    return len(names) != len(set(names))


async def _read_workflows(forge: "Forge", repository: RepositoryRef, commit: str) -> Mapping[Any, Hashable]:
    """Return the workflow and the event of each suite, by the suite's id."""
    runs = await or_unknown(read_runs(forge, repository, commit))
    if isinstance(runs, Unknown):
        return {}
    return {run.get("check_suite_id"): (run["workflow_id"], run["event"]) for run in runs}


async def _read_jobs(forge: "Forge", repository: RepositoryRef, commit: str) -> Listing[CommitCheck]:
    """Return the jobs of each workflow's latest run; a run without jobs, which failed to start, counts as a check."""
    runs = await read_runs(forge, repository, commit)
    latest = {(run["workflow_id"], run["event"]): run for run in reversed(runs)}
    jobs = await map_concurrently(latest.values(), lambda run: read_jobs(forge, repository, str(run["id"])))
    checks = [to_job_check(job) for listing in jobs for job in listing]
    checks += [to_run_check(run) for run, listing in zip(latest.values(), jobs, strict=True) if not listing]
    cuts = [runs.cut, *(listing.cut for listing in jobs)]
    return Listing(tuple(checks), total=None, cut="; ".join(cut for cut in cuts if cut))


def _commit_path(repository: RepositoryRef, commit: str) -> str:
    return f"{repository_path(repository)}/commits/{quote(commit, safe='')}"


def _get_suite_id(row: Mapping[str, Any]) -> Any:
    return (row.get("check_suite") or {}).get("id")

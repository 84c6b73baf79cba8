"""Runs and jobs of the server's own CI, found for commits and for the statuses that they post.

See docs/forge-behaviour/gitea.md#checks. A status of a job names it by a path on the server. Up to Gitea 1.25 and on
Forgejo that path has the run's number and the job's position, from Gitea 1.26 on their ids; a path of either kind is
compared with those of the jobs themselves, so that a number is never taken for an id.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from attrs import frozen

from stithy_core.spi import (
    Checks,
    Forbidden,
    Listing,
    NotFound,
    RepositoryRef,
    Unauthorized,
    WorkflowJob,
    map_concurrently,
)
from stithy_gitea.actions_mapping import to_job
from stithy_gitea.paging import page_size
from stithy_gitea.subjects import path_of

if TYPE_CHECKING:
    from stithy_core.spi import Forge

MOST_RUNS = 50
POSTING = ("push", "pull_request", "release")

_JOB = re.compile(r"(?P<run>/.+/actions/runs/(?P<id>\d+))/jobs/\d+", re.ASCII)


@frozen
class JobRecord:
    """A job, with what names it: its path on the server, and its run."""

    place: str
    job: WorkflowJob
    run: Mapping[str, Any]


async def runs_on(forge: "Forge", repository: RepositoryRef, commit: str) -> Listing[Any]:
    """Return the workflow runs of a commit.

    Raises:
        Forbidden: Gitea 1.25 shows them to the repository's owner only; or the repository has no Actions.
        Unauthorized: Gitea 1.25 was asked without a token.
        NotFound: There is no such route, or no such repository.
    """
    path = f"{path_of(repository)}/actions/runs"
    return await forge.http.items(path, rows="workflow_runs", size=await page_size(forge), head_sha=commit)


@frozen
class VisibleRuns:
    """The runs on a commit that this token may list, and whether others may list more."""

    found: Listing[Any]
    hidden: bool = False


async def visible_runs(forge: "Forge", repository: RepositoryRef, commit: str) -> VisibleRuns:
    """List the runs on a commit, as far as this token may list any."""
    try:
        return VisibleRuns(await runs_on(forge, repository, commit))
    except (Forbidden, Unauthorized):  # without a token Gitea 1.25 says 401, also of a public repository
        return VisibleRuns(Listing(), hidden=True)
    except NotFound:
        return VisibleRuns(Listing())


async def jobs_in(forge: "Forge", repository: RepositoryRef, run: str) -> Listing[Any]:
    """List the jobs of a run: Gitea wraps and pages them, Forgejo 16 gives them bare."""
    path = f"{path_of(repository)}/actions/runs/{quote(run, safe='')}/jobs"
    if (await forge.version()).flavour == "forgejo":
        return Listing(tuple(await forge.http.get(path, shape=list)))
    return await forge.http.items(path, rows="jobs", size=await page_size(forge))


async def jobs_of(
    forge: "Forge", repository: RepositoryRef, runs: Sequence[Mapping[str, Any]], targets: Iterable[str]
) -> tuple[list[JobRecord], str]:
    """Find the jobs of a commit's runs, and of what its statuses point at; several runs are asked at once.

    Args:
        forge: The server.
        repository: Whose runs.
        runs: Those on the commit.
        targets: Where the statuses point.

    Returns:
        The jobs, and why some may be missing.
    """
    wanted = _choose_runs(runs, targets)
    if not wanted:
        return [], ""
    if not await forge.supports(Checks.jobs):
        return [], ""
    wanted = await _drop_wrong_guesses(forge, repository, wanted)
    chosen = list(wanted.items())[:MOST_RUNS]
    jobs_by_run = await map_concurrently(chosen, lambda item: _read_run_jobs(forge, repository, *item))
    cut = f"only the jobs of {MOST_RUNS} of {len(wanted)} runs were read" if len(wanted) > len(chosen) else ""
    return [job for jobs in jobs_by_run for job in jobs], cut


def run_path(target: str) -> str:
    """Return the path of the run whose job posted a status; empty for other statuses."""
    named = _JOB.fullmatch(target)
    return named["run"] if named else ""


def posts_statuses(run: Mapping[str, Any]) -> bool:
    """Return whether the jobs of a run post statuses; those of a scheduled run do not.

    A run that nothing is known of was named by a status.
    """
    event = run.get("trigger_event") or run.get("event")
    return event is None or str(event).startswith(POSTING)


def path_in(url: str | None) -> str:
    """Return the path of a web URL of the server."""
    return urlsplit(url or "").path


def _choose_runs(runs: Sequence[Mapping[str, Any]], targets: Iterable[str]) -> dict[str, Mapping[str, Any]]:
    """Choose the runs to read, by their paths: those of statuses, and the latest of each workflow that posts none."""
    known = {path_in(run.get("html_url")): run for run in runs}
    wanted: dict[str, Mapping[str, Any]] = {}
    for target in targets:
        if named := _JOB.fullmatch(target):
            wanted[named["run"]] = known.get(named["run"], {"id": int(named["id"])})
    latest: dict[tuple[Any, ...], str] = {}
    for place, run in sorted(known.items(), key=lambda item: int(item[1]["id"])):
        if not posts_statuses(run):
            latest[run.get("path"), run.get("workflow_id"), run.get("event")] = place
    return wanted | {place: known[place] for place in reversed(latest.values())}


async def _drop_wrong_guesses(
    forge: "Forge", repository: RepositoryRef, wanted: dict[str, Mapping[str, Any]]
) -> dict[str, Mapping[str, Any]]:
    """Leave out the runs whose ids were guessed from their numbers, unless the newest of them proves the guess.

    Up to Gitea 1.25 and on Forgejo, a status names its run by a number that counts in the repository, and the id counts
    on the whole server: no number is above its id, and they are the same as long as no other repository had a run.
    """
    guessed = [place for place, run in wanted.items() if _is_guessed(run)]
    if not guessed:
        return wanted
    newest = max(guessed, key=lambda place: int(wanted[place]["id"]))
    if await _read_run_jobs(forge, repository, newest, wanted[newest]):
        return wanted
    return {place: run for place, run in wanted.items() if place not in guessed}


def _is_guessed(run: Mapping[str, Any]) -> bool:
    return "html_url" not in run


async def _read_run_jobs(
    forge: "Forge", repository: RepositoryRef, place: str, run: Mapping[str, Any]
) -> list[JobRecord]:
    try:
        rows = await jobs_in(forge, repository, str(run["id"]))
    except (Forbidden, NotFound):  # the number is not an id, or the run was deleted
        return []
    jobs = [
        JobRecord(path_in(row.get("html_url")) or f"{place}/jobs/{position}", to_job(row, str(run["id"])), run)
        for position, row in enumerate(rows)
    ]
    if _is_guessed(run) and not all(path_in(row.get("html_url")).startswith(f"{place}/") for row in rows):
        return []  # they are of another run
    return jobs

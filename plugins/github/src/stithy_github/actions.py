"""Actions, GitHub's own CI: runs, jobs, logs and artifacts (docs/forge-behaviour/github.md#actions)."""

from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from stithy_core.spi import Listing, NotFound, RepositoryRef, Unknown, or_unknown
from stithy_github.listings import PAGE_SIZE, build_listing
from stithy_github.mapping import repository_path
from stithy_github.verdict_mapping import COMPLETED

if TYPE_CHECKING:
    from stithy_core.spi import Forge

GONE = 410


def actions_path(repository: RepositoryRef, kind: str, identifier: str) -> str:
    """Write a run, a job or an artifact as the path of its API."""
    return f"{repository_path(repository)}/actions/{kind}/{quote(identifier, safe='')}"


async def read_runs(forge: "Forge", repository: RepositoryRef, commit: str) -> Listing[Mapping[str, Any]]:
    """Read the JSON of the runs on a commit, the newest first; a list with a filter ends at 1,000."""
    path = f"{repository_path(repository)}/actions/runs"
    found = await forge.http.items(path, rows="workflow_runs", size=PAGE_SIZE, head_sha=commit)
    newest = sorted(found, key=lambda raw: (raw["created_at"], raw["id"]), reverse=True)
    return build_listing(newest, found.total, "runs of the commit", found.cut)


async def read_jobs(forge: "Forge", repository: RepositoryRef, run: str) -> Listing[Mapping[str, Any]]:
    """Read the JSON of a run's jobs, as of its latest attempt."""
    return await _read_run_items(forge, repository, run, "jobs", filter="latest")


async def read_artifacts(forge: "Forge", repository: RepositoryRef, run: str) -> Listing[Mapping[str, Any]]:
    """Read the JSON of what a run left."""
    return await _read_run_items(forge, repository, run, "artifacts")


async def _read_run_items(
    forge: "Forge", repository: RepositoryRef, run: str, what: str, **query: Any
) -> Listing[Mapping[str, Any]]:
    path = f"{actions_path(repository, 'runs', run)}/{what}"
    try:
        found = await forge.http.items(path, rows=what, size=PAGE_SIZE, **query)
    except NotFound as error:
        text = f"{repository} has no run {run}, or the token may not see it"
        raise NotFound(text, suggestion="List the runs of its commit.", details=error.details) from error
    return build_listing(found, found.total, f"{what} of the run", found.cut)


async def stream_log(forge: "Forge", repository: RepositoryRef, job: str) -> AsyncIterator[bytes]:
    """Read a job's log; GitHub leads to a place on another host that is open for a minute."""
    place = actions_path(repository, "jobs", job)
    try:
        async for piece in forge.http.stream(f"{place}/logs"):
            yield piece
    except NotFound as error:
        raise await _explain_missing_log(forge, place, job, error) from error


async def stream_artifact(forge: "Forge", repository: RepositoryRef, artifact: str) -> AsyncIterator[bytes]:
    """Read an artifact, a zip archive, in the same way."""
    place = actions_path(repository, "artifacts", artifact)
    try:
        async for piece in forge.http.stream(f"{place}/zip"):
            yield piece
    except NotFound as error:
        raise await _explain_missing_artifact(forge, place, artifact, error) from error


async def _explain_missing_log(forge: "Forge", place: str, job: str, error: NotFound) -> NotFound:
    """Say why there is no log: no such job, not begun, not ended, skipped, or no longer kept."""
    raw = await or_unknown(forge.http.get(place, shape=dict))
    if isinstance(raw, Unknown):
        text, remedy = f"there is no job {job}, or the token may not see it", "List the jobs of its run."
    elif raw["status"] != COMPLETED:
        text = f"the job {job} is {raw['status'].replace('_', ' ')}: its log is there once it has ended"
        remedy = "Ask again when it is completed; its steps can be read meanwhile."
    elif raw["conclusion"] == "skipped":
        text, remedy = f"the job {job} was skipped: it has no log", "Read the conditions of its workflow."
    else:
        text = f"the log of the job {job} has expired, or was never finalised"
        remedy = "Read its steps and annotations, or let it run again."
    return NotFound(text, suggestion=remedy, details=error.details)


async def _explain_missing_artifact(forge: "Forge", place: str, artifact: str, error: NotFound) -> NotFound:
    """Say why there is no archive: it has expired, or there is no such artifact; anything else GitHub says itself."""
    if error.details.get("status") == GONE:
        text, remedy = f"the artifact {artifact} has expired", "Let the run run again, which makes it anew."
    elif isinstance(await or_unknown(forge.http.get(place, shape=dict)), Unknown):
        text, remedy = f"there is no artifact {artifact}, or the token may not see it", "List those of its run."
    else:
        return error
    return NotFound(text, suggestion=remedy, details=error.details)

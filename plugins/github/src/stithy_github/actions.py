"""GitHub Actions: runs, jobs, logs and artifacts (docs/forge-behaviour/github.md#actions)."""

from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from stithy_core.spi import Listing, NotFound, RepositoryRef, Unknown, or_unknown, raise_explained
from stithy_github.listings import PAGE_SIZE, build_listing
from stithy_github.mapping import repository_path
from stithy_github.verdict_mapping import COMPLETED

if TYPE_CHECKING:
    from stithy_core.spi import Forge

GONE = 410


def actions_path(repository: RepositoryRef, kind: str, identifier: str) -> str:
    """Return the API's path of a run, a job or an artifact."""
    return f"{repository_path(repository)}/actions/{kind}/{quote(identifier, safe='')}"


async def read_runs(forge: "Forge", repository: RepositoryRef, commit: str) -> Listing[Mapping[str, Any]]:
    """Return the JSON of the runs on a commit, newest first; GitHub lists at most 1,000 with a filter."""
    path = f"{repository_path(repository)}/actions/runs"
    rows = await forge.http.items(path, rows="workflow_runs", size=PAGE_SIZE, head_sha=commit)
    newest = sorted(rows, key=lambda raw: (raw["created_at"], raw["id"]), reverse=True)
    return build_listing(newest, rows.total, "runs of the commit", rows.cut)


async def read_jobs(forge: "Forge", repository: RepositoryRef, run: str) -> Listing[Mapping[str, Any]]:
    """Return the JSON of the jobs of a run's latest attempt."""
    return await _read_run_items(forge, repository, run, "jobs", filter="latest")


async def read_artifacts(forge: "Forge", repository: RepositoryRef, run: str) -> Listing[Mapping[str, Any]]:
    """Return the JSON of a run's artifacts."""
    return await _read_run_items(forge, repository, run, "artifacts")


async def _read_run_items(
    forge: "Forge", repository: RepositoryRef, run: str, kind: str, **query: Any
) -> Listing[Mapping[str, Any]]:
    path = f"{actions_path(repository, 'runs', run)}/{kind}"
    try:
        rows = await forge.http.items(path, rows=kind, size=PAGE_SIZE, **query)
    except NotFound as error:
        text = f"{repository} has no run {run}, or the token may not see it"
        raise NotFound(text, suggestion="List the runs of its commit.", details=error.details) from error
    return build_listing(rows, rows.total, f"{kind} of the run", rows.cut)


async def stream_log(forge: "Forge", repository: RepositoryRef, job: str) -> AsyncIterator[bytes]:
    """Iterate the bytes of a job's log; GitHub redirects to a URL on another host that is valid for a minute."""
    path = actions_path(repository, "jobs", job)
    try:
        async for piece in forge.http.stream(f"{path}/logs"):
            yield piece
    except NotFound as error:
        raise await _explain_missing_log(forge, path, job, error) from error


async def stream_artifact(forge: "Forge", repository: RepositoryRef, artifact: str) -> AsyncIterator[bytes]:
    """Iterate the bytes of an artifact's zip archive, which GitHub redirects to in the same way."""
    path = actions_path(repository, "artifacts", artifact)
    try:
        async for piece in forge.http.stream(f"{path}/zip"):
            yield piece
    except NotFound as error:
        raise_explained(await _explain_missing_artifact(forge, path, artifact, error), error)


async def _explain_missing_log(forge: "Forge", path: str, job: str, error: NotFound) -> NotFound:
    """Return the error that says why a log is missing: no such job, not completed, skipped, or expired."""
    raw = await or_unknown(forge.http.get(path, shape=dict))
    if isinstance(raw, Unknown):
        text, remedy = f"there is no job {job}, or the token may not see it", "List the jobs of its run."
    elif raw["status"] != COMPLETED:
        text = f"the job {job} is {raw['status'].replace('_', ' ')}: its log is available once it is completed"
        remedy = "Try again when it is completed; its steps can be read meanwhile."
    elif raw["conclusion"] == "skipped":
        text, remedy = f"the job {job} was skipped: it has no log", "Read the conditions of its workflow."
    else:
        text = f"the log of the job {job} has expired, or was never finalised"
        remedy = "Read its steps and annotations, or rerun it."
    return NotFound(text, suggestion=remedy, details=error.details)


async def _explain_missing_artifact(forge: "Forge", path: str, artifact: str, error: NotFound) -> NotFound:
    """Return the error that says why an archive is missing: expired, or no such artifact; else GitHub's own error."""
    if error.details.get("status") == GONE:
        text, remedy = f"the artifact {artifact} has expired", "Rerun the run to create it again."
    elif isinstance(await or_unknown(forge.http.get(path, shape=dict)), Unknown):
        text, remedy = f"there is no artifact {artifact}, or the token may not see it", "List the artifacts of its run."
    else:
        return error
    return NotFound(text, suggestion=remedy, details=error.details)

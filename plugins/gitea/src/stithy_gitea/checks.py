"""Checks of a commit: commit statuses and jobs of Actions together (docs/forge-behaviour/gitea.md#checks)."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from attrs import evolve

from stithy_core.spi import (
    Artifact,
    Checks,
    CommitCheck,
    Forbidden,
    ForgeError,
    Listing,
    NotFound,
    PullRequestRef,
    RepositoryRef,
    Unauthorized,
    Unavailable,
    Verdict,
    WorkflowJob,
    WorkflowRun,
    map_concurrently,
    raise_explained,
    since,
)
from stithy_gitea.actions import jobs_in, jobs_of, path_in, posts_statuses, run_path, runs_on, visible_runs
from stithy_gitea.actions_mapping import to_artifact, to_job, to_run, to_unnamed_run, word_of
from stithy_gitea.checks_mapping import WARNING, is_posted_by, to_check, to_job_check
from stithy_gitea.paging import page_size
from stithy_gitea.subjects import BLANK_FAULT, path_of, read_repository

if TYPE_CHECKING:
    from stithy_core.spi import Forge

WEB = "Open the run's page in a browser; the statuses of the commit have its address."
MOST_TASKS = 500
FROM_TASKS = "runs that no runner has taken are missing: only the repository's owner may list them on this server"
OWNERS_ONLY = "only a token of an owner of the repository or of a site administrator finds it on this server"
"""Gitea 1.25: the list of runs, which alone has their ids, is refused to everybody else."""
WORKFLOW_FOLDERS = (".gitea/workflows", ".github/workflows")
"""Of the servers that refuse the list of runs."""
WARNING_FAILS = (1, 27)
REMEDIES = {
    "run": "List the runs of the commit; the number in a run's address need not be its id.",
    "job": "List the jobs of the run; the number in a job's address need not be its id.",
    "artifact": "List the artifacts of its run; they are kept for a time only.",
}
UNSTARTED = ("queued", "waiting", "pending", "blocked")


class GiteaChecks(Checks):
    """Statuses and Actions. Neither server has annotations; jobs write them to their logs."""

    async def list(
        self,
        repository: RepositoryRef,
        commit: str,
        *,
        pr: PullRequestRef | None = None,  # noqa: ARG002 -- all checks belong to commits
    ) -> Listing[CommitCheck]:
        """Return the latest status of every context, with the job that posted it, and the jobs that post none.

        Jobs are found from Gitea 1.25 on, there with a token of the repository's owner, and from Forgejo 16 on.
        """
        reads: tuple[Callable[..., Awaitable[Any]], ...] = (_statuses, visible_runs)
        statuses, visible = await map_concurrently(reads, lambda read: read(self.forge, repository, commit))
        rows, runs = _latest(statuses), visible.found
        found, cut = await jobs_of(self.forge, repository, runs.items, [_target(row) for row in rows])
        jobs = {job.place: job.job for job in found}
        ids = {path_in(run.get("html_url")): str(run["id"]) for run in runs}
        warning = await self._warning() if any(row.get("status") == WARNING for row in rows) else Verdict.FAILED
        checks = [
            to_check(row, self.forge.config.url, _poster(row, jobs), ids.get(run_path(_target(row)), ""), warning)
            for row in rows
        ]
        if visible.hidden:
            checks = [
                evolve(check, log_hidden=OWNERS_ONLY) if not check.job and run_path(_target(row)) else check
                for check, row in zip(checks, rows, strict=True)
            ]
        checks += [to_job_check(job.job, to_run(job.run)) for job in found if not posts_statuses(job.run)]
        cut = statuses.cut or runs.cut or cut
        return Listing(
            tuple(sorted(checks, key=lambda check: (check.name, check.id))), total=None if cut else len(checks), cut=cut
        )

    async def runs(
        self,
        repository: RepositoryRef,
        commit: str,
        *,
        pr: PullRequestRef | None = None,  # noqa: ARG002 -- runs of a pull request have the commit of its head
    ) -> Listing[WorkflowRun]:
        """Return the workflow runs of a commit, newest first.

        If only the owner may list runs, they are derived from the tasks that runners took, and have no id.
        """
        try:
            found = (await runs_on(self.forge, repository, commit)).map(to_run)
        except (Forbidden, NotFound, Unauthorized):
            return await self._runs_of_tasks(repository, commit)
        return Listing(tuple(sorted(found, key=lambda run: run.number, reverse=True)), total=found.total, cut=found.cut)

    @since(gitea="1.25", forgejo="16", instead=WEB)
    async def jobs(self, repository: RepositoryRef, run: str) -> Listing[WorkflowJob]:
        """Return the jobs of a run's latest attempt."""
        _admit(repository, "run", run)
        try:
            rows = await jobs_in(self.forge, repository, run)
            if not rows:  # Gitea 1.25 lists no jobs of a run that is not there
                await self.forge.http.get(f"{path_of(repository)}/actions/runs/{run}", shape=dict)
        except NotFound as error:
            await read_repository(self.forge, repository)
            raise _absent(repository, "run", run, error) from error
        return rows.map(lambda row: to_job(row, run))

    @since(gitea="1.24", forgejo="16", instead=WEB)
    async def log(self, repository: RepositoryRef, job: str) -> AsyncIterator[bytes]:
        """Iterate over a job's log in chunks of bytes."""
        _admit(repository, "job", job)
        place = f"{path_of(repository)}/actions/jobs/{job}"
        try:
            async for piece in self.forge.http.stream(f"{place}/logs"):
                yield piece
        except (NotFound, Unavailable) as error:
            raise_explained(await self._no_log(repository, job, error), error)

    @since(gitea="1.24", forgejo="16", instead=WEB)
    async def artifacts(self, repository: RepositoryRef, run: str) -> Listing[Artifact]:
        """Return the artifacts of a run; the server does not list those of `upload-artifact@v3` and older."""
        _admit(repository, "run", run)
        path, size = f"{path_of(repository)}/actions/runs/{run}", await page_size(self.forge)
        try:
            rows = await self.forge.http.items(f"{path}/artifacts", rows="artifacts", size=size)
            if not rows:  # nor does Gitea say here that a run is not there
                await self.forge.http.get(path, shape=dict)
        except NotFound as error:
            await read_repository(self.forge, repository)
            raise _absent(repository, "run", run, error) from error
        return rows.map(to_artifact)

    @since(gitea="1.24", forgejo="16", instead=WEB)
    async def artifact(self, repository: RepositoryRef, artifact: str) -> AsyncIterator[bytes]:
        """Iterate over an artifact in chunks of bytes; the server redirects to a signed URL, maybe on another host."""
        _admit(repository, "artifact", artifact)
        path = f"{path_of(repository)}/actions/artifacts/{artifact}/zip"
        try:
            async for piece in self.forge.http.stream(path):
                yield piece
        except NotFound as error:
            raise _absent(repository, "artifact", artifact, error) from error

    async def _warning(self) -> Verdict:
        """Return the verdict of a warning: up to Gitea 1.26 it does not block a merge."""
        version = await self.forge.version()
        passes = version.flavour == "gitea" and version.number < WARNING_FAILS
        return Verdict.NEUTRAL if passes else Verdict.FAILED

    async def _runs_of_tasks(self, repository: RepositoryRef, commit: str) -> Listing[WorkflowRun]:
        path, size = f"{path_of(repository)}/actions/tasks", await page_size(self.forge)
        tasks = await self.forge.http.items(path, rows="workflow_runs", size=size, most=MOST_TASKS)
        ours = {task.get("run_number"): task for task in tasks if task.get("head_sha") == commit}
        if not ours and not tasks.cut and not await self._has_workflows(repository, commit):
            return Listing()
        return Listing(tuple(to_unnamed_run(task) for task in ours.values()), total=None, cut=tasks.cut or FROM_TASKS)

    async def _has_workflows(self, repository: RepositoryRef, commit: str) -> bool:
        """Return whether a commit has workflow files: without any nothing runs on it."""
        for folder in WORKFLOW_FOLDERS:
            try:
                await self.forge.http.get(f"{path_of(repository)}/contents/{folder}", ref=commit)
            except NotFound:
                continue
            return True
        return False

    async def _no_log(self, repository: RepositoryRef, job: str, error: ForgeError) -> ForgeError:
        """Return the error for a missing log. Before 1.26, Gitea answers 500 for a job that does not exist."""
        if isinstance(error, Unavailable) and error.details.get("status") != BLANK_FAULT:
            return error
        called = f"job {job} of {repository}"
        if (await self.forge.version()).flavour == "forgejo":  # it has no way to read one job
            text = f"{called} does not exist, has not started, or its log has expired"
            return NotFound(text, suggestion=REMEDIES["job"], details=error.details)
        try:
            word = word_of(await self.forge.http.get(f"{path_of(repository)}/actions/jobs/{job}", shape=dict))
        except NotFound as absent:
            return _absent(repository, "job", job, absent)
        if isinstance(error, Unavailable):
            return error
        return NotFound(f"{called} has no log: {_silence(word)}", details=error.details)


def _admit(repository: RepositoryRef, what: str, number: str) -> None:
    """Check that a text can be an id: for a run that is not a number, Gitea returns the artifacts of all runs.

    Raises:
        NotFound: It is not a positive number.
    """
    if not (number.isascii() and number.isdecimal() and int(number)):
        raise _absent(repository, what, number)


def _absent(repository: RepositoryRef, what: str, number: str, error: NotFound | None = None) -> NotFound:
    details = error.details if error else None
    return NotFound(f"{repository} has no {what} {number!r}", suggestion=REMEDIES[what], details=details)


async def _statuses(forge: "Forge", repository: RepositoryRef, commit: str) -> Listing[Any]:
    path = f"{path_of(repository)}/commits/{quote(commit, safe='')}/status"
    try:
        return await forge.http.items(path, rows="statuses", size=await page_size(forge), or_null=True)
    except NotFound as error:
        await read_repository(forge, repository)
        text = f"{repository} has no commit {commit}"
        raise NotFound(text, suggestion="Check the SHA.", details=error.details) from error


def _latest(statuses: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the latest status of each context: two pages may repeat one when another is posted meanwhile."""
    latest: dict[str, Mapping[str, Any]] = {}
    for row in sorted(statuses, key=lambda row: int(row.get("id") or 0)):
        latest[row.get("context") or ""] = row
    return list(latest.values())


def _target(row: Mapping[str, Any]) -> str:
    return str(row.get("target_url") or "")


def _poster(row: Mapping[str, Any], jobs: Mapping[str, WorkflowJob]) -> WorkflowJob | None:
    job = jobs.get(_target(row))
    return job if job and is_posted_by(row, job) else None


def _silence(word: str) -> str:
    if word in UNSTARTED:
        return "it has not started"
    return "it was skipped" if word == "skipped" else "it has expired, or the job never ran"

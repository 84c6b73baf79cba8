"""Checks of commits and merge requests: pipelines, jobs and external statuses."""

from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from typing import Any
from urllib.parse import quote

from attrs import frozen

from stithy_core.spi import (
    Annotation,
    Artifact,
    Checks,
    CommitCheck,
    Forbidden,
    Listing,
    NotFound,
    PullRequestRef,
    RepositoryRef,
    TestReport,
    Unauthorized,
    WorkflowJob,
    WorkflowRun,
    or_unknown,
)
from stithy_gitlab.gitlab_mapping import Json
from stithy_gitlab.gitlab_pipelines import (
    UNBEGUN,
    to_artifact,
    to_job,
    to_job_check,
    to_pipeline_check,
    to_run,
    to_status_check,
    to_test_report,
)
from stithy_gitlab.gitlab_projects import (
    PAGE,
    list_subject_rows,
    name_missing,
    page_query,
    project_path,
    read_project,
    read_together,
)
from stithy_gitlab.gitlab_traces import clean_trace

DEEPEST = 2
"""How many levels of child pipelines are followed."""
MOST_PIPELINES = 20
MERGED_REFS = ("/merge", "/train")
"""The ends of the refs of pipelines that run on the result of a merge, which is in no branch."""


@frozen
class Place:
    """Where a pipeline or a job is: its project by number, if that is not the repository, and its own number."""

    project: str
    number: str

    @property
    def key(self) -> str:
        """The id in the model."""
        return f"{self.project}/{self.number}" if self.project else self.number


class GitLabChecks(Checks):
    """Pipelines of GitLab's own CI, and statuses of other programs."""

    async def list(
        self, repository: RepositoryRef, commit: str, *, pr: PullRequestRef | None = None
    ) -> Listing[CommitCheck]:
        """Return the jobs of the pipeline that decides, with their child pipelines, and all external statuses."""
        statuses, runs = await read_together(
            lambda: self._read_statuses(repository, commit), lambda: self._read_pipelines(repository, commit, pr)
        )
        project = await read_project(self.forge, repository) if runs else {}
        shown = _choose_pipelines(runs, commit)
        found: dict[str, CommitCheck] = {}
        own: set[int] = set()
        for run in shown:
            for check, number in await self._read_run(repository, run, project.get("id"), "", 0):
                found.setdefault(check.id, check)
                own.add(number)
        hidden = {run["id"] for run in runs} - {run["id"] for run in shown}
        others = [
            to_status_check(row)
            for row in statuses
            if row["id"] not in own and (row.get("pipeline_id") not in hidden or row.get("target_url"))
        ]
        checks = sorted((*found.values(), *others), key=lambda check: (check.name, check.id))
        return Listing(tuple(checks), cut=statuses.cut)

    async def runs(
        self, repository: RepositoryRef, commit: str, *, pr: PullRequestRef | None = None
    ) -> Listing[WorkflowRun]:
        """Return the pipelines of a commit or a merge request, newest first, without their child pipelines."""
        rows = await self._read_pipelines(repository, commit, pr)
        project = await read_project(self.forge, repository) if rows else {}
        return Listing(tuple(to_run(row, _place(row, project.get("id")).key) for row in rows))

    async def jobs(self, repository: RepositoryRef, run: str) -> Listing[WorkflowJob]:
        """Return the jobs of a pipeline, each as its latest attempt."""
        place = _parse(repository, "pipeline", run)
        rows = await self._read_jobs(repository, place, "jobs")
        return rows.map(lambda row: to_job(row, run, Place(place.project, str(row["id"])).key))

    async def annotations(self, repository: RepositoryRef, check: CommitCheck) -> Listing[Annotation]:  # noqa: ARG002
        """Return an empty listing: GitLab has no annotations."""
        return Listing()

    async def log(self, repository: RepositoryRef, job: str) -> AsyncIterator[bytes]:
        """Iterate over a job's trace, without marks of sections and times.

        The trace of a job that has not begun, or was erased, is an empty answer of status 200.
        """
        place = _parse(repository, "job", job)
        path = self._find_path(repository, place, "jobs")
        async with name_missing(self.forge, repository, f"job {job}"):
            raw = await self.forge.http.get(path, shape=dict)
        if raw.get("erased_at") or raw["status"] in UNBEGUN:
            reason = "it was erased" if raw.get("erased_at") else f"it has not begun ({raw['status']})"
            raise NotFound(f"job {job} of {repository} has no log: {reason}", suggestion="Read it later, or rerun it.")
        is_empty = True
        async for piece in clean_trace(self.forge.http.stream(f"{path}/trace", accept="text/plain")):
            is_empty = is_empty and not piece.strip()
            yield piece
        if is_empty:
            raise NotFound(f"job {job} of {repository} has an empty log", suggestion="It may have expired: rerun it.")

    async def artifacts(self, repository: RepositoryRef, run: str) -> Listing[Artifact]:
        """Return the archives of a pipeline's jobs; result files for test reports are not among them."""
        place = _parse(repository, "pipeline", run)
        rows = await self._read_jobs(repository, place, "jobs")
        found = [
            to_artifact(row, Place(place.project, str(row["id"])).key) for row in rows if row.get("artifacts_file")
        ]
        return Listing(tuple(found), cut=rows.cut)

    async def artifact(self, repository: RepositoryRef, artifact: str) -> AsyncIterator[bytes]:
        """Iterate over the archive of a job; the server may redirect to a store on another host."""
        path = self._find_path(repository, _parse(repository, "artifact", artifact), "jobs")
        async with name_missing(self.forge, repository, f"artifact {artifact}"):
            async for piece in self.forge.http.stream(f"{path}/artifacts", accept="*/*"):
                yield piece

    async def test_report(self, repository: RepositoryRef, run: str) -> TestReport:
        """Return the test report of a pipeline, without those of its child pipelines."""
        place = _parse(repository, "pipeline", run)
        path = self._find_path(repository, place, "pipelines")
        async with name_missing(self.forge, repository, f"pipeline {run}"):
            raw = await self.forge.http.get(f"{path}/test_report", shape=dict)
        names: dict[str, list[str]] = defaultdict(list)
        for row in await self._read_jobs(repository, place, "jobs") if raw["test_suites"] else ():
            names[row["name"]].append(Place(place.project, str(row["id"])).key)
        return to_test_report(raw, names)

    async def _read_statuses(self, repository: RepositoryRef, commit: str) -> Listing[Any]:
        path = f"{project_path(repository)}/repository/commits/{quote(commit, safe='')}/statuses"
        async with name_missing(self.forge, repository, f"commit {commit}"):
            return await self.forge.http.items(path, size=PAGE, **page_query())

    async def _read_pipelines(
        self, repository: RepositoryRef, commit: str, pr: PullRequestRef | None
    ) -> Sequence[Json]:
        """Read the pipelines of a commit; those of a merge request may be in a fork, or on the result of the merge."""
        if pr is not None:
            try:
                rows = await list_subject_rows(self.forge, pr, "pipelines")
            except (Forbidden, Unauthorized):
                rows = Listing()
            return [row for row in rows if row["sha"] == commit or str(row.get("ref")).endswith(MERGED_REFS)]
        async with name_missing(self.forge, repository, f"commit {commit}"):
            path = f"{project_path(repository)}/pipelines"
            return await self.forge.http.items(path, size=PAGE, sha=commit, **page_query())

    async def _read_run(
        self, repository: RepositoryRef, run: Json, home: int | None, prefix: str, depth: int
    ) -> Sequence[tuple[CommitCheck, int]]:
        """Return the checks of a pipeline's jobs and bridges, with their numbers, and of its child pipelines."""
        place = _place(run, home)
        jobs, bridges = await read_together(
            lambda: self._read_jobs(repository, place, "jobs"), lambda: self._read_jobs(repository, place, "bridges")
        )
        found = [
            (to_job_check(row, place.key, Place(place.project, str(row["id"])).key, prefix=prefix, log=log), row["id"])
            for rows, log in ((jobs, True), (bridges, False))
            for row in rows
        ]
        if not found and not prefix:
            found.append((to_pipeline_check(run, place.key), 0))
        children = [(row["name"], row["downstream_pipeline"]) for row in bridges if row.get("downstream_pipeline")]
        for name, child in children[:MOST_PIPELINES] if depth < DEEPEST else ():
            label = f"{prefix} / {name}" if prefix else name
            rows = await or_unknown(self._read_run(repository, child, home, label, depth + 1))
            found += rows if isinstance(rows, list) else ()
        return found

    async def _read_jobs(self, repository: RepositoryRef, place: Place, kind: str) -> Listing[Any]:
        path = self._find_path(repository, place, "pipelines")
        async with name_missing(self.forge, repository, f"pipeline {place.key}"):
            return await self.forge.http.items(f"{path}/{kind}", size=PAGE, **page_query())

    def _find_path(self, repository: RepositoryRef, place: Place, kind: str) -> str:
        project = f"/projects/{place.project}" if place.project else project_path(repository)
        return f"{project}/{kind}/{place.number}"


def _place(run: Json, home: int | None) -> Place:
    project = run.get("project_id")
    return Place("" if project in {None, home} else str(project), str(run["id"]))


def _parse(repository: RepositoryRef, what: str, key: str) -> Place:
    """Parse the id of a pipeline, a job or an artifact.

    Raises:
        NotFound: It cannot be one.
    """
    project, _, number = key.rpartition("/")
    if not all(part.isascii() and part.isdecimal() for part in (number, project or "0")):
        raise NotFound(f"{repository} has no {what} {key!r}", suggestion="Read the checks: they have the ids.")
    return Place(project, number)


def _choose_pipelines(runs: Sequence[Json], commit: str) -> list[Json]:
    """Return the pipeline that decides: of several, which repeat every job, the newest of the merge request.

    One on the result of a merge counts only if no newer one ran on another head.
    """
    newest = sorted(runs, key=lambda run: int(run["id"]), reverse=True)
    for_merge = [run for run in newest if run.get("source") == "merge_request_event"]
    current = [run for run in newest if run["sha"] == commit]
    return (for_merge or current or newest)[:1]

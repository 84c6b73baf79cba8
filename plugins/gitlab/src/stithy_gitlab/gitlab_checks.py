"""Checks of commits and merge requests: pipelines, jobs and external statuses."""

from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from attrs import frozen

from stithy_core.spi import (
    Annotation,
    Artifact,
    Checks,
    CommitCheck,
    Forbidden,
    ForgeError,
    Listing,
    Maybe,
    NotFound,
    PullRequestChecks,
    PullRequestRef,
    RepositoryRef,
    TestReport,
    Unauthorized,
    Unknown,
    Unsupported,
    WorkflowJob,
    WorkflowRun,
    map_concurrently,
    or_unknown,
)
from stithy_gitlab.gitlab_mapping import Json, find_repository
from stithy_gitlab.gitlab_merge_request_reads import complete_merge_request, read_branch, read_reviewers
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
    read_merge_request,
    read_project,
    read_together,
)
from stithy_gitlab.gitlab_rules import combine_rules, read_rule_answers
from stithy_gitlab.gitlab_traces import clean_trace

if TYPE_CHECKING:
    from stithy_core.spi import Forge

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
        runs, project = await read_together(
            lambda: self._read_pipelines(repository, commit, pr), lambda: read_project(self.forge, repository)
        )
        return await collect_checks(self.forge, repository, commit, runs, project["id"])

    async def of_pull_request(self, pr: PullRequestRef) -> PullRequestChecks:
        """Return a merge request with its checks, runs and rules: none of these lists needs its head's commit."""
        raw, project, answers, rows, reviewers = await read_together(
            lambda: read_merge_request(self.forge, pr),
            lambda: read_project(self.forge, pr.repository),
            lambda: or_unknown(read_rule_answers(self.forge, pr.repository, pr), on=(ForgeError, Unsupported)),
            lambda: read_merge_pipelines(self.forge, pr),
            lambda: or_unknown(read_reviewers(self.forge, pr)),
        )
        repository, sha, base = find_repository(raw, pr.repository), raw.get("sha") or "", raw["target_branch"]
        runs = select_current(rows, sha)
        pull, checks, tip = await read_together(
            lambda: complete_merge_request(self.forge, pr, raw, project=project, reviewers=reviewers),
            lambda: collect_checks(self.forge, repository, sha, runs, project["id"]),
            lambda: or_unknown(read_branch(self.forge, repository, base), on=(ForgeError, Unsupported)),
        )
        unread = next((one for one in (answers, tip) if isinstance(one, Unknown)), None)
        return PullRequestChecks(
            pull_request=pull,
            checks=checks,
            runs=map_runs(runs, project["id"]),
            rules=combine_rules(answers, tip, base) if unread is None else unread,
        )

    async def runs(
        self, repository: RepositoryRef, commit: str, *, pr: PullRequestRef | None = None
    ) -> Listing[WorkflowRun]:
        """Return the pipelines of a commit or a merge request, newest first, without their child pipelines."""
        rows, project = await read_together(
            lambda: self._read_pipelines(repository, commit, pr), lambda: read_project(self.forge, repository)
        )
        return map_runs(rows, project["id"])

    async def jobs(self, repository: RepositoryRef, run: str) -> Listing[WorkflowJob]:
        """Return the jobs of a pipeline, each as its latest attempt."""
        place = _parse(repository, "pipeline", run)
        rows = await _read_jobs(self.forge, repository, place, "jobs")
        return rows.map(lambda row: to_job(row, run, Place(place.project, str(row["id"])).key))

    async def annotations(self, repository: RepositoryRef, check: CommitCheck) -> Listing[Annotation]:  # noqa: ARG002
        """Return an empty listing: GitLab has no annotations."""
        return Listing()

    async def log(self, repository: RepositoryRef, job: str) -> AsyncIterator[bytes]:
        """Iterate over a job's trace, without marks of sections and times.

        The trace of a job that has not begun, or was erased, is an empty answer of status 200: then the job tells why.
        """
        place = _parse(repository, "job", job)
        path = _find_path(repository, place, "jobs")
        is_empty = True
        async with name_missing(self.forge, repository, f"job {job}"):
            async for piece in clean_trace(self.forge.http.stream(f"{path}/trace", accept="text/plain")):
                is_empty = is_empty and not piece.strip()
                yield piece
            raw = await self.forge.http.get(path, shape=dict) if is_empty else {}
        if is_empty:
            raise NotFound(
                f"job {job} of {repository} has {_explain_empty(raw)}", suggestion="Read it later, or rerun it."
            )

    async def artifacts(self, repository: RepositoryRef, run: str) -> Listing[Artifact]:
        """Return the archives of a pipeline's jobs; result files for test reports are not among them."""
        place = _parse(repository, "pipeline", run)
        rows = await _read_jobs(self.forge, repository, place, "jobs")
        found = [
            to_artifact(row, Place(place.project, str(row["id"])).key) for row in rows if row.get("artifacts_file")
        ]
        return Listing(tuple(found), cut=rows.cut)

    async def artifact(self, repository: RepositoryRef, artifact: str) -> AsyncIterator[bytes]:
        """Iterate over the archive of a job; the server may redirect to a store on another host."""
        path = _find_path(repository, _parse(repository, "artifact", artifact), "jobs")
        async with name_missing(self.forge, repository, f"artifact {artifact}"):
            async for piece in self.forge.http.stream(f"{path}/artifacts", accept="*/*"):
                yield piece

    async def test_report(self, repository: RepositoryRef, run: str) -> TestReport:
        """Return the test report of a pipeline, without those of its child pipelines."""
        place = _parse(repository, "pipeline", run)
        path = _find_path(repository, place, "pipelines")
        async with name_missing(self.forge, repository, f"pipeline {run}"):
            raw, rows = await read_together(
                lambda: self.forge.http.get(f"{path}/test_report", shape=dict),
                lambda: _read_jobs(self.forge, repository, place, "jobs"),
            )
        names: dict[str, list[str]] = defaultdict(list)
        for row in rows:
            names[row["name"]].append(Place(place.project, str(row["id"])).key)
        return to_test_report(raw, names)

    async def _read_pipelines(
        self, repository: RepositoryRef, commit: str, pr: PullRequestRef | None
    ) -> Sequence[Json]:
        """Read the pipelines of a commit; those of a merge request may be in a fork, or on the result of the merge."""
        if pr is not None:
            return select_current(await read_merge_pipelines(self.forge, pr), commit)
        async with name_missing(self.forge, repository, f"commit {commit}"):
            path = f"{project_path(repository)}/pipelines"
            return await self.forge.http.items(path, size=PAGE, sha=commit, **page_query())


async def collect_checks(
    forge: "Forge", repository: RepositoryRef, commit: str, runs: Sequence[Json], home: int
) -> Listing[CommitCheck]:
    """Return the checks of a commit whose pipelines are known.

    Args:
        forge: The forge.
        repository: The project.
        commit: The commit.
        runs: Its pipelines, or those of the merge request.
        home: The number of the project.
    """
    shown = choose_pipelines(runs, commit)
    statuses, *parts = await read_together(
        lambda: _read_statuses(forge, repository, commit),
        *(lambda run=run: _read_run(forge, repository, run, home) for run in shown),
    )
    found: dict[str, CommitCheck] = {}
    own: set[int] = set()
    for check, number in (row for part in parts for row in part):
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


async def _read_statuses(forge: "Forge", repository: RepositoryRef, commit: str) -> Listing[Any]:
    path = f"{project_path(repository)}/repository/commits/{quote(commit, safe='')}/statuses"
    async with name_missing(forge, repository, f"commit {commit}"):
        return await forge.http.items(path, size=PAGE, **page_query())


async def _read_run(
    forge: "Forge", repository: RepositoryRef, run: Json, home: int | None, *, prefix: str = "", depth: int = 0
) -> Sequence[tuple[CommitCheck, int]]:
    """Return the checks of a pipeline's jobs and bridges, with their numbers, and of its child pipelines."""
    place = _place(run, home)
    jobs, bridges = await read_together(
        lambda: _read_jobs(forge, repository, place, "jobs"), lambda: _read_jobs(forge, repository, place, "bridges")
    )
    found = [
        (to_job_check(row, place.key, Place(place.project, str(row["id"])).key, prefix=prefix, log=log), row["id"])
        for rows, log in ((jobs, True), (bridges, False))
        for row in rows
    ]
    if not found and not prefix:
        found.append((to_pipeline_check(run, place.key), 0))
    children = [(row["name"], row["downstream_pipeline"]) for row in bridges if row.get("downstream_pipeline")]
    shown = children[:MOST_PIPELINES] if depth < DEEPEST else []

    async def read_child(name: str, child: Json) -> Maybe[Sequence[tuple[CommitCheck, int]]]:
        label = f"{prefix} / {name}" if prefix else name
        return await or_unknown(_read_run(forge, repository, child, home, prefix=label, depth=depth + 1))

    parts = await map_concurrently(shown, lambda one: read_child(*one))
    return [*found, *(row for part in parts if not isinstance(part, Unknown) for row in part)]


async def _read_jobs(forge: "Forge", repository: RepositoryRef, place: Place, kind: str) -> Listing[Any]:
    path = _find_path(repository, place, "pipelines")
    async with name_missing(forge, repository, f"pipeline {place.key}"):
        return await forge.http.items(f"{path}/{kind}", size=PAGE, **page_query())


def _find_path(repository: RepositoryRef, place: Place, kind: str) -> str:
    project = f"/projects/{place.project}" if place.project else project_path(repository)
    return f"{project}/{kind}/{place.number}"


async def read_merge_pipelines(forge: "Forge", pr: PullRequestRef) -> Sequence[Json]:
    """Read the pipelines of a merge request, also of its former heads; none if the token may not see them."""
    try:
        return await list_subject_rows(forge, pr, "pipelines")
    except (Forbidden, Unauthorized):
        return ()


def select_current(rows: Sequence[Json], commit: str) -> Sequence[Json]:
    """Return the pipelines of a merge request's head, or on the result of its merge."""
    return [row for row in rows if row["sha"] == commit or str(row.get("ref")).endswith(MERGED_REFS)]


def map_runs(rows: Sequence[Json], home: int) -> Listing[WorkflowRun]:
    """Map pipelines; `home` is the number of the project that they were asked of."""
    return Listing(tuple(to_run(row, _place(row, home).key) for row in rows))


def _explain_empty(raw: Json) -> str:
    if raw.get("erased_at"):
        return "no log: it was erased"
    if raw["status"] in UNBEGUN:
        return f"no log: it has not begun ({raw['status']})"
    return "an empty log, which may have expired"


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


def choose_pipelines(runs: Sequence[Json], commit: str) -> list[Json]:
    """Return the pipeline that decides: of several, which repeat every job, the newest of the merge request.

    One on the result of a merge counts only if no newer one ran on another head.
    """
    newest = sorted(runs, key=lambda run: int(run["id"]), reverse=True)
    for_merge = [run for run in newest if run.get("source") == "merge_request_event"]
    current = [run for run in newest if run["sha"] == commit]
    return (for_merge or current or newest)[:1]

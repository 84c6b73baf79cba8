"""Commit statuses, and the pipelines of Bitbucket Pipelines: their steps are jobs, with logs and test reports."""

from collections.abc import AsyncIterator, Sequence
from typing import Any
from urllib.parse import quote

from stithy_bitbucket.bitbucket_mapping import Json, name_missing, pull_path, repository_path, to_time
from stithy_core import spi

VERDICTS = {
    "SUCCESSFUL": spi.Verdict.PASSED,
    "FAILED": spi.Verdict.FAILED,
    "ERROR": spi.Verdict.FAILED,
    "STOPPED": spi.Verdict.CANCELLED,
    "EXPIRED": spi.Verdict.TIMED_OUT,
    "NOT_RUN": spi.Verdict.SKIPPED,
    "PENDING": spi.Verdict.PENDING,
    "PAUSED": spi.Verdict.ACTION_REQUIRED,
    "HALTED": spi.Verdict.ACTION_REQUIRED,
    "INPROGRESS": spi.Verdict.RUNNING,
    "IN_PROGRESS": spi.Verdict.RUNNING,
    "RUNNING": spi.Verdict.RUNNING,
}
TESTS = {"SUCCESSFUL": spi.TestStatus.PASSED, "FAILED": spi.TestStatus.FAILED, "ERROR": spi.TestStatus.ERROR}
MOST_REASONS = 50
"""Failed tests of a step whose messages are read, each by a request."""
COUNTS = {"total": "", "passed": "successful_", "failed": "failed_", "errors": "error_", "skipped": "skipped_"}


def to_state(raw: Json, began: str) -> dict[str, Any]:
    """Map the state and the times of a pipeline or a step."""
    word = (raw["state"].get("result") or raw["state"].get("stage") or raw["state"])["name"]
    times = {"started_at": raw.get(began), "completed_at": raw.get("completed_on")}
    verdict = VERDICTS.get(word, spi.Unknown(f"Bitbucket reports the state {word!r}"))
    return {"raw": word, "verdict": verdict} | {name: to_time(text) for name, text in times.items() if text}


def step_path(repository: spi.RepositoryRef, job: str) -> str:
    """Return the path of a pipeline, or of a step by `pipeline/step`. The API has braces around their UUIDs."""
    run, _, step = job.partition("/")
    path = f"{repository_path(repository)}/pipelines/{quote(f'{{{run}}}')}"
    return f"{path}/steps/{quote(f'{{{step}}}')}" if step else path


class BitbucketChecks(spi.Checks):
    """Checks. Of a pipeline, the commit has one status; its steps are listed beside it."""

    async def list(
        self, repository: spi.RepositoryRef, commit: str, *, pr: spi.PullRequestRef | None = None
    ) -> spi.Listing[spi.CommitCheck]:
        with name_missing(f"commit {commit} of repository {repository}"):
            # The commits of a fork are not found in the repository that the pull request is for.
            path = pull_path(pr) if pr else f"{repository_path(repository)}/commit/{quote(commit)}"
            statuses = await self.forge.http.items(f"{path}/statuses", rows="values", size=100)
        runs = await self.runs(repository, commit)
        jobs = await spi.map_concurrently(runs, lambda run: self.jobs(repository, run.id))
        checks = [to_status(raw, runs) for raw in statuses]
        checks += [to_check(job, run) for run, of_run in zip(runs, jobs, strict=True) for job in of_run]
        return spi.Listing(tuple(sorted(checks, key=lambda check: check.name)), cut=statuses.cut or runs.cut)

    async def runs(
        self, repository: spi.RepositoryRef, commit: str, *, pr: spi.PullRequestRef | None = None
    ) -> spi.Listing[spi.WorkflowRun]:
        path, query = f"{repository_path(repository)}/pipelines", {"target.commit.hash": commit, "sort": "-created_on"}
        found = await self.forge.http.items(path, rows="values", size=100, **dict[str, Any](query))
        return found.map(lambda raw: to_run(raw, f"{self.forge.config.url}/{repository}/pipelines/results"))

    async def jobs(self, repository: spi.RepositoryRef, run: str) -> spi.Listing[spi.WorkflowJob]:
        with name_missing(f"pipeline {run}"):
            found = await self.forge.http.items(f"{step_path(repository, run)}/steps", rows="values", size=100)
        return found.map(lambda raw: to_job(raw, run))

    async def log(self, repository: spi.RepositoryRef, job: str) -> AsyncIterator[bytes]:
        with name_missing(f"the log of step {job}"):
            async for piece in self.forge.http.stream(f"{step_path(repository, job)}/log"):
                yield piece

    async def test_report(self, repository: spi.RepositoryRef, run: str) -> spi.TestReport:
        jobs = await self.jobs(repository, run)
        found = await spi.map_concurrently(jobs, lambda job: spi.or_unknown(self._read_tests(repository, job.id)))
        read = [one for one in found if not isinstance(one, spi.Unknown)]  # a step without a report has none
        counts = {name: sum(raw[f"number_of_{word}test_cases"] for raw, _ in read) for name, word in COUNTS.items()}
        return spi.TestReport(cases=tuple(case for _, cases in read for case in cases), **counts)

    async def _read_tests(self, repository: spi.RepositoryRef, job: str) -> tuple[Json, Sequence[spi.TestCase]]:
        path, http = f"{step_path(repository, job)}/test_reports", self.forge.http
        counts, rows = await http.get(path, shape=dict), await http.items(f"{path}/test_cases", rows="values", size=100)

        failed = [row["uuid"] for row in rows if row["status"] in {"FAILED", "ERROR"}][:MOST_REASONS]
        found = await spi.map_concurrently(
            failed, lambda uuid: http.items(f"{path}/test_cases/{quote(uuid)}/test_case_reasons", rows="values")
        )
        texts = {uuid: reasons[0] for uuid, reasons in zip(failed, found, strict=True) if reasons}
        return counts, [to_case(row, texts.get(row["uuid"], {}), job) for row in rows]


def to_status(raw: Json, runs: spi.Listing[spi.WorkflowRun]) -> spi.CommitCheck:
    """Map a status. That of a pipeline has the URL of its page."""
    run = next((run.id for run in runs if run.url == raw["url"]), "")
    return spi.CommitCheck(
        name=raw["name"] or raw["key"],
        url=raw["url"],
        kind="run" if run else "status",
        id=raw["key"],
        summary=raw["description"] or "",
        run=run,
        **to_state({**raw, "state": {"name": raw["state"]}}, "created_on"),
    )


def to_run(raw: Json, pages: str) -> spi.WorkflowRun:
    """Map a pipeline."""
    number, target = raw["build_number"], raw["target"]
    state = to_state(raw, "created_on")
    return spi.WorkflowRun(
        id=raw["uuid"].strip("{}"),
        name=f"Pipeline #{number}",
        number=number,
        branch=target.get("ref_name") or target.get("source") or "",
        commit=target["commit"]["hash"],
        url=f"{pages}/{number}",
        **state,
    )


def to_job(raw: Json, run: str) -> spi.WorkflowJob:
    """Map a step."""
    name = raw.get("name") or "step"
    return spi.WorkflowJob(id=f"{run}/{raw['uuid'].strip('{}')}", run=run, name=name, **to_state(raw, "started_on"))


def to_check(job: spi.WorkflowJob, run: spi.WorkflowRun) -> spi.CommitCheck:
    """Map a step as a check that has no status of its own."""
    url = f"{run.url}/steps/{quote('{' + job.id.partition('/')[2] + '}')}"
    fields: dict[str, Any] = {"verdict": job.verdict, "raw": job.raw, "run": job.run, "job": job.id, "id": job.id}
    fields |= {"started_at": job.started_at, "completed_at": job.completed_at}
    return spi.CommitCheck(name=job.name, url=url, kind="job", reported=False, **fields)


def to_case(raw: Json, reason: Json, job: str) -> spi.TestCase:
    """Map a test. Its full name begins with its class."""
    return spi.TestCase(
        name=raw["name"],
        status=TESTS.get(raw["status"], spi.TestStatus.SKIPPED),
        class_name=raw["fully_qualified_name"].removesuffix(raw["name"]).rstrip("."),
        message=reason.get("message") or "",
        stack_trace=reason.get("stack_trace") or "",
        job=job,
    )

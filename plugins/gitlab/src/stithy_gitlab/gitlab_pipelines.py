"""From pipelines, jobs, statuses and test reports to the model (docs/forge-behaviour/gitlab.md#checks)."""

from collections.abc import Mapping, Sequence
from typing import Any

from stithy_core.spi import (
    Artifact,
    CommitCheck,
    Maybe,
    TestCase,
    TestReport,
    TestStatus,
    Unknown,
    Verdict,
    WorkflowJob,
    WorkflowRun,
)
from stithy_gitlab.gitlab_mapping import Json, to_optional_time

WORDS: Mapping[Verdict, str] = {
    Verdict.PENDING: "created waiting_for_resource preparing waiting_for_callback pending scheduled",
    Verdict.RUNNING: "running canceling",
    Verdict.PASSED: "success",
    Verdict.FAILED: "failed",
    Verdict.CANCELLED: "canceled",
    Verdict.SKIPPED: "skipped",
    Verdict.ACTION_REQUIRED: "manual",
}
VERDICTS = {word: verdict for verdict, words in WORDS.items() for word in words.split()}
TIMEOUTS = {"job_execution_timeout", "job_execution_server_timeout", "stuck_or_timeout_failure"}
STATUSES = {
    "success": TestStatus.PASSED,
    "failed": TestStatus.FAILED,
    "error": TestStatus.ERROR,
    "skipped": TestStatus.SKIPPED,
}
UNBEGUN = {"created", "pending", "manual", "scheduled", "waiting_for_resource", "waiting_for_callback", "preparing"}


def to_verdict(word: str, reason: str = "") -> Maybe[Verdict]:
    """Map GitLab's word for the state of a pipeline, a job or a status; an unknown one stays unknown."""
    if reason in TIMEOUTS:
        return Verdict.TIMED_OUT
    return VERDICTS.get(word) or Unknown(f"GitLab reports {word!r}")


def to_run(raw: Json, key: str) -> WorkflowRun:
    """Map a pipeline.

    Args:
        raw: Its JSON.
        key: Its id in the model, with that of its project if it is another one.
    """
    return WorkflowRun(
        id=key,
        name=raw.get("name") or f"pipeline of {raw.get('ref') or raw['sha']}",
        number=raw.get("iid") or raw["id"],
        verdict=to_verdict(raw["status"]),
        raw=raw["status"],
        event=raw.get("source") or "",
        branch=raw.get("ref") or "",
        commit=raw["sha"],
        url=raw["web_url"],
        started_at=to_optional_time(raw.get("started_at") or raw.get("created_at")),
        completed_at=to_optional_time(raw.get("finished_at")),
    )


def to_job(raw: Json, run: str, key: str) -> WorkflowJob:
    """Map a job, which has no steps; a retried one is another job."""
    return WorkflowJob(
        id=key,
        run=run,
        name=raw["name"],
        verdict=to_verdict(raw["status"], raw.get("failure_reason") or ""),
        raw=raw["status"],
        runner=(raw.get("runner") or {}).get("description") or "",
        labels=tuple(raw.get("tag_list") or ()),
        awaits_runner=raw["status"] == "pending",
        url=raw["web_url"],
        started_at=to_optional_time(raw.get("started_at")),
        completed_at=to_optional_time(raw.get("finished_at")),
    )


def to_job_check(raw: Json, run: str, key: str, *, prefix: str = "", log: bool = True) -> CommitCheck:
    """Map a job or a bridge to a check.

    Args:
        raw: The job.
        run: The id of its pipeline in the model.
        key: Its own id there.
        prefix: The bridge whose child pipeline has it; such a job counts by the bridge only.
        log: Whether it has a log: a bridge has none.
    """
    job = to_job(raw, run, key)
    return CommitCheck(
        name=f"{prefix} / {job.name}" if prefix else job.name,
        verdict=job.verdict,
        url=job.url,
        kind="job",
        id=job.id,
        raw=job.raw,
        source="GitLab CI",
        summary=raw.get("failure_reason") or "",
        run=run,
        job=job.id if log else "",
        reported=not prefix,
        allowed_to_fail=raw.get("allow_failure") is True,
        started_at=job.started_at,
        completed_at=job.completed_at,
    )


def to_status_check(raw: Json) -> CommitCheck:
    """Map an external status."""
    return CommitCheck(
        name=raw["name"],
        verdict=to_verdict(raw["status"]),
        url=raw.get("target_url") or "",
        kind="status",
        id=str(raw["id"]),
        raw=raw["status"],
        source=(raw.get("author") or {}).get("username") or "",
        summary=raw.get("description") or "",
        allowed_to_fail=raw.get("allow_failure") is True,
        started_at=to_optional_time(raw.get("started_at")),
        completed_at=to_optional_time(raw.get("finished_at")),
    )


def to_pipeline_check(raw: Json, key: str) -> CommitCheck:
    """Map a pipeline without jobs, such as one with an invalid configuration."""
    return CommitCheck(
        name="pipeline",
        verdict=to_verdict(raw["status"]),
        url=raw["web_url"],
        kind="run",
        id=key,
        raw=raw["status"],
        source="GitLab CI",
        summary=raw.get("yaml_errors") or "",
        run=key,
    )


def to_artifact(raw: Json, key: str) -> Artifact:
    """Map the archive of a job; every one has the same name."""
    return Artifact(
        id=key,
        name=raw["artifacts_file"]["filename"],
        size=raw["artifacts_file"]["size"],
        job=key,
        created_at=to_optional_time(raw.get("finished_at")),
        expires_at=to_optional_time(raw.get("artifacts_expire_at")),
    )


def to_test_report(raw: Json, jobs: Mapping[str, Sequence[str]]) -> TestReport:
    """Map a test report, with the tests that did not pass first.

    Args:
        raw: The report; its suites have the names of jobs, without the number of a parallel one.
        jobs: The ids of the jobs by name.
    """
    cases = [_to_case(suite, row, jobs) for suite in raw["test_suites"] for row in suite["test_cases"]]
    order = {TestStatus.FAILED: 0, TestStatus.ERROR: 0}
    cases.sort(key=lambda case: order.get(case.status, 1) if isinstance(case.status, TestStatus) else 1)
    faults = [f"{suite['name']}: {suite['suite_error']}" for suite in raw["test_suites"] if suite.get("suite_error")]
    return TestReport(
        cases=tuple(cases),
        total=raw["total_count"],
        passed=raw["success_count"],
        failed=raw["failed_count"],
        errors=raw["error_count"],
        skipped=raw["skipped_count"],
        cut=f"GitLab could not read the result files of {'; '.join(faults)}" if faults else "",
    )


def _to_case(suite: Json, row: Json, jobs: Mapping[str, Sequence[str]]) -> TestCase:
    status: Any = STATUSES.get(row["status"]) or Unknown(f"GitLab reports {row['status']!r}")
    output = row.get("system_output")
    owners = jobs.get(suite["name"], ())
    return TestCase(
        name=row["name"],
        status=status,
        class_name=row.get("classname") or "",
        suite=suite["name"],
        file=row.get("file") or "",
        message=output if isinstance(output, str) else str((output or {}).get("message") or ""),
        stack_trace=row.get("stack_trace") or "",
        seconds=row.get("execution_time"),
        job=owners[0] if len(owners) == 1 else "",
    )

"""Map GitHub's JSON of checks, annotations, runs, jobs and artifacts (docs/forge-behaviour/github.md#checks)."""

import re
from collections.abc import Mapping
from typing import Any

from stithy_core.spi import (
    NOT_REPORTED,
    Annotation,
    Artifact,
    CommitCheck,
    Maybe,
    Step,
    WorkflowJob,
    WorkflowRun,
)
from stithy_github.mapping import to_time_or_none
from stithy_github.verdict_mapping import to_status_verdict, to_verdict

ACTIONS = "github-actions"
OPEN = ("pending", "expected")
JOB = re.compile(r"/actions/runs/(\d+)/job/(\d+)")


def to_check_run(raw: Mapping[str, Any]) -> CommitCheck:
    """Map a check run; if Actions created it, its URL has the run and the job."""
    verdict, word = to_verdict(raw.get("status"), raw.get("conclusion"))
    source, output = get_app_slug(raw), raw.get("output") or {}
    run, job = _parse_job(raw) if source == ACTIONS else ("", "")
    return CommitCheck(
        name=raw["name"],
        verdict=verdict,
        url=raw.get("html_url") or raw.get("details_url") or "",
        kind="check_run",
        id=str(raw["id"]),
        raw=word,
        source=source,
        app_id=_get_app_id(raw),
        summary="\n".join(text for text in (output.get("title"), output.get("summary")) if text),
        run=run,
        job=job,
        annotations=_count_annotations(output),
        started_at=to_time_or_none(raw.get("started_at")),
        completed_at=to_time_or_none(raw.get("completed_at")),
    )


def to_status(raw: Mapping[str, Any]) -> CommitCheck:
    """Map a commit status, which has a single time; the combined status leaves out who reported it."""
    verdict, word = to_status_verdict(raw["state"])
    return CommitCheck(
        name=raw["context"],
        verdict=verdict,
        url=raw.get("target_url") or "",
        kind="status",
        id="" if raw.get("id") is None else str(raw["id"]),
        raw=word,
        source=(raw.get("creator") or {}).get("login") or "",
        summary=raw.get("description") or "",
        started_at=to_time_or_none(raw.get("created_at")) if word in OPEN else None,
        completed_at=to_time_or_none(raw.get("updated_at")) if word not in OPEN else None,
    )


def to_job_check(raw: Mapping[str, Any]) -> CommitCheck:
    """Map a job of Actions as a check."""
    verdict, word = to_verdict(raw.get("status"), raw.get("conclusion"))
    return CommitCheck(
        name=raw["name"],
        verdict=verdict,
        url=raw.get("html_url") or "",
        kind="job",
        id=str(raw["id"]),
        raw=word,
        source=ACTIONS,
        run=str(raw["run_id"]),
        job=str(raw["id"]),
        annotations=NOT_REPORTED,
        started_at=to_time_or_none(raw.get("started_at")),
        completed_at=to_time_or_none(raw.get("completed_at")),
    )


def to_run_check(raw: Mapping[str, Any]) -> CommitCheck:
    """Map a run of Actions without jobs as a check; it failed to start, or waits for approval."""
    verdict, word = to_verdict(raw.get("status"), raw.get("conclusion"))
    return CommitCheck(
        name=raw.get("name") or "",
        verdict=verdict,
        url=raw["html_url"],
        kind="job",
        raw=word,
        source=ACTIONS,
        run=str(raw["id"]),
    )


def to_annotation(raw: Mapping[str, Any]) -> Annotation:
    """Map an annotation; one on the whole job has the path `.github`."""
    return Annotation(
        path=raw["path"],
        start_line=raw["start_line"],
        end_line=raw["end_line"],
        level=raw.get("annotation_level") or "",
        message=raw.get("message") or "",
        title=raw.get("title") or "",
        details=raw.get("raw_details") or "",
    )


def get_app_slug(raw: Mapping[str, Any]) -> str:
    """Return the slug of the app that reported a check run, or an empty text."""
    return (raw.get("app") or {}).get("slug") or ""


def _get_app_id(raw: Mapping[str, Any]) -> str:
    return str((raw.get("app") or {}).get("id") or "")


def _parse_job(raw: Mapping[str, Any]) -> tuple[str, str]:
    """Return the ids of the run and the job, empty if the URLs do not have them."""
    for key in ("details_url", "html_url"):
        if match := JOB.search(raw.get(key) or ""):
            return match[1], match[2]
    return "", ""


def _count_annotations(output: Mapping[str, Any]) -> Maybe[int]:
    count = output.get("annotations_count")
    return NOT_REPORTED if count is None else count


def to_run(raw: Mapping[str, Any]) -> WorkflowRun:
    """Map a run; GitHub does not report when it ended."""
    verdict, word = to_verdict(raw.get("status"), raw.get("conclusion"))
    return WorkflowRun(
        id=str(raw["id"]),
        name=raw.get("name") or "",
        number=raw["run_number"],
        verdict=verdict,
        raw=word,
        attempt=raw.get("run_attempt") or 1,
        event=raw["event"],
        branch=raw.get("head_branch") or "",
        commit=raw["head_sha"],
        url=raw["html_url"],
        started_at=to_time_or_none(raw.get("run_started_at") or raw.get("created_at")),
    )


def to_job(raw: Mapping[str, Any]) -> WorkflowJob:
    """Map a job with its steps."""
    verdict, word = to_verdict(raw.get("status"), raw.get("conclusion"))
    return WorkflowJob(
        id=str(raw["id"]),
        run=str(raw["run_id"]),
        name=raw["name"],
        verdict=verdict,
        raw=word,
        attempt=raw.get("run_attempt") or 1,
        steps=_map_steps(raw),
        runner=raw.get("runner_name") or "",
        labels=tuple(raw.get("labels") or ()),
        awaits_runner=raw.get("status") == "queued" and not raw.get("runner_name"),
        url=raw.get("html_url") or "",
        started_at=to_time_or_none(raw.get("started_at")),
        completed_at=to_time_or_none(raw.get("completed_at")),
    )


def _map_steps(job: Mapping[str, Any]) -> tuple[Step, ...]:
    page = job.get("html_url") or ""
    return tuple(sorted((_map_step(raw, page) for raw in job.get("steps") or ()), key=lambda step: step.number))


def _map_step(raw: Mapping[str, Any], page: str) -> Step:
    """Map a step; on its job's page, each line of its log has a URL."""
    verdict, _ = to_verdict(raw.get("status"), raw.get("conclusion"))
    lines = f"{page}#step:{raw['number']}:" if page else ""
    return Step(
        number=raw["number"],
        name=raw["name"],
        verdict=verdict,
        url=f"{lines}1" if lines else "",
        lines=lines,
        started_at=to_time_or_none(raw.get("started_at")),
        completed_at=to_time_or_none(raw.get("completed_at")),
    )


def to_artifact(raw: Mapping[str, Any]) -> Artifact:
    """Map an artifact."""
    return Artifact(
        id=str(raw["id"]),
        name=raw["name"],
        size=raw["size_in_bytes"],
        expired=raw["expired"],
        created_at=to_time_or_none(raw.get("created_at")),
        expires_at=to_time_or_none(raw.get("expires_at")),
    )

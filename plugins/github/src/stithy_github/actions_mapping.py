"""Map GitHub's JSON of runs, jobs and artifacts to the model (docs/forge-behaviour/github.md#actions)."""

from collections.abc import Mapping
from typing import Any

from stithy_core.spi import Artifact, Step, WorkflowJob, WorkflowRun
from stithy_github.mapping import to_time_or_none
from stithy_github.verdicts import verdict_of


def to_run(raw: Mapping[str, Any]) -> WorkflowRun:
    """Read a run; GitHub does not say when it ended."""
    verdict, word = verdict_of(raw.get("status"), raw.get("conclusion"))
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
    """Read a job with its steps."""
    verdict, word = verdict_of(raw.get("status"), raw.get("conclusion"))
    return WorkflowJob(
        id=str(raw["id"]),
        run=str(raw["run_id"]),
        name=raw["name"],
        verdict=verdict,
        raw=word,
        attempt=raw.get("run_attempt") or 1,
        steps=_steps(raw),
        runner=raw.get("runner_name") or "",
        labels=tuple(raw.get("labels") or ()),
        awaits_runner=raw.get("status") == "queued" and not raw.get("runner_name"),
        url=raw.get("html_url") or "",
        started_at=to_time_or_none(raw.get("started_at")),
        completed_at=to_time_or_none(raw.get("completed_at")),
    )


def _steps(job: Mapping[str, Any]) -> tuple[Step, ...]:
    page = job.get("html_url") or ""
    return tuple(sorted((_step(raw, page) for raw in job.get("steps") or ()), key=lambda step: step.number))


def _step(raw: Mapping[str, Any], page: str) -> Step:
    """Read a step; on its job's page, each line of its log has an address."""
    verdict, _ = verdict_of(raw.get("status"), raw.get("conclusion"))
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
    """Read an artifact."""
    return Artifact(
        id=str(raw["id"]),
        name=raw["name"],
        size=raw["size_in_bytes"],
        expired=raw["expired"],
        created_at=to_time_or_none(raw.get("created_at")),
        expires_at=to_time_or_none(raw.get("expires_at")),
    )

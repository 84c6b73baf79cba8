"""From GitHub's JSON to checks of a commit and annotations (docs/forge-behaviour/github.md#checks)."""

import re
from collections.abc import Mapping
from typing import Any

from stithy_core.spi import NOT_REPORTED, Annotation, CommitCheck, Maybe
from stithy_github.mapping import to_time_or_none
from stithy_github.verdicts import verdict_of, verdict_of_state

ACTIONS = "github-actions"
OPEN = ("pending", "expected")
JOB = re.compile(r"/actions/runs/(\d+)/job/(\d+)")


def to_check_run(raw: Mapping[str, Any]) -> CommitCheck:
    """Read a check run; where Actions made it, its page says which run and job it is."""
    verdict, word = verdict_of(raw.get("status"), raw.get("conclusion"))
    source, output = app_of(raw), raw.get("output") or {}
    run, job = _job(raw) if source == ACTIONS else ("", "")
    return CommitCheck(
        name=raw["name"],
        verdict=verdict,
        url=raw.get("html_url") or raw.get("details_url") or "",
        kind="check_run",
        id=str(raw["id"]),
        raw=word,
        source=source,
        app_id=_app_id(raw),
        summary="\n".join(text for text in (output.get("title"), output.get("summary")) if text),
        run=run,
        job=job,
        annotations=_remarks(output),
        started_at=to_time_or_none(raw.get("started_at")),
        completed_at=to_time_or_none(raw.get("completed_at")),
    )


def to_status(raw: Mapping[str, Any]) -> CommitCheck:
    """Read a commit status: its latest report, which has one time; a combined one does not say who reported it."""
    verdict, word = verdict_of_state(raw["state"])
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
    """Read a job of Actions as the check that it is."""
    verdict, word = verdict_of(raw.get("status"), raw.get("conclusion"))
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
    """Read a run of Actions that has no jobs as a check; it could not start, or waits to be let."""
    verdict, word = verdict_of(raw.get("status"), raw.get("conclusion"))
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
    """Read a remark; one on the job as a whole has the path `.github`."""
    return Annotation(
        path=raw["path"],
        start_line=raw["start_line"],
        end_line=raw["end_line"],
        level=raw.get("annotation_level") or "",
        message=raw.get("message") or "",
        title=raw.get("title") or "",
        details=raw.get("raw_details") or "",
    )


def app_of(raw: Mapping[str, Any]) -> str:
    """Say which program reported a check run."""
    return (raw.get("app") or {}).get("slug") or ""


def _app_id(raw: Mapping[str, Any]) -> str:
    return str((raw.get("app") or {}).get("id") or "")


def _job(raw: Mapping[str, Any]) -> tuple[str, str]:
    for key in ("details_url", "html_url"):
        if found := JOB.search(raw.get(key) or ""):
            return found[1], found[2]
    return "", ""


def _remarks(output: Mapping[str, Any]) -> Maybe[int]:
    count = output.get("annotations_count")
    return NOT_REPORTED if count is None else count

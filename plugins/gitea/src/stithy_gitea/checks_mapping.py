"""From statuses and jobs to checks (docs/forge-behaviour/gitea.md#checks)."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urljoin

from stithy_core.spi import CommitCheck, Verdict, WorkflowJob, WorkflowRun
from stithy_gitea.actions_mapping import to_moment, to_verdict

WARNING = "warning"
ACTIONS = "actions"


def to_check(
    raw: Mapping[str, Any], forge: str, job: WorkflowJob | None = None, run: str = "", warning: Verdict = Verdict.FAILED
) -> CommitCheck:
    """Read a status.

    A job tells more than the status that it posted: a cancelled one posts `failure`, a running one `pending`.

    Args:
        raw: The status; its word stands in `status`.
        forge: The server's address, on which the statuses of its own jobs stand.
        job: The job that posted it, if it was found.
        run: The id of its run, if that was.
        warning: What a warning comes to on this server.
    """
    word = str(raw.get("status") or "")
    return CommitCheck(
        name=raw.get("context") or "",
        verdict=job.verdict if job else warning if word == WARNING else to_verdict(word),
        url=_address(raw.get("target_url") or "", forge),
        kind="job" if job else "status",
        id=job.id if job else str(raw.get("id") or ""),
        raw=job.raw if job else word,
        source=ACTIONS if job else (raw.get("creator") or {}).get("login") or "",
        summary=raw.get("description") or "",
        run=job.run if job else run,
        job=job.id if job else "",
        started_at=job.started_at if job else to_moment(raw.get("created_at")),
        completed_at=job.completed_at if job else None,
    )


def to_job_check(job: WorkflowJob, run: WorkflowRun) -> CommitCheck:
    """Make a check of a job that posts no status, named as those are that do."""
    return CommitCheck(
        name=f"{run.name} / {job.name} ({run.event})",
        verdict=job.verdict,
        url=job.url,
        kind="job",
        id=job.id,
        raw=job.raw,
        source=ACTIONS,
        run=job.run,
        job=job.id,
        reported=False,
        started_at=job.started_at,
        completed_at=job.completed_at,
    )


def is_posted_by(status: Mapping[str, Any], job: WorkflowJob) -> bool:
    """Return whether a job posted a status; its context is `workflow / job (event)`."""
    return f"/ {job.name} (" in str(status.get("context") or "")


def _address(target: str, forge: str) -> str:
    return urljoin(forge, target) if target.startswith(("/", "http://", "https://")) else ""

"""From the JSON of statuses, runs, jobs and artifacts to the model.

Gitea has `status` and `conclusion`, as GitHub has; Forgejo has one word. Source: `/swagger.v1.json` of Gitea 1.25 to
1.27 and Forgejo 14, for Forgejo 16 `docs/forge-behaviour/forgejo.md#checks`.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from stithy_core.spi import Artifact, Maybe, Step, Unknown, Verdict, WorkflowJob, WorkflowRun
from stithy_gitea.mapping import to_time

NEVER = 1970
STEPS = Unknown("the server gives every step the verdict of its job", "Read the job's log.")
JOBS_ONLY = Unknown("this token may read the run's jobs only", "Use a token of the repository's owner.")
VERDICTS = {
    "success": Verdict.PASSED,
    "failure": Verdict.FAILED,
    "error": Verdict.FAILED,
    "cancelled": Verdict.CANCELLED,
    "skipped": Verdict.SKIPPED,
    "pending": Verdict.PENDING,
    "queued": Verdict.PENDING,
    "waiting": Verdict.PENDING,
    "blocked": Verdict.PENDING,
    "in_progress": Verdict.RUNNING,
    "running": Verdict.RUNNING,
}


def to_verdict(word: str) -> Maybe[Verdict]:
    """Read a word for what became of something; the servers may have others than we know."""
    return VERDICTS.get(word) or Unknown(f"the forge calls it {word!r}", "Look at its page.")


def word_of(raw: Mapping[str, Any]) -> str:
    """Return the most specific status word of a run, a job or a step."""
    return str(raw.get("conclusion") or raw.get("status") or "")


def to_moment(text: str | None) -> datetime | None:
    """Read a time; one that was never set is 1970-01-01, or of the year 1."""
    if not text or int(text[:4]) <= NEVER:
        return None
    return to_time(text)


def to_run(raw: Mapping[str, Any]) -> WorkflowRun:
    """Read a run of either flavour; of the workflow, the API has only the file's name."""
    name, _, ref = str(raw.get("workflow_id") or raw.get("path") or "").partition("@")
    return WorkflowRun(
        id=str(raw["id"]),
        name=name,
        number=raw.get("run_number") or raw.get("index_in_repo") or 0,
        verdict=to_verdict(word_of(raw)),
        raw=word_of(raw),
        attempt=raw.get("run_attempt") or 1,
        event=raw.get("trigger_event") or raw.get("event") or "",
        branch=raw.get("head_branch") or raw.get("prettyref") or ref.removeprefix("refs/heads/"),
        commit=raw.get("head_sha") or raw.get("commit_sha") or "",
        url=raw.get("html_url") or "",
        started_at=to_moment(raw.get("started_at") or raw.get("started")),
        completed_at=to_moment(raw.get("completed_at") or raw.get("stopped")),
    )


def to_unnamed_run(raw: Mapping[str, Any]) -> WorkflowRun:
    """Read what a task tells of its run, which is not its id."""
    return WorkflowRun(
        id="",
        name=raw.get("workflow_id") or "",
        number=raw.get("run_number") or 0,
        verdict=JOBS_ONLY,
        event=raw.get("event") or "",
        branch=raw.get("head_branch") or "",
        commit=raw.get("head_sha") or "",
        url=raw.get("url") or "",
    )


def to_job(raw: Mapping[str, Any], run: str) -> WorkflowJob:
    """Read a job of either flavour."""
    return WorkflowJob(
        id=str(raw["id"]),
        run=str(raw.get("run_id") or run),
        name=raw.get("name") or "",
        verdict=to_verdict(word_of(raw)),
        raw=word_of(raw),
        attempt=raw.get("run_attempt") or raw.get("attempt") or 1,
        steps=_steps(raw),
        runner=raw.get("runner_name") or "",
        labels=tuple(raw.get("labels") or raw.get("runs_on") or ()),
        awaits_runner=word_of(raw) == ("waiting" if "runs_on" in raw else "queued"),  # Gitea's "waiting" is for others
        url=raw.get("html_url") or "",
        started_at=to_moment(raw.get("started_at")),
        completed_at=to_moment(raw.get("completed_at")),
    )


def to_artifact(raw: Mapping[str, Any]) -> Artifact:
    """Read a file that a run left."""
    return Artifact(
        id=str(raw["id"]),
        name=raw.get("name") or "",
        size=raw.get("size_in_bytes") or 0,
        expired=bool(raw.get("expired")),
        created_at=to_moment(raw.get("created_at")),
        expires_at=to_moment(raw.get("expires_at")),
    )


def _steps(job: Mapping[str, Any]) -> tuple[Step, ...]:
    """Read the steps. Gitea 1.25 to 1.27 repeat the job's verdict on each; only others can be their own."""
    rows: Sequence[Mapping[str, Any]] = job.get("steps") or ()
    repeated = all(word_of(row) == word_of(job) for row in rows)
    return tuple(
        Step(
            number=row.get("number") or 0,
            name=row.get("name") or "",
            verdict=STEPS if repeated else to_verdict(word_of(row)),
            started_at=to_moment(row.get("started_at")),
            completed_at=to_moment(row.get("completed_at")),
        )
        for row in rows
    )

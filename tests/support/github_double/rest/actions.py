"""Runs and jobs of Actions, their logs and what they leave."""

from typing import Any

from github_double.check_records import Artifact, Job, WorkflowRun
from github_double.rest import pulls
from github_double.rest.code import signature
from github_double.rest.people import user
from github_double.rest.repositories import minimal
from github_double.rest.routing import Call, Problem, Reply, Rows, endpoint, missing, node, time

BAD = ("failure", "cancelled", "timed_out", "action_required", "startup_failure")
RUNNER = {"runner_id": 1, "runner_name": "runner-1", "runner_group_id": 1, "runner_group_name": "Default"}


@endpoint("GET", "/repos/{owner}/{repo}/actions/runs")
def runs(call: Call) -> Rows:
    """List runs, the newest first."""
    found = [run for run in call.repository.runs.values() if call.query.get("head_sha") in (None, run.sha)]
    found = [run for run in found if call.query.get("branch") in (None, run.branch)]
    return Rows(found[::-1], show, lambda page, total: {"total_count": total, "workflow_runs": page})


@endpoint("GET", "/repos/{owner}/{repo}/actions/runs/{run_id}")
def get(call: Call) -> Reply:
    return Reply(show(call, _run(call)))


@endpoint("GET", "/repos/{owner}/{repo}/actions/runs/{run_id}/jobs")
def jobs(call: Call) -> Rows:
    """List the jobs of the latest attempt, or of all."""
    run = _run(call)
    everything = call.query.get("filter", "latest") == "all"
    found = [job for job in run.jobs if everything or job.attempt == run.attempt]
    wrap = lambda page, total: {"total_count": total, "jobs": page}  # noqa: E731
    return Rows(found, lambda call, one: show_job(call, run, one), wrap)


@endpoint("GET", "/repos/{owner}/{repo}/actions/jobs/{job_id}")
def job(call: Call) -> Reply:
    return Reply(show_job(call, *_job(call)))


@endpoint("GET", "/repos/{owner}/{repo}/actions/jobs/{job_id}/logs")
def log(call: Call) -> Reply:
    """Lead to the log, which lies elsewhere and is let in by what stands in the address."""
    _, found = _job(call)
    if found.log is None:
        raise missing()
    return Reply(status=302, text=b"", headers={"Location": f"{call.storage}/logs/{found.id}?sig=signed"})


@endpoint("GET", "/repos/{owner}/{repo}/actions/runs/{run_id}/artifacts")
def artifacts(call: Call) -> Rows:
    run = _run(call)
    found = [one for one in call.repository.artifacts.values() if one.run is run]
    return Rows(found, artifact, lambda page, total: {"total_count": total, "artifacts": page})


@endpoint("GET", "/repos/{owner}/{repo}/actions/artifacts/{artifact_id}")
def get_artifact(call: Call) -> Reply:
    return Reply(artifact(call, _artifact(call)))


@endpoint("GET", "/repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}")
def archive(call: Call) -> Reply:
    """Lead to the archive, likewise."""
    found = _artifact(call)
    if found.expired:
        raise Problem(410, "Artifact has expired")
    return Reply(status=302, text=b"", headers={"Location": f"{call.storage}/artifacts/{found.id}?sig=signed"})


def _artifact(call: Call) -> Artifact:
    found = call.repository.artifacts.get(call.parts["artifact_id"])
    if found is None:
        raise missing()
    return found


def _run(call: Call) -> WorkflowRun:
    found = call.repository.runs.get(call.parts["run_id"])
    if found is None:
        raise missing()
    return found


def _job(call: Call) -> tuple[WorkflowRun, Job]:
    for run in call.repository.runs.values():
        for one in run.jobs:
            if one.id == call.parts["job_id"]:
                return run, one
    raise missing()


def read_verdict(run: WorkflowRun) -> tuple[str, str | None]:
    """Return a run's status and conclusion, derived from its jobs."""
    checks = [job.check for job in run.jobs if job.attempt == run.attempt]
    if any(check.status != "completed" for check in checks):
        return "in_progress", None
    came = [check.conclusion for check in checks]
    return "completed", next((bad for bad in BAD if bad in came), "success")


def show(call: Call, run: WorkflowRun) -> dict[str, Any]:
    """Show a run."""
    url, commit = call.repo(f"/actions/runs/{run.id}"), call.world.commits[run.sha]
    status, conclusion = read_verdict(run)
    who = {name: {"name": commit.name, "email": commit.email} for name in ("author", "committer")}
    repository = minimal(call, call.repository)
    links = {"jobs": "jobs", "logs": "logs", "artifacts": "artifacts", "cancel": "cancel", "rerun": "rerun"}
    return {f"{name}_url": f"{url}/{path}" for name, path in links.items()} | {
        "id": run.id,
        "node_id": node("WFR", run.id),
        "name": run.name,
        "display_title": commit.message,
        "head_branch": run.branch,
        "head_sha": run.sha,
        "path": ".github/workflows/ci.yml",
        "run_number": run.number,
        "run_attempt": run.attempt,
        "event": run.event,
        "status": status,
        "conclusion": conclusion,
        "workflow_id": run.workflow,
        "check_suite_id": run.suite,
        "check_suite_node_id": node("CS", run.suite),
        "check_suite_url": call.repo(f"/check-suites/{run.suite}"),
        "workflow_url": call.repo(f"/actions/workflows/{run.workflow}"),
        "previous_attempt_url": f"{url}/attempts/{run.attempt - 1}" if run.attempt > 1 else None,
        "url": url,
        "html_url": call.page(f"/actions/runs/{run.id}"),
        "pull_requests": pulls.of_commit(call, run.sha),
        "referenced_workflows": [],
        "created_at": time(run.created_at),
        "updated_at": time(run.created_at),
        "run_started_at": time(run.created_at),
        "actor": user(call, run.actor),
        "triggering_actor": user(call, run.actor),
        "head_commit": who
        | {"id": run.sha, "tree_id": run.sha, "message": commit.message, "timestamp": signature(commit)["date"]},
        "repository": repository,
        "head_repository": repository,
    }


def show_job(call: Call, run: WorkflowRun, found: Job) -> dict[str, Any]:
    """Show a job with its steps; it has one number with its check run."""
    times = {
        "started_at": time(found.check.started_at or run.created_at),
        "completed_at": time(found.check.completed_at),
    }
    return (
        RUNNER
        | times
        | {
            "id": found.id,
            "run_id": run.id,
            "run_url": call.repo(f"/actions/runs/{run.id}"),
            "run_attempt": found.attempt,
            "node_id": node("CR", found.id),
            "head_sha": run.sha,
            "head_branch": run.branch,
            "url": call.repo(f"/actions/jobs/{found.id}"),
            "html_url": call.page(found.check.page),
            "check_run_url": call.repo(f"/check-runs/{found.id}"),
            "status": found.check.status,
            "conclusion": found.check.conclusion,
            "created_at": time(run.created_at),
            "name": found.name,
            "workflow_name": run.name,
            "labels": ["ubuntu-latest"],
            "steps": [step | times for step in found.steps],
        }
    )


def artifact(call: Call, found: Artifact) -> dict[str, Any]:
    """Show an artifact."""
    url = call.repo(f"/actions/artifacts/{found.id}")
    owner = {"id": found.run.id, "repository_id": call.repository.id, "head_repository_id": call.repository.id}
    return {
        "id": found.id,
        "node_id": node("AR", found.id),
        "name": found.name,
        "size_in_bytes": len(found.content),
        "url": url,
        "archive_download_url": f"{url}/zip",
        "expired": found.expired,
        "created_at": time(found.created_at),
        "updated_at": time(found.created_at),
        "expires_at": time(found.created_at.replace(month=found.created_at.month + 3)),
        "workflow_run": owner | {"head_branch": found.run.branch, "head_sha": found.run.sha},
    }

"""Check runs and combined statuses."""

from typing import Any

from github_double.check_records import CheckRun
from github_double.checks import combine_statuses, latest_statuses
from github_double.rest import code, pulls
from github_double.rest.people import app
from github_double.rest.repositories import minimal
from github_double.rest.routing import Call, Reply, Rows, endpoint, missing, node, time


@endpoint("GET", "/repos/{owner}/{repo}/commits/{ref}/check-runs")
def runs(call: Call) -> Rows:
    """List check runs, the newest first; the latest of each name, or all."""
    sha = code.resolve(call, call.parts["ref"])
    everything = call.query.get("filter", "latest") == "all"
    found = [check for check in call.repository.check_runs if check.sha == sha and (everything or check.latest)]
    for name, wanted in (("check_name", "name"), ("status", "status")):
        found = [check for check in found if call.query.get(name) in (None, getattr(check, wanted))]
    return Rows(found[::-1], show, lambda page, total: {"total_count": total, "check_runs": page})


@endpoint("GET", "/repos/{owner}/{repo}/check-runs/{check_run_id}")
def get(call: Call) -> Reply:
    return Reply(show(call, _find(call)))


@endpoint("GET", "/repos/{owner}/{repo}/check-runs/{check_run_id}/annotations")
def annotations(call: Call) -> Rows:
    check = _find(call)
    return Rows(check.annotations, lambda call, one: one | {"blob_href": call.page(f"/blob/{check.sha}/{one['path']}")})


@endpoint("GET", "/repos/{owner}/{repo}/commits/{ref}/status")
def status(call: Call) -> Rows:
    """Combine the latest status of each context; without any, the state is pending, too."""
    sha = code.resolve(call, call.parts["ref"])
    url = call.repo(f"/commits/{sha}")
    frame = {"state": combine_statuses(call.repository, sha), "sha": sha, "repository": minimal(call, call.repository)}
    frame |= {"commit_url": url, "url": f"{url}/status"}
    wrap = lambda page, total: frame | {"total_count": total, "statuses": page}  # noqa: E731
    return Rows(latest_statuses(call.repository, sha), code.status_of, wrap)


def _find(call: Call) -> CheckRun:
    for check in call.repository.check_runs:
        if check.id == call.parts["check_run_id"]:
            return check
    raise missing()


def show(call: Call, found: CheckRun) -> dict[str, Any]:
    """Show a check run."""
    url, page = call.repo(f"/check-runs/{found.id}"), call.page(found.page)
    return {
        "id": found.id,
        "name": found.name,
        "node_id": node("CR", found.id),
        "head_sha": found.sha,
        "external_id": "",
        "url": url,
        "html_url": page,
        "details_url": page,
        "status": found.status,
        "conclusion": found.conclusion,
        "started_at": time(found.started_at),
        "completed_at": time(found.completed_at),
        "output": {
            "title": None,
            "summary": found.summary,
            "text": None,
            "annotations_count": len(found.annotations),
            "annotations_url": f"{url}/annotations",
        },
        "check_suite": {"id": found.suite},
        "app": app(call, found.app),
        "pull_requests": pulls.of_commit(call, found.sha),
    }

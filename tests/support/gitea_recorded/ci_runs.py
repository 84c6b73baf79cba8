"""Checks, runs and logs of a commit."""

import pytest

from gitea_recorded.comparing import check_lists, expect_error
from gitea_recorded.exchanges import Exchange
from gitea_recorded.fields import ARTIFACT, JOB, JOBS_STATUS, RUN_OF_FORGEJO, RUN_OF_GITEA, STATUS, TASKS_RUN
from gitea_recorded.teller import Teller
from stithy_core.spi import Checks, Forge, NotFound, Unsupported, Verdict

WITHOUT_JOBS = ("forgejo-14", "forgejo-15")
"""Servers that have no route for jobs and logs."""


async def statuses(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """Read the latest status of each context, alone and as one of a list."""
    rows = exchange.body.get("statuses") or [] if isinstance(exchange.body, dict) else exchange.body
    rows = rows if "statuses" in exchange.body or isinstance(exchange.body, list) else [exchange.body]
    commit = exchange.place.split("/")[2]
    path = f"{exchange.root}/commits/{commit}/status"
    if exchange.path == path:
        teller.again(exchange)
    else:
        teller.tell("GET", path, {"statuses": rows, "total_count": len(rows)})
    latest = {row["context"]: row for row in sorted(rows, key=lambda row: row["id"])}
    found = await forge.checks.list(exchange.repository, commit)
    bare = [one for one in found if one.kind == "status"]
    jobs = [one for one in found if one.kind == "job"]
    check_lists(bare, [latest[one.name] for one in bare], STATUS)
    check_lists(jobs, [latest[one.name] for one in jobs], JOBS_STATUS, ("name", "context"))
    assert {one.name for one in found} == latest.keys()
    assert all(isinstance(one.verdict, Verdict) or one.raw in {"", "banana"} for one in found)


def _runs_fields(exchange: Exchange) -> dict[str, str]:
    return RUN_OF_FORGEJO if exchange.server.startswith("forgejo") else RUN_OF_GITEA


async def runs(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    listed = "workflow_runs" in exchange.body
    rows = exchange.body["workflow_runs"] if listed else [exchange.body]
    teller.tell("GET", f"{exchange.root}/actions/runs", exchange.body if listed else {"workflow_runs": rows})
    commit = next((row.get("head_sha") or row["commit_sha"] for row in rows), "0" * 40)
    found = await forge.checks.runs(exchange.repository, commit)
    check_lists(found, rows, _runs_fields(exchange))
    assert all(isinstance(run.verdict, Verdict) for run in found)


async def no_runs(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """403: the list is the owner's alone, and the runs are those of the tasks that may be read."""
    teller.again(exchange)
    teller.tell("GET", f"{exchange.root}/contents/.gitea/workflows", [{"name": "ci.yml"}])
    found = await forge.checks.runs(exchange.repository, "0" * 40)
    assert "only the repository's owner" in found.cut


async def no_run(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """Where an empty list of jobs leaves open whether there is such a run, the run is asked for."""
    if exchange.server in WITHOUT_JOBS:
        await no_actions(exchange, teller, forge)
        return
    is_bare = exchange.server.startswith("forgejo")
    teller.tell("GET", f"{exchange.path}/jobs", [] if is_bare else {"jobs": [], "total_count": 0})
    teller.again(exchange)
    await expect_error(exchange, forge.checks.jobs(exchange.repository, exchange.numbers[-1]))


async def tasks(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """Runs are gathered from tasks where their own list is refused."""
    rows = exchange.body["workflow_runs"]
    teller.tell("GET", f"{exchange.root}/actions/runs", {"message": "no"}, 403)
    teller.again(exchange)
    found = await forge.checks.runs(exchange.repository, next((row["head_sha"] for row in rows), "0" * 40))
    latest = {row["run_number"]: row for row in rows}
    check_lists(found, list(latest.values()), TASKS_RUN, ("number", "run_number"))


async def jobs(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    listed = "jobs" in exchange.body
    rows = exchange.body["jobs"] if listed else [exchange.body]
    run = exchange.numbers[-1] if listed else str(exchange.body["run_id"])
    path = f"{exchange.root}/actions/runs/{run}/jobs"
    teller.tell("GET", path, exchange.body if listed else {"jobs": rows, "total_count": 1})
    if not rows:  # Gitea 1.25 says so of a run that is not there
        with pytest.raises(NotFound, match="has no run"):
            await forge.checks.jobs(exchange.repository, run)
        return
    found = await forge.checks.jobs(exchange.repository, run)
    check_lists(found, rows, JOB)
    assert [len(job.steps) for job in found] == [len(row["steps"] or ()) for row in rows]


async def no_actions(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """On Forgejo up to 15 there is no such route, which its version says."""
    teller.again(exchange)
    for operation in (Checks.jobs, Checks.log, Checks.artifacts, Checks.artifact):
        assert not await forge.supports(operation)
    with pytest.raises(Unsupported, match="does not have it"):
        await forge.checks.artifacts(exchange.repository, exchange.numbers[-1])
    assert ("GET", exchange.path) not in [asked[:2] for asked in teller.asked]


async def no_jobs(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    if exchange.server in WITHOUT_JOBS:
        await no_actions(exchange, teller, forge)
        return
    teller.again(exchange)
    await expect_error(exchange, forge.checks.jobs(exchange.repository, exchange.numbers[-1]))


async def log(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    teller.again(exchange)
    read = b"".join([piece async for piece in forge.checks.log(exchange.repository, exchange.numbers[-1])])
    assert read.decode() == exchange.text


async def no_log(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """404, and before Gitea 1.26 a blank 500, of a job that is not there or has no log."""
    if exchange.server in WITHOUT_JOBS:
        await no_actions(exchange, teller, forge)
        return
    job = exchange.numbers[-1]
    path = exchange.path.removesuffix("/logs")
    teller.again(exchange, path=f"{path}/logs")
    if exchange.path == path:
        teller.again(exchange)
    absent = rf"job {job} of .* (has no log|does not exist)|has no job '{job}'"
    with pytest.raises(NotFound, match=absent):
        _ = [piece async for piece in forge.checks.log(exchange.repository, job)]


async def artifacts(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    teller.again(exchange)
    found = await forge.checks.artifacts(exchange.repository, exchange.numbers[-1])
    check_lists(found, exchange.body["artifacts"], ARTIFACT)

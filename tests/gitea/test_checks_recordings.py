"""Checks of a workflow that a runner really ran on four servers, from exchanges outside of the project.

Another client asked there, with other pages: the answers are the servers' own, the questions are ours.
"""

from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml
from lab import Lab
from worlds import open_forge

from stithy_core.spi import Checks, RepositoryRef, Unsupported, Verdict
from stithy_testing import Tape, playback

RECORDINGS = Path(__file__).parents[3] / "shared" / "recordings"
SERVERS = {"gitea-1.25": "1.25.0", "gitea-1.26": "1.26.0", "gitea-1.27": "1.27.0", "forgejo-14": "14.0.0"}

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not RECORDINGS.is_dir(), reason="it needs ../shared/recordings beside the project"),
]

EMPTY = '{"total_count": 0, "statuses": [], "workflow_runs": [], "jobs": []}'


def answer(body, status=200):
    return {"status": {"code": status}, "headers": {"Content-Type": ["application/json"]}, "body": {"string": body}}


def tape_of(server):
    """Return the last answer at each path, for our queries, and its repository and commit."""
    text = (RECORDINGS / server / "99-a-workflow-that-fails.yaml").read_text(encoding="utf-8")
    rows = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))["interactions"]
    last = {urlsplit(row["request"]["uri"]).path: row["response"] for row in rows if "Range" not in str(row)}
    status = next(path for path in last if path.endswith("/status"))
    _, _, _, _, owner, name, _, commit, _ = status.split("/")
    queries = {"/status": "?page=1", "/actions/runs": f"?page=1&head_sha={commit}", "/jobs": "?page=1"}
    tape = Tape()
    for path, response in last.items():
        query = next((query for end, query in queries.items() if path.endswith(end)), "")
        tape.add({"method": "GET", "uri": path + query, "body": ""}, response)
        if query:  # a page is the last when the next is empty
            tape.add({"method": "GET", "uri": path + query.replace("page=1", "page=2"), "body": ""}, answer(EMPTY))
    kind, version = server.split("-")[0], SERVERS[server]
    forgejo = answer(f'{{"version": "{version}"}}') if kind == "forgejo" else answer("{}", 404)
    tape.add({"method": "GET", "uri": "/api/forgejo/v1/version", "body": ""}, forgejo)
    tape.add({"method": "GET", "uri": "/api/v1/version", "body": ""}, answer(f'{{"version": "{version}"}}'))
    tape.add({"method": "GET", "uri": "/api/v1/settings/api", "body": ""}, answer("{}"))
    return tape, RepositoryRef(owner, name), commit


@pytest.fixture(params=SERVERS)
def server(request):
    return request.param


@pytest.fixture
def forge(server, tmp_path):
    @asynccontextmanager
    async def open_shop():
        tape, repository, commit = tape_of(server)
        with playback(tape) as url:
            async with open_forge(Lab(url, "shop", tmp_path)) as found:
                yield found, repository, commit
        assert not tape.missed

    return open_shop


async def test_each_job_stands_once_with_its_verdict(forge):
    jobs = {"unit": Verdict.FAILED, "lint": Verdict.PASSED, "matrix (1)": Verdict.PASSED, "matrix (2)": Verdict.PASSED}
    async with forge() as (gitea, repository, commit):
        checks = await gitea.checks.list(repository, commit)
        skipped = Verdict.PASSED if (await gitea.version()).flavour == "forgejo" else Verdict.SKIPPED
    expected = {
        f"tests / {name} ({event})": verdict
        for name, verdict in (jobs | {"after": skipped}).items()
        for event in ("push", "pull_request")
    }
    assert {check.name: check.verdict for check in checks} == expected
    assert len(checks) == 10


async def test_every_job_is_found_by_what_its_status_points_at(forge, server):
    async with forge() as (gitea, repository, commit):
        for check in await gitea.checks.list(repository, commit):
            assert check.run
            assert check.kind == ("status" if server == "forgejo-14" else "job")
            if check.job and check.verdict is not Verdict.SKIPPED:
                log = b"".join([piece async for piece in gitea.checks.log(repository, check.job)])
                assert check.name.split(" / ")[1].split(" (")[0].encode() in log


async def test_runs_are_those_of_the_commit(forge):
    async with forge() as (gitea, repository, commit):
        runs = await gitea.checks.runs(repository, commit)
    assert [(run.number, run.event, run.verdict) for run in runs] == [
        (2, "push", Verdict.FAILED),
        (1, "pull_request", Verdict.FAILED),
    ]
    assert {run.commit for run in runs} == {commit}


async def test_only_forgejo_14_has_no_logs_and_says_so(forge, server):
    async with forge() as (gitea, repository, commit):
        assert bool(await gitea.supports(Checks.log)) is (server != "forgejo-14")
        (run, *_) = await gitea.checks.runs(repository, commit)
        if server == "forgejo-14":
            with pytest.raises(Unsupported, match=r"forgejo 14\.0\.0 does not have it"):
                await gitea.checks.jobs(repository, run.id)
        else:
            assert len(await gitea.checks.jobs(repository, run.id)) == 5

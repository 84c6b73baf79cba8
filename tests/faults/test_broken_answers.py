"""Every endpoint that a tool reads, answered with 200 and a body of no use: no false verdict, no false total (18.6).

Which endpoints those are is seen while the tool runs well, so that one that is read tomorrow is tried tomorrow. The
server is GitHub's double, or a recording of Gitea or Forgejo; its answers are broken on the way, below all policies.
"""

import json
import re
from contextlib import asynccontextmanager

import httpx
import pytest
from attrs import define, field
from github_double.answering import Double
from github_double.server import served, stored
from github_double.world import World
from lab import CASSETTES

from stithy_core.http import client as http_client
from stithy_core.http.carrying import Carrier
from stithy_core.testing import Tape, connect, make_app, playback

pytestmark = pytest.mark.anyio

BODIES = {"empty": b"", "null": b"null", "object": b'{"message": "ok"}', "list": b"[null]", "data": b'{"data": null}'}
GITHUB_TOOLS = {
    "get_failing_tests": {},
    "find_unresolved_comments": {},
    "check_merge_readiness": {},
    "pull_request_read": {"method": "get_review_comments"},
    "get_pull_request_conversation": {},
}
CI, READINESS = (
    "failing-what-failed-is-read-from-logs-and-result-files",
    "pulls-readiness-what-stands-before-a-merge-is-named",
)
RECORDED = [
    *((server, "get_failing_tests", CI, 2) for server in ("gitea-1.25", "gitea-1.27")),
    ("gitea-1.27", "check_merge_readiness", READINESS, 5),
]


@define
class Wire:
    """What goes past a client's connections, and which of its answers is broken there."""

    asked: dict[str, None] = field(factory=dict)
    broken: str = ""
    body: bytes = b""

    def carrier(self, *arguments):
        """Make what carries requests, in the place of the client's own."""
        return BreakingCarrier(Carrier(*arguments), self)


@define
class BreakingCarrier(httpx.AsyncBaseTransport):
    inner: Carrier
    wire: Wire

    async def handle_async_request(self, request):
        name = endpoint_of(request)
        if name == self.wire.broken:
            request.headers.pop("if-none-match", None)
        response = await self.inner.handle_async_request(request)
        if response.status_code == httpx.codes.OK and "json" in response.headers.get("content-type", ""):
            self.wire.asked[name] = None
            if name == self.wire.broken:
                await response.aread()
                headers = {"content-type": "application/json", "etag": response.headers.get("etag", '"1"')}
                return httpx.Response(200, headers=headers, content=self.wire.body)
        return response

    async def aclose(self):
        await self.inner.aclose()


def endpoint_of(request):
    """Name an endpoint: without numbers and hashes, and each question of GraphQL by its name."""
    path = re.sub(r"(?<=/)([0-9a-f]{40}|\d+)(?=/|$)", "*", request.url.path)
    if path.endswith("/graphql"):
        found = re.search(r"\b(?:query|mutation)\s+(\w+)", json.loads(request.content)["query"])
        path += f" {found[1] if found else ''}"
    return f"{request.method} {path}"


def totals_of(value, path=""):
    """Give every number that a result calls a total, and every list's length, by place."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key.startswith("total") and isinstance(inner, int):
                yield f"{path}/{key}", inner
            yield from totals_of(inner, f"{path}/{key}")


def problems(tool, well, result):
    """Give what is wrong with an answer that was made of a broken one."""
    said = result.structured_content or {}
    if result.is_error:
        inside = said.get("code") == -32603 or "failed inside" in said["error"]
        return [f"blamed on the plugin: {said['error']}"] if inside else []
    found = [f"status {said['status']}" for _ in "1" if tool == "get_failing_tests" and said["status"] == "passed"]
    found += ["ready" for _ in "1" if said.get("ready_to_merge") is True]
    totals, right = dict(totals_of(said)), dict(totals_of(well))
    return found + [
        f"{place}: {total}, not {right.get(place)}" for place, total in totals.items() if total != right.get(place)
    ]


@pytest.fixture
def wire(monkeypatch):
    made = Wire()
    monkeypatch.setattr(http_client, "Carrier", made.carrier)
    return made


@pytest.fixture
def play(wire, tmp_path, installed):
    """Run a tool well, then with each of its answers broken in each way; give all that was wrong."""

    @asynccontextmanager
    async def app_at(kind, url, token):
        wire.asked.clear()
        settings = f'[forges.lab]\nkind = "{kind}"\nurl = "{url}"\ntoken = {{ env = "LAB_TOKEN" }}\n'
        app = make_app(tmp_path, settings, environ={"LAB_TOKEN": token}, entries=installed)
        async with connect(app) as client:
            yield client.call_tool

    async def run(kind, url, token, tool, arguments):
        async with app_at(kind, url, token) as call:
            wire.broken = ""
            well = await call(tool, arguments)
            assert not well.is_error, well.content[0].text
            endpoints = list(wire.asked)
        wrong = []
        for name in endpoints:
            for kind_of, body in BODIES.items():
                async with app_at(kind, url, token) as call:
                    wire.broken, wire.body = name, body
                    result = await call(tool, arguments)
                wrong += [f"{name} {kind_of}: {text}" for text in problems(tool, well.structured_content, result)]
        return endpoints, wrong

    return run


def busy_world():
    """Make a pull request with something of everything: CI of two kinds that failed, threads, reviews, comments."""
    world = World()
    repository = world.add_repository("lab")
    world.push(repository, "harden", "Harden", {"horn.py": "HARD = 60\n" * 9})
    pull = world.add_pull(repository, "Harden", "harden")
    run = world.add_run(repository, pull.head_sha, branch="harden", event="pull_request")
    world.add_job(repository, run, "unit", "failure", log=b"E   assert 1 == 2\n")
    world.add_check(repository, pull.head_sha, "lint", "success")
    world.add_status(repository, pull.head_sha, "deploy", "success")
    for line in (2, 3):
        world.add_thread(pull, "horn.py", line, "Why?", world.stranger)
    world.add_thread(pull, "horn.py", 4, "Settled.", world.stranger, resolved_by=world.user)
    world.add_review(pull, "CHANGES_REQUESTED", "Say more.", user=world.stranger)
    world.add_comment(pull, "And the tests?", user=world.stranger)
    world.protect(repository, approvals=2, contexts=("unit",), admins=True)
    return world, pull


@pytest.mark.contract
@pytest.mark.parametrize("tool", GITHUB_TOOLS)
async def test_broken_answers_of_github(play, tool):
    world, pull = busy_world()
    given = {"pr": f"smith/lab#{pull.number}"}
    if tool == "pull_request_read":
        given = {"owner": "smith", "repo": "lab", "pullNumber": pull.number}
    double = Double(world=world)  # what it is asked for after a broken answer need not be a question of GitHub's
    with served(double.answer) as double.url, served(lambda asked: stored(world, asked)) as double.storage:
        endpoints, wrong = await play("github", double.url, world.token, tool, given | GITHUB_TOOLS[tool])
    assert endpoints
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("server", "tool", "cassette", "number"), RECORDED)
async def test_broken_answers_of_recorded_servers(play, server, tool, cassette, number):
    path = CASSETTES / server / f"{cassette}.yaml"
    owner, name = re.search(r"/repos/([^/]+)/([^/]+)/pulls", path.read_text(encoding="utf-8")).groups()
    with playback(Tape.read([path]), hosts=[f"{server}.example"]) as url:
        given = {"pr": f"{owner}/{name}#{number}"}
        endpoints, wrong = await play("gitea", url, "token-of-lab", tool, given)
    assert endpoints
    assert not wrong, "\n".join(wrong)

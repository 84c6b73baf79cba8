"""Every endpoint that stithy reads, answered with 200 and a body of no use: no false verdict, no false total (FIX-6).

Which endpoints those are is recorded while a question is answered well, so that one that is read tomorrow is tried
tomorrow; a tool that asks a forge and is in no question fails a test of its own. Each endpoint is broken in each way
under one question that reads it, the one with the gravest answer; STITHY_THOROUGH=1 breaks it under every one.
"""

import json
import os

import pytest
from answer_matrix import Asker, Question, Wire, answer_from_double, answer_from_recordings, bodies_of
from answer_questions import PATTERN, Place
from github_double.world import World
from lab import CASSETTES

from stithy_comments.tools import ENDPOINTS
from stithy_core.http import forge_http
from stithy_testing import make_app

pytestmark = pytest.mark.anyio

THOROUGH = os.environ.get("STITHY_THOROUGH") == "1"
OWNER = "stithy-admin"
CASSETTES_READ = (
    "conformance-*",
    "failing-what-failed-*",
    "pulls-readiness-what-*",
    "pulls-changes-*",
    "lab-reading-*",
)
NAMED = (
    "answered 200",
    "lacks what its API promises",
    "wrote null in place of",
    "not recorded",  # what is asked for after a broken answer need not be in a recording
)
LISTS = ("comments", "review_comments", "reviews", "issues", "pull_requests", "files", "failures", "items")
VERDICTS = ("status", "ready_to_merge", "verdict", "compliant")
IN_SESSION = ("resolve_review_thread", "unresolve_review_thread")
NULL_IS_EMPTY = "GET /api/v1/repos/*/issues/*/timeline"
"""Gitea and Forgejo write an empty timeline as null: a null in the place of a full one cannot be told from it."""


def busy_world():
    """Make a pull request with something of everything: failed CI of two kinds, threads, reviews, comments, a stack."""
    world = World()
    repository = world.add_repository("lab")
    world.push(repository, "harden", "Harden", {"horn.py": "HARD = 60\n" * 9})
    pull = world.add_pull(repository, "Harden", "harden", body="Closes #2.")
    issue = world.add_issue(repository, "It bends", "Look.")
    run = world.add_run(repository, pull.head_sha, branch="harden", event="pull_request")
    job = world.add_job(repository, run, "unit", "failure", log=b"E   assert 1 == 2\n")
    world.add_annotation(job.check, "horn.py", 5, "too soft", title="Hardness")
    world.add_artifact(repository, run, "report", b"PK\x05\x06" + bytes(18))
    world.add_check(repository, pull.head_sha, "lint", "success")
    world.add_status(repository, pull.head_sha, "deploy", "success")
    remark = world.add_thread(pull, "horn.py", 2, "Why?", world.other_user).comments[0]
    world.add_thread(pull, "horn.py", 3, "Why?", world.other_user)
    world.add_thread(pull, "horn.py", 4, "Settled.", world.other_user, resolved_by=world.user)
    world.add_review(pull, "CHANGES_REQUESTED", "Say more.", user=world.other_user)
    comment, other = world.add_comment(pull, "And the tests?"), world.add_comment(issue, "Which steel?")
    world.add_event(pull, "renamed", rename={"from": "Harden", "to": pull.title})
    world.protect(repository, approvals=2, contexts=("unit",), admins=True)
    world.push(repository, "temper", "Temper", {"temper.py": "heat()\n"}, begin="harden")
    above = world.add_pull(repository, "Temper", "temper", base="harden")
    pr = f"smith/lab#{pull.number}"
    place = Place("smith/lab", pull.number, issue.number, above.number, pr, pr, pr, pr)
    return world, place, {"comment": comment.id, "issue_comment": other.id, "remark": remark.id}


def ask_github(*, token):
    world, place, ids = busy_world()
    return "github", world.token if token else "", answer_from_double(world), place, ids


def ask_gitea(server, ids):
    paths = [path for name in CASSETTES_READ for path in sorted((CASSETTES / server).glob(f"{name}.yaml"))]
    failing, ready, changes, checked = "failing#2", "pulls-readiness#5", "pulls-changes#2", "lab-reading#1"
    others = [f"{OWNER}/{pr}" for pr in (failing, ready, changes, checked)]
    place = Place(f"{OWNER}/conformance", 2, 1, 4, *others)
    return "gitea", "token-of-lab", answer_from_recordings(paths, f"{server}.example"), place, ids


SERVERS = {
    "github": lambda: ask_github(token=True),
    "github-anonymous": lambda: ask_github(token=False),
    "gitea-1.25": lambda: ask_gitea("gitea-1.25", None),
    "gitea-1.27": lambda: ask_gitea("gitea-1.27", {"comment": 0, "issue_comment": 2476, "remark": 5370}),
}


@pytest.fixture
def asker(monkeypatch, tmp_path, installed):
    """Return what asks a server's questions, and these."""
    pattern = tmp_path / "mcp/resources/patterns/quiet.md"
    pattern.parent.mkdir(parents=True)
    pattern.write_text(PATTERN)

    def make(server):
        kind, token, answer, place, ids = SERVERS[server]()
        wire = Wire(answer)
        monkeypatch.setattr(forge_http, "ConnectionTransport", lambda *_: wire)
        return Asker(kind, token, wire, tmp_path, installed), list(place.questions(ids))

    return make


def numbers_of(value, path=""):
    """Iterate over the totals and the lengths of lists in a result, by place; an unknown total is left out."""
    for key, inner in value.items() if isinstance(value, dict) else ():
        place = f"{path}/{key}"
        if key.startswith("total") and isinstance(inner, int):
            yield place, inner
        if key in LISTS and isinstance(inner, list):
            yield f"{place}[]", len(inner)
        yield from numbers_of(inner, place)


def problems(well, outcome):
    """Return what is wrong with an answer that was made of a broken one."""
    data, everything = outcome.data, outcome.text + json.dumps(outcome.data)
    if outcome.failed:
        inside = data.get("code") == -32603 or "failed inside" in everything
        return [f"blamed on the plugin: {outcome.text}"] if inside else []
    found = [f"{key} is {data[key]}" for key in VERDICTS if data.get(key) in ("passed", "ready", True)]
    named, right = any(words in everything for words in NAMED), dict(numbers_of(well.data))
    for place, number in numbers_of(data):
        if number != right.get(place) and not (place.endswith("[]") and (named or number > right.get(place, 0))):
            found.append(f"{place}: {number}, not {right.get(place)}")
    return found


@pytest.mark.contract
@pytest.mark.parametrize("server", SERVERS)
async def test_a_broken_answer_makes_no_false_verdict_and_no_false_total(asker, server):
    """A 200 with an empty, null or wrong body is the forge's fault wherever it is read (FIX-6)."""
    asker, questions = asker(server)
    wrong, tried = [], set()
    for question in questions:
        well, endpoints = await asker.endpoints(question)
        if server == "github-anonymous" and question.name in IN_SESSION:
            continue
        assert not well.failed, f"{question}: {well.text}"
        for endpoint in (one for one in endpoints if THOROUGH or one not in tried):
            tried.add(endpoint)
            for name, body in bodies_of(endpoint).items():
                if (endpoint, name) == (NULL_IS_EMPTY, "null"):
                    continue
                outcome = await asker.ask(question, endpoint, body)
                if outcome.data != well.data:
                    wrong += [f"{question.label}: {endpoint} {name}: {text}" for text in problems(well, outcome)]
    assert tried
    assert not wrong, "\n".join(wrong)


@pytest.mark.contract
async def test_passed_says_what_a_token_that_may_not_read_actions_leaves_open(monkeypatch, tmp_path, installed):
    """A run that could not begin has no check: without the runs, passing checks alone do not show it (FIX-6)."""
    world = World()
    repository = world.add_repository("lab")
    world.push(repository, "harden", "Harden", {"horn.py": "HARD = 60\n"})
    pull = world.add_pull(repository, "Harden", "harden")
    world.add_check(repository, pull.head_sha, "lint", "success")
    allowed = answer_from_double(world)

    def answer(method, url, headers, body):
        refused = 403, {"Content-Type": "application/json"}, b'{"message": "Resource not accessible"}'
        return refused if "/actions/runs" in url else allowed(method, url, headers, body)

    wire = Wire(answer)
    monkeypatch.setattr(forge_http, "ConnectionTransport", lambda *_: wire)
    asker = Asker("github", world.token, wire, tmp_path, installed)
    outcome = await asker.ask(Question("get_failing_tests", {"pr": f"smith/lab#{pull.number}"}))
    assert outcome.data["status"] == "passed"
    assert "the workflow runs are unknown" in outcome.data["instructions"]["summary"]
    assert "the workflow runs are unknown" in outcome.text


async def test_every_tool_that_asks_a_forge_and_every_route_is_tried(tmp_path, installed):
    _, place, ids = busy_world()
    asked = {question.name for question in place.questions(ids)}
    tools = make_app(tmp_path, entries=installed).executor.registry.tools
    assert {name for name, tool in tools.items() if tool.spec.needs} - asked == set()
    owner, name = place.repository.split("/")
    parts = {"owner": owner, "repo": name, "number": place.pull}
    assert {f"/forges/lab{path.format(**parts)}" for path in ENDPOINTS} - asked == set()

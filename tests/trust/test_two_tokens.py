"""Two callers with tokens of their own, in turn, on one server over HTTP: each gets what a server of its own gives.

Every tool that the plugins offer stands in one of the two tables, and so does every route.
"""

import json
import re
from contextlib import asynccontextmanager

import pytest
from github_double.requests import GRAPHQL
from github_double.scene import conformance
from github_double.server import running
from rpc import call_tool

from stithy_testing import browse, make_app

pytestmark = [pytest.mark.anyio, pytest.mark.contract]

REPOSITORY = "smith/conformance"
PR = {"pr": f"{REPOSITORY}#2"}
PLACE = {"repository": REPOSITORY}
ANVIL = {"owner": "smith", "repo": "conformance"}
TEXT = "Written once."
OK = 200
RULES = "# Names\n\n## Rules\n\nNames are nouns.\n"

READS = {
    "analyze_pr_impact": PR,
    "check-adr-alignment": {"decision_description": "Use nouns for names."},
    "check_architecture_docs": {},
    "check_merge_readiness": PR,
    "detect_merge_conflicts": PR,
    "find_unresolved_comments": PR,
    "get_failing_tests": PR,
    "get_pull_request_conversation": PR | {"include": ["review", "issue", "timeline"]},
    "get_review_suggestions": PR,
    "issue_comment_list": PLACE | {"issue_number": 1},
    "issue_list": PLACE,
    "list_plugins": {},
    "list_stacks": PLACE,
    "manage_stacked_prs": {"base_pr": PR["pr"], "dependent_pr": f"{REPOSITORY}#4"},
    "pr_comment_list": PLACE | {"pull_request_number": 2},
    "pr_list": PLACE,
    "pull_request_read": ANVIL | {"pullNumber": 2, "method": "get_review_comments"},
    "search-architecture": {"query": "names"},
    "validate-against-pattern": {"pattern_name": "names"} | PR,
}
ROUTES = {
    "/openapi.json": "/openapi.json",
    "/repos/{owner}/{repo}/issues/{number}/comments": f"/repos/{REPOSITORY}/issues/1/comments",
    "/repos/{owner}/{repo}/issues/{number}/timeline": f"/repos/{REPOSITORY}/issues/2/timeline",
    "/repos/{owner}/{repo}/pulls/{number}/comments": f"/repos/{REPOSITORY}/pulls/2/comments",
    "/repos/{owner}/{repo}/pulls/{number}/comments/combined": f"/repos/{REPOSITORY}/pulls/2/comments/combined",
}
ROUTES |= {
    f"/forges/{{alias}}{route}": f"/forges/github{target}"
    for route, target in ROUTES.items()
    if route.startswith("/repos")
}
ROUTES |= {page: page for page in ("/ui/decisions", "/ui/status")}
ROUTES["/ui/pull-request"] = f"/ui/pull-request?pr={REPOSITORY}%232"
MADE = re.compile(rb'"made":"[^"]+"')
"""When a page was made, which it says."""
OF_THE_SERVER = ("list_plugins", "/ui/status")
"""How a server fares, such as that something was slow there, is its own and nobody's view of a forge."""


def writes(scene):
    """Return what the second caller writes with each tool that writes."""
    thread = ANVIL | {"pull_number": 2, "comment_id": scene.opened.comments[0].id}
    return {
        "comment_stack": PR,
        "issue_comment_create": PLACE | {"issue_number": 1, "comment": TEXT},
        "issue_comment_edit": PLACE | {"issue_number": 1, "comment_id": scene.on_issue.id, "new_content": TEXT},
        "pr_comment_create": PLACE | {"pull_request_number": 2, "comment": TEXT},
        "pr_comment_edit": PLACE | {"pull_request_number": 2, "comment_id": scene.on_pull.id, "new_content": TEXT},
        "reply_to_review_comment": thread | {"body": TEXT},
        "resolve_review_thread": thread,
        "retarget_pull_request": PR | {"branch": "before"},
        "unresolve_review_thread": thread | {"comment_id": scene.settled.comments[0].id},
        "update_pull_request_branch": PR,
    }


WRITES = (
    *("issue_comment_create", "issue_comment_edit", "pr_comment_create", "pr_comment_edit"),
    *("reply_to_review_comment", "resolve_review_thread", "unresolve_review_thread"),
    *("comment_stack", "retarget_pull_request", "update_pull_request_branch"),
)
SETTINGS = '[serve]\ntoolsets = ["repository_management", "stacks"]\n'


class Scene:
    """The world of the conformance kit, in which the second caller may write, and has a draft, comments and threads."""

    def __init__(self):
        made = conformance()
        made.repository.permissions[made.world.other_user.login] = "write"
        self.world, self.pull = made.world, made.pull
        self.first, self.second = made.world.token, made.world.other_token
        somebody = made.world.other_user
        draft = made.world.add_review(made.pull, "PENDING", "Not said yet.", somebody)
        made.world.add_thread(made.pull, "hello.py", 3, "Not said yet either.", somebody, review=draft)
        made.world.submitted = made.world.add_review(made.pull, "COMMENTED", "Said.", somebody)
        said = {"user": somebody, "review": made.world.submitted}
        self.opened = made.world.add_thread(made.pull, "hello.py", 4, "Why four?", **said)
        self.settled = made.world.add_thread(made.pull, "hello.py", 5, "Why five?", resolved_by=made.world.user, **said)
        self.on_issue = made.world.add_comment(made.issue, "Me, too.", somebody)
        self.on_pull = made.world.add_comment(made.pull, "I look.", somebody)

    def list_texts(self):
        """Return all that was said, and which threads are resolved."""
        issues = self.world.repository(REPOSITORY).issues.values()
        comments = [comment for issue in issues for comment in issue.comments]
        comments += [comment for thread in self.pull.threads for comment in thread.comments]
        rows = [(comment.user.login, comment.body) for comment in comments]
        return sorted(rows), [thread.resolved_by and thread.resolved_by.login for thread in self.pull.threads]


@pytest.fixture(autouse=True)
def _no_proxy(unproxied):
    """The double is one of the loopback's."""


@pytest.fixture
def server(tmp_path, installed, monkeypatch):
    """Run a server that has no token of its own, in a small project; its callers bring theirs."""
    folder = tmp_path / "project"
    (folder / "mcp/resources/patterns").mkdir(parents=True)
    (folder / "mcp/resources/patterns/names.md").write_text(RULES)
    monkeypatch.chdir(folder)

    @asynccontextmanager
    async def run(url):
        settings = f'{SETTINGS}[serve.http]\nforge_tokens = true\n[forges.github]\nkind = "github"\nurl = "{url}"\n'
        app = make_app(folder, settings, entries=installed)
        async with browse(app) as ask:
            yield ask

    return run


def bring(token):
    return {"X-Forge-Token": f"github={token}"}


def test_every_tool_is_tried(tmp_path, installed):
    """A tool that a plugin adds is added here, too (FIX-1)."""
    app = make_app(tmp_path, SETTINGS, entries=installed)
    assert {tool.spec.name for tool in app.tools} == READS.keys() | set(WRITES)
    assert {mounted.route.path for mounted in app.routes} == ROUTES.keys()
    assert writes(Scene()).keys() == set(WRITES)
    assert {tool.spec.name for tool in app.tools if tool.writes} == set(WRITES)


async def read_all(ask, tokens):
    """Call everything that reads with each token in turn; return the answers by what was called and the token."""
    found = {}
    for token in tokens:
        for name, arguments in READS.items():
            found.setdefault((name, token), []).append(await call_tool(ask, name, arguments, bring(token)))
        for target in ROUTES.values():
            answer = await ask("GET", target, headers=bring(token))
            found.setdefault((target, token), []).append((answer.status, MADE.sub(b"", answer.body)))
    return found


async def test_each_token_reads_what_it_reads_alone(server):
    """Answers to two tokens in turn equal those of a server that only one of them asks (FIX-1)."""
    scene = Scene()
    alone = {}
    with running(scene.world) as double:
        for token in (scene.first, scene.second):
            async with server(double.url) as ask:
                alone |= await read_all(ask, [token])
        async with server(double.url) as ask:
            shared = await read_all(ask, [scene.first, scene.second, scene.first])
    assert not [key for key, (answer,) in alone.items() if has_failed(answer)]
    compared = [key for key in shared if key[0] not in OF_THE_SERVER]
    assert not [key for key in compared if any(answer != alone[key][0] for answer in shared[key])]
    different = {name for name in READS if alone[name, scene.first] != alone[name, scene.second]}
    assert different > {"find_unresolved_comments", "check_merge_readiness"}, "else nothing is shown here"


def has_failed(answer):
    return answer[0] != OK if isinstance(answer, tuple) else answer["isError"]


def lose_first_write(*tokens):
    """Choose the first write with each of some tokens."""
    left = {f"Bearer {token}" for token in tokens}

    def loses(asked):
        writing = b"mutation" in asked.body if asked.path == GRAPHQL else not asked.reads
        if writing and asked.identity in left:
            left.remove(asked.identity)
            return True
        return False

    return loses


async def write_as_second(server, name, *, after_first):
    """Write with an answer that is lost, and again where the tool says so; return the answers and what was said."""
    scene = Scene()
    with running(scene.world) as double:
        double.loses = lose_first_write(scene.first, scene.second)
        async with server(double.url) as ask:
            if after_first:
                comment = PLACE | {"issue_number": 5, "comment": TEXT}
                first = await call_tool(ask, "issue_comment_create", comment, bring(scene.first))
                assert not first["isError"], first
            answers = []
            for _ in range(2):
                answers.append(await call_tool(ask, name, writes(scene)[name], bring(scene.second)))
                if not answers[-1]["isError"]:
                    break
    comments, resolved = scene.list_texts()
    if after_first:
        comments.remove(("smith", TEXT))
    return [summarize(answer) for answer in answers], comments, resolved


async def test_the_same_words_of_another_caller_are_not_taken_for_ones_own(server):
    """Both write the same text, and one request never arrived: it is said and sent again, not found (FIX-1)."""
    scene = Scene()
    comment = PLACE | {"issue_number": 1, "comment": TEXT}
    with running(scene.world) as double:
        async with server(double.url) as ask:
            double.loses = lose_first_write(scene.first)
            first = await call_tool(ask, "issue_comment_create", comment, bring(scene.first))
            double.drops = lose_first_write(scene.second)
            lost = await call_tool(ask, "issue_comment_create", comment, bring(scene.second))
            again = await call_tool(ask, "issue_comment_create", comment, bring(scene.second))
    assert [answer["isError"] for answer in (first, lost, again)] == [False, True, False]
    assert [row for row in scene.list_texts()[0] if row[1] == TEXT] == [("smith", TEXT), ("stranger", TEXT)]


def summarize(answer):
    """Return an answer without ids, times and addresses, which differ from world to world."""
    told = json.dumps(answer["structuredContent"])
    return answer["isError"], TEXT in told, '"smith"' in told, '"stranger"' in told


@pytest.mark.parametrize("name", WRITES)
async def test_a_lost_write_is_found_whoever_asked_before(server, name):
    """Another caller asked before: what was written is found on read-back, and nothing is written twice (FIX-1)."""
    alone = await write_as_second(server, name, after_first=False)
    after = await write_as_second(server, name, after_first=True)
    assert after == alone
    assert [one for one in alone[1] if one[1] == TEXT] in ([("stranger", TEXT)], [])

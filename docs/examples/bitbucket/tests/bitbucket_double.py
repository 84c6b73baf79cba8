"""A double of Bitbucket Cloud on the loopback interface: as much of its API as the plugin needs, and real git.

It follows what Atlassian publishes:

- https://developer.atlassian.com/cloud/bitbucket/rest/intro/: authentication, paging, errors, queries
- https://developer.atlassian.com/cloud/bitbucket/rest/api-group-pullrequests/: pull requests, comments, tasks
- https://developer.atlassian.com/cloud/bitbucket/rest/api-group-commit-statuses/ and …/api-group-commits/
- https://developer.atlassian.com/cloud/bitbucket/rest/api-group-branch-restrictions/
- https://developer.atlassian.com/cloud/bitbucket/rest/api-group-repositories/: repositories and permissions
- https://developer.atlassian.com/cloud/bitbucket/rest/api-group-pipelines/: pipelines, steps, logs, test reports
- https://support.atlassian.com/bitbucket-cloud/docs/using-api-tokens/ and …/using-access-tokens/: users for git

The pages do not say everything. Hashes of commits in pull requests have 12 digits
(https://github.com/jenkinsci/bitbucket-branch-source-plugin/pull/63). The fields of test reports, of test cases and of
their reasons are not published; they are those that clients of the API read. The issue tracker was removed in August
2026 (https://community.atlassian.com/forums/Bitbucket-articles/Announcing-sunset-of-Bitbucket-Issues-and-Wikis/ba-p/3193882).
"""

import json
import re
import subprocess
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import parse_qs, unquote, urlencode, urlsplit
from uuid import NAMESPACE_URL, uuid5

from attrs import Factory, define
from git_server import GitHandler, GitServed, serving_git

Json: TypeAlias = dict[str, Any]
EMAIL, SECRET = "smith@example.com", "ATATT3xFfGF0-secret-of-smith"
API_TOKEN, ACCESS_TOKEN = f"{EMAIL}:{SECRET}", "ATCTT3xFfGN0-secret-of-a-repository"


def create_uuid(name: str) -> str:
    """Return the same UUID for the same name, in braces."""
    return f"{{{uuid5(NAMESPACE_URL, name)}}}"


def create_user(name: str, nickname: str = "") -> Json:
    return {"type": "user", "display_name": name.title(), "nickname": nickname or name, "uuid": create_uuid(name)}


SMITH, BOB = create_user("smith"), create_user("bob")


@cache
def read_git(bare: Path, *words: str) -> str:
    """Return the output of git; repositories of tests do not change once they are served."""
    done = subprocess.run(["git", "-C", str(bare), *words], capture_output=True, check=False, text=True)
    return done.stdout.strip("\n") if done.returncode == 0 else ""


class ApiError(Exception):
    def __init__(self, status: int, message: str) -> None:
        self.status, self.body = status, {"type": "error", "error": {"message": message}}


@define
class Repository:
    """A repository, with what the API has about it.

    Args:
        name: `workspace/slug`.
        bare: The repository that git serves.
        parent: That of which it is a fork.
        permission: What the token's user may do: read, write or admin.
    """

    name: str
    bare: Path
    parent: "Repository | None" = None
    permission: str = "admin"
    pulls: dict[int, Json] = Factory(dict)
    restrictions: list[Json] = Factory(list)
    default_reviewers: list[Json] = Factory(list)
    statuses: dict[str, list[Json]] = Factory(dict)
    pipelines: list[Json] = Factory(list)

    def find_commit(self, revision: str) -> str:
        """Return the SHA of a branch or an abbreviated commit; empty if there is none."""
        return read_git(self.bare, "rev-parse", "--verify", "-q", f"{revision}^{{commit}}")

    def restrict(self, kind: str, value: int | None = None, pattern: str = "main", **more: Any) -> None:
        row: Json = {"kind": kind, "value": value, "pattern": pattern, "branch_match_kind": "glob"}
        row |= {"users": [], "groups": []}
        self.restrictions.append({"type": "branchrestriction", "id": len(self.restrictions) + 1, **row, **more})


class Bitbucket(GitServed):
    """The state of the server. `requests` has the method and the target of each request of the API.

    Args:
        folder: The folder of the repositories that git serves, as `workspace/slug.git`.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, SECRET)
        self.repositories: dict[str, Repository] = {}
        self.requests: list[str] = []
        self.stored: list[str] = []
        self.page = 100
        self.made = 0

    def add_repository(self, name: str, **fields: Any) -> Repository:
        self.repositories[name] = Repository(name, self.folder / f"{name}.git", **fields)
        return self.repositories[name]

    def tick(self) -> str:
        """Count an event, and return its time."""
        self.made += 1
        return datetime.now(UTC).isoformat()

    def add_pull(
        self,
        home: Repository,
        title: str,
        branch: str,
        into: str = "main",
        *,
        source: Repository | None = None,
        **more: Any,
    ) -> Json:
        source, now = source or home, self.tick()
        ends = {
            "source": {"repository": source, "branch": branch, "sha": source.find_commit(branch)},
            "destination": {"repository": home, "branch": into, "sha": home.find_commit(into)},
        }
        rest = {
            "state": "OPEN",
            "draft": False,
            "queued": False,
            "description": "",
            "merge_commit": None,
            "closed_by": None,
        }
        lists: Json = {"comments": [], "tasks": [], "participants": [], "reviewers": []}
        pull = {"id": len(home.pulls) + 1, "title": title, "author": SMITH, "created_on": now, "updated_on": now}
        home.pulls[len(home.pulls) + 1] = made = {**pull, **ends, **rest, **lists, **more}
        return made

    def add_comment(self, pull: Json, body: str, user: Json = SMITH, **more: Any) -> Json:
        """Add a comment; `inline` and `parent` are those of the API."""
        now = self.tick()
        made = {"type": "pullrequest_comment", "id": 1000 + self.made, "created_on": now, "updated_on": now, **more}
        made |= {"content": {"type": "rendered", "raw": body}, "user": user, "deleted": False, "pending": False}
        pull["comments"].append(made)
        return made

    def add_task(self, pull: Json, text: str) -> Json:
        now = self.tick()
        made = {"id": len(pull["tasks"]) + 1, "state": "UNRESOLVED", "content": {"raw": text}, "creator": SMITH}
        pull["tasks"].append(made | {"created_on": now, "updated_on": now, "pending": False})
        return made

    def add_verdict(self, pull: Json, user: Json, state: str | None) -> None:
        row = {"type": "participant", "user": user, "role": "REVIEWER", "approved": state == "approved"}
        pull["participants"].append({**row, "state": state, "participated_on": self.tick()})

    def add_status(
        self, home: Repository, sha: str, name: str, state: str, *, description: str = "", url: str = ""
    ) -> None:
        now, url = self.tick(), url or f"https://ci.example/{name}"
        row = {"type": "build", "key": name, "name": name, "state": state, "description": description, "url": url}
        home.statuses.setdefault(sha, []).append({**row, "created_on": now, "updated_on": now})

    def add_pipeline(self, home: Repository, sha: str, *steps: Json) -> Json:
        """Add a pipeline that has ended, with its status on the commit; it failed if a step did."""
        number = len(home.pipelines) + 1
        result = "FAILED" if any(step["result"] == "FAILED" for step in steps) else "SUCCESSFUL"
        target = {"type": "pipeline_ref_target", "ref_name": "greet", "commit": {"type": "commit", "hash": sha}}
        made = {"uuid": create_uuid(f"pipeline {number}"), "build_number": number, "target": target, "steps": steps}
        made |= {"created_on": self.tick(), "completed_on": self.tick(), "state": create_state(result)}
        home.pipelines.append(made)
        self.add_status(
            home, sha, f"Pipeline #{number}", result, url=f"{self.url}/{home.name}/pipelines/results/{number}"
        )
        return made

    def answer(self, method: str, target: str, body: Json) -> tuple[int, Any]:
        """Return the status and the JSON of a request, or the bytes or the URL (of a redirect) in its place."""
        url = urlsplit(target)
        path, query = url.path.removeprefix("/2.0"), parse_qs(url.query)
        for pattern, methods, handle in ROUTES:
            if method in methods and (found := re.fullmatch(pattern, path)):
                answer = handle(self, Call(method, [unquote(one) for one in found.groups()], query, body))
                return self.cut_pages(path, query, answer) if isinstance(answer, list) else answer
        raise ApiError(404, "Resource not found")

    def cut_pages(self, path: str, query: Mapping[str, Sequence[str]], rows: list[Json]) -> tuple[int, Json]:
        """Return one page of a list. The URL of the next one has all parameters."""
        size = min(int(query.get("pagelen", ["10"])[0]), self.page)
        number = int(query.get("page", ["1"])[0])
        whole = {"pagelen": size, "page": number, "values": rows[(number - 1) * size : number * size]}
        if number * size < len(rows):
            whole["next"] = f"{self.url}/2.0{path}?{urlencode({**query, 'page': [number + 1]}, doseq=True)}"
        return 200, whole

    def find(self, name: str) -> Repository:
        if name not in self.repositories:
            raise ApiError(404, f"Repository {name} not found")
        return self.repositories[name]

    def show_repository(self, home: Repository) -> Json:
        shown: Json = {
            "type": "repository",
            "full_name": home.name,
            "uuid": create_uuid(home.name),
            "is_private": False,
        }
        shown |= {"mainbranch": {"type": "branch", "name": "main"}, "links": self.link(f"/{home.name}")}
        return shown | ({"parent": self.show_repository(home.parent)} if home.parent else {})

    def link(self, page: str, path: str = "") -> Json:
        return {"html": {"href": f"{self.url}{page}"}, "self": {"href": f"{self.url}/2.0{path or page}"}}

    def show_pull(self, pull: Json, *, alone: bool) -> Json:
        """Return the JSON of a pull request. In a list it has neither reviewers nor participants."""
        hidden = {"comments", "tasks", "description"} | (set() if alone else {"participants", "reviewers"})
        shown = {name: value for name, value in pull.items() if name not in hidden}
        for side in ("source", "destination"):
            home, sha = pull[side]["repository"], pull[side]["sha"]
            end = {"branch": {"name": pull[side]["branch"]}, "commit": {"type": "commit", "hash": sha[:12]}}
            shown[side] = {**end, "repository": self.show_repository(home) if home else None}
        if pull["merge_commit"]:
            shown["merge_commit"] = {"type": "commit", "hash": pull["merge_commit"][:12]}
        page = f"/{pull['destination']['repository'].name}/pull-requests/{pull['id']}"
        open_tasks = sum(task["state"] == "UNRESOLVED" for task in pull["tasks"])
        shown |= {"summary": {"raw": pull["description"]}, "task_count": open_tasks, "type": "pullrequest"}
        return shown | {"comment_count": len(pull["comments"]), "links": self.link(page)}

    def show_comment(self, pull: Json, row: Json) -> Json:
        page = f"/{pull['destination']['repository'].name}/pull-requests/{pull['id']}"
        return {**row, "links": self.link(f"{page}/_/diff#comment-{row['id']}", f"{page}/comments/{row['id']}")}


def create_state(result: str, kind: str = "pipeline") -> Json:
    """Return the state of a pipeline or a step that has ended."""
    state = {"type": f"{kind}_state_completed", "name": "COMPLETED"}
    return {**state, "result": {"type": f"{kind}_state_completed_{result.lower()}", "name": result}}


def create_step(name: str, result: str = "FAILED", log: str = "", cases: Sequence[Json] = ()) -> Json:
    """Create a step; a case has `name`, `class`, `status` and `message`."""
    return {"name": name, "result": result, "log": log, "cases": cases, "uuid": create_uuid(name)}


@define
class Call:
    """A request: the parts of its path, its query, and its JSON."""

    method: str
    parts: list[str]
    query: Mapping[str, Sequence[str]]
    body: Json


def find_row(rows: Sequence[Json], field: str, value: object) -> Json:
    for row in rows:
        if row[field] == value:
            return row
    raise ApiError(404, f"{value} not found")


def show_user(server: Bitbucket, call: Call) -> tuple[int, Json]:
    return 200, SMITH


def list_hooks(server: Bitbucket, call: Call) -> tuple[int, Json]:
    return 200, {"repository": {"links": server.link("/hook_events/repository")}}


def show_repository(server: Bitbucket, call: Call) -> tuple[int, Json]:
    return 200, server.show_repository(server.find(call.parts[0]))


def list_permissions(server: Bitbucket, call: Call) -> list[Json]:
    named = re.fullmatch(r'repository\.full_name="(.+)"', call.query["q"][0])
    home = server.repositories.get(named[1] if named else "")
    return [{"type": "repository_permission", "permission": home.permission}] if home else []


def show_commit(server: Bitbucket, call: Call) -> tuple[int, Json]:
    home = server.find(call.parts[0])
    if not (sha := home.find_commit(call.parts[1])):
        raise ApiError(404, f"Commit not found: {call.parts[1]}")
    date, *parents = read_git(home.bare, "show", "-s", "--format=%cI %P", sha).split()
    return 200, {"type": "commit", "hash": sha, "date": date, "parents": [{"hash": one} for one in parents]}


def list_statuses(server: Bitbucket, call: Call) -> list[Json]:
    show_commit(server, call)
    home = server.find(call.parts[0])
    return home.statuses.get(home.find_commit(call.parts[1]), [])


def list_restrictions(server: Bitbucket, call: Call) -> list[Json]:
    if (home := server.find(call.parts[0])).permission != "admin":
        raise ApiError(403, "You need admin access to this repository")
    return home.restrictions


def list_default_reviewers(server: Bitbucket, call: Call) -> list[Json]:
    return [{"type": "default_reviewer", "user": user} for user in server.find(call.parts[0]).default_reviewers]


def list_pulls(server: Bitbucket, call: Call) -> list[Json]:
    home = server.find(call.parts[0])
    wanted = re.findall(r'([a-z.]+) = ("(?:[^"\\]|\\.)*")', call.query.get("q", [""])[0])
    fields: dict[str, Callable[[Json], str]] = {
        "destination.branch.name": lambda pull: pull["destination"]["branch"],
        "source.branch.name": lambda pull: pull["source"]["branch"],
        "source.repository.workspace.slug": lambda pull: pull["source"]["repository"].name.partition("/")[0],
    }
    found = [
        server.show_pull(pull, alone=False)
        for pull in home.pulls.values()
        if pull["state"] in call.query.get("state", ["OPEN"])
        and all(fields[name](pull) == json.loads(value) for name, value in wanted)
    ]
    return found[:: -1 if call.query.get("sort") == ["-created_on"] else 1]


def find_pull(server: Bitbucket, call: Call) -> Json:
    return find_row([*server.find(call.parts[0]).pulls.values()], "id", int(call.parts[1]))


def show_pull(server: Bitbucket, call: Call) -> tuple[int, Json]:
    return 200, server.show_pull(find_pull(server, call), alone=True)


def list_pull_statuses(server: Bitbucket, call: Call) -> list[Json]:
    source = find_pull(server, call)["source"]
    return server.find(call.parts[0]).statuses.get(source["sha"], [])


def list_comments(server: Bitbucket, call: Call) -> list[Json]:
    pull = find_pull(server, call)
    return [server.show_comment(pull, row) for row in pull["comments"]]


def create_comment(server: Bitbucket, call: Call) -> tuple[int, Json]:
    pull, text = find_pull(server, call), call.body["content"]["raw"]
    if not text.strip():
        raise ApiError(400, "content: This field may not be blank.")
    more = {"parent": call.body["parent"]} if "parent" in call.body else {}
    if more and more["parent"]["id"] not in [row["id"] for row in pull["comments"]]:
        raise ApiError(404, "Parent comment not found")
    return 201, server.show_comment(pull, server.add_comment(pull, text, **more))


def resolve_comment(server: Bitbucket, call: Call) -> tuple[int, Any]:
    row = find_row(find_pull(server, call)["comments"], "id", int(call.parts[2]))
    if "parent" in row or "inline" not in row:
        raise ApiError(403, "Only top-level comments on the diff can be resolved")
    resolves = call.method == "POST"
    if resolves is ("resolution" in row):
        raise ApiError(409 if resolves else 404, "The comment is in this state already")
    if not resolves:
        del row["resolution"]
        return 204, None
    row["resolution"] = {"type": "comment_resolution", "user": SMITH, "created_on": server.tick()}
    return 200, row["resolution"]


def list_tasks(server: Bitbucket, call: Call) -> list[Json]:
    pull = find_pull(server, call)
    return [server.show_comment(pull, row) for row in pull["tasks"]]


def update_task(server: Bitbucket, call: Call) -> tuple[int, Json]:
    pull = find_pull(server, call)
    row = find_row(pull["tasks"], "id", int(call.parts[2]))
    row["state"] = call.body["state"]
    return 200, server.show_comment(pull, row)


def list_pipelines(server: Bitbucket, call: Call) -> list[Json]:
    rows = reversed(server.find(call.parts[0]).pipelines)
    return [row for row in rows if row["target"]["commit"]["hash"] in call.query["target.commit.hash"]]


def find_pipeline(server: Bitbucket, call: Call) -> Json:
    return find_row(server.find(call.parts[0]).pipelines, "uuid", call.parts[1])


def list_steps(server: Bitbucket, call: Call) -> list[Json]:
    return [
        {"type": "pipeline_step", "uuid": step["uuid"], "name": step["name"]}
        | {"state": create_state(step["result"], "pipeline_step"), "started_on": row["created_on"]}
        | {"completed_on": row["completed_on"]}
        for row in [find_pipeline(server, call)]
        for step in row["steps"]
    ]


def find_step(server: Bitbucket, call: Call) -> Json:
    return find_row(find_pipeline(server, call)["steps"], "uuid", call.parts[2])


def redirect_to_log(server: Bitbucket, call: Call) -> tuple[int, str]:
    step = find_step(server, call)
    return 307, f"{server.url.replace('127.0.0.1', 'localhost')}/storage/{step['uuid'].strip('{}')}"


def show_report(server: Bitbucket, call: Call) -> tuple[int, Json]:
    cases = find_step(server, call)["cases"]
    if not cases:
        raise ApiError(404, "No test reports found")
    words = [case["status"].lower() for case in cases]
    counts = {
        f"number_of_{word}_test_cases": words.count(word) for word in ("successful", "failed", "error", "skipped")
    }
    return 200, {"number_of_test_cases": len(cases), **counts}


def list_cases(server: Bitbucket, call: Call) -> list[Json]:
    show_report(server, call)
    return [
        {"uuid": create_uuid(case["name"]), "name": case["name"], "status": case["status"], "duration": "PT0.1S"}
        | {"fully_qualified_name": f"{case['class']}.{case['name']}", "package_name": case["class"]}
        for case in find_step(server, call)["cases"]
    ]


def list_reasons(server: Bitbucket, call: Call) -> list[Json]:
    cases = [case for case in find_step(server, call)["cases"] if create_uuid(case["name"]) == call.parts[3]]
    return [{"message": case["message"], "stack_trace": ""} for case in cases]


HOME = "/repositories/([^/]+/[^/]+)"
PULL, STEP = rf"{HOME}/pullrequests/(\d+)", f"{HOME}/pipelines/([^/]+)/steps/([^/]+)"
ROUTES: Sequence[tuple[str, Sequence[str], Callable[[Bitbucket, Call], Any]]] = (
    ("/hook_events", ["GET"], list_hooks),
    ("/user", ["GET"], show_user),
    ("/user/workspaces/([^/]+)/permissions/repositories", ["GET"], list_permissions),
    (HOME, ["GET"], show_repository),
    (f"{HOME}/commit/([^/]+)", ["GET"], show_commit),
    (f"{HOME}/commit/([^/]+)/statuses", ["GET"], list_statuses),
    (f"{HOME}/branch-restrictions", ["GET"], list_restrictions),
    (f"{HOME}/effective-default-reviewers", ["GET"], list_default_reviewers),
    (f"{HOME}/pullrequests", ["GET"], list_pulls),
    (PULL, ["GET"], show_pull),
    (f"{PULL}/statuses", ["GET"], list_pull_statuses),
    (f"{PULL}/comments", ["GET"], list_comments),
    (f"{PULL}/comments", ["POST"], create_comment),
    (rf"{PULL}/comments/(\d+)/resolve", ["POST", "DELETE"], resolve_comment),
    (f"{PULL}/tasks", ["GET"], list_tasks),
    (rf"{PULL}/tasks/(\d+)", ["PUT"], update_task),
    (f"{HOME}/pipelines", ["GET"], list_pipelines),
    (f"{HOME}/pipelines/([^/]+)/steps", ["GET"], list_steps),
    (f"{STEP}/log", ["GET"], redirect_to_log),
    (f"{STEP}/test_reports", ["GET"], show_report),
    (f"{STEP}/test_reports/test_cases", ["GET"], list_cases),
    (f"{STEP}/test_reports/test_cases/([^/]+)/test_case_reasons", ["GET"], list_reasons),
)


class Handler(GitHandler):
    """Answers the API, the storage of logs, and git."""

    served: Bitbucket

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if path.startswith("/storage/"):
            return self.give_log(path.removeprefix("/storage/"))
        if not path.startswith("/2.0/"):
            return self.backend(path, query)
        body = json.loads(self.body() or b"null")
        self.served.requests.append(f"{self.command} {self.path}")
        try:
            self.check_token()
            status, answer = self.served.answer(self.command, self.path, body)
        except ApiError as error:
            status, answer = error.status, error.body
        if isinstance(answer, str):
            return self.give(status, [("Location", answer)], b"")
        content = b"" if answer is None else json.dumps(answer).encode()
        return self.give(status, [("Content-Type", "application/json")], content)

    do_POST = do_PUT = do_DELETE = do_GET

    def check_token(self) -> None:
        basic, bearer = f"Basic {b64encode(API_TOKEN.encode()).decode()}", f"Bearer {ACCESS_TOKEN}"
        if self.headers.get("Authorization") not in (basic, bearer):
            raise ApiError(401, "Token is invalid, expired, or not supported for this endpoint.")

    def give_log(self, name: str) -> None:
        self.served.stored.append(self.headers.get("Authorization", ""))
        steps = [step for home in self.served.repositories.values() for row in home.pipelines for step in row["steps"]]
        log = next(step["log"] for step in steps if step["uuid"] == f"{{{name}}}")
        self.give(200, [("Content-Type", "application/octet-stream")], log.encode())


@contextmanager
def serve_bitbucket(folder: Path) -> Iterator[Bitbucket]:
    """Serve a Bitbucket Cloud without repositories."""
    served = Bitbucket(folder)
    with serving_git(served, Handler):
        yield served

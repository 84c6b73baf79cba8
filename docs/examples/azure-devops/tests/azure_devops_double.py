"""Azure DevOps Services on the loopback interface: one organization over real repositories that real git serves.

It follows the published API, version 7.1, and what is published about its use:

- paths, fields and words: https://github.com/MicrosoftDocs/vsts-rest-api-specs (git, policy, build, test, security)
- versions: https://learn.microsoft.com/en-us/azure/devops/integrate/concepts/rest-api-versioning
- tokens: https://learn.microsoft.com/en-us/azure/devops/organizations/accounts/use-personal-access-tokens-to-authenticate
- evaluations of policies: https://learn.microsoft.com/en-us/rest/api/azure/devops/policy/evaluations/list
- variables of builds: https://learn.microsoft.com/en-us/azure/devops/pipelines/build/variables
- the user of a token: https://learn.microsoft.com/en-us/javascript/api/azure-devops-extension-api/connectiondata
- results of JUnit XML: https://learn.microsoft.com/en-us/azure/devops/pipelines/tasks/reference/publish-test-results-v2
"""

import base64
import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote
from uuid import NAMESPACE_URL, uuid5

from attrs import frozen
from git_forge import Workshop, git
from git_server import GitHandler, GitServed

ORGANIZATION, PROJECT, NAME, FORK = "fabrikam", "my project", "my repo", "my fork"
Json = dict[str, Any]
Query = dict[str, str]
TOKEN, OTHER = "azure-pat-of-normal-0123456789abcdefghijkl", "azure-pat-of-kim-0123456789abcdefghijklmnop"
TOKENS = {TOKEN: "normal", OTHER: "kim"}
TYPES = {
    "Minimum number of reviewers": "fa4e907d-c16b-4a4c-9dfa-4906e5d171dd",
    "Comment requirements": "c6a1889d-b943-4856-b76f-9e46bb6b0df2",
    "Build": "0609b952-1397-4640-95ec-e00a01b2c241",
    "Status": "cbdc66da-9728-4af8-aada-9a5a32e4a226",
    "Work item linking": "40e92b44-2fe1-4dd6-b3d8-74a9c21d0c6e",
    "Required reviewers": "fd2167ab-b0be-447a-8ec8-39368250530e",
}
GIT_PERMISSIONS = "2e9eb7ed-3c0a-47d4-87c1-0ffdf275fd87"
SIGN_IN = b"<html><title>Azure DevOps Services | Sign In</title></html>"
MOST_BUILDS = 2
"""Builds of a page, so that every list of builds is continued."""


@frozen
class Request:
    """The query, the JSON and the user of a request."""

    query: Query
    body: Json
    user: str


class Refusal(Exception):
    """An error as the server writes it."""

    def __init__(self, status: int, key: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.body = {
            "$id": "1",
            "innerException": None,
            "message": message,
            "typeName": f"Microsoft.TeamFoundation.{key}, Microsoft.TeamFoundation",
            "typeKey": key,
            "errorCode": 0,
            "eventId": 3000,
        }


def write_now() -> str:
    """Return the time, with seven decimals."""
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%f}0Z"


def identify(name: str, *, vote: int | None = None, group: bool = False, required: bool = False) -> Json:
    """Write an identity, or a reviewer with a vote from -10 to 10."""
    found = {
        "id": str(uuid5(NAMESPACE_URL, name)),
        "displayName": f"[Fabrikam]\\{name}" if group else name.title(),
        "uniqueName": f"vstfs:///Classification/{name}" if group else f"{name}@fabrikam.example",
        "descriptor": f"svc.{name}" if name == "build" else f"aad.{name}",
    }
    vote_of = {} if vote is None else {"vote": vote, "isRequired": required}
    return found | vote_of | ({"isContainer": True} if group else {})


class Organization(GitServed):
    """The organization's state; the methods without a verb of HTTP write it, as people and pipelines do."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.sign_in = 203
        self.asked: list[str] = []
        self.shops: dict[tuple[str, str], Workshop] = {}
        self.state: Json = {"pulls": {}, "threads": {}, "statuses": {}, "policies": [], "results": {}, "builds": []}
        self.state |= {"suites": [], "locked": [], "readers": [], "forks": {}}

    def lets_in(self, headers: Any) -> bool:
        return bool(self.find_user(headers))

    def find_user(self, headers: Any) -> str:
        """Return the user of a token: it is the password of a user without a name, or of any."""
        given = headers.get("Authorization", "")
        word = base64.b64decode(given.removeprefix("Basic ")).decode() if given.startswith("Basic ") else ""
        return TOKENS.get(word.partition(":")[2], "")

    # --- The world

    def add_repository(self, project: str, name: str, fork_of: str = "") -> Workshop:
        """Create a repository that git serves, or a fork of one in the same project."""
        shop = Workshop(self.folder / "work" / project / name, "bare")
        place = self.folder / ORGANIZATION / project / "_git" / f"{name}.git"
        place.parent.mkdir(parents=True, exist_ok=True)
        shop.bare = shop.bare.rename(place)
        self.shops[project, name] = shop
        self.state["forks"][name] = fork_of
        return shop

    def open_pull(self, project: str, name: str, branch: str, into: str = "main", fork: str = "", **fields: Any) -> int:
        """Open a pull request, push both ends, and merge them for its own ref as the server does."""
        source, number = self.shops[project, fork or name], len(self.state["pulls"]) + 1
        source.push(f"{branch}:refs/heads/{branch}")
        target = self.shops[project, name]
        git(target.bare, "fetch", "-q", str(source.bare), f"refs/heads/{branch}")
        ends = [git(target.bare, "rev-parse", ref) for ref in ("FETCH_HEAD", f"refs/heads/{into}")]
        tree, _, conflicts = git(target.bare, "merge-tree", "--write-tree", *ends, check=False).partition("\n")
        merged = git(target.bare, "commit-tree", "-p", ends[1], "-p", ends[0], "-m", "Merge", tree)
        if not conflicts:
            git(target.bare, "update-ref", f"refs/pull/{number}/merge", merged)
        self.state["pulls"][number] = {
            "pullRequestId": number,
            "repository": self.write_repository(project, name),
            "status": "active",
            "createdBy": identify("normal"),
            "creationDate": write_now(),
            "title": branch.title(),
            "description": "",
            "sourceRefName": f"refs/heads/{branch}",
            "targetRefName": f"refs/heads/{into}",
            "mergeStatus": "conflicts" if conflicts else "succeeded",
            "isDraft": False,
            "lastMergeSourceCommit": {"commitId": ends[0]},
            "lastMergeTargetCommit": {"commitId": ends[1]},
            "lastMergeCommit": {"commitId": merged},
            "reviewers": [],
            **({"forkSource": {"repository": self.write_repository(project, fork)}} if fork else {}),
            **fields,
        }
        return number

    def add_thread(self, number: int, *texts: str, author: str = "normal", **fields: Any) -> Json:
        """Begin a discussion; `threadContext` gives it a place, and `status` lets it be resolved."""
        threads = self.state["threads"].setdefault(number, [])
        thread: Json = {"id": 140 + number * 100 + len(threads), "comments": [], "isDeleted": False, **fields}
        threads.append(thread)
        for text in texts:
            self.add_comment(thread, text, author)
        return thread

    def add_comment(self, thread: Json, text: str, author: str, **fields: Any) -> Json:
        """Add a comment; ids are counted within the thread."""
        begun = write_now()
        comment = {
            "id": len(thread["comments"]) + 1,
            "parentCommentId": 1 if thread["comments"] else 0,
            "author": identify(author),
            "content": text,
            "publishedDate": begun,
            "lastUpdatedDate": begun,
            "lastContentUpdatedDate": begun,
            "commentType": "text",
            "usersLiked": [],
            **fields,
        }
        thread["comments"].append(comment)
        return comment

    def add_policy(self, kind: str, *, blocking: bool = True, branch: str = "main", **settings: Any) -> int:
        """Configure a policy of a branch."""
        number = len(self.state["policies"]) + 11
        policy = {
            "id": number,
            "isEnabled": True,
            "isBlocking": blocking,
            "isDeleted": False,
            "type": {"id": TYPES[kind], "displayName": kind},
            "settings": {"scope": [{"refName": f"refs/heads/{branch}", "matchKind": "Exact"}], **settings},
        }
        self.state["policies"].append(policy)
        return number

    def evaluate(self, number: int, policy: int, status: str, **context: Any) -> None:
        """Set the result of a policy for a pull request; without one, it is queued."""
        self.state["results"][number, policy] = {"status": status, "context": context or None}

    def add_status(self, subject: str | int, name: str, state: str, text: str = "", genre: str = "") -> None:
        """Report a status of a commit, or of a pull request by its number."""
        rows = self.state["statuses"].setdefault(subject, [])
        about = {"context": {"name": name, "genre": genre}, "createdBy": identify("build"), "creationDate": write_now()}
        rows.append(
            {"id": len(rows) + 1, "state": state, "description": text, "targetUrl": "https://ci.example/1", **about}
        )

    def add_build(self, number: int, pipeline: str, jobs: Mapping[str, tuple[str, str]], *cases: Json) -> int:
        """Run a pipeline for a pull request: each job has a result and a log, and cases are their test results."""
        pull, build = self.state["pulls"][number], len(self.state["builds"]) + 31
        head = pull["lastMergeSourceCommit"]["commitId"]
        failed = any(result == "failed" for result, _ in jobs.values())
        self.state["builds"].insert(
            0,
            {
                "id": build,
                "buildNumber": f"20260105.{build}",
                "uri": f"vstfs:///Build/Build/{build}",
                "definition": {"id": 5, "name": pipeline},
                "status": "completed",
                "result": "failed" if failed else "succeeded",
                "reason": "pullRequest",
                "sourceBranch": f"refs/pull/{number}/merge",
                "sourceVersion": pull["lastMergeCommit"]["commitId"],
                "parameters": json.dumps({"system.pullRequest.sourceCommitId": head}),
                "repository": {"id": pull["repository"]["id"], "type": "TfsGit"},
                "startTime": write_now(),
                "finishTime": write_now(),
                "_links": {"web": {"href": f"{self.url}/{ORGANIZATION}/_build/results?buildId={build}"}},
                "jobs": [(name, result, log) for name, (result, log) in jobs.items()],
            },
        )
        if cases:
            suite = {"id": build * 10, "name": "JUnit_TestResults_1", "totalTests": len(cases) + 1, "passedTests": 1}
            self.state["suites"].append(suite | {"buildUri": f"vstfs:///Build/Build/{build}", "cases": list(cases)})
        return build

    def write_repository(self, project: str, name: str) -> Json:
        """Write a repository."""
        home = f"{self.url}/{ORGANIZATION}/{project}/_git/{name}".replace(" ", "%20")
        return {
            "id": str(uuid5(NAMESPACE_URL, f"{project}/{name}")),
            "name": name,
            "project": {"id": str(uuid5(NAMESPACE_URL, project)), "name": project, "visibility": "private"},
            "defaultBranch": "refs/heads/main",
            "remoteUrl": home,
            "webUrl": home,
            "isFork": bool(self.state["forks"].get(name)),
        }

    # --- The API

    def answer(self, method: str, path: str, ask: Request) -> tuple[Any, dict[str, str]]:
        """Return the JSON and further headers of a request.

        Raises:
            Refusal: The server answers with an error.
        """
        for verb, pattern, handler in ROUTES:
            if verb == method and (found := re.fullmatch(pattern, path, re.IGNORECASE)):
                return handler(self, ask, *map(unquote, found.groups()))
        raise Refusal(404, "VssResourceNotFoundException", f"The controller for path '/{path}' was not found.")

    def require_repository(self, project: str, name: str) -> Json:
        if not any(project.lower() == one.lower() for one, _ in self.shops):
            text = f"TF200016: The following project does not exist: {project}."
            raise Refusal(404, "ProjectDoesNotExistWithNameException", text)
        found = next((key for key in self.shops if tuple(map(str.lower, key)) == (project.lower(), name.lower())), None)
        if found is None:
            text = f"TF401019: The Git repository with name or identifier {name} does not exist or you do not have"
            raise Refusal(404, "GitRepositoryNotFoundException", f"{text} permissions for the operation.")
        return self.write_repository(*found)

    def require_pull(self, project: str, name: str, number: str) -> Json:
        repository, pull = self.require_repository(project, name), self.state["pulls"].get(int(number))
        if pull is None or pull["repository"]["id"] != repository["id"]:
            text = "TF401180: The requested pull request was not found."
            raise Refusal(404, "GitPullRequestNotFoundException", text)
        found: Json = pull
        return found

    def require_thread(self, project: str, name: str, number: str, thread: str) -> Json:
        self.require_pull(project, name, number)
        found = [one for one in self.state["threads"].get(int(number), []) if str(one["id"]) == thread]
        if not found:
            raise Refusal(404, "GitPullRequestCommentThreadNotFoundException", "The thread was not found.")
        one: Json = found[0]
        return one

    def require_build(self, build: str) -> Json:
        found: Json | None = next((one for one in self.state["builds"] if str(one["id"]) == build), None)
        if found is None:
            raise Refusal(404, "BuildNotFoundException", f"The requested build {build} could not be found.")
        return found


Reply = tuple[Any, dict[str, str]]
Route = Callable[..., Reply]
ROUTES: list[tuple[str, str, Route]] = []
REPOSITORY = r"([^/]+)/_apis/git/repositories/([^/]+)"
PULL = rf"{REPOSITORY}/pullrequests/(\d+)"


def route(method: str, pattern: str) -> Callable[[Route], Route]:
    def add(handler: Route) -> Route:
        ROUTES.append((method, pattern, handler))
        return handler

    return add


def wrap(rows: Sequence[Any], query: Query, most: int = 1_000) -> Reply:
    """Write a list, cut by `$top` and `$skip`."""
    begin, size = int(query.get("$skip", 0)), min(most, int(query.get("$top", most)))
    page = list(rows)[begin : begin + size]
    return {"count": len(page), "value": page}, {}


@route("GET", "_apis/connectionData")
def get_connection(org: Organization, ask: Request) -> Reply:
    account = {"Account": {"$type": "System.String", "$value": f"{ask.user}@fabrikam.example"}}
    who = {"id": identify(ask.user)["id"], "providerDisplayName": ask.user.title(), "properties": account}
    return {"authenticatedUser": who, "deploymentType": "hosted"}, {}


@route("GET", rf"_apis/permissions/{GIT_PERMISSIONS}/4")
def get_permission(org: Organization, ask: Request) -> Reply:
    return {"count": 1, "value": [ask.user not in org.state["readers"]]}, {}


@route("GET", REPOSITORY)
def get_repository(org: Organization, ask: Request, project: str, name: str) -> Reply:
    return org.require_repository(project, name), {}


@route("GET", rf"{REPOSITORY}/refs")
def list_refs(org: Organization, ask: Request, project: str, name: str) -> Reply:
    org.require_repository(project, name)
    lines = git(org.shops[project, name].bare, "for-each-ref", "--format=%(objectname) %(refname)").splitlines()
    found = [line.split() for line in lines if f" refs/{ask.query['filter']}" in line]
    return wrap([{"name": ref, "objectId": sha, "isLocked": ref in org.state["locked"]} for sha, ref in found], {})


@route("GET", rf"{REPOSITORY}/commits/([^/]+)/statuses")
def list_statuses(org: Organization, ask: Request, project: str, name: str, sha: str) -> Reply:
    org.require_repository(project, name)
    if not re.fullmatch("[0-9a-f]{40}", sha):
        raise Refusal(400, "ArgumentException", "The commit id must be a full SHA-1.")
    return wrap(org.state["statuses"].get(sha, []), ask.query)


@route("GET", rf"{REPOSITORY}/pullrequests")
def list_pulls(org: Organization, ask: Request, project: str, name: str) -> Reply:
    home = org.require_repository(project, name)
    wanted = {
        key.removeprefix("searchCriteria."): value for key, value in ask.query.items() if "searchCriteria." in key
    }
    status = wanted.pop("status", "active")
    rows = [one for one in org.state["pulls"].values() if one["repository"]["id"] == home["id"]]
    rows = [one for one in rows if status in ("all", one["status"]) and wanted.items() <= one.items()]
    return wrap(sorted(rows, key=lambda one: -one["pullRequestId"]), ask.query)


@route("GET", PULL)
def get_pull(org: Organization, ask: Request, *names: str) -> Reply:
    return org.require_pull(*names), {}


@route("GET", rf"{PULL}/statuses")
def list_pull_statuses(org: Organization, ask: Request, *names: str) -> Reply:
    return wrap(org.state["statuses"].get(org.require_pull(*names)["pullRequestId"], []), ask.query)


@route("GET", rf"{PULL}/threads")
def list_threads(org: Organization, ask: Request, *names: str) -> Reply:
    return wrap(org.state["threads"].get(org.require_pull(*names)["pullRequestId"], []), {})


@route("PATCH", rf"{PULL}/threads/(\d+)")
def update_thread(org: Organization, ask: Request, *names: str) -> Reply:
    thread = org.require_thread(*names)
    thread |= {"status": ask.body["status"]}
    return thread, {}


@route("POST", rf"{PULL}/threads/(\d+)/comments")
def add_comment(org: Organization, ask: Request, *names: str) -> Reply:
    thread = org.require_thread(*names)
    return org.add_comment(thread, ask.body["content"], ask.user, parentCommentId=ask.body["parentCommentId"]), {}


@route("GET", r"([^/]+)/_apis/policy/evaluations")
def list_evaluations(org: Organization, ask: Request, project: str) -> Reply:
    found = re.fullmatch(r"vstfs:///CodeReview/CodeReviewId/([^/]+)/(\d+)", ask.query.get("artifactId", ""))
    if found is None or found[1] != str(uuid5(NAMESPACE_URL, project)):
        raise Refusal(400, "InvalidArgumentValueException", "Value of artifactId is not valid.")
    pull = org.state["pulls"][int(found[2])]
    applies = [one for one in org.state["policies"] if one["settings"]["scope"][0]["refName"] == pull["targetRefName"]]
    rows = []
    for one in applies:
        result = org.state["results"].get((pull["pullRequestId"], one["id"]), {"status": "queued", "context": None})
        rows.append({"configuration": one, "evaluationId": f"{found[2]}-{one['id']}", **result})
    return wrap(rows, ask.query)


@route("GET", r"([^/]+)/_apis/build/builds")
def list_builds(org: Organization, ask: Request, project: str) -> Reply:
    rows = [
        one
        for one in org.state["builds"]
        if ask.query.get("repositoryId", one["repository"]["id"]) == one["repository"]["id"]
    ]
    rows = [one for one in rows if ask.query.get("branchName", one["sourceBranch"]) == one["sourceBranch"]]
    begin = int(ask.query.get("continuationToken", 0))
    more = {"x-ms-continuationtoken": str(begin + MOST_BUILDS)} if len(rows) > begin + MOST_BUILDS else {}
    page = [{name: value for name, value in one.items() if name != "jobs"} for one in rows[begin : begin + MOST_BUILDS]]
    return {"count": len(page), "value": page}, more


@route("GET", r"[^/]+/_apis/build/builds/(\d+)")
def get_build(org: Organization, ask: Request, build: str) -> Reply:
    return {name: value for name, value in org.require_build(build).items() if name != "jobs"}, {}


@route("GET", r"[^/]+/_apis/build/builds/(\d+)/timeline")
def get_timeline(org: Organization, ask: Request, build: str) -> Reply:
    found, records = org.require_build(build), []
    for order, (name, result, _) in enumerate(found["jobs"], 1):
        job = {"id": str(uuid5(NAMESPACE_URL, f"{build} {name}")), "type": "Job", "name": name, "order": order}
        about = {"state": "completed", "result": result, "startTime": found["startTime"], "attempt": 1}
        records += [job | about | {"finishTime": found["finishTime"], "log": {"id": order, "type": "Container"}}]
        records += [about | {"id": f"{job['id']}-1", "parentId": job["id"], "type": "Task", "name": "Test", "order": 1}]
    return {"id": build, "records": records}, {}


@route("GET", r"[^/]+/_apis/build/builds/(\d+)/logs/(\d+)")
def get_log(org: Organization, ask: Request, build: str, log: str) -> Reply:
    return org.require_build(build)["jobs"][int(log) - 1][2].encode(), {}


@route("GET", r"[^/]+/_apis/test/runs")
def list_suites(org: Organization, ask: Request) -> Reply:
    rows = [one for one in org.state["suites"] if one["buildUri"] == ask.query["buildUri"]]
    return wrap([{name: value for name, value in one.items() if name != "cases"} for one in rows], ask.query)


@route("GET", r"[^/]+/_apis/test/runs/(\d+)/results")
def list_results(org: Organization, ask: Request, suite: str) -> Reply:
    found = next(one for one in org.state["suites"] if str(one["id"]) == suite)
    return wrap([one for one in found["cases"] if one["outcome"] in ask.query["outcomes"].split(",")], ask.query)


class AzureDevOpsHandler(GitHandler):
    """Answers the API, and git below `_git`."""

    served: Organization

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if "/_git/" in path:
            return self.backend(path, query)
        body, user = self.body(), self.served.find_user(self.headers)
        self.served.asked.append(f"{self.command} {self.path}")
        if not user:
            away = (
                [("Location", "https://spsprod.vssps.visualstudio.com/_signin")] if self.served.sign_in == 302 else []
            )
            return self.give(self.served.sign_in, [("Content-Type", "text/html; charset=utf-8"), *away], SIGN_IN)
        words = {name: values[-1] for name, values in parse_qs(query).items()}
        try:
            self.check_version(path, words)
            below = path.removeprefix(f"/{ORGANIZATION}/")
            ask = Request(words, json.loads(body or b"{}"), user)
            answer, more = self.served.answer(self.command, below, ask)
        except Refusal as refusal:
            return self.give(refusal.status, [("Content-Type", "application/json")], json.dumps(refusal.body).encode())
        if isinstance(answer, bytes):
            return self.give(200, [("Content-Type", "text/plain")], answer)
        return self.give(200, [("Content-Type", "application/json"), *more.items()], json.dumps(answer).encode())

    do_POST = do_PATCH = do_GET

    def check_version(self, path: str, query: Query) -> None:
        """Refuse a write without a version, and an area that has no released version without `-preview`."""
        accepted = re.search(r"api-version=([\w.-]+)", self.headers.get("Accept", ""))
        version = query.get("api-version") or (accepted[1] if accepted else "")
        if not version and self.command != "GET":
            text = f'No api-version was supplied for the "{self.command}" request.'
            raise Refusal(400, "VssVersionNotSpecifiedException", text)
        if version and "preview" not in version and re.search("connectionData|policy/evaluations", path, re.IGNORECASE):
            text = f'The requested version "{version}" of the resource is under preview.'
            raise Refusal(400, "VssInvalidPreviewVersionException", text)

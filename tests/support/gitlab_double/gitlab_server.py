"""Sends the answers of the double: pages, errors, redirects, limits, GraphQL and git."""

import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote, urlencode, urlsplit

from git_server import GitHandler, GitServed, serving_git

from gitlab_double import gitlab_ci_routes, gitlab_create_routes
from gitlab_double.gitlab_contract import check_answer
from gitlab_double.gitlab_routes import ROUTES, Call
from gitlab_double.gitlab_world import (
    BOB_TOKEN,
    JOB_TOKEN,
    OAUTH_TOKEN,
    PROJECT_TOKEN,
    RITA_TOKEN,
    SMITH_TOKEN,
    ApiError,
    World,
)
from stithy_core.spi import Forge
from stithy_testing import make_app, open_forge

__all__ = [  # the routes register themselves
    "NAME",
    "GitLabServer",
    "gitlab_ci_routes",
    "gitlab_create_routes",
    "open_gitlab",
    "serve_gitlab",
]

NAME = "smith/tools/anvil"
"""The project of tests."""
COUNTED = 10_000
"""Lists with more rows have neither a total nor a last page (doc/api/rest/_index.md)."""


JOB_ROUTES = re.compile(
    r"/job|/projects/[^/]+(/(issues|merge_requests)(/\d+(/notes)?)?|/pipelines(/\d+(/bridges)?)?"
    r"|/repository/(branches/[^/]+|commits/[^/]+))?"
)
"""What the token of a CI job reads (doc/ci/jobs/ci_job_token.md)."""


class GitLabServer(GitServed):
    """The state of the server. `requests` has each request of the API, `checked` the schemas of the answers.

    Of the writes, the next `lose_answers` are carried out and answered by a proxy's 502.
    """

    def __init__(self, folder: Path, subpath: str = "") -> None:
        super().__init__(folder, SMITH_TOKEN)
        self.world = World(folder)
        self.subpath = subpath
        self.tokens = {SMITH_TOKEN: "smith", BOB_TOKEN: "bob", RITA_TOKEN: "rita", OAUTH_TOKEN: "smith"}
        self.tokens[PROJECT_TOKEN] = "project_81_bot_0f3a"
        self.requests: list[str] = []
        self.checked: set[str] = set()
        self.faults: dict[str, ApiError] = {}
        self.wrong: list[str] = []
        self.counts = True
        self.lose_answers = 0
        self.job_requests: list[str] = []

    @property
    def root(self) -> str:
        """The server's own URL, with its subpath."""
        return f"{self.url}{self.subpath}"

    def answer(self, method: str, target: str, body: Any, user: str) -> tuple[int, Any, Mapping[str, str]]:
        """Return status, body and headers of a request below `/api/v4`."""
        url = urlsplit(target)
        query = dict(parse_qsl(url.query))
        if fault := self.faults.get(f"{method} {unquote(url.path)}"):
            raise fault
        for form, methods, handler in ROUTES:
            if method in methods and (found := re.fullmatch(form, url.path)):
                made = handler(
                    self.world,
                    Call(method, [unquote(one) for one in found.groups()], query, body, user, parse_qs(url.query)),
                )
                status, shown, headers = self.cut_page(url.path, query, made) if isinstance(made, list) else (*made, {})
                self.hold_to_schema(method, url.path, shown)
                return status, shown, headers
        raise ApiError(404, {"error": "404 Not Found"})  # an unknown route: lib/api/api.rb

    def hold_to_schema(self, method: str, path: str, shown: Any) -> None:
        if isinstance(shown, bytes | str):
            return
        try:
            self.checked.add(check_answer(method, path, shown))
        except AssertionError as fault:
            self.wrong.append(str(fault))

    def cut_page(self, path: str, query: Mapping[str, str], rows: Sequence[Any]) -> tuple[int, Any, Mapping[str, str]]:
        """Cut a page; in keyset order only the link goes on (doc/api/rest/_index.md)."""
        size = min(int(query.get("per_page", 20)), 100)
        if query.get("pagination") == "keyset":
            start = int(query.get("page_token", 0))
            more = start + size < len(rows)
            next_query = urlencode({**query, "page_token": start + size})
            link = f'<https://configured.example/api/v4{path}?{next_query}>; rel="next"'
            return 200, rows[start : start + size], {"Link": link} if more else {}
        number = int(query.get("page", 1))
        more = number * size < len(rows)
        headers = {"X-Page": str(number), "X-Per-Page": str(size), "X-Next-Page": str(number + 1) if more else ""}
        if self.counts and len(rows) <= COUNTED:
            headers |= {"X-Total": str(len(rows)), "X-Total-Pages": str(-(-len(rows) // size))}
        return 200, rows[(number - 1) * size : number * size], headers


class Handler(GitHandler):
    """Answers the API and git."""

    served: GitLabServer

    def do_GET(self) -> None:
        served = self.served
        target = self.path.removeprefix(served.subpath)
        path, _, query = target.partition("?")
        if not path.startswith(("/api/v4/", "/api/graphql")):
            return self.backend(path, query)
        body = json.loads(self.body() or b"null")
        target = target.removeprefix("/api/v4")
        served.requests.append(f"{self.command} {target}")
        headers: Mapping[str, str]
        try:
            user = self.find_user(target)
            if path == "/api/graphql":
                return self.send_answer(200, gitlab_ci_routes.answer_graphql(served.world, body, user), {}, target)
            status, shown, headers = served.answer(self.command, target, body, user)
        except ApiError as error:
            status, shown, headers = error.status, error.body, error.headers
        if served.lose_answers and self.command != "GET":
            served.lose_answers -= 1
            status, shown, headers = 502, "Bad Gateway", {}
        return self.send_answer(status, shown, dict(headers), target)

    do_POST = do_PUT = do_DELETE = do_GET

    def find_user(self, target: str) -> str:
        if job := self.headers.get("JOB-TOKEN"):
            self.served.job_requests.append(f"{self.command} {target}")
            is_allowed = self.command == "GET" and JOB_ROUTES.fullmatch(target.partition("?")[0])
            if job != JOB_TOKEN or not is_allowed:  # `route_setting :authentication, job_token_allowed` in lib/api
                raise ApiError(401, {"message": "401 Unauthorized"})
            return "smith"
        if OAUTH_TOKEN in self.headers.get("Authorization", "") and target == "/personal_access_tokens/self":
            raise ApiError(400, {"message": "400 Bad request"})
        token = self.headers.get("PRIVATE-TOKEN") or self.headers.get("Authorization", "").removeprefix("Bearer ")
        if token and token not in self.served.tokens:
            raise ApiError(401, {"message": "401 Unauthorized"})
        return self.served.tokens.get(token, "")

    def send_answer(self, status: int, shown: Any, headers: dict[str, str], target: str) -> None:
        if headers.get("Location", "").startswith("project:"):
            rest = re.sub(r"^/projects/[^/?]+", "", target)
            number = headers["Location"].removeprefix("project:")
            headers["Location"] = f"{self.served.root}/api/v4/projects/{number}{rest}"
        is_json = not isinstance(shown, bytes | str)
        content = json.dumps(shown).encode() if is_json else shown if isinstance(shown, bytes) else shown.encode()
        headers.setdefault("Content-Type", "application/json" if is_json else "text/plain")
        limits = {"RateLimit-Limit": "2000", "RateLimit-Remaining": "1977", "RateLimit-Reset": "1999999999"}
        self.give(
            status, [*headers.items(), *limits.items(), ("RateLimit-Name", "throttle_authenticated_api")], content
        )


@contextmanager
def serve_gitlab(folder: Path, subpath: str = "") -> Iterator[GitLabServer]:
    """Serve a GitLab without projects; at the end, no answer may have contradicted GitLab's schemas."""
    served = GitLabServer(folder, subpath)
    with serving_git(served, Handler):
        yield served
    assert not served.wrong, "\n".join(served.wrong)


@asynccontextmanager
async def open_gitlab(
    server: GitLabServer, folder: Path, token: str = SMITH_TOKEN, more: str = ""
) -> AsyncIterator[Forge]:
    """Open the forge of a server, with a token or without one."""
    secret = 'token = { env = "TOKEN" }\n' if token else ""
    settings = f'[forges.work]\nkind = "gitlab"\nurl = "{server.root}"\n{secret}{more}'
    async with open_forge(make_app(folder, settings, environ={"TOKEN": token}), "work") as forge:
        yield forge

"""A server with the API of the forge Quarry, over the world of a sandbox: the JSON has the fields of the records.

The plugin `tests/frozen/interface_1/stithy_quarry.py` is never edited, so what this server returns may only grow.
"""

import json
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from email.utils import format_datetime
from enum import Enum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import attrs

from stithy_core.spi import (
    Archived,
    CommitCheck,
    IssueRef,
    Listing,
    Moved,
    NotFound,
    PullRequestRef,
    Rejected,
    RepositoryRef,
    StithyError,
    Unknown,
    Verdict,
)
from stithy_sandbox.sandbox_forge import Sandbox

PREFIX = b")]}'\n"
STATUSES: Mapping[type[StithyError], int] = {NotFound: 404, Archived: 410, Rejected: 422}
TALKS: Mapping[str, tuple[str, str]] = {"timeline": ("issues", "timeline"), "minimized": ("comments", "minimized")}
PULLS: Mapping[str, tuple[str, str]] = {
    "dependencies": ("pull_requests", "dependencies"),
    "reviews": ("reviews", "list"),
    "threads": ("threads", "list"),
    "files": ("changes", "files"),
    "diff": ("changes", "diff"),
    "commits": ("changes", "commits"),
}
PARTS: Mapping[str, tuple[str, str]] = {
    "tree": ("changes", "tree"),
    "checks": ("checks", "list"),
    "runs": ("checks", "runs"),
    "jobs": ("checks", "jobs"),
    "annotations": ("checks", "annotations"),
    "logs": ("checks", "log"),
    "artifacts": ("checks", "artifacts"),
    "archives": ("checks", "artifact"),
    "reports": ("checks", "test_report"),
    "rules": ("rules", "get"),
}


def to_json(value: Any) -> Any:
    """Return a record as JSON: unknown values as objects, times in ISO 8601, listings as lists."""
    if isinstance(value, Unknown):
        return {"unknown": value.reason, "remedy": value.remedy}
    if isinstance(value, Listing | tuple | list):
        return [to_json(item) for item in value]
    if attrs.has(type(value)):
        return {field.name: to_json(getattr(value, field.name)) for field in attrs.fields(type(value))}
    return value.value if isinstance(value, Enum) else value.isoformat() if isinstance(value, datetime) else value


def finish(operation: Coroutine[Any, Any, Any]) -> Any:
    """Return the result of an operation of a sandbox, which never waits."""
    try:
        operation.send(None)
    except StopIteration as ended:
        return ended.value
    raise AssertionError("an operation of the sandbox waited")


def join_stream(stream: Any) -> bytes:
    """Return all bytes of an operation that streams."""
    chunks = []
    while True:
        try:
            chunks.append(finish(anext(stream)))
        except StopAsyncIteration:
            return b"".join(chunks)


class QuarryApi:
    """The answers of the server.

    Args:
        forge: The sandbox with the data.
    """

    def __init__(self, forge: Sandbox) -> None:
        self.forge = forge

    def answer(self, method: str, segments: list[str], query: dict[str, str], body: Any) -> Any:
        """Return the answer to a request; bytes are sent unchanged.

        Raises:
            StithyError: As the sandbox does.
        """
        match segments:
            case ["version"]:
                return {"version": "3.1"}
            case ["features"]:
                return ["ci"]
            case ["me"]:
                return self.call("identity", "me")
            case ["repos", namespace, name, *rest]:
                repository = RepositoryRef(namespace, name)
                found = self.forge.world.repository(repository).ref
                if found != repository:
                    raise Moved(f"/repos/{found.namespace}/{found.name}")
                return self.answer_repository(found, method, rest, query, body)
        raise NotFound(f"no page {'/'.join(segments)}")

    def call(self, capability: str, operation: str, *args: Any, **keywords: Any) -> Any:
        """Return the result of an operation: a stream as bytes, a listing as an object with its items."""
        found = getattr(getattr(self.forge, capability), operation)(*args, **keywords)
        if hasattr(found, "__anext__"):
            return join_stream(found)
        result = finish(found)
        return {"items": to_json(result), "total": len(result)} if isinstance(result, Listing) else to_json(result)

    def answer_repository(
        self, repository: RepositoryRef, method: str, segments: list[str], query: dict[str, str], body: Any
    ) -> Any:
        """Return the answer about a repository and what is in it."""
        match segments:
            case ["talks", number, *rest]:
                return self.answer_talk(IssueRef(repository, int(number)), method, rest, query, body)
            case ["pulls", number, *rest]:
                return self.answer_pull(PullRequestRef(repository, int(number)), method, rest, query, body)
        return self.answer_part(repository, segments, query)

    def answer_part(self, repository: RepositoryRef, segments: list[str], query: dict[str, str]) -> Any:
        """Return the answer about a repository and its lists."""
        filters = {key: value for key, value in query.items() if key in {"state", "base", "head"}}
        match segments:
            case []:
                return self.call("changes", "repository", repository)
            case ["talks"]:
                return self.call("issues", "list", repository, **filters)
            case ["pulls"]:
                return self.call("pull_requests", "list", repository, **filters)
            case ["compare"]:
                return self.call("changes", "compare", repository, **filters)
            case ["pushers", login]:
                return {"may_push": self.call("identity", "may_push", repository, login)}
            case [part, name] if part in PARTS:
                argument = CommitCheck(name="", verdict=Verdict.PASSED, id=name) if part == "annotations" else name
                return self.call(*PARTS[part], repository, argument)
        raise NotFound(f"no page {'/'.join(segments)} of {repository}")

    def answer_talk(self, subject: IssueRef, method: str, rest: list[str], query: dict[str, str], body: Any) -> Any:
        """Return the answer about an issue, or the conversation of a pull request."""
        match method, rest:
            case "GET", []:
                return self.call("issues", "get", subject)
            case "GET", ["comments"]:
                since = {"since": datetime.fromisoformat(query["since"])} if "since" in query else {}
                return self.call("comments", "list", subject, **since)
            case "POST", ["comments"]:
                return self.call("comments", "create", subject, body["body"])
            case "GET", ["comments", comment]:
                return self.call("comments", "get", subject, comment)
            case "PUT", ["comments", comment]:
                return self.call("comments", "edit", subject, comment, body["body"])
            case "GET", [part] if part in TALKS:
                return self.call(*TALKS[part], subject)
        raise NotFound(f"no page {'/'.join(rest)} of {subject}")

    def answer_pull(self, pr: PullRequestRef, method: str, rest: list[str], query: dict[str, str], body: Any) -> Any:
        """Return the answer about a pull request."""
        match method, rest:
            case "GET", []:
                return self.call("pull_requests", "get", pr)
            case "POST", ["threads", thread, "comments"]:
                return to_json(finish(self.forge.threads.reply(pr, thread, body["body"])).comment)
            case "PUT", ["threads", thread]:
                return self.call("threads", "resolve" if body["resolved"] else "unresolve", pr, thread)
            case "GET", ["files"]:
                return self.call("changes", "files", pr, patches="patches" in query)
            case "GET", [part] if part in PULLS:
                return self.call(*PULLS[part], pr)
        raise NotFound(f"no page {'/'.join(rest)} of {pr}")


def cut_page(answer: Any, url: str, query: dict[str, str]) -> Any:
    """Return one page of a list, with the URL of the next one."""
    if not isinstance(answer, dict) or "items" not in answer or "per_page" not in query:
        return answer
    size, page = int(query["per_page"]), int(query.get("page", "1"))
    items = answer["items"][(page - 1) * size : page * size]
    more = "&".join(f"{key}={value}" for key, value in query.items() if key != "page")
    following = f"{url}?{more}&page={page + 1}" if page * size < answer["total"] else None
    return {"items": items, "total": answer["total"], "next": following}


@contextmanager
def serve_quarry(forge: Sandbox) -> Iterator[str]:
    """Serve a sandbox on a free port of the loopback interface, and yield the URL."""
    api = QuarryApi(forge)

    class Handler(BaseHTTPRequestHandler):
        disable_nagle_algorithm = True
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            parts = urlsplit(self.path)
            query = dict(parse_qsl(parts.query))
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0)) or b"null")
            segments = [unquote(one) for one in parts.path.removeprefix("/api/").split("/")]
            try:
                found = api.answer(self.command, segments, query, body)
                url = f"http://{self.headers['Host']}{parts.path}"
                self.reply(200, found if isinstance(found, bytes) else cut_page(found, url, query))
            except Moved as error:
                rest = "/".join(parts.path.split("/")[5:])
                self.reply(301, {}, Location=f"/api{error.message}" + (f"/{rest}" if rest else ""))
            except StithyError as error:
                self.reply(STATUSES.get(type(error), 409), {"message": error.message})

        def reply(self, status: int, answer: Any, **headers: str) -> None:
            content = answer if isinstance(answer, bytes) else PREFIX + json.dumps(answer).encode()
            kind = "application/octet-stream" if isinstance(answer, bytes) else "application/json"
            self.send_response(status)
            for name, value in {"Content-Type": kind, "X-Quarry-Left": "4999", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = answer

        def date_time_string(self, timestamp: float | None = None) -> str:
            return format_datetime(forge.now(), usegmt=True)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

"""Two forges that the benchmark asks, GitHub and a Gitea, in a process of their own: each answer takes a while.

A pull request has as many comments as its number says, a hundredth of them in the general conversation and the others
in 300 threads, two of three resolved. What GitHub validates by `ETag` is validated here.
"""

import asyncio
import hashlib
import json
import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

THREADS = 300
PLACE = r"/api/v[13]/repos/octo/anvil/(pulls|issues)/(\d+)(?:/(\w+))?(?:/(\d+)/comments)?(\?.*)?"
OK, NOT_MODIFIED = 200, 304
PAGE = 100
BEGUN = datetime(2026, 1, 5, 9, tzinfo=UTC)
PEOPLE = [{"login": f"person-{number}", "id": number + 1, "type": "User"} for number in range(12)]
SAYING = "The anvil rings when it is struck, and nobody knows why it is so loud today. "
HUNK = "@@ -1 +1,4 @@\n" + "+struck()\n" * 4
END = {"hasNextPage": False, "endCursor": None}


def at(number: int) -> str:
    """Give the time of a comment."""
    return (BEGUN + timedelta(seconds=number)).strftime("%Y-%m-%dT%H:%M:%SZ")


def text(number: int) -> str:
    """Give what a comment says: 100 to 600 characters."""
    return (SAYING * 8)[: 100 + 5 * (number % 100)]


class World:
    """A pull request of so many comments."""

    def __init__(self, size: int, url: str) -> None:
        self.size, self.url = size, url
        self.general = [self.comment(number, "issuecomment-") for number in range(1, size // 100 + 1)]
        rest = range(size // 100 + 1, size + 1)
        self.threads = [[*rest[number::THREADS]] for number in range(min(THREADS, len(rest)))]

    def comment(self, number: int, anchor: str) -> dict[str, Any]:
        """Give a comment as REST has it."""
        return {
            "id": number,
            "body": text(number),
            "user": PEOPLE[number % 12],
            "created_at": at(number),
            "updated_at": at(number),
            "html_url": f"{self.url}/octo/anvil/pull/{self.size}#{anchor}{number}",
            "author_association": "MEMBER",
        }

    def pull(self) -> dict[str, Any]:
        """Give the pull request."""
        repository = {"full_name": "octo/anvil", "archived": False}
        tip = {"ref": "main", "sha": "c" * 40, "repo": repository}
        times = {"created_at": at(0), "updated_at": at(self.size)}
        who = {"user": {"login": "author", "id": 99, "type": "User"}, "html_url": f"{self.url}/octo/anvil/pull/1"}
        return {"id": 1, "number": self.size, "title": "Anvil", "body": "", "state": "open", "merged": False} | {
            "head": tip | {"ref": "head"},
            "base": tip,
            "draft": False,
            **times,
            **who,
        }

    def mark(self, number: int) -> dict[str, Any]:
        """Give what tells whether a comment has changed, as GraphQL has it."""
        login = {"login": PEOPLE[number % 12]["login"]}
        state = {"state": "SUBMITTED", "isMinimized": False, "minimizedReason": None, "authorAssociation": "MEMBER"}
        return {"id": f"PRRC_{number}", "updatedAt": at(number), "author": login, **state}

    def remark(self, number: int) -> dict[str, Any]:
        """Give a whole comment in the diff, as GraphQL has it."""
        author = {"__typename": "User", "login": PEOPLE[number % 12]["login"], "databaseId": number % 12 + 1}
        ids = {"fullDatabaseId": str(number), "databaseId": number}
        place = f"{self.url}/octo/anvil/pull/{self.size}#discussion_r{number}"
        more = {"originalCommit": {"oid": "c" * 40}, "pullRequestReview": {"fullDatabaseId": "7", "databaseId": 7}}
        return (
            self.mark(number)
            | ids
            | {"body": text(number), "author": author, "createdAt": at(number)}
            | {
                "url": place,
                **more,
            }
        )

    def thread(self, number: int, *, whole: bool) -> dict[str, Any]:
        """Give a thread, as GraphQL has it."""
        ids = self.threads[number]
        opening = {
            "fullDatabaseId": str(ids[0]),
            "databaseId": ids[0],
            "reactionGroups": [],
            "diffHunk": "@@\n+x\n" * 4,
        }
        rows = [self.remark(one) if whole else self.mark(one) for one in ids]
        state = {"isResolved": number % 3 > 0, "isOutdated": False, "resolvedBy": None, "subjectType": "LINE"}
        place = {"path": f"src/{number % 40}.py", "line": number + 1, "startLine": None, "diffSide": "RIGHT"}
        connection = {"nodes": rows, "pageInfo": END}
        return (
            {"id": f"PRRT_{number}", "originalLine": number + 1, "originalStartLine": None}
            | state
            | place
            | {
                "opening": {"nodes": [opening]},
                "comments": connection,
            }
        )

    def threads_after(self, after: str | None, *, whole: bool) -> dict[str, Any]:
        """Give a page of threads."""
        first = int(after or 0)
        rows = [self.thread(number, whole=whole) for number in range(first, min(first + PAGE, len(self.threads)))]
        last = first + len(rows)
        more = {"hasNextPage": last < len(self.threads), "endCursor": str(last)}
        found = {"reviewThreads": {"totalCount": len(self.threads), "nodes": rows, "pageInfo": more}}
        return {"repository": {"nameWithOwner": "octo/anvil", "pullRequest": found}}

    def graphql(self, document: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Answer one of the questions that stithy asks."""
        name = re.search(r"(?:query|mutation) (\w+)", document)
        match name[1] if name else "":
            case "Threads" | "ThreadsAgain" as asked:
                return self.threads_after(given["after"], whole=asked == "Threads")
            case "SomeThreads":
                return {"nodes": [self.thread(int(one[5:]), whole=True) for one in given["threads"]]}
            case "Folded":
                empty = {"nodes": [], "pageInfo": END}
                return {"repository": {"issueOrPullRequest": {"comments": empty, "reviews": empty}}}
        raise KeyError(document)

    def listed(self) -> list[dict[str, Any]]:
        """Give the comments in the diff as GitHub's REST has them, for who cannot ask its GraphQL."""
        place = {"line": 1, "side": "RIGHT", "commit_id": "c" * 40, "original_commit_id": "c" * 40, "diff_hunk": HUNK}
        rows = [
            self.comment(one, "discussion_r")
            | place
            | {"path": f"src/{number % 40}.py", "pull_request_review_id": 7}
            | ({"in_reply_to_id": ids[0]} if one != ids[0] else {})
            for number, ids in enumerate(self.threads)
            for one in ids
        ]
        return sorted(rows, key=lambda row: int(row["id"]))

    def inline(self, review: int) -> list[dict[str, Any]]:
        """Give the comments of a review, as Gitea has them: those of one thread."""
        place = {"path": f"src/{review % 40}.py", "position": review + 1, "original_position": 0, "diff_hunk": "@@\n+x"}
        solved = PEOPLE[0] if review % 3 else None
        review_id = {"pull_request_review_id": review + 1, "resolver": solved}
        return [self.comment(one, "issuecomment-") | place | review_id for one in self.threads[review]]

    def reviews(self) -> list[dict[str, Any]]:
        """Give the reviews, as Gitea has them: one a thread."""
        return [
            {"id": number + 1, "state": "COMMENT", "body": "", "user": PEOPLE[0], "commit_id": "c" * 40}
            | {"submitted_at": at(number), "comments_count": len(ids), "html_url": f"{self.url}/r{number}"}
            for number, ids in enumerate(self.threads)
        ]


class Forges:
    """Answers by path, and counts."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._worlds: dict[int, World] = {}
        self._made: dict[tuple[str, bytes], tuple[bytes, str]] = {}
        self._latest = 0
        self.counts = {"requests": 0, "not_modified": 0, "bytes": 0}

    def answer(self, path: str, body: bytes, validator: str) -> bytes:
        """Answer a request."""
        if path == "/counts":
            counts, self.counts = self.counts, dict.fromkeys(self.counts, 0)
            return _response(OK, json.dumps(counts).encode())
        self.counts["requests"] += 1
        if (path, body) not in self._made:  # so that only the first who asks waits for its making
            found = self._found(path, body)
            self._made[path, body] = found, _next(path, found)
        content, following = self._made[path, body]
        etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"' if path.startswith("/api/v3/") else ""
        if etag and validator == etag:
            self.counts["not_modified"] += 1
            return _response(NOT_MODIFIED, b"", f"etag: {etag}")
        self.counts["bytes"] += len(content)
        headers = [f"etag: {etag}"] * bool(etag) + [f'link: <{self._url}{following}>; rel="next"'] * bool(following)
        return _response(OK, content, *headers)

    def _found(self, path: str, body: bytes) -> bytes:
        if path == "/api/graphql":
            given = json.loads(body)
            number = given["variables"].get("number") or self._latest
            self._latest = number
            return json.dumps({"data": self._world(number).graphql(given["query"], given["variables"])}).encode()
        return json.dumps(self._rest(path)).encode()

    def _rest(self, path: str) -> Any:
        place = re.fullmatch(PLACE, path)
        if place is None:
            return {"login": "agent", "id": 98, "type": "User", "version": "1.27.0", "paths": {}}
        kind, number, of, review, query = place.groups()
        world = self._world(int(number))
        if of is None:
            return world.pull()
        if review:
            return world.inline(int(review) - 1)
        if kind == "issues":
            return _page(world.general, query) if path.startswith("/api/v3") else world.general
        if not path.startswith("/api/v3"):
            return world.reviews()
        return _page(world.listed(), query) if of == "comments" else []

    def _world(self, number: int) -> World:
        return self._worlds.setdefault(number, World(number, self._url))


def _page(rows: list[Any], query: str | None) -> list[Any]:
    found = re.search(r"\bpage=(\d+)", (query or "").replace("per_page", ""))
    first = (int(found[1]) - 1) * PAGE if found else 0
    return rows[first : first + PAGE]


def _next(path: str, content: bytes) -> str:
    """Give the page after one that is full."""
    if not path.startswith("/api/v3/") or not re.search("/issues/|/comments", path) or len(json.loads(content)) < PAGE:
        return ""
    found = re.search(r"([?&])page=(\d+)", path)
    return path[: found.start(2)] + str(int(found[2]) + 1) if found else f"{path}&page=2"


def _response(status: int, body: bytes, *headers: str) -> bytes:
    kind = ["content-type: application/json", f"content-length: {len(body)}"] if status != NOT_MODIFIED else []
    return "\r\n".join([f"HTTP/1.1 {status} OK", *kind, *headers, "", ""]).encode() + body


class Client(asyncio.Protocol):
    """One connection; the answer to each request is late."""

    def __init__(self, forges: list[Forges], latency: float) -> None:
        self._forges, self._latency, self._unread = forges, latency, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a client."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer each request that is whole."""
        self._unread += data
        while b"\r\n\r\n" in self._unread:
            head, _, rest = self._unread.partition(b"\r\n\r\n")
            lines = head.decode().split("\r\n")
            fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
            length = int(fields.get("content-length", 0))
            if len(rest) < length:
                return
            body, self._unread = rest[:length], rest[length:]
            path = lines[0].split(" ")[1]
            answer = self._forges[0].answer(path, body, fields.get("if-none-match", ""))
            late = 0.0 if path == "/counts" else self._latency
            asyncio.get_running_loop().call_later(late, self._transport.write, answer)


async def serve(latency: float) -> None:
    """Serve until the process is ended; the port is printed first."""
    forges: list[Forges] = []
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Client(forges, latency), "127.0.0.1", 0, backlog=2_000)
    port = server.sockets[0].getsockname()[1]
    forges.append(Forges(f"http://127.0.0.1:{port}"))
    print(port, flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))

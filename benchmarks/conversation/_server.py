"""Two forges for the benchmark, GitHub and Gitea, in a process of their own, with a latency.

The number of a pull request is that of its comments: a hundredth of them are general ones, the others are in 300
threads, two of three resolved. Those of SHAPES have a shape of their own. Responses have an `ETag` where GitHub's have
one.
"""

import asyncio
import hashlib
import json
import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

THREADS = 300
ORDINARY, TALK, HUGE = 33, 6_000, 10_040
PLACE = r"/api/v[13]/repos/octo/anvil/(pulls|issues)/(\d+)(?:/(\w+))?(?:/(\d+)/comments)?(\?.*)?"
OK, NOT_MODIFIED = 200, 304
PAGE = 100
START = datetime(2026, 1, 5, 9, tzinfo=UTC)
PEOPLE = [{"login": f"person-{number}", "id": number + 1, "type": "User"} for number in range(12)]
SENTENCE = "The anvil rings when it is struck, and nobody knows why it is so loud today. "
HUNK = "@@ -1 +1,4 @@\n" + "+struck()\n" * 4
END = {"hasNextPage": False, "endCursor": None}


class Shape(NamedTuple):
    """What a pull request has.

    Args:
        general: The number of general comments.
        inline: The number of comments in threads.
        threads: The number of threads.
        unresolved: The number of open threads.
        reviews: The number of reviews with a text.
    """

    general: int
    inline: int
    threads: int
    unresolved: int
    reviews: int


SHAPES = {
    ORDINARY: Shape(general=14, inline=60, threads=20, unresolved=14, reviews=5),
    TALK: Shape(general=6_000, inline=0, threads=0, unresolved=0, reviews=0),
    HUGE: Shape(general=8_800, inline=1_200, threads=240, unresolved=40, reviews=60),
}


def get_shape(number: int) -> Shape:
    """Return the shape of a pull request by its number."""
    general, threads = number // 100, min(THREADS, number - number // 100)
    return SHAPES.get(number) or Shape(general, number - general, threads, (threads + 2) // 3, 0)


def format_time(number: int) -> str:
    """Return the time of a comment."""
    return (START + timedelta(seconds=number)).strftime("%Y-%m-%dT%H:%M:%SZ")


def build_text(number: int) -> str:
    """Return the text of a comment: 100 to 600 characters."""
    return (SENTENCE * 8)[: 100 + 5 * (number % 100)]


class PullRequestData:
    """A pull request with `size` comments, in the formats of both forges."""

    def __init__(self, size: int, url: str) -> None:
        self.size, self.url, self.shape = size, url, get_shape(size)
        general = self.shape.general
        self.general = [self.comment(number, "issuecomment-") for number in range(1, general + 1)]
        rest = range(general + 1, general + self.shape.inline + 1)
        self.threads = [[*rest[number :: self.shape.threads]] for number in range(self.shape.threads)]
        self.texts = [self.build_review(number) for number in range(self.shape.reviews)]

    def comment(self, number: int, anchor: str) -> dict[str, Any]:
        """Return a comment in the format of REST."""
        return {
            "id": number,
            "body": build_text(number),
            "user": PEOPLE[number % 12],
            "created_at": format_time(number),
            "updated_at": format_time(number),
            "html_url": f"{self.url}/octo/anvil/pull/{self.size}#{anchor}{number}",
            "author_association": "MEMBER",
        }

    def pull(self) -> dict[str, Any]:
        """Return the pull request."""
        repository = {"full_name": "octo/anvil", "archived": False}
        tip = {"ref": "main", "sha": "c" * 40, "repo": repository}
        times = {"created_at": format_time(0), "updated_at": format_time(self.size)}
        who = {"user": {"login": "author", "id": 99, "type": "User"}, "html_url": f"{self.url}/octo/anvil/pull/1"}
        return {"id": 1, "number": self.size, "title": "Anvil", "body": "", "state": "open", "merged": False} | {
            "head": tip | {"ref": "head"},
            "base": tip,
            "draft": False,
            **times,
            **who,
        }

    def build_comment_version(self, number: int) -> dict[str, Any]:
        """Return the fields of a review comment that show whether it has changed, in the format of GraphQL."""
        login = {"login": PEOPLE[number % 12]["login"]}
        state = {"state": "SUBMITTED", "isMinimized": False, "minimizedReason": None, "authorAssociation": "MEMBER"}
        return {"id": f"PRRC_{number}", "updatedAt": format_time(number), "author": login, **state}

    def build_review_comment(self, number: int) -> dict[str, Any]:
        """Return a whole review comment, in the format of GraphQL."""
        author = {"__typename": "User", "login": PEOPLE[number % 12]["login"], "databaseId": number % 12 + 1}
        ids = {"fullDatabaseId": str(number), "databaseId": number}
        place = f"{self.url}/octo/anvil/pull/{self.size}#discussion_r{number}"
        more = {"originalCommit": {"oid": "c" * 40}, "pullRequestReview": {"fullDatabaseId": "7", "databaseId": 7}}
        return (
            self.build_comment_version(number)
            | ids
            | {"body": build_text(number), "author": author, "createdAt": format_time(number)}
            | {
                "url": place,
                **more,
            }
        )

    def thread(self, number: int, *, whole: bool) -> dict[str, Any]:
        """Return a thread in the format of GraphQL; `whole` is whether its comments have all fields."""
        ids = self.threads[number]
        opening = {
            "fullDatabaseId": str(ids[0]),
            "databaseId": ids[0],
            "reactionGroups": [],
            "diffHunk": "@@\n+x\n" * 4,
        }
        rows = [self.build_review_comment(one) if whole else self.build_comment_version(one) for one in ids]
        state = {
            "isResolved": number >= self.shape.unresolved,
            "isOutdated": False,
            "resolvedBy": None,
            "subjectType": "LINE",
        }
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
        """Return a page of threads."""
        first = int(after or 0)
        rows = [self.thread(number, whole=whole) for number in range(first, min(first + PAGE, len(self.threads)))]
        last = first + len(rows)
        more = {"hasNextPage": last < len(self.threads), "endCursor": str(last)}
        page = {"reviewThreads": {"totalCount": len(self.threads), "nodes": rows, "pageInfo": more}}
        return {"repository": {"nameWithOwner": "octo/anvil", "pullRequest": page}}

    def graphql(self, document: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        """Return the response to one of stithy's queries."""
        name = re.search(r"(?:query|mutation) (\w+)", document)
        match name[1] if name else "":
            case "Threads" | "ThreadsAgain" as query:
                return self.threads_after(variables["after"], whole=query == "Threads")
            case "SomeThreads":
                return {"nodes": [self.thread(int(one[5:]), whole=True) for one in variables["threads"]]}
            case "Conversation" | "ConversationAgain":
                return self.conversation(document, variables)
            case "Earlier":
                return {"repository": {"issueOrPullRequest": {"comments": self.block(variables["before"])}}}
            case "Floor":
                names = {"threads": True, "reviews": True, "comments": True, "afterThreads": variables["after"]}
                return self.conversation("...Talk", names | {"afterReviews": None})
            case "Folded":
                empty = {"nodes": [], "pageInfo": END}
                return {"repository": {"issueOrPullRequest": {"comments": empty, "reviews": empty}}}
        raise KeyError(document)

    def conversation(self, document: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parts of the conversation that a query asks for."""
        found: dict[str, Any] = {}
        if wanted["threads"]:
            whole = self.threads_after(wanted["afterThreads"], whole="...Talk" in document)
            found |= whole["repository"]["pullRequest"]
        if wanted["reviews"]:
            first = int(wanted["afterReviews"] or 0)
            rows = self.texts[first : first + PAGE]
            last = first + len(rows)
            page = {"hasNextPage": last < len(self.texts), "endCursor": str(last)}
            found["reviews"] = {"totalCount": len(self.texts), "nodes": rows, "pageInfo": page}
        if wanted["comments"]:
            found["comments"] = self.block(None)
        viewer = {"__typename": "User", "login": "agent", "databaseId": 98}
        return {"viewer": viewer, "repository": {"nameWithOwner": "octo/anvil", "pullRequest": found}}

    def block(self, before: str | None) -> dict[str, Any]:
        """Return the comments before a cursor, or the newest ones, in the format of GraphQL."""
        end = len(self.general) if before is None else int(before)
        first = max(0, end - PAGE)
        rows = [self.build_said(int(row["id"])) for row in self.general[first:end]]
        page = {"hasPreviousPage": first > 0, "startCursor": str(first)}
        return {"totalCount": len(self.general), "nodes": rows, "pageInfo": page}

    def build_said(self, number: int) -> dict[str, Any]:
        """Return a general comment in the format of GraphQL."""
        page = f"{self.url}/octo/anvil/pull/{self.size}#issuecomment-{number}"
        return self.build_review_comment(number) | {"url": page, "reactionGroups": []}

    def build_review(self, number: int) -> dict[str, Any]:
        """Return a review with a text, in the format of GraphQL."""
        author = {"__typename": "User", "login": PEOPLE[number % 12]["login"], "databaseId": number % 12 + 1}
        fold = {"isMinimized": False, "minimizedReason": None, "authorCanPushToRepository": True}
        ids = {"fullDatabaseId": str(number + 1), "databaseId": number + 1, "commit": {"oid": "c" * 40}}
        texts = {"state": "COMMENTED", "body": build_text(number), "submitted_at": format_time(number)}
        page = f"{self.url}/octo/anvil/pull/{self.size}#pullrequestreview-{number + 1}"
        return ids | fold | texts | {"author": author, "author_association": "MEMBER", "html_url": page}

    def list_reviews(self) -> list[dict[str, Any]]:
        """Return the reviews in the format of GitHub's REST."""
        return [
            row | {"id": row["databaseId"], "user": PEOPLE[number % 12], "commit_id": "c" * 40}
            for number, row in enumerate(self.texts)
        ]

    def list_review_comments(self) -> list[dict[str, Any]]:
        """Return the review comments in the format of GitHub's REST, for clients that do not use GraphQL."""
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
        """Return the comments of a review, those of one thread, in the format of Gitea."""
        place = {"path": f"src/{review % 40}.py", "position": review + 1, "original_position": 0, "diff_hunk": "@@\n+x"}
        solved = PEOPLE[0] if review >= self.shape.unresolved else None
        review_id = {"pull_request_review_id": review + 1, "resolver": solved}
        return [self.comment(one, "issuecomment-") | place | review_id for one in self.threads[review]]

    def reviews(self) -> list[dict[str, Any]]:
        """Return the reviews, one for each thread, in the format of Gitea."""
        return [
            {"id": number + 1, "state": "COMMENT", "body": "", "user": PEOPLE[0], "commit_id": "c" * 40}
            | {"submitted_at": format_time(number), "comments_count": len(ids), "html_url": f"{self.url}/r{number}"}
            for number, ids in enumerate(self.threads)
        ]


class Forges:
    """Answers requests by path, and counts them."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._pull_requests: dict[int, PullRequestData] = {}
        self._responses: dict[tuple[str, bytes], tuple[bytes, str]] = {}
        self._latest = 0
        self.counts = {"requests": 0, "not_modified": 0, "bytes": 0}

    def answer(self, path: str, body: bytes, validator: str) -> bytes:
        """Return the response to a request."""
        if path == "/counts":
            counts, self.counts = self.counts, dict.fromkeys(self.counts, 0)
            return _format_response(OK, json.dumps(counts).encode())
        self.counts["requests"] += 1
        if (path, body) not in self._responses:  # only the first request waits for the creation of its response
            data = self._build_response(path, body)
            self._responses[path, body] = data, _format_link(self._url, path, data)
        content, link = self._responses[path, body]
        etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"' if path.startswith("/api/v3/") else ""
        if etag and validator == etag:
            self.counts["not_modified"] += 1
            return _format_response(NOT_MODIFIED, b"", f"etag: {etag}")
        self.counts["bytes"] += len(content)
        headers = [f"etag: {etag}"] * bool(etag) + [link] * bool(link)
        return _format_response(OK, content, *headers)

    def _build_response(self, path: str, body: bytes) -> bytes:
        if path == "/api/graphql":
            query = json.loads(body)
            number = query["variables"].get("number") or self._latest
            self._latest = number
            data = self._find_pull_request(number).graphql(query["query"], query["variables"])
            return json.dumps({"data": data}).encode()
        return json.dumps(self._rest(path)).encode()

    def _rest(self, path: str) -> Any:
        place = re.fullmatch(PLACE, path)
        if place is None:
            return {"login": "agent", "id": 98, "type": "User", "version": "1.27.0", "paths": {}}
        kind, number, collection, review, query = place.groups()
        pull_request = self._find_pull_request(int(number))
        if collection is None:
            return pull_request.pull()
        if review:
            return pull_request.inline(int(review) - 1)
        if kind == "issues":
            return _select_page(pull_request.general, query) if path.startswith("/api/v3") else pull_request.general
        if not path.startswith("/api/v3"):
            return pull_request.reviews()
        found = pull_request.list_review_comments() if collection == "comments" else pull_request.list_reviews()
        return _select_page(found, query)

    def _find_pull_request(self, number: int) -> PullRequestData:
        return self._pull_requests.setdefault(number, PullRequestData(number, self._url))


def _select_page(rows: list[Any], query: str | None) -> list[Any]:
    found = re.search(r"\bpage=(\d+)", (query or "").replace("per_page", ""))
    first = (int(found[1]) - 1) * PAGE if found else 0
    return rows[first : first + PAGE]


def _format_link(url: str, path: str, content: bytes) -> str:
    """Return the header `Link` with the next and the last page; empty if the page is not full."""
    if not path.startswith("/api/v3/") or not re.search("/issues/|/comments", path) or len(json.loads(content)) < PAGE:
        return ""
    place = re.fullmatch(PLACE, path)
    shape = get_shape(int(place[2])) if place else get_shape(0)
    last = -(-(shape.general if "/issues/" in path else shape.inline) // PAGE)
    found = re.search(r"([?&])page=(\d+)", path)
    base, number = (path[: found.start()], int(found[2])) if found else (path, 1)
    if number >= last:
        return ""
    return f'link: <{url}{base}&page={number + 1}>; rel="next", <{url}{base}&page={last}>; rel="last"'


def _format_response(status: int, body: bytes, *headers: str) -> bytes:
    kind = ["content-type: application/json", f"content-length: {len(body)}"] if status != NOT_MODIFIED else []
    return "\r\n".join([f"HTTP/1.1 {status} OK", *kind, *headers, "", ""]).encode() + body


class Client(asyncio.Protocol):
    """One connection; each response is sent after the latency."""

    def __init__(self, forges: list[Forges], latency: float) -> None:
        self._forges, self._latency, self._unread = forges, latency, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport of a new connection."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer each complete request."""
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
            delay = 0.0 if path == "/counts" else self._latency
            asyncio.get_running_loop().call_later(delay, self._transport.write, answer)


async def serve(latency: float) -> None:
    """Print the port, and serve until the process ends."""
    forges: list[Forges] = []
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Client(forges, latency), "127.0.0.1", 0, backlog=2_000)
    port = server.sockets[0].getsockname()[1]
    forges.append(Forges(f"http://127.0.0.1:{port}"))
    print(port, flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))

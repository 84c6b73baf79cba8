"""A Gitea or Forgejo on the loopback interface that has one thread, and keeps what is posted to it."""

from typing import Any

from loopback import Server

ROOT = "/api/v1/repos/smith/anvil"
PR = f"{ROOT}/pulls/2"
TIME = "2026-11-21T08:00:00Z"
HEAD = "a" * 40
PULLS = "/repos/{owner}/{repo}/pulls"
FLAVOURS = {
    "gitea": {f"{PULLS}/{{index}}/comments/{{id}}/replies", f"{PULLS}/comments/{{id}}/resolve"},
    "forgejo": {f"{PULLS}/{{index}}/reviews/{{id}}/comments"},
    "old": set(),
}


def serve(server: Server, flavour: str) -> Server:
    """Register the responses of a flavour."""
    if flavour == "forgejo":
        server.answer("GET /api/forgejo/v1/version", 200, {"version": "14.0.0+gitea-1.22.0"})
    server.answer("GET /api/v1/version", 200, {"version": "1.25.0" if flavour == "old" else "1.27.0"})
    server.answer("GET /swagger.v1.json", 200, {"paths": {route: {"post": {}} for route in FLAVOURS[flavour]}})
    server.answer("GET /api/v1/user", 200, person(1))
    server.answer(f"GET {PR}", 200, {"number": 2, "head": {"sha": HEAD}, "base": {"repo": {"permissions": {}}}})
    server.answer(f"GET {PR}/reviews", 200, [REVIEW], x_total_count="1")
    server.answer(f"GET {PR}/reviews/5/comments", 200, [remark(7, "Why?")])
    return server


def person(number: int) -> dict[str, Any]:
    return {"id": number, "login": f"smith-{number}"}


REVIEW = {
    "id": 5,
    "state": "COMMENT",
    "user": person(2),
    "comments_count": 1,
    "submitted_at": TIME,
    "commit_id": HEAD,
}


def remark(number: int, body: Any, by: int = 2, line: int = 3) -> dict[str, Any]:
    """Write a comment in the diff."""
    place = {"path": "hello.py", "position": line, "original_position": 0, "pull_request_review_id": 5}
    return place | {"id": number, "body": body, "user": person(by), "created_at": TIME, "resolver": None}

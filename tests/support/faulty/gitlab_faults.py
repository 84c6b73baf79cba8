"""GitLab as a faulty forge: its routes, and each fault in the form that GitLab gives it.

The bodies are those of lib/api/api.rb, lib/api/helpers.rb and lib/api/api_guard.rb in GitLab's repository: a message is
a text, a list, or lists by field, and some errors have none.
"""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from attrs import define
from loopback import message

from faulty import elsewhere, failures, limits
from faulty.fault import Fault, Meaning
from faulty.refusals import IN_THE_WAY, INVALID, NO_RIGHT, TOKEN_WRONG
from faulty.server import MADE, REPOSITORY, TOKEN, FaultyForge, Flavour
from stithy_core.spi import Archived, Forbidden, IssueRef, Locked, Moved, NotFound, Rejected
from stithy_gitlab import GitLabNames

USER = {"id": 7, "username": "smith"}
CURRENT = "smith/hammer"
DESCRIPTION = "error_description"
PLAIN = ("message", "error", "base", DESCRIPTION)
"""Fields whose names the plugin does not repeat."""


class GitLabFlavour(Flavour):
    """GitLab: its conversation is that of a merge request."""

    def at(self, method: str, path: str) -> str:
        """Name a route of the project."""
        return f"{method} {self.api}/projects/{quote(str(REPOSITORY), safe='')}{path}"

    @property
    def read(self) -> str:
        """The read that faults are tried on."""
        return self.at("GET", "/merge_requests/1/notes")

    @property
    def write(self) -> str:
        """The write that faults are tried on."""
        return self.at("POST", "/merge_requests/1/notes")

    @property
    def subject(self) -> IssueRef:
        """The merge request."""
        return GitLabNames().create_pull_request_ref(REPOSITORY, 1)

    def create(self, **parts: Any) -> "GitLabForge":
        """Create a server."""
        return GitLabForge(flavour=self, **parts)


@define(kw_only=True)
class GitLabForge(FaultyForge):
    """A GitLab with one merge request."""

    def start(self) -> None:
        """Register the valid responses."""
        at = self.flavour.at
        self.answer(f"GET {self.flavour.api}/user", 200, USER)
        self.answers[at("GET", "")] = lambda _: message(200, self.project())
        self.answers[at("GET", "/merge_requests/1")] = lambda _: message(200, self.merge_request())
        self.answers[self.flavour.read] = lambda _: message(200, self.comments, x_page="1", x_next_page="")
        self.answers[self.flavour.write] = lambda request: message(201, self.apply(request))

    def comment(self, text: str) -> dict[str, Any]:
        """Create a note, the next one."""
        made = super().comment(text)
        return made | {"author": USER, "type": None, "system": False, "noteable_type": "MergeRequest"}

    def project(self, name: str = str(REPOSITORY)) -> dict[str, Any]:
        """Return the project."""
        return {"id": 81, "path_with_namespace": name, "web_url": self.url, "archived": self.archived}

    def merge_request(self) -> dict[str, Any]:
        """Return the merge request."""
        row = {"id": 1, "iid": 1, "title": "Greet", "state": "opened", "author": USER, "web_url": self.url}
        ends = {"source_branch": "greet", "target_branch": "main", "source_project_id": 81, "target_project_id": 81}
        times = {"created_at": MADE, "updated_at": MADE}
        return row | ends | times | {"sha": "0" * 40, "discussion_locked": self.locked, "draft": False}


GITLAB = GitLabFlavour("gitlab", "gitlab", "/api/v4", "documentation_url")
SCOPE = Meaning(kind=Forbidden, words="insufficient_scope", remedy="The token needs the scope api")
GRANULAR = Meaning(kind=Forbidden, words="insufficient_granular_scope", remedy="The token needs the scope")
ARCHIVED = Meaning(kind=Archived, words="smith/anvil is archived", remedy="Its owner can unarchive it.")
LOCKED = Meaning(kind=Locked, words="the conversation of smith/anvil!1 is locked", remedy="unlock it")
NO_PROJECT = Meaning(kind=NotFound, words="has no repository smith/anvil", remedy="a member of the project")
NO_NUMBER = Meaning(kind=NotFound, words="has no merge request 1", remedy="Check the number")
BAD = Meaning(kind=Rejected, words="400", remedy="names.")
READ_MOVED = Meaning(kind=Moved, words="another name now; nothing was written", remedy="Read the project")
WRITE_MOVED = Meaning(kind=Moved, words=f"is called {CURRENT} now; nothing was written", remedy=f"again with {CURRENT}")


def refusal(name: str, body: Mapping[str, Any], read: Meaning, write: Meaning | None = None, **state: bool) -> Fault:
    """Create a refusal in JSON.

    Args:
        name: As the tests call it; the status, and what distinguishes it.
        body: Its JSON, in which each text is followed by the token.
        read: What it means for a read.
        write: What it means for a write.
        state: `locked` and `archived` of `Fault`.
    """
    status, texts = int(name[:3]), list(_list_texts(body))
    return Fault(
        name=name,
        answer=lambda _: message(status, _add_token(body), x_echo=TOKEN),
        read=read,
        write=write or read,
        status=status,
        said=texts[0] if len(texts) == 1 else None,
        **state,
    )


def _list_texts(body: Any, name: str = "") -> Iterator[str]:
    """Iterate over the texts of a body that the plugin reads, those of a field with its name."""
    if isinstance(body, Mapping):
        for key, value in _select_texts(body).items():
            yield from _list_texts(value, "" if key in PLAIN else f"{key}: ")
    elif isinstance(body, list):
        for value in body:
            yield from _list_texts(value, name)
    else:
        yield f"{name}{body or ''}"


def _add_token(body: Any) -> Any:
    if isinstance(body, Mapping):
        return {**body, **{key: _add_token(value) for key, value in _select_texts(body).items()}}
    if isinstance(body, list):
        return [_add_token(value) for value in body]
    return f"{body} {TOKEN}" if body else body


def _select_texts(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields that are for people: beside a description, OAuth's others are codes."""
    return {DESCRIPTION: body[DESCRIPTION]} if DESCRIPTION in body else body


def move(forge: FaultyForge) -> bytes:
    """Refuse a write to a project that has another name; a read of it is redirected to its number."""
    assert isinstance(forge, GitLabForge)
    forge.answers[forge.flavour.at("GET", "")] = message(200, forge.project(CURRENT))
    body = {"message": f"405 Non GET methods are not allowed for moved projects {TOKEN}"}
    return message(405, body, x_echo=TOKEN)


_REVOKED = "Token was revoked. You have to re-authorize from the user."
_PRIVILEGES = "The request requires higher privileges than provided by the access token."
REFUSALS = [
    refusal("401", {"message": "401 Unauthorized"}, TOKEN_WRONG),
    refusal("401-revoked", {"error": "invalid_token", "error_description": _REVOKED}, TOKEN_WRONG),
    refusal("403-scope", {"error": "insufficient_scope", "error_description": _PRIVILEGES, "scope": "api"}, SCOPE),
    refusal("403-granular", {"error": "insufficient_granular_scope", "error_description": _PRIVILEGES}, GRANULAR),
    refusal("403", {"message": "403 Forbidden"}, NO_RIGHT),
    refusal("403-blank", {"message": None}, NO_RIGHT),
    refusal("403-locked", {"message": "403 Forbidden"}, NO_RIGHT, LOCKED, locked=True),
    refusal("403-archived", {"message": "403 Forbidden"}, NO_RIGHT, ARCHIVED, archived=True),
    refusal("404-project", {"message": "404 Project Not Found"}, NO_PROJECT),
    refusal("404", {"message": "404 Not found"}, NO_NUMBER),
    refusal("404-route", {"error": "404 Not Found"}, NO_NUMBER),
    refusal("409-lock", {"message": "409 Conflict: Resource lock"}, IN_THE_WAY),
    refusal("409-list", {"message": ["Another open merge request already exists"]}, IN_THE_WAY),
    refusal("400-fields", {"message": {"note": ["is too long"]}}, BAD),
    refusal("400-base", {"message": {"base": ["is closed"]}}, BAD),
    refusal("400-parameter", {"error": "body is missing"}, BAD),
    refusal("422", {"message": "422 Unprocessable Entity"}, INVALID),
    Fault(
        name="405-moved",
        answer=move,
        read=READ_MOVED,
        write=WRITE_MOVED,
        status=405,
        said="405 Non GET methods are not allowed for moved projects",
    ),
]
_ENDPOINT = "This endpoint has been requested too many times. Try again later."


def limit(name: str, body: Any, said: str, wait: float, **headers: Any) -> Fault:
    """Create a limit; that of one endpoint is not counted in the headers of the server's own limit."""
    return Fault(
        name=name,
        answer=lambda _: message(429, body, x_echo=TOKEN, **headers),
        read=limits.WAIT,
        write=limits.WAIT,
        status=429,
        said=said,
        wait=wait,
    )


_LEFT = {"ratelimit_limit": 2000, "ratelimit_remaining": 1977, "ratelimit_reset": 1999999999}
_SPENT = _LEFT | {"ratelimit_remaining": 0, "content_type": "text/plain", "retry_after": 42}
LIMITS = [
    limit("429-text", f"Retry later {TOKEN}".encode(), "Retry later", 42, **_SPENT),
    limit("429-endpoint", {"message": {"error": f"{_ENDPOINT} {TOKEN}"}}, _ENDPOINT, 17, retry_after=17, **_LEFT),
    limit("429-bare", {"message": f"429 Too Many Requests {TOKEN}"}, "429 Too Many Requests", 60),
    limits.on_a_page("429-page", 17, retry_after=17),
]
FAILURES = [failures.failing("500", 500, "500 Internal Server Error", failures.ONE_REQUEST), *failures.COMMON]
OF = {"refusals": REFUSALS, "limits": LIMITS, "failures": FAILURES, "elsewhere": elsewhere.COMMON}
"""All faults, by group."""

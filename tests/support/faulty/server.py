"""A forge on the loopback interface: one issue that is a pull request as well, and the conversation that it has."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from attrs import define, field, frozen
from loopback import Received, Server, message

from stithy_core.spi import IssueRef, RepositoryRef

TOKEN = "s3cret-of-the-forge-0123456789"
MASK = "[redacted]"
REPOSITORY = RepositoryRef("smith", "anvil")
ISSUE = IssueRef(REPOSITORY, 1)
USER = {"id": 7, "login": "smith"}
MADE = "2026-01-05T09:00:00Z"


@frozen
class Flavour:
    """The differences between forges.

    Args:
        name: As the tests call it.
        kind: As the settings call it.
        api: Where its API is below the URL.
        docs: The key under which an error names its documentation.
    """

    name: str
    kind: str
    api: str
    docs: str

    def at(self, method: str, path: str) -> str:
        """Name a route of the repository."""
        return f"{method} {self.api}/repos/smith/anvil{path}"

    @property
    def read(self) -> str:
        """The read that faults are tried on: the conversation."""
        return self.at("GET", "/issues/1/comments")

    @property
    def write(self) -> str:
        """The write that faults are tried on: a new comment."""
        return self.at("POST", "/issues/1/comments")

    @property
    def subject(self) -> IssueRef:
        """What has the conversation."""
        return ISSUE

    def create(self, **parts: Any) -> "FaultyForge":
        """Create a server."""
        return FaultyForge(flavour=self, **parts)


GITEA = Flavour("gitea", "gitea", "/api/v1", "url")
FORGEJO = Flavour("forgejo", "gitea", "/api/v1", "url")
GITHUB = Flavour("github", "github", "/api/v3", "documentation_url")
FLAVOURS = [GITEA, FORGEJO, GITHUB]


@define(kw_only=True)
class FaultyForge(Server):
    """Answers well by default. Whatever it refuses with repeats the token, as a careless server or proxy may do.

    Args:
        flavour: Which forge it is.
        other: Another server, which never gets anything.
        comments: The conversation: whatever was applied.
        locked: Whether the conversation is.
        archived: Whether the repository is, where only the repository tells.
    """

    flavour: Flavour
    other: Server = field(factory=Server)
    comments: list[dict[str, Any]] = field(factory=list)
    locked: bool = False
    archived: bool = False

    def start(self) -> None:
        """Register the valid responses."""
        at = self.flavour.at
        self.answer(f"GET {self.flavour.api}/user", 200, USER)
        self.answer(at("GET", ""), 200, {"id": 1, "full_name": str(REPOSITORY), "name": "anvil"})
        self.answers[at("GET", "/issues/1")] = lambda _: message(200, self.issue())
        self.answers[at("GET", "/pulls/1")] = lambda _: message(200, self.issue() | self._ends())
        self.answers[self.flavour.read] = lambda _: message(200, self.comments)
        self.answers[self.flavour.write] = lambda request: message(201, self.apply(request))

    def apply(self, request: Received) -> dict[str, Any]:
        """Carry a write out."""
        self.comments.append(self.comment(json.loads(request.body)["body"]))
        return self.comments[-1]

    def comment(self, text: str) -> dict[str, Any]:
        """Make a comment, the next one."""
        now = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        said = {"id": len(self.comments) + 1, "body": text, "user": USER, "html_url": self.url}
        return said | {"created_at": now, "updated_at": now}

    def count(self, what: str) -> int:
        """Count the requests of a route."""
        return sum(target.partition("?")[0] == what for target in self.targets)

    def refuse(self, status: int, text: str, *, more: Mapping[str, Any] | None = None, **headers: Any) -> bytes:
        """Write a refusal in JSON; a text that is not empty repeats the token."""
        body = {"message": f"{text} {TOKEN}" if text else "", self.flavour.docs: f"{self.url}/{TOKEN}"}
        return message(status, {**body, **(more or {})}, **{"x_echo": TOKEN} | headers)

    def issue(self) -> dict[str, Any]:
        """Return the issue, which is the pull request as well."""
        row = {"id": 1, "number": 1, "title": "Greet", "body": "", "state": "open", "user": USER, "html_url": self.url}
        times = {"created_at": MADE, "updated_at": MADE}
        return row | times | {"comments": len(self.comments), "pull_request": {}, "is_locked": self.locked}

    def _ends(self) -> dict[str, Any]:
        repository = {"full_name": str(REPOSITORY)}
        return {end: {"ref": end, "sha": "0" * 40, "repo": repository} for end in ("head", "base")}

"""Endpoints by the path templates of GitHub's description, with their call and reply."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import unquote

from attrs import Factory, define, field, frozen

from github_double.apps import App
from github_double.records import Account, Repository, Token
from github_double.world import World

DOCS = "https://docs.github.example/rest"
WIDE = ("basehead", "branch", "ref")  # may hold slashes


class Problem(Exception):
    """An error response; `errors` as GitHub's validation lists them."""

    def __init__(
        self,
        status: int,
        message: str,
        errors: list[dict[str, Any]] | None = None,
        headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    ) -> None:
        super().__init__(message)
        self.status, self.headers = status, dict(headers)
        self.body: dict[str, Any] = {"message": message, "documentation_url": DOCS}
        # Bodies of 422 hold `errors` in the place of `status`, as they are described.
        self.body |= {"errors": errors} if errors else {} if status == 422 else {"status": str(status)}

    def reply(self) -> "Reply":
        """Return the response."""
        return Reply(self.body, self.status, headers=self.headers)


def missing() -> Problem:
    return Problem(404, "Not Found")


def invalid(resource: str, name: str, code: str = "invalid", message: str = "") -> Problem:
    """Return the error of an invalid field."""
    error = {"resource": resource, "field": name, "code": code} | ({"message": message} if message else {})
    return Problem(422, "Validation Failed", [error])


@define
class Reply:
    """A success of JSON, or with `text` of something else."""

    body: Any = None
    status: int = 200
    text: bytes | None = None
    content_type: str = "application/json; charset=utf-8"
    headers: dict[str, str] = field(factory=dict)


@frozen
class Rows:
    """A list that the server pages; `wrap` puts a page and the count of all into its object, where it is in one."""

    items: list[Any]
    render: Any
    wrap: Any = None
    size: int = 30


@frozen(kw_only=True)
class Call:
    """One request: `target` is the repository, `parts` those of the path, numbers where they are named id or number."""

    world: World
    base: str
    storage: str
    token: Token | None = None
    app: App | None = None
    target: Repository | None = None
    parts: dict[str, Any]
    query: dict[str, str]
    body: Any = None
    accept: str = ""
    quota: dict[str, dict[str, int]] = Factory(dict)

    @property
    def viewer(self) -> Account | None:
        return self.token.account if self.token else None

    @property
    def repository(self) -> Repository:
        """The repository in the path; endpoints without one never read it."""
        assert self.target is not None
        return self.target

    def api(self, path: str) -> str:
        return f"{self.base}/api/v3{path}"

    def html(self, path: str) -> str:
        return f"{self.base}{path}"

    def repo(self, path: str = "", repository: Repository | None = None) -> str:
        """Return the API's URL of a repository, or of a path below it."""
        return self.api(f"/repos/{(repository or self.repository).full_name}{path}")

    def page(self, path: str = "", repository: Repository | None = None) -> str:
        """Return the web page's URL of a repository, or of a path below it."""
        return self.html(f"/{(repository or self.repository).full_name}{path}")

    def demand(self, permission: str) -> None:
        """Check that the viewer has a permission."""
        if not self.repository.allows(self.viewer, permission):
            raise Problem(403, "Must have admin rights to Repository.")

    def admit_write(self) -> None:
        """Check that the repository accepts writes."""
        if self.repository.archived:
            raise Problem(403, "Repository was archived so is read-only.")


Handler = Callable[[Call], Reply | Rows]
ENDPOINTS: dict[tuple[str, str], Handler] = {}
_PATTERNS: list[tuple[re.Pattern[str], str]] = []


def endpoint(method: str, template: str) -> Callable[[Handler], Handler]:
    """Register what answers a method on a path of GitHub's description."""

    def register(handler: Handler) -> Handler:
        ENDPOINTS[method, template] = handler
        wide = "|".join(WIDE)
        pattern = re.sub(rf"\{{({wide})\}}", r"(?P<\1>.+)", template)
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", pattern)
        _PATTERNS.append((re.compile(f"^{pattern}$"), template))
        # Templates with more fixed words come first: /branches/b/protection does not name a branch `b/protection`.
        _PATTERNS.sort(key=lambda pair: -len(re.sub(r"\{\w+\}", "", pair[1])))
        return handler

    return register


def find(method: str, path: str) -> tuple[str, dict[str, Any]] | None:
    """Find the endpoint of a path: its template and its parts, or None."""
    for pattern, template in _PATTERNS:
        if (method, template) in ENDPOINTS and (match := pattern.match(path)):
            return template, {name: _part(name, unquote(text)) for name, text in match.groupdict().items()}
    return None


def _part(name: str, text: str) -> str | int:
    if not name.endswith(("_id", "_number")):
        return text
    if not text.isdecimal():
        raise missing()
    return int(text)


def time(at: datetime | None) -> str | None:
    """Write a time as GitHub does."""
    return f"{at:%Y-%m-%dT%H:%M:%SZ}" if at else None


def node(prefix: str, number: int) -> str:
    """Return an object's id in GraphQL, which REST has as `node_id`."""
    return f"{prefix}_kwDO{number:010x}"

"""Endpoints by the path templates of GitHub's description, and what one is called with and gives."""

import re
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

    def __init__(self, status, message, errors=None, headers=()):
        super().__init__(message)
        self.status, self.headers = status, dict(headers)
        self.body = {"message": message, "documentation_url": DOCS}
        # Bodies of 422 hold `errors` in the place of `status`, as they are described.
        self.body |= {"errors": errors} if errors else {} if status == 422 else {"status": str(status)}

    def reply(self):
        """Return the response."""
        return Reply(self.body, self.status, headers=self.headers)


def missing():
    return Problem(404, "Not Found")


def invalid(resource, name, code="invalid", message=""):
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

    items: list
    render: Any
    wrap: Any = None
    size: int = 30


@frozen(kw_only=True)
class Call:
    """One request: `parts` are those of the path, numbers where their names end in id or number."""

    world: World
    base: str
    storage: str
    token: Token | None = None
    app: App | None = None
    repository: Repository | None = None
    parts: dict[str, Any]
    query: dict[str, str]
    body: Any = None
    accept: str = ""
    quota: dict[str, dict[str, int]] = Factory(dict)

    @property
    def viewer(self) -> Account | None:
        return self.token and self.token.account

    def api(self, path):
        return f"{self.base}/api/v3{path}"

    def html(self, path):
        return f"{self.base}{path}"

    def repo(self, path="", repository=None):
        """Return the API's URL of a repository, or of a path below it."""
        return self.api(f"/repos/{(repository or self.repository).full_name}{path}")

    def page(self, path="", repository=None):
        """Return the web page's URL of a repository, or of a path below it."""
        return self.html(f"/{(repository or self.repository).full_name}{path}")

    def demand(self, permission):
        """Pass where the viewer has a permission."""
        if not self.repository.allows(self.viewer, permission):
            raise Problem(403, "Must have admin rights to Repository.")

    def admit_write(self):
        """Pass where the repository takes writes."""
        if self.repository.archived:
            raise Problem(403, "Repository was archived so is read-only.")


ENDPOINTS: dict[tuple[str, str], Any] = {}
_PATTERNS: list[tuple[Any, str]] = []


def endpoint(method, template):
    """Register what answers a method on a path of GitHub's description."""

    def register(handler):
        ENDPOINTS[method, template] = handler
        wide = "|".join(WIDE)
        pattern = re.sub(rf"\{{({wide})\}}", r"(?P<\1>.+)", template)
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", pattern)
        _PATTERNS.append((re.compile(f"^{pattern}$"), template))
        # Templates with more fixed words come first: /branches/b/protection does not name a branch `b/protection`.
        _PATTERNS.sort(key=lambda pair: -len(re.sub(r"\{\w+\}", "", pair[1])))
        return handler

    return register


def find(method, path):
    """Find the endpoint of a path: its template and its parts, or None."""
    for pattern, template in _PATTERNS:
        if (method, template) in ENDPOINTS and (match := pattern.match(path)):
            return template, {name: _part(name, unquote(text)) for name, text in match.groupdict().items()}
    return None


def _part(name, text):
    if not name.endswith(("_id", "_number")):
        return text
    if not text.isdecimal():
        raise missing()
    return int(text)


def time(at):
    """Write a time as GitHub does."""
    return at and f"{at:%Y-%m-%dT%H:%M:%SZ}"


def node(prefix, number):
    """Return an object's id in GraphQL, which REST has as `node_id`."""
    return f"{prefix}_kwDO{number:010x}"

"""From a request to its answer: who asks, what is meant, and what goes along with every answer of GitHub's."""

import hashlib
import json
from threading import RLock
from urllib.parse import parse_qsl, urlencode

from attrs import define, field, frozen

from github_double import contract, graph
from github_double.graph.core import View
from github_double.rest import account, routing
from github_double.rest.routing import Call, Problem, Reply, Rows
from github_double.world import World

WRONG = 599
LIMIT = 5_000
HOUR = 3_600
VERSIONS = ("2022-11-28",)
READS = ("GET", "HEAD")
API, GRAPHQL = "/api/v3", "/api/graphql"
VARY = "Accept, Authorization, Cookie, X-GitHub-OTP, Accept-Encoding, Accept, X-Requested-With"


@frozen(kw_only=True)
class Asked:
    """A request as it came; the names of `headers` are in lower case."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes = b""


@define(kw_only=True)
class Double:
    """GitHub's double: a world and how it answers. `faults` lists every answer that is not as GitHub describes it.

    Args:
        world: What it answers about.
        url: Where it is.
        storage: Where logs and archives are.
        validators: Whether answers carry an ETag.
        lacks: Fields that its GraphQL does not know, as one of an older server.
        faults: What was wrong so far.
        asked: Every request so far.
    """

    world: World
    url: str = ""
    storage: str = ""
    validators: bool = True
    lacks: tuple[str, ...] = ()
    faults: list[str] = field(factory=list)
    asked: list[Asked] = field(factory=list)
    _used: dict[tuple[str, str], int] = field(factory=dict)
    _lock: RLock = field(factory=RLock, repr=False)

    def answer(self, asked):
        """Answer a request: status, headers and body."""
        with self._lock:
            self.asked.append(asked)
            resource = "graphql" if asked.path == GRAPHQL else "core"
            try:
                token = self._token(asked)
                template, reply = self._reply(asked, token)
            except Problem as problem:
                token, template = None, ""
                reply = Reply(problem.body, problem.status, headers=problem.headers)
            except Exception as error:
                self.faults.append(f"{asked.method} {asked.path}: {error!r}")
                raise
            if reply.text is None and resource == "core":
                reply = self._checked(asked, template, reply)
            return self._finished(asked, token, resource, reply)

    def _token(self, asked):
        """Let a request in, and give its token; None where it has none.

        Raises:
            Problem: GitHub would not let it in.
        """
        if not asked.headers.get("user-agent"):
            raise Problem(403, "Request forbidden by administrative rules. Please make sure your request has a User-Agent.")
        if asked.headers.get("x-github-api-version", VERSIONS[0]) not in VERSIONS:
            raise Problem(400, "The provided API version is not supported.")
        scheme, _, value = asked.headers.get("authorization", "").partition(" ")
        token = self.world.tokens.get(value) if scheme.lower() in ("bearer", "token") else None
        if scheme and token is None:
            raise Problem(401, "Bad credentials")
        return token

    def _reply(self, asked, token):
        if asked.path == GRAPHQL:
            return "", self._graphql(asked, token)
        if not asked.path.startswith(f"{API}/"):
            raise routing.missing()
        return self._rest(asked, token)

    def _graphql(self, asked, token):
        if token is None:
            raise Problem(401, "This endpoint requires you to be authenticated.")
        view = View(world=self.world, base=self.url, viewer=token.account)
        return Reply(graph.execute(view, _json(asked.body), self.faults, lacks=self.lacks))

    def _rest(self, asked, token):
        path, repository = self._place(asked)
        found = routing.find(asked.method, path)
        if found is None:
            raise routing.missing()
        template, parts = found
        viewer = token.account if token else None
        call = Call(
            world=self.world,
            base=self.url,
            storage=self.storage,
            viewer=viewer,
            scopes=token.scopes if token else None,
            repository=repository,
            parts=parts,
            query=asked.query,
            body=_json(asked.body) if asked.method not in READS else None,
            accept=asked.headers.get("accept", ""),
            quota=self._quota(asked.headers.get("authorization", "")),
        )
        if repository and not repository.allows(viewer, "read"):
            raise routing.missing()
        if viewer is None and asked.method not in READS:
            raise Problem(401, "Requires authentication")
        try:
            given = routing.ENDPOINTS[asked.method, template](call)
        except Problem as problem:
            return template, Reply(problem.body, problem.status, headers=problem.headers)
        return template, _page(call, path, given) if isinstance(given, Rows) else given

    def _place(self, asked):
        """Find the path as GitHub describes it, and the repository in it, by name or by number.

        Raises:
            Problem: The repository has another name now.
        """
        path = asked.path.removeprefix(API)
        parts = path.split("/")
        if path.startswith("/repositories/") and parts[2].isdecimal():
            repository = self.world.repository_by_id(int(parts[2]))
            if repository is None:
                raise routing.missing()
            return "/".join(["", "repos", repository.owner.login, repository.name, *parts[3:]]), repository
        if not path.startswith("/repos/") or len(parts) < 4:
            return path, None
        name = "/".join(parts[2:4]).lower()
        repository = self.world.repository(name)
        if repository is None:
            raise self._moved(asked, name, parts[4:])
        return path, repository

    def _moved(self, asked, name, rest):
        repository = self.world.former.get(name)
        if repository is None:
            return routing.missing()
        query = f"?{urlencode(asked.query)}" if asked.query else ""
        location = f"{self.url}{API}/repositories/{'/'.join([str(repository.id), *rest])}{query}"
        read = asked.method in READS
        word = "Moved Permanently" if read else "Temporary Redirect"
        problem = Problem(301 if read else 307, word, headers={"Location": location})
        problem.body = {"message": word, "url": location, "documentation_url": routing.DOCS}
        return problem

    def _checked(self, asked, template, reply):
        """Hold an answer to GitHub's description of it."""
        if not contract.present() or reply.body is None:
            return reply
        found = contract.faults(asked.method, template, reply.status, reply.body)
        self.faults += found
        if found:
            return Reply({"message": "the double answered what GitHub does not", "faults": found}, WRONG)
        return reply

    def _finished(self, asked, token, resource, reply):
        body = json.dumps(reply.body).encode() if reply.text is None else reply.text
        identity = asked.headers.get("authorization", "")
        headers = {"Content-Type": reply.content_type, "Vary": VARY, "X-GitHub-Media-Type": "github.v3"} | reply.headers
        headers["X-GitHub-Request-Id"] = f"{len(self.asked):04X}:DOUBLE"
        headers["X-GitHub-Enterprise-Version"] = account.VERSION
        headers["Date"] = f"{self.world.now:%a, %d %b %Y %H:%M:%S GMT}"
        if token and token.scopes is not None:
            headers |= {"X-OAuth-Scopes": ", ".join(token.scopes), "X-Accepted-OAuth-Scopes": "repo"}
        if token and token.expires_at:
            headers["GitHub-Authentication-Token-Expiration"] = f"{token.expires_at:%Y-%m-%d %H:%M:%S UTC}"
        status = reply.status
        if asked.method in READS and status == 200 and resource == "core" and self.validators:
            headers["ETag"] = f'W/"{hashlib.sha256(identity.encode() + body).hexdigest()}"'
            if asked.headers.get("if-none-match") == headers["ETag"]:
                status, body = 304, b""
                del headers["Content-Type"]
                headers.pop("Link", None)
        free = (status == 304 and token is not None) or asked.path == f"{API}/rate_limit"
        return status, headers | self._limits(identity, resource, free=free), body

    def _limits(self, identity, resource, *, free):
        """Give the headers that count the requests of a token; what only confirms a copy is free."""
        key = identity, resource
        self._used[key] = used = self._used.get(key, 0) + (not free)
        reset = int(self.world.now.replace(minute=0, second=0).timestamp()) + HOUR
        counts = {"Limit": LIMIT, "Remaining": LIMIT - used, "Used": used, "Reset": reset, "Resource": resource}
        return {f"X-RateLimit-{name}": str(count) for name, count in counts.items()}

    def _quota(self, identity):
        """Give what `/rate_limit` shows of a token."""
        shown = {}
        for resource in ("core", "graphql", "search"):
            limits = self._limits(identity, resource, free=True)
            shown[resource] = {name: int(limits[f"X-RateLimit-{name.title()}"]) for name in ("limit", "remaining", "reset", "used")}
        return shown


def _json(body):
    try:
        return json.loads(body or b"null")
    except ValueError as error:
        raise Problem(400, "Problems parsing JSON") from error


def _page(call, path, rows):
    """Cut a list into pages, and lead to the others by the repository's number."""
    size = max(1, min(int(call.query.get("per_page", rows.size)), 100))
    page = max(1, int(call.query.get("page", 1)))
    last = max(1, -(-len(rows.items) // size))
    shown = [rows.render(call, item) for item in rows.items[(page - 1) * size : page * size]]
    rest = path.removeprefix(f"/repos/{call.repository.owner.login}/{call.repository.name}")
    there = {"next": page + 1, "last": last} if page < last else {}
    there |= {"prev": page - 1, "first": 1} if page > 1 else {}
    address = call.api(f"/repositories/{call.repository.id}{rest}")
    links = (f'<{address}?{urlencode(call.query | {"page": to})}>; rel="{rel}"' for rel, to in there.items())
    headers = {"Link": ", ".join(links)} if there else {}
    return Reply(rows.wrap(shown, len(rows.items)), headers=headers)


def query_of(text):
    """Read a query; of what stands twice, the last counts."""
    return dict(parse_qsl(text, keep_blank_values=True))

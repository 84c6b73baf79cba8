"""From a request to its response, with the headers that all of GitHub's responses have."""

import hashlib
import json
import time
from collections.abc import Callable
from threading import RLock

from attrs import define, field

from github_double import contract, graph
from github_double.admission import admit
from github_double.graph.core import View
from github_double.limits import FREE, Limits
from github_double.records import Token
from github_double.requests import API, GRAPHQL, Request, Response
from github_double.rest import account
from github_double.rest.dispatch import dispatch
from github_double.rest.routing import Problem, Reply, missing
from github_double.world import World

WRONG = 599
LOST: Response = None, {}, b""
VARY = "Accept, Authorization, Cookie, X-GitHub-OTP, Accept-Encoding, Accept, X-Requested-With"


@define(kw_only=True)
class Double:
    """GitHub's double: a world, and the settings and log of its responses.

    Args:
        world: The data of the responses.
        url: The double's address.
        storage: The address of logs and archives.
        validators: Whether answers carry an ETag.
        patience: Seconds before each response, so that concurrent requests arrive meanwhile.
        loses: Returns whether a request's response is lost after the request was carried out; None loses none.
        drops: Returns whether a request never arrives, so that nothing is carried out; None drops none.
        lacks: Fields that its GraphQL lacks, like that of an older server.
        limits: The rate limit budgets.
        faults: Responses so far that differ from GitHub's description, and queries that its schema does not allow.
        asked: Every request so far.
    """

    world: World
    url: str = ""
    storage: str = ""
    validators: bool = True
    patience: float = 0.0
    loses: Callable[[Request], bool] | None = None
    drops: Callable[[Request], bool] | None = None
    lacks: tuple[str, ...] = ()
    limits: Limits = field(factory=Limits)
    faults: list[str] = field(factory=list)
    asked: list[Request] = field(factory=list)
    _lock: RLock = field(factory=RLock, repr=False)

    def answer(self, asked: Request) -> Response:
        """Return status, headers and body of the response to a request; a status of None where the response is lost."""
        self.asked.append(asked)
        time.sleep(self.patience)
        with self._lock:
            if self.drops and self.drops(asked):
                return LOST
            try:
                found = self._answer(asked)
                return LOST if self.loses and self.loses(asked) else found
            except Exception as error:
                self.faults.append(f"{asked.method} {asked.path}: {error!r}")
                raise

    def _answer(self, asked: Request) -> Response:
        token, template = None, ""
        try:
            let_in = admit(self.world, asked)
            token = let_in.token
            self.limits.check(asked, self.world.now)
            if asked.path == GRAPHQL:
                return self._finish(asked, token, self._graphql(asked, token))
            if not asked.path.startswith(f"{API}/"):
                raise missing()
            template, reply = dispatch(self, asked, let_in)
        except Problem as problem:
            reply = problem.reply()
        return self._finish(asked, token, self._check(asked, template, reply))

    def _graphql(self, asked: Request, token: Token | None) -> Reply:
        if token is None:
            raise Problem(401, "This endpoint requires you to be authenticated.")
        if (spent := self.limits.describe_spent(asked, self.world.now)) is not None:
            return Reply({"errors": [{"type": "RATE_LIMITED", "message": spent}]})
        view = View(world=self.world, base=self.url, token=token)
        return Reply(graph.execute(view, asked.json(), self.faults, lacks=self.lacks))

    def _check(self, asked: Request, template: str, reply: Reply) -> Reply:
        """Check a response against GitHub's description of it."""
        if reply.text is not None:
            return reply
        found = contract.list_faults(asked.method, template, reply.status, reply.body)
        self.faults += found
        wrong = {"message": "the double's response differs from GitHub's description", "faults": found}
        return Reply(wrong, WRONG) if found else reply

    def _finish(self, asked: Request, token: Token | None, reply: Reply) -> Response:
        status, body = reply.status, json.dumps(reply.body).encode() if reply.text is None else reply.text
        headers = {"Content-Type": reply.content_type} | self._common(token) | reply.headers
        if asked.reads and status == 200 and self.validators:
            # A cached copy belongs to one token: another token gets the whole response.
            headers["ETag"] = f'W/"{hashlib.sha256(asked.identity.encode() + body).hexdigest()}"'
            if asked.headers.get("if-none-match") == headers["ETag"]:
                status, body = 304, b""
                headers = {name: value for name, value in headers.items() if name not in ("Content-Type", "Link")}
        # Revalidation with a token costs nothing, and reading the rate limit neither.
        if not (status == 304 and token) and asked.path != FREE:
            self.limits.spend(asked.identity, asked.resource)
        return status, headers | self.limits.headers(asked.identity, asked.resource, self.world.now), body

    def _common(self, token: Token | None) -> dict[str, str]:
        headers = {
            "Date": f"{self.world.now:%a, %d %b %Y %H:%M:%S GMT}",
            "Vary": VARY,
            "X-GitHub-Enterprise-Version": account.VERSION,
            "X-GitHub-Media-Type": "github.v3",
            "X-GitHub-Request-Id": f"{len(self.asked):04X}:DOUBLE",
        }
        if token and token.scopes is not None:
            headers |= {"X-OAuth-Scopes": ", ".join(token.scopes), "X-Accepted-OAuth-Scopes": "repo"}
        if token and token.expires_at:
            headers["GitHub-Authentication-Token-Expiration"] = f"{token.expires_at:%Y-%m-%d %H:%M:%S UTC}"
        return headers

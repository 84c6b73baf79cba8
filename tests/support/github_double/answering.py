"""From a request to its answer, and what goes along with every answer of GitHub's."""

import hashlib
import json
import time
from collections.abc import Callable
from threading import RLock

from attrs import define, field

from github_double import contract, graph
from github_double.admission import admitted
from github_double.asked import API, GRAPHQL, Asked
from github_double.graph.core import View
from github_double.limits import FREE, Limits
from github_double.rest import account
from github_double.rest.dispatch import dispatch
from github_double.rest.routing import Problem, Reply, missing
from github_double.world import World

WRONG = 599
LOST = None, {}, b""
VARY = "Accept, Authorization, Cookie, X-GitHub-OTP, Accept-Encoding, Accept, X-Requested-With"


@define(kw_only=True)
class Double:
    """GitHub's double: a world and how it answers.

    Args:
        world: What it answers about.
        url: Where it is.
        storage: Where logs and archives are.
        validators: Whether answers carry an ETag.
        patience: Seconds before each answer, in which whatever else is asked at once arrives.
        loses: Says of a request that its answer is lost, once it was carried out; None loses none.
        drops: Says of a request that it never arrives, so that nothing is carried out; None drops none.
        lacks: Fields that its GraphQL does not know, as one of an older server.
        limits: What is left of the budgets.
        faults: Every answer so far that was not as GitHub describes it, and every question that GitHub does not know.
        asked: Every request so far.
    """

    world: World
    url: str = ""
    storage: str = ""
    validators: bool = True
    patience: float = 0.0
    loses: Callable[[Asked], bool] | None = None
    drops: Callable[[Asked], bool] | None = None
    lacks: tuple[str, ...] = ()
    limits: Limits = field(factory=Limits)
    faults: list[str] = field(factory=list)
    asked: list[Asked] = field(factory=list)
    _lock: RLock = field(factory=RLock, repr=False)

    def answer(self, asked):
        """Answer a request: status, headers and body; a status of None where the answer is lost."""
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

    def _answer(self, asked):
        token, template = None, ""
        try:
            let_in = admitted(self.world, asked)
            token = let_in.token
            self.limits.demand(asked, self.world.now)
            if asked.path == GRAPHQL:
                return self._finished(asked, token, self._graphql(asked, token))
            if not asked.path.startswith(f"{API}/"):
                raise missing()
            template, reply = dispatch(self, asked, let_in)
        except Problem as problem:
            reply = problem.reply()
        return self._finished(asked, token, self._checked(asked, template, reply))

    def _graphql(self, asked, token):
        if token is None:
            raise Problem(401, "This endpoint requires you to be authenticated.")
        if (spent := self.limits.spent(asked, self.world.now)) is not None:
            return Reply({"errors": [{"type": "RATE_LIMITED", "message": spent}]})
        view = View(world=self.world, base=self.url, token=token)
        return Reply(graph.execute(view, asked.json(), self.faults, lacks=self.lacks))

    def _checked(self, asked, template, reply):
        """Hold an answer to GitHub's description of it."""
        if reply.text is not None:
            return reply
        found = contract.faults(asked.method, template, reply.status, reply.body)
        self.faults += found
        wrong = {"message": "the double answered what GitHub does not", "faults": found}
        return Reply(wrong, WRONG) if found else reply

    def _finished(self, asked, token, reply):
        status, body = reply.status, json.dumps(reply.body).encode() if reply.text is None else reply.text
        headers = {"Content-Type": reply.content_type} | self._common(token) | reply.headers
        if asked.reads and status == 200 and self.validators:
            # A copy is one token's: whoever has another is given the whole answer.
            headers["ETag"] = f'W/"{hashlib.sha256(asked.identity.encode() + body).hexdigest()}"'
            if asked.headers.get("if-none-match") == headers["ETag"]:
                status, body = 304, b""
                headers = {name: value for name, value in headers.items() if name not in ("Content-Type", "Link")}
        # To confirm a copy is free for whoever has a token, and so is to ask what is left.
        if not (status == 304 and token) and asked.path != FREE:
            self.limits.spend(asked.identity, asked.resource)
        return status, headers | self.limits.headers(asked.identity, asked.resource, self.world.now), body

    def _common(self, token):
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

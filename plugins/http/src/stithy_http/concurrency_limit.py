"""How many requests are answered at a time: those that come when it is full are refused at once, and may come again."""

from collections import Counter

from attrs import define, field
from starlette.types import ASGIApp, Receive, Scope, Send

from stithy_http.options import area_of
from stithy_http.problems import Problem, refuse
from stithy_http.request_state import mark_of

COUNTED = ("mcp", "routes")
AGAIN = {"Retry-After": "1"}


@define(eq=False)
class Crowd:
    """Refuses what is too much at a time (503), of all or of one caller (429); operators are always answered.

    Args:
        app: What answers the rest.
        most: How many requests at a time, streams among them.
        most_each: How many of one caller.
    """

    app: ASGIApp
    most: int
    most_each: int
    _inside: Counter[str] = field(factory=Counter, init=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if area_of(scope["path"]) not in COUNTED:
            return await self.app(scope, receive, send)
        caller = mark_of(scope).caller
        if self._inside[caller] >= self.most_each:
            text = f"{self.most_each} requests of yours are under way: wait for one of them to end"
            return await refuse(Problem(429, "too_many_of_yours", text, AGAIN), scope, receive, send)
        if self._inside.total() >= self.most:
            text = "the server is busy: ask again in a moment"
            return await refuse(Problem(503, "busy", text, AGAIN), scope, receive, send)
        self._inside[caller] += 1
        try:
            return await self.app(scope, receive, send)
        finally:
            self._leave(caller)

    def _leave(self, caller: str) -> None:
        self._inside[caller] -= 1
        if not self._inside[caller]:
            del self._inside[caller]  # callers come and go

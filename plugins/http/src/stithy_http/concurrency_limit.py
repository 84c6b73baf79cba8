"""The limit of requests in progress: further ones are refused at once, and clients may retry."""

from collections import Counter

from attrs import define, field
from starlette.types import ASGIApp, Receive, Scope, Send

from stithy_http.options import find_area
from stithy_http.problems import Problem, send_problem
from stithy_http.request_state import get_request_state

LIMITED_AREAS = ("mcp", "routes")
RETRY_AFTER = {"Retry-After": "1"}


@define(eq=False)
class ConcurrencyLimit:
    """Refuses requests beyond the limit of all (503) or of one caller (429); metrics and probes have no limit.

    Args:
        app: Answers all other requests.
        most: How many requests may be in progress, streams included.
        most_each: The same for one caller.
    """

    app: ASGIApp
    most: int
    most_each: int
    _in_progress: Counter[str] = field(factory=Counter, init=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if find_area(scope["path"]) not in LIMITED_AREAS:
            return await self.app(scope, receive, send)
        caller = get_request_state(scope).caller
        if self._in_progress[caller] >= self.most_each:
            text = f"{self.most_each} of your requests are in progress; wait until one of them has ended"
            return await send_problem(Problem(429, "too_many_of_yours", text, RETRY_AFTER), scope, receive, send)
        if self._in_progress.total() >= self.most:
            text = "the server is busy; retry in a moment"
            return await send_problem(Problem(503, "busy", text, RETRY_AFTER), scope, receive, send)
        self._in_progress[caller] += 1
        try:
            return await self.app(scope, receive, send)
        finally:
            self._release(caller)

    def _release(self, caller: str) -> None:
        self._in_progress[caller] -= 1
        if not self._in_progress[caller]:
            del self._in_progress[caller]  # the counter must not grow with every address ever seen

"""The outermost layer: each request has a name, a line in the log, and its place in the metrics."""

import asyncio
import logging
import re
import time

from attrs import define, field
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from stithy_http.metrics import Metrics
from stithy_http.options import FREE, own_route
from stithy_http.problems import Problem
from stithy_http.request_spans import Span, traced
from stithy_http.request_state import Mark, mark_of

HEADER = "x-request-id"
BROKEN = Problem(500, "internal_error", "the server failed; its log has the cause, under the request's id")
ENDING = Problem(
    503, "ending", "the server ended before this was answered; ask again", {"Retry-After": "1", "Connection": "close"}
)
LONGEST = 200
OK = 200

_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")

log = logging.getLogger("stithy.requests")


@define
class _Course:
    """What a request came to, as far as it has."""

    mark: Mark
    began: float = field(factory=time.perf_counter)
    status: int = 0


@define(eq=False)
class Requests:
    """Names, measures, logs and traces every request.

    Args:
        app: What answers.
        metrics: Where it is counted.
    """

    app: ASGIApp
    metrics: Metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; what breaks is answered, too."""
        course = _Course(mark_of(scope))
        course.mark.route = own_route(scope["path"])
        given = Headers(scope=scope).get(HEADER, "")
        if _ID.fullmatch(given):  # whoever asks may follow it through several services
            course.mark.id = given

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[HEADER] = course.mark.id
                course.status = message["status"]
            await send(message)

        with bound_contextvars(request_id=course.mark.id), self.metrics.under_way(), traced(scope) as span:
            try:
                await self._answer(scope, receive, noting, course)
            finally:
                self._note(scope, course, span)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, course: _Course) -> None:
        try:
            await self.app(scope, receive, send)
        except asyncio.CancelledError:
            # Only the end of the server cancels a request: the time that requests had after SIGTERM is over.
            course.mark.refused = ENDING.code
            if not course.status:
                await ENDING.response()(scope, receive, send)
        except Exception:
            log.exception("a request broke")
            if not course.status:
                await BROKEN.response()(scope, receive, send)

    def _note(self, scope: Scope, course: _Course, span: Span) -> None:
        seconds = time.perf_counter() - course.began
        self.metrics.note(scope["method"], course.mark, course.status, seconds)
        span.ended(scope["method"], course.mark.route, course.status)
        said = {
            "method": scope["method"][:LONGEST],
            "path": scope["path"][:LONGEST],  # and no query: people put secrets there
            "route": course.mark.route,
            "status": course.status,  # 0: nothing was answered
            "milliseconds": round(seconds * 1_000, 1),
            "caller": course.mark.caller,
        }
        if course.mark.refused:
            said["refused"] = course.mark.refused
        # Probes come every few seconds for as long as the server lives.
        log.log(logging.DEBUG if scope["path"] in FREE and course.status == OK else logging.INFO, "request", extra=said)

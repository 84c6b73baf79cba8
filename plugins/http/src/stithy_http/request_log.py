"""The outermost middleware: every request has an id, a line in the log, a span, and its place in the metrics."""

import asyncio
import logging
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define, field
from opentelemetry import propagate, trace
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from stithy_http.metrics import HttpMetrics
from stithy_http.options import PROBE_PATHS, find_own_route
from stithy_http.problems import Problem
from stithy_http.request_state import RequestState, get_request_state

HEADER = "x-request-id"
INTERNAL_ERROR = Problem(500, "internal_error", "the server failed; its log has the cause, under the request's id")
SHUT_DOWN = Problem(
    503, "ending", "the server shut down before it had answered; retry", {"Retry-After": "1", "Connection": "close"}
)
LONGEST = 200
"""Characters of a method or a path in the log."""
OK = 200
SERVER_ERROR = 500

_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")

log = logging.getLogger("stithy.requests")


@define
class _RequestRecord:
    """What is logged of a request.

    Args:
        state: What the other middleware found out.
        began: When it arrived, by `time.perf_counter`.
        status: The HTTP status of the answer; 0 before the answer.
    """

    state: RequestState
    began: float = field(factory=time.perf_counter)
    status: int = 0


@define(eq=False)
class RequestLogMiddleware:
    """Identifies, measures, logs and traces every request.

    Args:
        app: Answers requests.
        metrics: Counts them.
    """

    app: ASGIApp
    metrics: HttpMetrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; if answering fails, with an error."""
        record = _RequestRecord(get_request_state(scope))
        record.state.route = find_own_route(scope["path"])
        client_id = Headers(scope=scope).get(HEADER, "")
        if _ID.fullmatch(client_id):  # a client may follow its request through several services
            record.state.id = client_id

        async def send_recorded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[HEADER] = record.state.id
                record.status = message["status"]
            await send(message)

        with bound_contextvars(request_id=record.state.id), self.metrics.track_request(), start_span(scope) as span:
            try:
                await self._answer(scope, receive, send_recorded, record)
            finally:
                self._log(scope, record, span)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, record: _RequestRecord) -> None:
        try:
            await self.app(scope, receive, send)
        except asyncio.CancelledError:
            # Only shutdown cancels a request: the grace period for requests in progress is over.
            record.state.refused = SHUT_DOWN.code
            if not record.status:
                await SHUT_DOWN.create_response()(scope, receive, send)
        except Exception:
            log.exception("a request failed")
            if not record.status:
                await INTERNAL_ERROR.create_response()(scope, receive, send)

    def _log(self, scope: Scope, record: _RequestRecord, span: trace.Span) -> None:
        state, seconds = record.state, time.perf_counter() - record.began
        self.metrics.record_request(scope["method"], state, record.status, seconds)
        _describe_span(span, scope["method"], state.route, record.status)
        fields = {
            "method": scope["method"][:LONGEST],
            "path": scope["path"][:LONGEST],  # without its query: people put secrets there
            "route": state.route,
            "status": record.status,
            "milliseconds": round(seconds * 1_000, 1),
            "caller": state.caller,
        }
        if state.refused:
            fields["refused"] = state.refused
        # Probes arrive every few seconds as long as the server runs.
        is_probe = scope["path"] in PROBE_PATHS and record.status == OK
        log.log(logging.DEBUG if is_probe else logging.INFO, "request", extra=fields)


@contextmanager
def start_span(scope: Scope) -> Iterator[trace.Span]:
    """Start a span that continues the trace in the request's headers; it records no texts of exceptions.

    Without OpenTelemetry set up by the process, the span records nothing and costs next to nothing.
    """
    context = propagate.extract(Headers(scope=scope))
    tracer = trace.get_tracer("stithy")
    with tracer.start_as_current_span(
        scope["method"], context=context, kind=trace.SpanKind.SERVER, record_exception=False
    ) as span:
        yield span


def _describe_span(span: trace.Span, method: str, route: str, status: int) -> None:
    """Set a span's name and attributes by OpenTelemetry's conventions for HTTP servers.

    Args:
        span: The span.
        method: The request's method.
        route: The path template of the endpoint; empty for an unknown path.
        status: The HTTP status of the answer; 0 without one.
    """
    if not span.is_recording():
        return
    span.update_name(f"{method} {route}".strip())
    span.set_attributes({"http.request.method": method, "http.route": route})
    if status:
        span.set_attribute("http.response.status_code", status)
    if not status or status >= SERVER_ERROR:
        span.set_status(trace.StatusCode.ERROR)

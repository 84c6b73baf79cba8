"""A span for each request, where whoever runs the process has set OpenTelemetry up; nothing else pays for it."""

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import frozen
from opentelemetry import propagate, trace
from starlette.datastructures import Headers
from starlette.types import Scope

FAILED = 500


@frozen
class Span:
    """The span of one request."""

    _inner: trace.Span

    def ended(self, method: str, route: str, status: int) -> None:
        """Say what it was, in the words of OpenTelemetry's conventions for HTTP servers.

        Args:
            method: Of the request.
            route: The template of the path that answered; empty where none did.
            status: Of the answer; 0 where there was none.
        """
        if not self._inner.is_recording():
            return
        self._inner.update_name(f"{method} {route}".strip())
        self._inner.set_attributes({"http.request.method": method, "http.route": route})
        if status:
            self._inner.set_attribute("http.response.status_code", status)
        if not status or status >= FAILED:
            self._inner.set_status(trace.StatusCode.ERROR)


@contextmanager
def traced(scope: Scope) -> Iterator[Span]:
    """Open a span that goes on with what the caller's headers say; texts of exceptions are nobody's business."""
    context = propagate.extract(Headers(scope=scope))
    tracer = trace.get_tracer("stithy")
    with tracer.start_as_current_span(
        scope["method"], context=context, kind=trace.SpanKind.SERVER, record_exception=False
    ) as span:
        yield Span(span)

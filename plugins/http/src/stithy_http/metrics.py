"""The Prometheus metrics. Labels come from fixed sets, never from what a client sent: each value is a new series."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from attrs import field, frozen
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, disable_created_metrics
from prometheus_client.exposition import generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric, SummaryMetricFamily
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stithy_core.server import ServerContents, UpstreamStatistics
from stithy_core.tools.executor import Statistics
from stithy_http.options import METRICS
from stithy_http.request_state import RequestState

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "other"
TEXT = "text/plain; version=0.0.4; charset=utf-8"
disable_created_metrics()  # type: ignore[no-untyped-call] # they would double the series, for the time of the start
SECONDS = (0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


@frozen(eq=False)
class HttpMetrics:
    """The metrics of one server; several servers in one process do not share them.

    Args:
        contents: What is served; it has the counters of tools and forges.
    """

    contents: ServerContents
    registry: CollectorRegistry = field(factory=CollectorRegistry, init=False)
    _requests: Counter = field(init=False)
    _seconds: Histogram = field(init=False)
    _in_progress: Gauge = field(init=False)
    _refused: Counter = field(init=False)

    @_requests.default
    def _create_requests(self) -> Counter:
        labels = ("route", "method", "status")
        return Counter("stithy_http_requests", "Completed HTTP requests.", labels, registry=self.registry)

    @_seconds.default
    def _create_seconds(self) -> Histogram:
        text = "Duration of HTTP requests; a stream lasts as long as its client listens."
        return Histogram("stithy_http_request_seconds", text, ("route",), registry=self.registry, buckets=SECONDS)

    @_in_progress.default
    def _create_in_progress(self) -> Gauge:
        return Gauge("stithy_http_requests_under_way", "HTTP requests in progress.", registry=self.registry)

    @_refused.default
    def _create_refused(self) -> Counter:
        text = "HTTP requests that the server refused, by error code."
        return Counter("stithy_http_refused", text, ("code",), registry=self.registry)

    def __attrs_post_init__(self) -> None:
        ProcessCollector(registry=self.registry)
        self.registry.register(_CoreCollector(self.contents))

    @contextmanager
    def track_request(self) -> Iterator[None]:
        """Count a request as in progress for the length of the block."""
        with self._in_progress.track_inprogress():
            yield

    def record_request(self, method: str, state: RequestState, status: int, seconds: float) -> None:
        """Record a completed request; all unknown paths and methods share a label."""
        route = state.route or OTHER
        self._requests.labels(route, method if method in METHODS else OTHER, str(status)).inc()
        self._seconds.labels(route).observe(seconds)
        if state.refused:
            self._refused.labels(state.refused).inc()

    def create_route(self) -> Route:
        """Create `/metrics`."""

        def answer(request: Request) -> Response:  # noqa: ARG001 -- Starlette's signature; it runs in a thread
            return Response(generate_latest(self.registry), media_type=TEXT)

        return Route(METRICS, answer)


@frozen(eq=False)
class _CoreCollector(Collector):
    """Reads the core's own counters at each scrape; implements Prometheus' `Collector`."""

    contents: ServerContents

    def collect(self) -> Iterator[Metric]:
        """Iterate over the current metrics."""
        yield from _collect_tools(self.contents.executor.statistics)
        yield from _collect_forges(self.contents.upstreams())
        if (shares := self.contents.shares()) is not None:
            text = "1 while Redis answers, 0 while each server limits its own requests only."
            yield GaugeMetricFamily("stithy_shared_store_up", text, value=int(shares))

    def describe(self) -> Iterator[Metric]:
        """Return nothing: without this method, registering would call `collect`."""
        return iter(())


def _collect_tools(statistics: Statistics) -> Iterator[Metric]:
    calls = CounterMetricFamily("stithy_tool_calls", "Completed tool calls.", labels=("tool", "outcome"))
    seconds = SummaryMetricFamily("stithy_tool_seconds", "Duration of tool calls.", labels=("tool",))
    for tool, counts in statistics.as_dict()["tools"].items():
        failed = counts["failures"] - counts["timeouts"]
        ended = {"ok": counts["invocations"] - counts["failures"], "failed": failed, "late": counts["timeouts"]}
        for outcome, number in ended.items():
            calls.add_metric((tool, outcome), number)
        seconds.add_metric((tool,), counts["invocations"], counts["total_ms"] / 1_000)
    yield calls
    yield seconds


def _collect_forges(upstreams: Sequence[UpstreamStatistics]) -> Iterator[Metric]:
    reads = CounterMetricFamily(
        "stithy_upstream_reads", "Reads of forges, by how the cache answered.", labels=("forge", "mode")
    )
    left = GaugeMetricFamily(
        "stithy_upstream_limit_left", "Remaining requests, as the forge last reported.", labels=("forge", "limit")
    )
    for upstream in upstreams:
        for mode, number in upstream.reads.items():
            reads.add_metric((upstream.forge, mode), number)
        for limit, number in upstream.left.items():
            left.add_metric((upstream.forge, limit), number)
    yield reads
    yield left
    for name, text in (
        ("requests", "Requests to forges, retries included."),
        ("retries", "Retries of requests to forges after a failure."),
        ("withheld", "Requests to forges not sent: a rate limit was exhausted, or the circuit breaker was open."),
    ):
        family = CounterMetricFamily(f"stithy_upstream_{name}", text, labels=("forge",))
        for upstream in upstreams:
            family.add_metric((upstream.forge,), getattr(upstream, name))
        yield family

"""What Prometheus reads: labels are of things that this server has, never of what a stranger wrote."""

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

from stithy_core.server.contents import Contents
from stithy_core.server.figures import Upstream
from stithy_core.tools.statistics import Statistics
from stithy_http.options import METRICS
from stithy_http.request_state import Mark

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "other"
TEXT = "text/plain; version=0.0.4; charset=utf-8"
disable_created_metrics()  # type: ignore[no-untyped-call] # a series for each that says when the process began
SECONDS = (0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


@frozen(eq=False)
class Metrics:
    """The figures of one server: two in one process do not mix them.

    Args:
        contents: What is served, which counts for itself what becomes of tools and of forges.
    """

    contents: Contents
    registry: CollectorRegistry = field(factory=CollectorRegistry, init=False)
    _requests: Counter = field(init=False)
    _seconds: Histogram = field(init=False)
    _under_way: Gauge = field(init=False)
    _refused: Counter = field(init=False)

    @_requests.default
    def _make_requests(self) -> Counter:
        labels = ("route", "method", "status")
        return Counter("stithy_http_requests", "HTTP requests that have ended.", labels, registry=self.registry)

    @_seconds.default
    def _make_seconds(self) -> Histogram:
        text = "Seconds until a request has ended; a stream lasts as long as its client listens."
        return Histogram("stithy_http_request_seconds", text, ("route",), registry=self.registry, buckets=SECONDS)

    @_under_way.default
    def _make_under_way(self) -> Gauge:
        return Gauge("stithy_http_requests_under_way", "HTTP requests that have not ended.", registry=self.registry)

    @_refused.default
    def _make_refused(self) -> Counter:
        text = "HTTP requests that the server did not go on with, by why."
        return Counter("stithy_http_refused", text, ("code",), registry=self.registry)

    def __attrs_post_init__(self) -> None:
        ProcessCollector(registry=self.registry)
        self.registry.register(_Read(self.contents))

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """Count a request meanwhile."""
        with self._under_way.track_inprogress():
            yield

    def note(self, method: str, mark: Mark, status: int, seconds: float) -> None:
        """Count a request that has ended; paths that nothing answers are one."""
        route = mark.route or OTHER
        self._requests.labels(route, method if method in METHODS else OTHER, str(status)).inc()
        self._seconds.labels(route).observe(seconds)
        if mark.refused:
            self._refused.labels(mark.refused).inc()

    def route(self) -> Route:
        """Give `/metrics`."""

        def read(request: Request) -> Response:  # noqa: ARG001 -- Starlette's signature; it runs in a thread
            return Response(generate_latest(self.registry), media_type=TEXT)

        return Route(METRICS, read)


@frozen(eq=False)
class _Read(Collector):
    """Reads what others count, at the moment somebody asks; implements Prometheus' `Collector`."""

    contents: Contents

    def collect(self) -> Iterator[Metric]:
        """Give it."""
        yield from _tools(self.contents.executor.statistics)
        yield from _forges(self.contents.upstreams())
        if (shares := self.contents.shares()) is not None:
            text = "1 while Redis answers, 0 while each server counts for itself."
            yield GaugeMetricFamily("stithy_shared_store_up", text, value=int(shares))

    def describe(self) -> Iterator[Metric]:
        """Leave the names to `collect`: asking for them must not ask the sources."""
        return iter(())


def _tools(statistics: Statistics) -> Iterator[Metric]:
    calls = CounterMetricFamily("stithy_tool_calls", "Calls of tools that have ended.", labels=("tool", "outcome"))
    seconds = SummaryMetricFamily("stithy_tool_seconds", "Seconds that calls of tools took.", labels=("tool",))
    for tool, counts in statistics.as_dict()["tools"].items():
        failed = counts["failures"] - counts["timeouts"]
        ended = {"ok": counts["invocations"] - counts["failures"], "failed": failed, "late": counts["timeouts"]}
        for outcome, number in ended.items():
            calls.add_metric((tool, outcome), number)
        seconds.add_metric((tool,), counts["invocations"], counts["total_ms"] / 1_000)
    yield calls
    yield seconds


def _forges(upstreams: Sequence[Upstream]) -> Iterator[Metric]:
    reads = CounterMetricFamily("stithy_upstream_reads", "Reads of forges, by what answered.", labels=("forge", "mode"))
    left = GaugeMetricFamily("stithy_upstream_limit_left", "What a forge last said is left.", labels=("forge", "limit"))
    for upstream in upstreams:
        for mode, number in upstream.reads.items():
            reads.add_metric((upstream.forge, mode), number)
        for limit, number in upstream.left.items():
            left.add_metric((upstream.forge, limit), number)
    yield reads
    yield left
    for name, text in (
        ("requests", "Requests to forges, retries among them."),
        ("retries", "Requests to forges that were sent again after a failure."),
        ("withheld", "Requests to forges that were not sent: a limit was spent, or it is left alone after failures."),
    ):
        family = CounterMetricFamily(f"stithy_upstream_{name}", text, labels=("forge",))
        for upstream in upstreams:
            family.add_metric((upstream.forge,), getattr(upstream, name))
        yield family

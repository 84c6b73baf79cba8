"""Metrics, whose labels come from fixed sets, and spans, if the process collects them."""

import json
import re

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client.parser import text_string_to_metric_families

from stithy_core.spi import Response
from stithy_http import request_log
from stithy_testing import browse

pytestmark = pytest.mark.anyio

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


async def hello(context, request):
    return Response(body=b"hello")


async def figures(ask):
    """Read /metrics: the value of each series by its name and labels."""
    families = text_string_to_metric_families((await ask("GET", "/metrics")).body.decode())
    return {(row.name, *sorted(row.labels.values())): row.value for family in families for row in family.samples}


async def test_requests_are_counted_by_the_template_of_their_path(serve):
    async with browse(serve(hello=hello)) as ask:
        for place in ("a/b", "c/d"):
            await ask("GET", f"/hello/{place}")
        seen = await figures(ask)
    assert seen["stithy_http_requests_total", "/hello/{owner}/{repo}", "200", "GET"] == 2


async def test_clients_cannot_create_labels(serve):
    async with browse(serve(hello=hello)) as ask:
        for number in range(30):
            await ask(f"M{number}", f"/secret{number}", headers={"Host": f"h{number}.example"} if number % 2 else {})
        seen = await figures(ask)
    assert not [labels for labels in seen if re.search(r"secret|M\d|\.example", " ".join(labels))]
    assert len([labels for labels in seen if labels[0] == "stithy_http_requests_total"]) <= 3


async def test_refused_requests_are_counted_by_error_code(serve):
    async with browse(serve(hello=hello)) as ask:
        await ask("GET", "/hello/a/b", headers={"Host": "evil.example"})
        assert (await figures(ask))["stithy_http_refused_total", "host_refused"] == 1


async def test_tools_are_counted_by_how_their_calls_ended(serve):
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_plugins", "arguments": {}}}
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    async with browse(serve()) as ask:
        assert (await ask("POST", "/mcp", headers=headers, body=json.dumps(call).encode())).status == 200
        seen = await figures(ask)
    assert seen["stithy_tool_calls_total", "list_plugins", "ok"] == 1
    assert seen["stithy_tool_calls_total", "failed", "list_plugins"] == 0
    assert seen["stithy_tool_seconds_sum", "list_plugins"] > 0


async def test_two_servers_in_a_process_have_separate_metrics(serve):
    app = serve(hello=hello)
    async with browse(app) as one, browse(app) as other:
        await one("GET", "/hello/a/b")
        assert ("stithy_http_requests_total", "/hello/{owner}/{repo}", "200", "GET") not in await figures(other)


@pytest.fixture
def spans(monkeypatch):
    """Collect spans, as a process with OpenTelemetry does."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(request_log.trace, "get_tracer", provider.get_tracer)
    return exporter.get_finished_spans


async def test_a_request_is_a_span_of_its_callers_trace(serve, spans):
    async with browse(serve(hello=hello)) as ask:
        await ask("GET", "/hello/a/b?token=hush", headers={"traceparent": PARENT})
    (span,) = spans()
    assert (span.name, span.kind) == ("GET /hello/{owner}/{repo}", trace.SpanKind.SERVER)
    assert f"{span.context.trace_id:x}" in PARENT
    assert dict(span.attributes) == {
        "http.request.method": "GET",
        "http.route": "/hello/{owner}/{repo}",
        "http.response.status_code": 200,
    }


async def test_a_span_has_no_text_of_an_exception(serve, spans):
    async def breaks(context, request):
        raise ValueError("the password is hunter2")

    async with browse(serve(breaks=breaks)) as ask:
        await ask("GET", "/breaks/a/b")
    (span,) = spans()
    assert span.status.status_code is trace.StatusCode.ERROR
    assert "hunter2" not in span.to_json()

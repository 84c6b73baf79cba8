"""The host check: foreign names and pages are refused on every path, at every address."""

import json

import pytest

from stithy_core.spi import Response
from stithy_testing import browse

pytestmark = pytest.mark.anyio

PATHS = ["/mcp", "/healthz", "/readyz", "/metrics", "/hello/a/b", "/nothing", "/.well-known/oauth-protected-resource"]
SETTINGS = '[serve.http]\nhosts = ["Stithy.example"]\norigins = ["https://app.example"]\nopen = ["routes"]\n'


async def hello(context, request):
    return Response(body=b"hello")


@pytest.fixture
def status(serve):
    """Send a request with headers; return the status and the error code."""

    async def ask_with(path="/hello/a/b", *, host="127.0.0.1", settings=SETTINGS, method="GET", **headers):
        async with browse(serve(hello=hello, settings=settings), host, open_=["routes"]) as ask:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            answer = await ask(method, path, headers=named)
        return answer.status, json.loads(answer.body)["error"]["code"] if answer.status >= 400 else ""

    return ask_with


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("listening", ["127.0.0.1", "0.0.0.0", "::", "stithy.local"])
async def test_a_foreign_host_is_refused_on_every_path_at_every_address(status, path, listening):
    assert await status(path, host=listening, Host="evil.example") == (421, "host_refused")


@pytest.mark.parametrize("path", PATHS)
async def test_a_foreign_page_is_refused_on_every_path(status, path):
    assert await status(path, Origin="http://evil.example") == (403, "origin_refused")


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:3000", "127.0.0.1:1", "[::1]:8080", "stithy.example", "stithy.example.:443"]
)
async def test_own_names_are_accepted_at_any_port(status, host):
    assert await status(Host=host) == (200, "")


@pytest.mark.parametrize(
    "host",
    ["", "localhost.evil.example", "evil.example:80", "127.0.0.1.evil.example", "a@localhost", "localhost:80:80",
     "127.0.0.2", "2130706433", "localhost/", "[::1", "stithy.example@evil.example"],
)  # fmt: skip
async def test_names_that_only_resemble_own_ones_are_refused(status, host):
    assert await status(Host=host) == (421, "host_refused")


async def test_the_name_it_listens_at_is_accepted(status):
    assert await status(host="forge.local", Host="forge.local:80") == (200, "")


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("https://app.example", True),
        ("http://app.example", False),
        ("https://app.example.evil.example", False),
        ("https://app.example:8443", False),
        ("null", False),
        ("file://", False),
        ("http://stithy.example", True),
        ("https://stithy.example:444", False),
    ],
)
async def test_allowed_origins_are_those_of_the_settings_and_the_servers_own(status, origin, allowed):
    assert await status(Host="stithy.example", Origin=origin) == ((200, "") if allowed else (403, "origin_refused"))


@pytest.mark.parametrize(("settings", "allowed"), [("", True), (SETTINGS, False)])
async def test_local_pages_are_allowed_on_a_loopback_server(status, settings, allowed):
    answer = await status(settings=settings, Host="127.0.0.1:8080", Origin="http://localhost:6274")
    assert answer[0] == (200 if allowed else 403)


async def test_embedded_requests_of_foreign_pages_are_refused(status):
    """For an image the browser sends no Origin. The page cannot read the answer, but the request would count."""
    assert await status(Sec_Fetch_Site="cross-site") == (403, "origin_refused")


async def test_a_preflight_request_needs_no_token(serve):
    app = serve(
        hello=hello, settings=SETTINGS, environ={"STITHY_HTTP_TOKEN": "a token of sixteen letters".replace(" ", "-")}
    )
    headers = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}
    async with browse(app) as ask:
        answer = await ask("OPTIONS", "/mcp", headers=headers)
    assert (answer.status, answer.headers["access-control-allow-origin"]) == (200, "https://app.example")

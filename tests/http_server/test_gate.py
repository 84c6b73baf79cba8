"""Foreign names and foreign pages are refused, whatever is asked for and whatever the server listens at."""

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
    """Ask with some headers, and give the status and the word for a refusal."""

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
async def test_its_own_names_are_good_at_any_port(status, host):
    assert await status(Host=host) == (200, "")


@pytest.mark.parametrize(
    "host",
    ["", "localhost.evil.example", "evil.example:80", "127.0.0.1.evil.example", "a@localhost", "localhost:80:80",
     "127.0.0.2", "2130706433", "localhost/", "[::1", "stithy.example@evil.example"],
)  # fmt: skip
async def test_what_only_looks_like_its_own_name_is_foreign(status, host):
    assert await status(Host=host) == (421, "host_refused")


async def test_the_name_that_it_listens_at_is_its_own(status):
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
async def test_a_page_is_allowed_by_name_or_when_the_server_itself_gave_it(status, origin, allowed):
    assert await status(Host="stithy.example", Origin=origin) == ((200, "") if allowed else (403, "origin_refused"))


@pytest.mark.parametrize(("settings", "allowed"), [("", True), (SETTINGS, False)])
async def test_pages_of_this_machine_may_ask_a_server_that_only_it_reaches(status, settings, allowed):
    answer = await status(settings=settings, Host="127.0.0.1:8080", Origin="http://localhost:6274")
    assert answer[0] == (200 if allowed else 403)


async def test_what_a_foreign_page_shows_is_not_fetched_for_it(status):
    """An image, say: the browser sends no Origin, and the page cannot read it; it would use the limits up."""
    assert await status(Sec_Fetch_Site="cross-site") == (403, "origin_refused")


async def test_an_allowed_page_asks_beforehand_without_a_token(serve):
    app = serve(
        hello=hello, settings=SETTINGS, environ={"STITHY_HTTP_TOKEN": "a token of sixteen letters".replace(" ", "-")}
    )
    headers = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}
    async with browse(app) as ask:
        answer = await ask("OPTIONS", "/mcp", headers=headers)
    assert (answer.status, answer.headers["access-control-allow-origin"]) == (200, "https://app.example")

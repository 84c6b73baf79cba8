"""No token, cookie or signed URL is in logs, errors or keys; proxies are those that the environment names."""

import logging

import httpx
import pytest

from stithy_core import redaction
from stithy_core.errors import ConfigError, ForgeError
from stithy_core.http import connection_transport
from stithy_core.spi import ForgeConfig

pytestmark = pytest.mark.anyio

FAULTS = ["401", "403", "429", "502", "html", "lost", "cut", "moved", "json"]


def fail(server, how, secret):
    for method in ("GET", "POST"):
        what = f"{method} /x"
        if how.isdecimal():
            server.answer(what, int(how), {"message": f"your token {secret} is not valid"})
        elif how == "html":
            server.page(what, 200)
        elif how == "lost":
            server.lose(what)
        elif how == "cut":
            server.answer(what, 200, b"{", content_length=9)
        elif how == "moved":
            server.redirect(what, f"https://u:{secret}@other.example/?token={secret}")
        else:
            server.answer(what, 200, b"{")


@pytest.mark.parametrize("how", FAULTS)
async def test_no_fault_tells_a_secret(server, http, secret, how, caplog):
    caplog.set_level(logging.DEBUG)
    redaction.remember(secret)
    fail(server, how, secret)
    for call in (http.get("/x"), http.send("POST", "/x", {}), anext(http.stream("/x"))):
        try:
            await call
        except ForgeError as error:
            told = f"{error.as_dict()}{error!r}{error.__cause__!r}{error.__context__!r}"
            assert secret not in told
    assert secret not in caplog.text


async def test_no_attribute_of_a_client_shows_its_token(server, http, secret):
    server.answer("GET /x", 200, 1)
    await http.get("/x")
    assert secret not in repr(vars(http)) + repr(http._sender.__dict__) + repr(vars(http._transport))


@pytest.fixture
def proxied(monkeypatch, server):
    """Name a server as the proxy of everybody."""
    monkeypatch.setenv("http_proxy", server.url)
    return server


async def test_a_proxy_of_the_environment_is_used(make, proxied):
    proxied.answer("GET http://git.example/x", 200, "by proxy")
    assert await make("http://git.example").get("/x") == "by proxy"


async def test_no_proxy_is_used_where_the_environment_excludes_the_host(make, proxied, monkeypatch, start):
    direct = await start()
    direct.answer("GET /x", 200, "direct")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert await make(direct.url).get("/x") == "direct"
    assert proxied.received == []


async def test_a_proxy_that_cannot_be_used_is_named_without_its_password(make, monkeypatch):
    monkeypatch.setenv("http_proxy", "gopher://u:pa55word@proxy.example")
    with pytest.raises(ConfigError, match="the proxy for") as caught:
        await make("http://git.example").get("/x")
    assert "pa55word" not in str(caught.value.as_dict())


async def test_a_private_authority_is_trusted_alone_at_the_forge_and_beside_others_elsewhere(authority):
    config = ForgeConfig(alias="work", kind="gitea", url="https://git.example")
    carrier = connection_transport.ConnectionTransport(config, ("https", "git.example", None), authority[1])
    contexts = [
        carrier._get_transport(httpx.URL(url))._pool._ssl_context
        for url in ("https://git.example/x", "https://store.example/y")
    ]
    assert [len(context.get_ca_certs()) == 1 for context in contexts] == [True, False]

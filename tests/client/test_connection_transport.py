"""Connections that fail: a request that was never sent changed nothing, one that was sent may have."""

import logging
import re
import socket
import ssl

import httpx
import pytest

from stithy_core.errors import ConfigError, ForgeError, Unavailable, Unclear
from stithy_core.http import request_sender

pytestmark = pytest.mark.anyio


async def failure(awaited, kind=ForgeError):
    with pytest.raises(kind) as caught:
        await awaited
    return caught.value


@pytest.fixture
def closed_port():
    """A port on which nobody listens, and which nobody else can take."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(request_sender, "TIMEOUT", httpx.Timeout(0.1))


async def test_a_read_that_is_refused_a_connection_is_unavailable(make, closed_port):
    url = f"http://127.0.0.1:{closed_port}"
    error = await failure(make(url).get("/x"), Unavailable)
    assert error.message.startswith(f"{url} is not reachable: ")


async def test_a_write_that_is_refused_a_connection_was_never_sent(make, closed_port):
    error = await failure(make(f"http://127.0.0.1:{closed_port}").send("POST", "/x", {}), Unavailable)
    assert "Nothing was changed" in error.suggestion


async def test_a_host_that_does_not_exist_is_unavailable(make):
    await failure(make("http://no-such-host.invalid").send("POST", "/x", {}), Unavailable)


async def test_a_write_whose_answer_is_lost_is_unclear(server, http):
    server.lose("POST /x")
    error = await failure(http.send("POST", "/x", {"a": 1}), Unclear)
    assert error.details == {"forge": "work", "url": server.url}


async def test_a_write_whose_answer_is_lost_was_sent_once(server, http):
    server.lose("POST /x")
    await failure(http.send("POST", "/x", {"a": 1}))
    assert server.targets == ["POST /x"]


async def test_a_read_whose_answer_is_lost_is_unavailable(server, http):
    server.lose("GET /x")
    assert "gave no answer" in (await failure(http.get("/x"), Unavailable)).message


@pytest.mark.usefixtures("impatient")
async def test_a_write_that_is_never_answered_is_unclear(server, http):
    server.hang("POST /x")
    assert "ReadTimeout" in (await failure(http.send("POST", "/x", {}), Unclear)).message


@pytest.mark.usefixtures("impatient")
async def test_a_read_that_is_never_answered_is_unavailable(server, http):
    server.hang("GET /x")
    await failure(http.get("/x"), Unavailable)


async def test_a_connection_has_five_seconds_and_each_piece_of_an_answer_ten(make, product_limits):
    given = []

    async def answer(request):
        given.append(request.extensions["timeout"])
        return httpx.Response(200, json=1)

    await make("https://git.example", transport=httpx.MockTransport(answer)).get("/x")
    assert (given[0]["connect"], given[0]["read"]) == (5.0, 10.0)


async def test_an_answer_that_is_no_http_is_as_good_as_none(server, http):
    server.answers["GET /x"] = b"SSH-2.0-OpenSSH_9.6\r\n\r\n"
    await failure(http.get("/x"), Unavailable)


async def test_a_client_that_was_closed_opens_again(server, http):
    server.answer("GET /x", 200, 1)
    await http.get("/x")
    await http.aclose()
    assert await http.get("/x") == 1


async def test_a_client_that_was_never_used_closes(http):
    await http.aclose()
    await http.aclose()


@pytest.fixture
async def secure(start, authority):
    """A forge whose certificate no public authority signed."""
    return await start(authority[0])


async def test_an_untrusted_certificate_says_where_to_name_its_authority(make, secure):
    error = await failure(make(secure.url).get("/x"), Unavailable)
    assert "is not trusted" in error.message
    assert error.suggestion.startswith("Set ca_file in [forges.work] ")


async def test_an_untrusted_connection_sends_nothing(make, secure):
    await failure(make(secure.url).send("POST", "/x", {}), Unavailable)
    assert secure.received == []


async def test_a_private_authority_is_trusted_where_it_is_named(make, secure, authority):
    secure.answer("GET /x", 200, 1)
    assert await make(secure.url, ca_file=authority[1]).get("/x") == 1


async def test_a_certificate_for_another_name_is_not_trusted(make, secure, authority):
    url = secure.url.replace("127.0.0.1", "localhost")
    await failure(make(url, ca_file=authority[1]).get("/x"), Unavailable)


@pytest.mark.usefixtures("impatient")
async def test_a_server_that_speaks_no_tls_is_unavailable(make, server):
    await failure(make(server.url.replace("http:", "https:")).send("POST", "/x", {}), Unavailable)


@pytest.mark.parametrize("text", [None, "no certificate"])
async def test_a_ca_file_that_cannot_be_used_is_named(make, secure, tmp_path, text):
    path = tmp_path / "ca.pem"
    if text:
        path.write_text(text)
    error = await failure(make(secure.url, ca_file=str(path)).get("/x"), ConfigError)
    assert error.message.startswith("ca_file of [forges.work] cannot be used")
    assert str(path) in error.message


async def test_a_transport_of_another_kind_can_carry_the_requests(make):
    async def echo(request):
        return httpx.Response(200, json=str(request.url))

    http = make("https://git.example", transport=httpx.MockTransport(echo))
    assert await http.get("/x", a=1) == "https://git.example/x?a=1"


def test_the_certificates_of_this_machine_are_usable():
    """Should this fail, the tests above fail for another reason than theirs."""
    assert ssl.create_default_context()


async def test_each_request_is_logged_without_query_and_headers(server, http, caplog):
    caplog.set_level(logging.DEBUG, "stithy.http")
    server.answer("GET /x", 200, [1, 2])
    await http.get("/x", page=2)
    assert re.fullmatch(r"GET /x: 200 in \d+ ms, \d+ bytes", caplog.messages[-1])

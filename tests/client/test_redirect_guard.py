"""The hosts to which a forge on an inner network may lead; connections go to checked addresses (FIX-7)."""

from contextlib import suppress

import httpx
import pytest

from stithy_core.errors import Rejected, Unavailable
from stithy_core.http import forge_urls
from stithy_core.http.forge_urls import NetworkKind, classify_addresses

pytestmark = pytest.mark.anyio

METADATA = ["169.254.169.254", "169.254.170.2", "[fe80::1]", "[fd00:ec2::254]", "[::ffff:169.254.169.254]"]
METADATA += ["[::ffff:a9fe:a9fe]", "[64:ff9b::a9fe:a9fe]", "[2002:a9fe:a9fe::]", "2852039166", "0xa9.0xfe.0xa9.0xfe"]
OWN = ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "2130706433", "[::ffff:127.0.0.1]"]
PRIVATE = ["10.1.2.3", "192.168.0.1", "100.64.0.1", "[fd00::1]", "[64:ff9b::a01:203]"]


async def read(http, path="/x"):
    return b"".join([chunk async for chunk in http.stream(path)])


async def lead(make, forge, host):
    """Let a forge lead to a host, and return which hosts were asked."""
    asked = []

    def answer(request):
        asked.append(request.url.host)
        to = {"location": f"http://{host}/latest/meta-data/"}
        return httpx.Response(302, headers=to) if len(asked) == 1 else httpx.Response(200, content=b"log")

    with suppress(Rejected):
        await read(make(f"http://{forge}", transport=httpx.MockTransport(answer)))
    return asked[1:]


@pytest.mark.parametrize("forge", ["127.0.0.1:3000", "10.0.0.7", "[::1]:3000", "8.8.8.8"])
@pytest.mark.parametrize("host", METADATA)
async def test_no_forge_leads_to_where_a_cloud_tells_secrets(make, forge, host):
    assert await lead(make, forge, host) == []


@pytest.mark.parametrize("host", OWN)
async def test_the_own_machine_is_led_to_by_a_forge_on_it_alone(make, host):
    assert await lead(make, "10.0.0.7", host) == []
    assert len(await lead(make, "127.0.0.1:3000", host)) == 1


@pytest.mark.parametrize("host", PRIVATE)
async def test_a_private_network_is_led_to_by_a_forge_in_one_alone(make, host):
    assert await lead(make, "127.0.0.1:3000", host) == []
    assert len(await lead(make, "10.0.0.7", host)) == 1


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8"])
def test_public_addresses_are_public_however_they_are_written(address):
    assert classify_addresses([address]) == {NetworkKind.PUBLIC}


@pytest.fixture
def names(monkeypatch):
    """Let a name have other addresses each time it is looked up."""

    def answer(*answers):
        turns = list(answers)

        async def addresses_of(host):
            return [host] if host == "127.0.0.1" else turns.pop(0) if len(turns) > 1 else turns[0]

        monkeypatch.setattr(forge_urls, "resolve_host", addresses_of)

    return answer


@pytest.fixture
async def store(start, server):
    """Where the forge keeps its logs, by a name that only the test knows."""
    store = await start()
    store.answer("GET /log", 200, b"line")
    server.redirect("GET /x", store.url.replace("127.0.0.1", "store.invalid") + "/log")
    return store


async def test_the_address_that_was_checked_is_connected_to(http, names, store):
    names(["127.0.0.1"])
    assert await read(http) == b"line"
    assert store.received[0].headers["host"].startswith("store.invalid:")


async def test_a_name_that_turns_into_another_address_meanwhile_is_not_connected_to(http, names, store):
    names(["127.0.0.1"], ["169.254.169.254"])
    with pytest.raises(Rejected, match="link-local or metadata"):
        await read(http)
    assert store.received == []


async def test_one_bad_address_among_good_ones_is_enough(http, names, store):
    names(["127.0.0.1", "fe80::1"])
    with pytest.raises(Rejected):
        await read(http)
    assert store.received == []


async def test_tls_verifies_the_name_and_not_the_address(start, server, make, names, authority):
    """The certificate is that of 127.0.0.1, which is where the connection goes."""
    context, ca_file = authority
    store = await start(context)
    store.answer("GET /log", 200, b"line")
    server.redirect("GET /x", store.url.replace("127.0.0.1", "store.invalid") + "/log")
    server.redirect("GET /y", store.url + "/log")
    names(["127.0.0.1"])
    http = make(server.url, ca_file=ca_file)
    assert await read(http, "/y") == b"line"
    with pytest.raises(Unavailable, match="certificate"):
        await read(http)

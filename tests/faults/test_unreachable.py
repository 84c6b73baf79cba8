"""A forge that takes no connection: nothing was sent, so a write is as certain as a read, and is never sent later."""

import socket

import httpx
import pytest
from faulty.matrix import secrets_in
from faulty.server import FLAVOURS

from stithy_core.http import request_sender
from stithy_core.spi import Unavailable

pytestmark = pytest.mark.anyio


@pytest.fixture
def closed_port():
    """Return a URL whose port is bound and has no listener."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"


@pytest.fixture
def full_queue():
    """Return a URL whose listener neither accepts nor refuses connections."""
    with socket.socket() as listening, socket.socket() as one, socket.socket() as two:
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        place = listening.getsockname()
        for waiting in (one, two):
            waiting.settimeout(0)
            waiting.connect_ex(place)
        yield f"http://127.0.0.1:{place[1]}"


@pytest.fixture(params=["refused", "timeout"])
def nowhere(request, closed_port, full_queue, monkeypatch):
    """Return a URL to which no connection can be established."""
    monkeypatch.setattr(request_sender, "TIMEOUT", httpx.Timeout(0.1))
    return {"refused": closed_port, "timeout": full_queue}[request.param]


@pytest.mark.parametrize("what", ["read", "write"])
@pytest.mark.parametrize("flavour", FLAVOURS, ids=lambda flavour: flavour.name)
async def test_faults_at_connect(nowhere, bounded_forge, flavour, what):
    async with bounded_forge(flavour, nowhere) as forge:
        error = await forge.error(what)
    assert type(error) is Unavailable
    assert error.message.startswith(f"{nowhere} is not reachable: ")
    assert error.suggestion == "Nothing was changed; try again later."
    assert error.details == {"forge": "lab", "url": nowhere}
    assert secrets_in(error) == []


@pytest.mark.parametrize("flavour", FLAVOURS, ids=lambda flavour: flavour.name)
async def test_an_unsent_write_is_sent_when_the_caller_repeats_it(begin, bounded_forge, flavour, closed_port):
    server = await begin(flavour)
    async with bounded_forge(flavour, closed_port) as forge:
        await forge.error("write")
    assert server.comments == []
    async with bounded_forge(flavour, server.url) as forge:
        await forge.write()
    assert len(server.comments) == 1

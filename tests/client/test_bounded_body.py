"""Bodies: compressed or slow, they are read within bounds of size and time."""

import gzip
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stithy_core.errors import NotTheApi, TooLarge, Unavailable, Unclear
from stithy_core.http import connection_transport
from stithy_core.http.connection_transport import PIECE, GzipDecoder

pytestmark = pytest.mark.anyio


async def failure(awaited, kind):
    with pytest.raises(kind) as caught:
        await awaited
    return caught.value


async def test_a_compressed_answer_is_read(server, http, gzipped):
    server.answer("GET /x", 200, gzipped(b'{"a": 1}'), content_encoding="GZIP")
    assert await http.get("/x") == {"a": 1}
    assert server.received[0].headers["accept-encoding"] == "gzip"


async def test_a_bomb_is_given_up_before_it_is_held(server, http, gzipped):
    server.answer("GET /x", 200, gzipped(bytes(1_000_000)) * 100, content_encoding="gzip")
    tracemalloc.start()
    await failure(http.get("/x"), TooLarge)
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert held < 40_000_000


async def test_a_write_answered_with_a_bomb_is_unclear(server, http, gzipped):
    server.answer("POST /x", 201, gzipped(bytes(30_000_000)), content_encoding="gzip")
    await failure(http.send("POST", "/x", {}), Unclear)


async def test_an_error_may_be_a_bomb_too(server, http, gzipped):
    server.answer("GET /x", 404, gzipped(bytes(30_000_000)), content_encoding="gzip")
    await failure(http.get("/x"), TooLarge)


@pytest.mark.parametrize("coding", ["br", "deflate", "gzip, gzip"])
async def test_an_unrequested_encoding_is_refused(server, http, coding):
    server.answer("GET /x", 200, zlib.compress(b"1"), content_encoding=coding)
    assert f"cannot be decompressed ({coding})" in (await failure(http.get("/x"), NotTheApi)).message


async def test_a_compressed_answer_that_is_cut_off_is_none(server, http, gzipped):
    server.answer("GET /x", 200, gzipped(b"1")[:-8], content_encoding="gzip")
    await failure(http.get("/x"), NotTheApi)


async def test_an_answer_that_drips_for_ever_ends(server, http, monkeypatch):
    monkeypatch.setattr(connection_transport, "LONGEST", 0.05)
    server.drip("GET /x")
    server.drip("POST /x")
    assert "took over 0 seconds" in (await failure(http.get("/x"), Unavailable)).message
    await failure(http.send("POST", "/x", {}), Unclear)


async def test_a_stream_that_is_refused_for_ever_ends(server, http, monkeypatch):
    async def refuse(_):
        yield b"HTTP/1.1 404 -\r\n\r\n"
        while not server.ending.is_set():
            yield b" "

    monkeypatch.setattr(connection_transport, "LONGEST", 0.05)
    server.answers["GET /x"] = refuse
    await failure(anext(http.stream("/x")), Unavailable)


@given(st.lists(st.binary(max_size=200), max_size=4), st.integers(1, 50), st.sampled_from([1, 3_000]))
def test_members_are_joined_however_they_arrive(members, step, times):
    """RFC 1952 lets gzip have several members."""
    raw = b"".join(gzip.compress(member * times) for member in members)
    reader = GzipDecoder()
    pieces = [piece for at in range(0, len(raw), step) for piece in reader.decode(raw[at : at + step])]
    reader.finish()
    assert b"".join(pieces) == b"".join(member * times for member in members)


@given(st.integers(0, 3), st.integers(-2, 2))
def test_no_piece_is_larger_than_a_piece(whole, more):
    size = max(0, whole * PIECE + more)
    pieces = list(GzipDecoder().decode(gzip.compress(bytes(size))))
    assert sum(map(len, pieces)) == size
    assert max(map(len, pieces), default=0) <= PIECE


@given(st.binary(max_size=300))
def test_damaged_gzip_never_changes_the_content(raw):
    reader = GzipDecoder()
    try:
        found = b"".join(reader.decode(raw))
        reader.finish()
    except zlib.error:
        return
    assert found == gzip.decompress(raw)

"""Tokens: refused ones are renewed once, and keys hold their hashes alone."""

import pytest

from stithy_core.errors import Unauthorized
from stithy_core.http.request_sender import hash_token
from stithy_core.spi import Token

pytestmark = pytest.mark.anyio


def list_authorizations(server):
    return [request.headers.get("authorization") for request in server.received]


async def test_a_read_is_asked_again_with_another_token(server, make, tokens, say):
    given = tokens("old", "new", again=True)
    server.turns("GET /x", say(401), say(200, 1))
    assert await make(server.url, tokens=given).get("/x") == 1
    assert list_authorizations(server) == ["Bearer old", "Bearer new"]
    assert given.refusals == ["old"]


async def test_a_write_is_sent_again_too_since_nothing_was_changed(server, make, tokens, say):
    server.turns("POST /x", say(401), say(201, 1))
    assert await make(server.url, tokens=tokens("old", "new", again=True)).send("POST", "/x", {"a": 1}) == 1
    assert [request.body for request in server.received] == [b'{"a": 1}'] * 2


async def test_a_stream_is_opened_again(server, make, tokens, say):
    server.turns("GET /x", say(401), say(200, b"log"))
    http = make(server.url, tokens=tokens("old", "new", again=True))
    assert [chunk async for chunk in http.stream("/x")] == [b"log"]


async def test_without_another_token_it_is_refused(server, make, tokens):
    server.answer("GET /x", 401, {"message": "Bad credentials"})
    with pytest.raises(Unauthorized):
        await make(server.url, tokens=tokens("old")).get("/x")
    assert list_authorizations(server) == ["Bearer old"]


async def test_a_second_token_that_is_refused_is_the_end(server, make, tokens):
    """Many refusals in a row make GitHub refuse the good ones, too."""
    server.answer("GET /x", 401)
    with pytest.raises(Unauthorized):
        await make(server.url, tokens=tokens("old", "new", "newer", again=True)).get("/x")
    assert list_authorizations(server) == ["Bearer old", "Bearer new"]


async def test_without_a_token_nobody_is_asked_for_another(server, make, tokens):
    given = tokens(None, again=True)
    server.answer("GET /x", 401)
    with pytest.raises(Unauthorized):
        await make(server.url, tokens=given).get("/x")
    assert given.refusals == []


def test_the_identity_of_a_token_is_a_hash():
    first, second = (Token(value=letter * 40, source="the test") for letter in "ab")
    assert hash_token(first) != hash_token(second)
    assert len(hash_token(first)) == 32
    assert hash_token(None) == ""

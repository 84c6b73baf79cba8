"""Authorization: each forge has headers of its own, which go to its host only and belong to no key."""

import logging
from base64 import b64decode, b64encode
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stithy_core.errors import ConfigError, Moved, Unauthorized
from stithy_core.http import open_store
from stithy_core.spi import Dialect, Token, basic, bearer, token_header
from stithy_core.spi.dialect import split_basic

pytestmark = pytest.mark.anyio

SECRET = "s3cret-of-the-forge-0123456789"


def encode(pair):
    return f"Basic {b64encode(pair.encode()).decode()}"


def choose(token):
    """Send an API token of Bitbucket with its user, and any other token of it as a bearer token."""
    return basic(token) if ":" in token.value else bearer(token)


SCHEMES = {
    "bearer": (bearer, SECRET, "authorization", f"Bearer {SECRET}"),
    "token of Gitea": (token_header(scheme="token"), SECRET, "authorization", f"token {SECRET}"),
    "user of Gerrit": (basic, f"smith:{SECRET}", "authorization", encode(f"smith:{SECRET}")),
    "token of Azure": (partial(basic, user=""), SECRET, "authorization", encode(f":{SECRET}")),
    "user of Bitbucket": (choose, f"smith@a.example:{SECRET}", "authorization", encode(f"smith@a.example:{SECRET}")),
    "access token of Bitbucket": (choose, SECRET, "authorization", f"Bearer {SECRET}"),
    "token of GitLab": (token_header("PRIVATE-TOKEN"), SECRET, "private-token", SECRET),
    "job of GitLab": (token_header("JOB-TOKEN"), SECRET, "job-token", SECRET),
}


@pytest.fixture(params=SCHEMES)
def scheme(request):
    """An authorization, a token, and the header that carries it."""
    return SCHEMES[request.param]


@pytest.fixture
def forge(scheme, make, tokens, server):
    """A client of a forge with one of the schemes."""
    authorization, value, _, _ = scheme
    return make(server.url, dialect=Dialect(authorization=authorization), tokens=tokens(value))


async def test_every_kind_of_request_has_the_header(scheme, forge, server):
    for method in ("GET", "POST"):
        server.answer(f"{method} /x", 200, [1])
    await forge.get("/x")
    await forge.send("POST", "/x", {})
    assert [chunk async for chunk in forge.stream("/x")] == [b"[1]"]
    _, _, name, value = scheme
    assert [request.headers[name] for request in server.received] == [value] * 3
    assert not any(SECRET in text for request in server.received for text in {**request.headers, name: ""}.values())


async def test_a_stream_to_another_host_has_none_of_it(scheme, forge, server, start):
    store = await start()
    store.answer("GET /log", 200, b"log")
    server.redirect("GET /x", f"{store.url}/log")
    assert [chunk async for chunk in forge.stream("/x")] == [b"log"]
    assert scheme[2] not in store.received[0].headers
    assert SECRET not in str(store.received[0].headers)


async def test_a_redirect_to_another_host_is_not_followed_with_it(forge, server, start):
    other = await start()
    server.redirect("GET /x", f"{other.url}/x")
    with pytest.raises(Moved):
        await forge.get("/x")
    assert other.received == []


async def test_no_log_and_no_attribute_shows_it(forge, server, caplog):
    caplog.set_level(logging.DEBUG)
    server.answer("GET /x", 401, {"message": "who are you?"})
    with pytest.raises(Unauthorized) as caught:
        await forge.get("/x")
    shown = caplog.text + repr(vars(forge)) + str(caught.value.as_dict()) + repr(caught.value.__context__)
    credential = b64encode(SECRET.encode()).decode()[:-4]
    assert not [secret for secret in (SECRET, credential) if secret in shown]


async def test_keys_are_by_the_token_and_not_by_its_header(make, server, tokens):
    """A header that changes with each request, such as a signature, leaves a cached response valid."""
    numbers = iter(range(9))

    def sign(token):
        return {"X-Signature": f"{token.value}-{next(numbers)}"}

    server.answer("GET /x", 200, [1], etag='"1"')
    store = open_store("memory:")
    for value in ("first", "first", "second"):
        await make(server.url, dialect=Dialect(authorization=sign), tokens=tokens(value), store=store).get("/x")
    assert [request.headers.get("if-none-match") for request in server.received] == [None, '"1"', None]


async def test_a_token_without_a_user_is_refused_where_one_is_needed(make, server, tokens):
    http = make(server.url, dialect=Dialect(authorization=basic), tokens=tokens(SECRET))
    with pytest.raises(ConfigError, match="the token of the test has no user") as caught:
        await http.get("/x")
    assert "USER:SECRET" in caught.value.suggestion
    assert (server.received, SECRET in str(caught.value.as_dict())) == ([], False)


GIT = {
    "bearer": ("git", ("git", SECRET)),
    "user of Gerrit": ("", ("smith", SECRET)),
    "token of Azure": ("", ("", SECRET)),
    "user of Bitbucket": ("x-bitbucket-api-token-auth", ("x-bitbucket-api-token-auth", SECRET)),
    "token of GitLab": ("oauth2", ("oauth2", SECRET)),
}


@pytest.mark.parametrize("name", GIT)
async def test_git_has_the_secret_without_the_user_of_the_api(make, server, tokens, name):
    authorization, value, _, _ = SCHEMES[name]
    user, expected = GIT[name]
    http = make(server.url, dialect=Dialect(authorization=authorization), tokens=tokens(value))
    remote = await http.git("o/r.git", user=user)
    assert (remote.user, remote.secret) == expected
    assert SECRET not in repr(remote)


async def test_the_user_for_git_may_depend_on_the_kind_of_token(make, server, tokens):
    """Bitbucket Cloud expects another user beside an API token than beside an access token."""

    def choose_user(token):
        return "x-bitbucket-api-token-auth" if ":" in token.value else "x-token-auth"

    for value, expected in ((f"smith@a.example:{SECRET}", "x-bitbucket-api-token-auth"), (SECRET, "x-token-auth")):
        dialect = Dialect(authorization=lambda token: basic(token) if ":" in token.value else bearer(token))
        remote = await make(server.url, dialect=dialect, tokens=tokens(value)).git("w/r.git", user=choose_user)
        assert (remote.user, remote.secret) == (expected, SECRET)


visible = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1)


@given(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E, exclude_characters=":")), visible)
def test_a_basic_credential_is_the_token_whatever_is_in_it(user, secret):
    headers = basic(Token(value=f"{user}:{secret}", source="the test"))
    assert split_basic(headers) == (user, secret)
    assert b64decode(headers["Authorization"].split()[1]) == f"{user}:{secret}".encode()


@given(visible, st.sampled_from(["Authorization", "PRIVATE-TOKEN"]), st.sampled_from(["", "token", "Bearer"]))
def test_a_token_in_a_header_is_not_taken_apart(value, name, scheme):
    headers = token_header(name, scheme)(Token(value=value, source="the test"))
    assert headers == {name: f"{scheme} {value}".strip()}
    assert split_basic(headers) is None

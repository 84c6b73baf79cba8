"""Delegated tokens: used for the request that sends them, never shared, and refused where they are not allowed."""

import json

import pytest
from loopback import Server, starting

from stithy_core.plugins import Entry
from stithy_core.redaction import redact
from stithy_core.spi import Contribution, Forge, ForgeKind, Response, Route, Version, hookimpl
from stithy_core.spi.call_state import token_identity, use_delegated_tokens
from stithy_testing import browse, make_app

pytestmark = pytest.mark.anyio

OWN, ADAS, BOBS = (f"{letter}-forge-token-0123456789" for letter in "oab")


class Pond(Forge):
    async def identify(self):
        return Version("pond", "1.0")


async def read(context, request):
    forge, _ = await context.repository(f"{request.query.get('forge', ['pond'])[0]}:a/b")
    return Response.of_json([await forge.http.get("/thing"), request.identity])


class Plugin:
    """A forge, and a route that reads it."""

    STITHY_API = 1

    @hookimpl
    def stithy_forges(self):
        return [ForgeKind(name="pond", title="Pond", forge=Pond, hosts=("pond.example",))]

    @hookimpl
    def stithy_routes(self):
        return [Route(method="GET", path="/read", handler=read)]


@pytest.fixture(autouse=True)
def _no_proxy(unproxied):
    """The forge is on the loopback interface."""


@pytest.fixture
async def forge():
    async with starting() as start:
        server = await start(Server())
        server.answer("GET /thing", 200, "seen", etag='"1"')
        yield server


@pytest.fixture
def app(forge, tmp_path):
    """A server with two forges and own tokens, with or without delegated tokens."""
    own = f'url = "{forge.url}"\ntoken = {{ env = "POND" }}'
    places = {"pond": own, "lake": own.replace(forge.url, f"{forge.url}/lake")}

    def make_server(*, allowed, more=""):
        settings = "".join(f'[forges.{alias}]\nkind = "pond"\n{place}\n' for alias, place in places.items())
        more = f"[serve.http]\nforge_tokens = {str(allowed).lower()}\n{more}"
        entry = Entry(Contribution("stithy-test", "1.0", "test"), load=Plugin)
        return make_app(tmp_path, settings + more, environ={"POND": OWN}, entries=[entry])

    return make_server


def list_tokens(forge):
    return [request.headers["authorization"].split()[-1] for request in forge.received]


def delegate(token):
    return {"X-Forge-Token": f"pond={token}"}


async def test_a_delegated_token_replaces_the_servers_token(app, forge):
    async with browse(app(allowed=True)) as ask:
        for headers in ({}, delegate(ADAS), {}):
            assert (await ask("GET", "/read", headers=headers)).status == 200
    assert list_tokens(forge) == [OWN, ADAS, OWN]


async def test_cached_answers_are_not_shared_between_tokens(app, forge):
    async with browse(app(allowed=True)) as ask:
        for token in (ADAS, BOBS, ADAS):
            await ask("GET", "/read", headers=delegate(token))
    assert ["if-none-match" in request.headers for request in forge.received] == [False, False, True]


async def test_callers_with_other_tokens_have_other_identities(app):
    async with browse(app(allowed=True)) as ask:
        answers = [
            await ask("GET", "/read", headers=headers)
            for headers in ({}, delegate(ADAS), delegate(BOBS), delegate(ADAS))
        ]
    own, ada, bob, again = (json.loads(answer.body)[1] for answer in answers)
    assert own == ""
    assert ada == again != bob
    assert ADAS not in ada


async def test_a_delegated_token_is_refused_where_they_are_off(app, forge):
    async with browse(app(allowed=False)) as ask:
        answer = await ask("GET", "/read", headers=delegate(ADAS))
    assert (answer.status, json.loads(answer.body)["error"]["code"]) == (400, "forge_token_unwanted")
    assert not forge.received


@pytest.mark.parametrize("text", ["", ADAS, "pond=", "=x", "pond=a b", f"pond={ADAS},", "pond=a\u00e9"])
async def test_an_invalid_header_is_refused(app, forge, text):
    async with browse(app(allowed=True)) as ask:
        assert (await ask("GET", "/read", headers={"X-Forge-Token": text})).status == 400
    assert not forge.received


def error_of(answer):
    return json.loads(answer.body)["error"]


@pytest.mark.parametrize("alias", ["Pond", "PAND", "nosuch", "pond.other", "pond_"])
async def test_an_unknown_alias_is_refused(app, forge, alias):
    """Otherwise the server's own token would be used (FIX-2)."""
    async with browse(app(allowed=True)) as ask:
        answer = await ask("GET", "/read", headers={"X-Forge-Token": f"{alias}={ADAS}"})
    assert (answer.status, error_of(answer)["code"]) == (400, "forge_token_of_no_forge")
    assert f"no forge is called {alias!r}; there are: pond (" in error_of(answer)["message"]
    assert not forge.received


@pytest.mark.parametrize("text", [f"pond={ADAS},pond={BOBS}", f"pond={ADAS},lake={ADAS},pond={ADAS}"])
async def test_a_repeated_alias_is_refused(app, forge, text):
    """It is ambiguous (FIX-2)."""
    async with browse(app(allowed=True)) as ask:
        answer = await ask("GET", "/read", headers={"X-Forge-Token": text})
    assert (answer.status, error_of(answer)["code"]) == (400, "forge_token_twice")
    assert not forge.received


async def test_a_token_written_as_alias_is_not_repeated_in_the_error(app):
    """A caller may swap alias and token."""
    token = "0123456789abcdef0123456789abcdef01234567"
    async with browse(app(allowed=True)) as ask:
        answer = await ask("GET", "/read", headers={"X-Forge-Token": f"{token}=pond"})
    assert answer.status == 400
    assert token not in answer.body.decode()


async def test_a_host_that_needs_no_settings_is_its_own_alias(app):
    """A caller may send a token for a forge that the settings do not name."""
    async with browse(app(allowed=True)) as ask:
        answer = await ask("GET", "/read?forge=nosuch", headers={"X-Forge-Token": f"pond.example={ADAS}"})
    assert error_of(answer)["code"] != "forge_token_of_no_forge"


async def test_with_delegated_tokens_the_servers_token_is_not_used_for_another_forge(app, forge):
    """A gateway that sets one token per tenant is not bypassed by naming another forge (FIX-2)."""
    async with browse(app(allowed=True)) as ask:
        answer = await ask("GET", "/read?forge=lake", headers=delegate(ADAS))
    assert answer.status == 403
    assert "none for lake" in error_of(answer)["message"]
    assert not forge.received


async def test_the_fallback_setting_allows_the_servers_token(app, forge):
    """`forge_token_fallback = true` says that the server's own token may be used beside them."""
    forge.answer("GET /lake/thing", 200, "seen")
    async with browse(app(allowed=True, more="forge_token_fallback = true\n")) as ask:
        assert (await ask("GET", "/read?forge=lake", headers=delegate(ADAS))).status == 200
    assert list_tokens(forge) == [OWN]


async def test_a_refused_delegated_token_is_not_replaced_by_the_servers(app, forge):
    forge.answer("GET /thing", 401, {"message": "bad"})
    async with browse(app(allowed=True)) as ask:
        answer = await ask("GET", "/read", headers=delegate(ADAS))
    assert json.loads(answer.body)["error"]["upstream_status"] == 401
    assert set(list_tokens(forge)) == {ADAS}


def test_tokens_are_told_apart_by_what_they_are_and_not_by_their_order():
    def identify(tokens):
        with use_delegated_tokens(tokens):
            return token_identity()

    assert identify({"a": "one", "b": "two"}) == identify({"b": "two", "a": "one"})
    others = [{"a": "one\nb=two"}, {"a": "two", "b": "one"}, {"a": "one"}, {"a": 'one"], ["b", "two'}]
    assert len({identify(tokens) for tokens in [{"a": "one", "b": "two"}, *others]}) == 5


def test_a_delegated_token_is_redacted_while_in_use_and_stored_nowhere():
    with use_delegated_tokens({"pond": ADAS}):
        assert ADAS not in redact(f"the token {ADAS} is bad")
        assert token_identity()
    assert ADAS in redact(ADAS)
    assert token_identity() == ""

"""A caller's own forge token: used for its requests, shared with nobody, and refused where it is not wanted."""

import json

import pytest
from loopback import Server, starting

from stithy_core.plugins import Entry
from stithy_core.redaction import redact
from stithy_core.spi import Contribution, Forge, ForgeKind, Response, Route, Version, hookimpl
from stithy_core.spi.delegated_tokens import token_identity, use_delegated_tokens
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

    STITHY_API = 0

    @hookimpl
    def stithy_forges(self):
        return [ForgeKind(name="pond", title="Pond", forge=Pond, hosts=("pond.example",))]

    @hookimpl
    def stithy_routes(self):
        return [Route(method="GET", path="/read", handler=read)]


@pytest.fixture(autouse=True)
def _no_proxy(unproxied):
    """The forge is one of the loopback's."""


@pytest.fixture
async def forge():
    async with starting() as start:
        server = await start(Server())
        server.answer("GET /thing", 200, "seen", etag='"1"')
        yield server


@pytest.fixture
def app(forge, tmp_path):
    """A server with two forges and tokens of its own; whether callers may bring theirs."""
    own = f'url = "{forge.url}"\ntoken = {{ env = "POND" }}'
    places = {"pond": own, "lake": own.replace(forge.url, f"{forge.url}/lake")}

    def made(*, allowed, more=""):
        settings = "".join(f'[forges.{alias}]\nkind = "pond"\n{place}\n' for alias, place in places.items())
        more = f"[serve.http]\nforge_tokens = {str(allowed).lower()}\n{more}"
        entry = Entry(Contribution("stithy-test", "1.0", "test"), load=Plugin)
        return make_app(tmp_path, settings + more, environ={"POND": OWN}, entries=[entry])

    return made


def sent(forge):
    return [request.headers["authorization"].split()[-1] for request in forge.received]


def lend(token):
    return {"X-Forge-Token": f"pond={token}"}


async def test_a_lent_token_is_used_in_the_place_of_the_servers(app, forge):
    async with browse(app(allowed=True)) as ask:
        for headers in ({}, lend(ADAS), {}):
            assert (await ask("GET", "/read", headers=headers)).status == 200
    assert sent(forge) == [OWN, ADAS, OWN]


async def test_what_was_read_for_one_is_no_copy_for_another(app, forge):
    async with browse(app(allowed=True)) as ask:
        for token in (ADAS, BOBS, ADAS):
            await ask("GET", "/read", headers=lend(token))
    assert ["if-none-match" in request.headers for request in forge.received] == [False, False, True]


async def test_callers_with_other_tokens_have_other_identities(app):
    async with browse(app(allowed=True)) as ask:
        answers = [await ask("GET", "/read", headers=headers) for headers in ({}, lend(ADAS), lend(BOBS), lend(ADAS))]
    own, ada, bob, again = (json.loads(answer.body)[1] for answer in answers)
    assert own == ""
    assert ada == again != bob
    assert ADAS not in ada


async def test_where_it_is_off_such_a_request_is_refused_and_not_answered_with_the_servers_token(app, forge):
    async with browse(app(allowed=False)) as ask:
        answer = await ask("GET", "/read", headers=lend(ADAS))
    assert (answer.status, json.loads(answer.body)["error"]["code"]) == (400, "forge_token_unwanted")
    assert not forge.received


@pytest.mark.parametrize("text", ["", ADAS, "pond=", "=x", "pond=a b", f"pond={ADAS},", "pond=a\u00e9"])
async def test_what_cannot_be_read_is_refused(app, forge, text):
    async with browse(app(allowed=True)) as ask:
        assert (await ask("GET", "/read", headers={"X-Forge-Token": text})).status == 400
    assert not forge.received


def error_of(answer):
    return json.loads(answer.body)["error"]


@pytest.mark.parametrize("alias", ["Pond", "PAND", "nosuch", "pond.other", "pond_"])
async def test_an_alias_that_no_forge_has_is_refused(app, forge, alias):
    """It would be answered with the server's own token else (18.2)."""
    async with browse(app(allowed=True)) as ask:
        answer = await ask("GET", "/read", headers={"X-Forge-Token": f"{alias}={ADAS}"})
    assert (answer.status, error_of(answer)["code"]) == (400, "forge_token_of_no_forge")
    assert f"no forge is called {alias!r}; there are: pond (" in error_of(answer)["message"]
    assert not forge.received


@pytest.mark.parametrize("text", [f"pond={ADAS},pond={BOBS}", f"pond={ADAS},lake={ADAS},pond={ADAS}"])
async def test_an_alias_that_stands_there_twice_is_refused(app, forge, text):
    """Nobody can tell which of them is meant (18.2)."""
    async with browse(app(allowed=True)) as ask:
        answer = await ask("GET", "/read", headers={"X-Forge-Token": text})
    assert (answer.status, error_of(answer)["code"]) == (400, "forge_token_twice")
    assert not forge.received


async def test_a_token_in_the_place_of_the_alias_is_not_repeated(app):
    """Whoever swaps the two does not find the token in an error (18.2)."""
    token = "0123456789abcdef0123456789abcdef01234567"
    async with browse(app(allowed=True)) as ask:
        answer = await ask("GET", "/read", headers={"X-Forge-Token": f"{token}=pond"})
    assert answer.status == 400
    assert token not in answer.body.decode()


async def test_a_host_that_needs_no_settings_is_its_own_alias(app):
    """A caller may bring a token for a forge that the settings do not name (18.2)."""
    async with browse(app(allowed=True)) as ask:
        answer = await ask("GET", "/read?forge=nosuch", headers={"X-Forge-Token": f"pond.example={ADAS}"})
    assert error_of(answer)["code"] != "forge_token_of_no_forge"


async def test_whoever_brings_a_token_does_not_get_the_servers_for_another_forge(app, forge):
    """A gateway that sets one token per tenant is not bypassed by naming another forge (18.2)."""
    async with browse(app(allowed=True)) as ask:
        answer = await ask("GET", "/read?forge=lake", headers=lend(ADAS))
    assert answer.status == 403
    assert "none for lake" in error_of(answer)["message"]
    assert not forge.received


async def test_a_setting_lets_it_fall_back(app, forge):
    """`forge_token_fallback = true` says that the server's own token may be used beside them (18.2)."""
    forge.answer("GET /lake/thing", 200, "seen")
    async with browse(app(allowed=True, more="forge_token_fallback = true\n")) as ask:
        assert (await ask("GET", "/read?forge=lake", headers=lend(ADAS))).status == 200
    assert sent(forge) == [OWN]


async def test_a_token_that_the_forge_refuses_is_not_replaced_by_the_servers(app, forge):
    forge.answer("GET /thing", 401, {"message": "bad"})
    async with browse(app(allowed=True)) as ask:
        answer = await ask("GET", "/read", headers=lend(ADAS))
    assert json.loads(answer.body)["error"]["upstream_status"] == 401
    assert set(sent(forge)) == {ADAS}


def test_it_is_taken_out_of_texts_while_it_is_used_and_kept_nowhere():
    with use_delegated_tokens({"pond": ADAS}):
        assert ADAS not in redact(f"the token {ADAS} is bad")
        assert token_identity()
    assert ADAS in redact(ADAS)
    assert token_identity() == ""

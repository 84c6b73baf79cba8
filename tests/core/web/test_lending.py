"""A caller's own forge token: used for its requests, shared with nobody, and refused where it is not wanted."""

import json

import pytest
from loopback import Server, starting

from stithy_core.plugins import Entry
from stithy_core.redaction import redact
from stithy_core.spi import Contribution, Forge, ForgeKind, Response, Route, Version, hookimpl
from stithy_core.spi.lent import identity, lending
from stithy_core.testing import browse, make_app

pytestmark = pytest.mark.anyio

OWN, ADAS, BOBS = (f"{letter}-forge-token-0123456789" for letter in "oab")


class Pond(Forge):
    async def identify(self):
        return Version("pond", "1.0")


async def read(context, request):
    forge, _ = await context.repository("pond:a/b")
    return Response.of_json([await forge.http.get("/thing"), request.identity])


class Plugin:
    """A forge, and a route that reads it."""

    STITHY_API = 0

    @hookimpl
    def stithy_forges(self):
        return [ForgeKind(name="pond", title="Pond", forge=Pond)]

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
    """A server with a token of its own; whether callers may lend theirs."""

    def made(*, allowed):
        settings = f'[forges.pond]\nkind = "pond"\nurl = "{forge.url}"\ntoken = {{ env = "POND" }}\n'
        more = f"[serve.http]\nforge_tokens = {str(allowed).lower()}\n"
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


async def test_a_token_that_the_forge_refuses_is_not_replaced_by_the_servers(app, forge):
    forge.answer("GET /thing", 401, {"message": "bad"})
    async with browse(app(allowed=True)) as ask:
        answer = await ask("GET", "/read", headers=lend(ADAS))
    assert json.loads(answer.body)["error"]["upstream_status"] == 401
    assert set(sent(forge)) == {ADAS}


def test_it_is_taken_out_of_texts_while_it_is_used_and_kept_nowhere():
    with lending({"pond": ADAS}):
        assert ADAS not in redact(f"the token {ADAS} is bad")
        assert identity()
    assert ADAS in redact(ADAS)
    assert identity() == ""

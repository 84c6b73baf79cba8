"""No secret leaves the process except to its own forge, whatever fails."""

import json

import httpx
import pytest
from loopback import RESET, message

pytestmark = pytest.mark.anyio

BEARER, OWN, DELEGATED = (f"{word}-secret-9876543210abcdef" for word in ("bearer", "forge", "delegated"))
WRITTEN = "Dear diary, nobody finds this in a log."
BODY = "a body that breaks a plugin"
QUERY = "a-query-that-breaks-a-plugin"
SETTINGS = "[serve.http]\nforge_tokens = true\n"


def echo(status):
    """Quote every header of a request in an answer, as the error page of a proxy does."""

    def answer(received):
        return message(status, {"message": f"Bad: {received.headers} {received.body!r}"})

    return answer


FAULTS = {
    "401": echo(401),
    "403": echo(403),
    "404": echo(404),
    "422": echo(422),
    "429": echo(429),
    "500": echo(500),
    "502": echo(502),
    "lost": b"",
    "reset": RESET,
    "garbage": b"HTTP/1.1 200 -\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{not json",
}


@pytest.fixture
def heard():
    """Every byte that left the process."""
    return bytearray()


async def visit(http, heard, name, **headers):
    answer = await http.get(f"/read/{name}", headers=headers)
    heard += str(answer.headers).encode() + answer.content
    return answer


def keep_what_fails(forge):
    forge.answers |= {f"GET /{name}": answer for name, answer in FAULTS.items()}
    forge.answers |= {"POST /things": echo(500)}


@pytest.mark.parametrize("level", ["warning", "info", "debug"])
async def test_no_byte_that_left_contains_a_secret(pond, forge, heard, level):
    keep_what_fails(forge)
    environ = {"POND": OWN, "STITHY_HTTP_TOKEN": BEARER, "STITHY_LOG": level}
    authorization = {"Authorization": f"Bearer {BEARER}"}
    async with (
        pond(SETTINGS, **environ) as served,
        httpx.AsyncClient(base_url=served.url, headers=authorization, timeout=60) as http,
    ):
        statuses = {}
        for name in FAULTS:
            statuses[name] = (await visit(http, heard, name)).status_code
            await visit(http, heard, name, **{"X-Forge-Token": f"pond={DELEGATED}"})
        broken = await http.post(f"/breaks?q={QUERY}", content=BODY)
        heard += broken.content
        wrong = await http.get("/read/404", headers={"Authorization": "Bearer wrong-secret-9876543210abcdef"})
        call = {"name": "write", "arguments": {"body": WRITTEN}}
        rpc = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        accepting = {"Accept": "application/json, text/event-stream"}
        said = await http.post("/mcp", json=rpc, headers=accepting)
        heard += wrong.content + said.content + (await http.get("/metrics")).content
        await served.end()
        log = bytes(served.said)
    for secret in (BEARER, OWN, DELEGATED):
        assert secret.encode() not in heard
        assert secret.encode() not in log
    assert b'"path": "/read/garbage"' in log
    assert b"wrong-secret" not in heard + log
    assert WRITTEN.encode() not in log
    assert {BODY.encode() in log, QUERY.encode() in log} == {True}, "the cause is in the log, and only there"
    assert BODY.encode() not in heard
    assert (broken.status_code, wrong.status_code) == (500, 401)
    assert 200 not in statuses.values()


async def test_the_log_names_the_holder_of_a_token(pond):
    """A name of 16 characters and more was masked as if it were a token (FIX-4)."""
    holders = {"continuous-integration": "CI", "release-bot-production": "BOT"}
    settings = "[serve.http.tokens]\n" + "".join(f'{name} = {{ env = "{env}" }}\n' for name, env in holders.items())
    environ = {"CI": f"{BEARER}-one", "BOT": f"{BEARER}-two", "STITHY_HTTP_TOKEN": BEARER, "POND": OWN}
    async with pond(settings, **environ) as served, httpx.AsyncClient(base_url=served.url, timeout=60) as http:
        for env in ("CI", "BOT", "STITHY_HTTP_TOKEN"):
            await http.get("/read/nothing", headers={"Authorization": f"Bearer {environ[env]}"})
        await served.end()
        log = bytes(served.said).decode()
    callers = [json.loads(line)["caller"] for line in log.splitlines() if '"path": "/read/nothing"' in line]
    assert callers == [*(f"holder:{name}" for name in holders), "holder:STITHY_HTTP_TOKEN"]

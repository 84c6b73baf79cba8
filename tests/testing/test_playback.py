"""Playback and recording: URLs in a recording are those of the playback server, never those of the recorded one."""

import json
from base64 import b64encode

import httpx
import pytest

from stithy_core import redaction
from stithy_testing import Tape, playback
from stithy_testing.cassette_recorder import record_cassette

FORGE, STORE = "forge.example", "store.example"


def exchange(method, body):
    response = {"headers": {}, "status": {"code": 200}, "body": {"string": body}}
    return {"request": {"method": method, "uri": f"https://{FORGE}/", "body": None}, "response": response}


@pytest.fixture
def tape():
    """A recording whose first response has links to a second page and to a log on another host."""
    tape = Tape()
    body = f'{{"html_url": "https://{FORGE}/o/r", "log": "https://{STORE}/log"}}'
    for path, headers in (("", {"Link": [f'<https://{FORGE}/r?page=2>; rel="next"']}), ("?page=2", {}), ("/log", {})):
        response = {"headers": headers, "status": {"code": 200}, "body": {"string": body}}
        uri = f"https://{STORE}/log" if path == "/log" else f"https://{FORGE}/r{path}"
        tape.add({"method": "GET", "uri": uri, "body": None}, response)
    return tape


def test_links_have_the_url_of_the_playback_server(tape):
    with playback(tape, hosts=(FORGE,)) as url:
        first = httpx.get(f"{url}/r", timeout=60)
        assert first.links["next"]["url"] == f"{url}/r?page=2"
        assert httpx.get(first.links["next"]["url"], timeout=60).status_code == 200
        assert first.json()["html_url"] == f"{url}/o/r"


def test_another_host_has_a_port_of_its_own(tape):
    with playback(tape, hosts=(FORGE, STORE)) as url:
        place = httpx.get(f"{url}/r", timeout=60).json()["log"]
        assert not place.startswith(url)
        assert place.startswith("http://127.0.0.1:")
        assert httpx.get(place, timeout=60).status_code == 200


def test_without_hosts_urls_are_unchanged(tape):
    with playback(tape) as url:
        first = httpx.get(f"{url}/r", timeout=60)
    assert first.links["next"]["url"] == f"https://{FORGE}/r?page=2"


def test_a_recording_has_no_address_of_a_server(tape, tmp_path):
    path = tmp_path / "made.yaml"
    with playback(tape, hosts=(FORGE, STORE)) as url:
        store = httpx.get(f"{url}/r", timeout=60).json()["log"].removesuffix("/log")
        with record_cassette(path, url=url, host="a.example", others={store: "b.example"}) as cassette:
            httpx.get(httpx.get(f"{url}/r", timeout=60).json()["log"])
    assert [request.uri for request in cassette.requests] == ["https://a.example/r", "https://b.example/log"]
    assert '<https://a.example/r?page=2>; rel="next"' in path.read_text()
    assert "127.0.0.1" not in path.read_text()


def test_a_read_before_a_write_is_not_played_after_it(tmp_path):
    """However often it was read before, which differs between runs."""
    path = tmp_path / "made.yaml"
    rows = [("GET", "a"), ("GET", "b"), ("POST", ""), ("GET", "c"), ("GET", "d")]
    path.write_text(json.dumps({"interactions": [exchange(method, body) for method, body in rows]}))
    with playback(Tape.read([path])) as url:
        before = httpx.get(url, timeout=60).text
        httpx.post(url, timeout=60)
        assert (before, httpx.get(url, timeout=60).text, httpx.get(url).text, httpx.get(url).text) == (
            "a",
            "c",
            "d",
            "d",
        )


def test_a_read_after_the_next_write_is_not_played_before_it(tmp_path):
    path = tmp_path / "made.yaml"
    rows = [("GET", "a"), ("POST", ""), ("POST", ""), ("GET", "b")]
    path.write_text(json.dumps({"interactions": [exchange(method, body) for method, body in rows]}))
    with playback(Tape.read([path])) as url:
        httpx.post(url, timeout=60)
        assert httpx.get(url, timeout=60).text == "a"


FORGE_HEADERS = {
    "X-Total": ["151"],
    "X-Next-Page": ["2"],
    "X-MS-ContinuationToken": ["abc"],
    "ETag": ['"1"'],
    "Link": ['</r?page=2>; rel="next"', '</r?page=9>; rel="last"'],
    "X-Anything": ["of any forge"],
}
UNPLAYED = {
    "Set-Cookie": ["session=s3cret"],
    "Authentication-Info": ["s3cret"],
    "PRIVATE-TOKEN": ["s3cret"],
    "Connection": ["close"],
    "Transfer-Encoding": ["chunked"],
    "Content-Length": ["7"],
}


@pytest.fixture
def any_forge():
    """A recording of a forge with headers of its own, and with some that must not be played."""
    tape = Tape()
    response = {"headers": FORGE_HEADERS | UNPLAYED, "status": {"code": 200}, "body": {"string": "[]"}}
    tape.add({"method": "GET", "uri": f"https://{FORGE}/r", "body": None}, response)
    return tape


def test_every_header_is_played_but_credentials_cookies_and_the_connections(any_forge):
    with playback(any_forge) as url:
        headers = httpx.get(f"{url}/r", timeout=60).headers
    assert {name: headers.get_list(name) for name in FORGE_HEADERS} == FORGE_HEADERS
    assert set(headers) - {name.lower() for name in FORGE_HEADERS} == {"content-length"}


@pytest.fixture
def revealing(monkeypatch):
    """A server that repeats the credential of a request, and the credential."""
    monkeypatch.setattr(redaction, "_known", set())
    redaction.remember("s3cret-of-smith")
    credential = b64encode(b"smith:s3cret-of-smith").decode()
    tape = Tape()
    body = f'{{"message": "invalid: Basic {credential}"}}'
    headers = FORGE_HEADERS | {"X-Was": [f"Basic {credential}"], "Set-Cookie": ["a=b"]}
    response = {"headers": headers, "status": {"code": 401}, "body": {"string": body}}
    tape.add({"method": "GET", "uri": f"https://{FORGE}/r", "body": None}, response)
    return tape, credential


@pytest.mark.parametrize("header", ["Authorization", "PRIVATE-TOKEN", "JOB-TOKEN", "Cookie", "X-Own-Key"])
def test_a_recording_has_no_credential_of_a_request_or_a_response(revealing, tmp_path, header):
    tape, credential = revealing
    path = tmp_path / "made.yaml"
    with playback(tape) as url, record_cassette(path, url=url, host="a.example"):
        httpx.get(f"{url}/r", headers={header: f"Basic {credential}"}, timeout=60)
    recorded = path.read_text().lower()
    assert not [text for text in (credential, header, "Set-Cookie", "s3cret") if text.lower() in recorded]
    assert "x-next-page" in recorded

"""`stithy doctor`."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from beside import beside

POND = """
    from stithy_core.spi import Forge, ForgeKind, Identity, User, Version, hookimpl

    STITHY_API = 1

    class Who(Identity):
        async def me(self):
            return User(login=(await self.forge.http.get("/me"))["login"])

    class Pond(Forge):
        capabilities = (Who,)

        async def identify(self):
            return Version("pond", (await self.http.get("/version"))["version"])

    @hookimpl
    def stithy_forges():
        return [ForgeKind(name="pond", title="Pond", forge=Pond)]
"""
WATCH = """
    from stithy_core.spi import Service, hookimpl

    STITHY_API = 1

    async def watch(scope):
        raise OSError("no more watches")

    @hookimpl
    def stithy_services():
        return [Service(name="watch", run=watch)]
"""
TOKEN = "pond-token-0123456789abcdef"


class Pond(BaseHTTPRequestHandler):
    """Says its version and whose token it was given, whatever it is asked."""

    def do_GET(self):
        content = b'{"version": "2.1", "login": "frog"}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args):
        """Log nothing."""


@pytest.fixture
def url(unproxied):
    with beside(ThreadingHTTPServer(("127.0.0.1", 0), Pond)) as server:
        yield f"http://127.0.0.1:{server.server_port}"


@pytest.fixture
def forge(install_plugin, settings, monkeypatch):
    """Configure the forge `work`."""
    install_plugin("stithy-pond", POND)
    monkeypatch.setenv("WORK_TOKEN", TOKEN)

    def at(place):
        settings(f'[forges.work]\nkind = "pond"\nurl = "{place}"\ntoken = {{ env = "WORK_TOKEN" }}\n')

    return at


def test_all_is_well(run, forge, url):
    forge(url)
    result = run("doctor")
    assert result.exit_code == 0
    assert f"ok  forge work: pond 2.1 answers at {url}\n" in result.stdout
    assert "ok  forge work: the token from the variable WORK_TOKEN speaks for frog\n" in result.stdout


def test_a_forge_that_is_down_is_an_error_with_its_remedy(run, forge):
    forge("http://127.0.0.1:1")
    result = run("doctor")
    assert result.exit_code == 1
    assert "XX  forge work: http://127.0.0.1:1 is not reachable" in result.stdout
    assert "\n    Nothing was changed; try again later.\n" in result.stdout


def test_findings_are_given_as_json(run, forge, url):
    forge(url)
    result = run("doctor", "--json")
    rows = [row for row in json.loads(result.stdout) if row["about"] == "forge work"]
    assert [row["level"] for row in rows] == ["ok"] * 4
    assert result.exit_code == 0


def test_an_error_is_one_for_the_exit_code_as_json_too(run, forge):
    forge("http://127.0.0.1:1")
    result = run("doctor", "--json")
    assert result.exit_code == 1
    assert "error" in [row["level"] for row in json.loads(result.stdout)]


def test_a_plugin_that_failed_is_an_error(run, broken):
    result = run("doctor")
    assert result.exit_code == 1
    assert "XX  plugin: stithy-broken 1.0: the plugin failed at import" in result.stdout


def test_the_token_is_not_shown(run, forge, url):
    forge(url)
    assert TOKEN not in run("doctor").output + run("doctor", "--json").output


def test_a_service_that_fails_at_its_start_is_an_error(run, install_plugin):
    """(FIX-15)"""
    install_plugin("stithy-watch", WATCH)
    result = run("doctor")
    assert result.exit_code == 1
    assert "XX  service watch: it failed: OSError: no more watches\n" in result.stdout

"""Where a token of Gitea or Forgejo is found, and that none is ever taken for another server's."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import time_machine
import yaml
from beside import beside
from programs import stand_in

from stithy_core.app import App
from stithy_core.config import load_config
from stithy_core.spi import ForgeConfig
from stithy_gitea.credentials import GiteaCredentials
from stithy_testing import make_app

pytestmark = pytest.mark.anyio

URL, SUB = "https://git.example", "https://git.example/sub"
OTHERS = ["http://git.example", "https://git.example:3000", "https://codeberg.org", "https://git.example.evil"]


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def found(tmp_path, home):
    """Return a function that looks up a URL's token in its own environment, with the installed git."""

    async def find(url=URL, **environ):
        environ = {"HOME": str(home), "PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1"} | environ
        return await GiteaCredentials(ForgeConfig(alias="work", kind="gitea", url=url), environ, None).find()

    return find


@pytest.fixture
def tea(home):
    """Write what `tea` keeps."""

    def write(*logins, path=home / ".config/tea/config.yml", text=None):
        path.parent.mkdir(parents=True)
        path.write_text(text if text is not None else yaml.safe_dump({"logins": list(logins), "preferences": {}}))

    return write


def login(name="work", url=URL, token="of-tea", **more):
    return {"name": name, "url": url, "token": token, "default": False, "token_expiry": 0} | more


def value(token):
    return token and token.value


@pytest.mark.parametrize("flavour", ["GITEA", "FORGEJO"])
@pytest.mark.parametrize("written", ["", "/", "/api/v1", "/api/v1/"])
async def test_a_variable_is_that_of_the_url_beside_it(found, flavour, written):
    environ = {f"{flavour}_URL": f"{SUB}{written}", f"{flavour}_TOKEN": "s3cret"}
    token = await found(SUB, **environ)
    assert (token.value, token.source, token.kept) == ("s3cret", f"the variable {flavour}_TOKEN", False)


@pytest.mark.parametrize("url", [SUB, *OTHERS])
async def test_a_variable_is_nobody_elses(found, url):
    assert await found(url, GITEA_URL=URL, GITEA_TOKEN="s3cret") is None


async def test_each_flavour_has_its_own_variable(found):
    environ = {"GITEA_URL": URL, "GITEA_TOKEN": "a", "FORGEJO_URL": SUB, "FORGEJO_TOKEN": "b"}
    assert [value(await found(url, **environ)) for url in (URL, SUB)] == ["a", "b"]


async def test_a_variable_without_a_url_belongs_nowhere(found):
    assert await found(GITEA_TOKEN="s3cret", FORGEJO_TOKEN="s3cret") is None


async def test_the_login_of_tea_is_found_by_its_url(found, tea):
    tea(login("other", "https://other.example"), login("work", f"{URL}/"))
    token = await found()
    assert (token.value, token.source, token.kept) == ("of-tea", "tea login work", True)
    assert [await found(url) for url in (SUB, *OTHERS)] == [None] * 5


async def test_the_default_of_several_logins_counts(found, tea):
    tea(login("a", token="a"), login("b", token="b", default=True), login("c", "https://x.example", default=True))
    assert value(await found()) == "b"


async def test_without_a_default_the_first_login_counts(found, tea):
    tea(login("a", token=""), login("b", token="b"), login("c", token="c"))
    assert value(await found()) == "b"


@pytest.mark.parametrize(
    "place", ["xdg/tea/config.yml", "home/Library/Application Support/tea/config.yml", "home/.tea/tea.yml"]
)
async def test_tea_keeps_its_configuration_in_one_of_several_places(found, tea, tmp_path, place):
    tea(login(), path=tmp_path / place)
    assert value(await found(XDG_CONFIG_HOME=str(tmp_path / "xdg"))) == "of-tea"


@time_machine.travel("2026-01-01T00:00:00Z", tick=False)
async def test_a_login_that_has_ended_is_left_out(found, tea):
    """Only `tea` itself can renew it."""
    tea(login("old", token="old", default=True, token_expiry=1_767_225_600), login("new", token_expiry=1_767_225_601))
    token = await found()
    assert (token.source, token.expires_at.isoformat()) == ("tea login new", "2026-01-01T00:00:01+00:00")


MALFORMED = {
    "empty": "",
    "no YAML": "logins: [",
    "a text": "logins",
    "no list": "logins: 3",
    "odd logins": "logins: [3, null, {}, {url: 3}, {url: 'https://['}]",
    "a number as the token": f"logins: [{{url: '{URL}', token: 123}}]",
    "a tag": f"logins: [{{url: '{URL}', token: !!python/name:os.sep ''}}]",
    "too deep": "[" * 5_000,
    "a date that there is not": f"logins: [{{url: '{URL}', token: 3, token_expiry: {10**30}}}]",
}


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED)
async def test_a_malformed_configuration_of_tea_holds_no_token(found, tea, text):
    tea(text=text)
    assert await found() is None


async def test_a_configuration_of_tea_that_is_no_text_holds_no_token(found, home):
    (home / ".config/tea").mkdir(parents=True)
    (home / ".config/tea/config.yml").write_bytes(b"\xff\xfe")
    assert await found() is None


async def test_a_variable_comes_before_tea(found, tea):
    tea(login())
    assert value(await found(GITEA_URL=URL, GITEA_TOKEN="of-variable")) == "of-variable"


class Answers(BaseHTTPRequestHandler):
    """A forge that takes some tokens."""

    def do_GET(self):
        bearer = self.headers.get("Authorization", "").removeprefix("Bearer ")
        self.server.seen.append((self.path, bearer))
        status = self.server.status or (200 if bearer in self.server.taken else 401)
        content = json.dumps({"login": "smith", "message": "no"}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args):
        """Log nothing."""


@pytest.fixture
def server(unproxied):
    with beside(ThreadingHTTPServer(("127.0.0.1", 0), Answers)) as running:
        running.seen, running.taken, running.status = [], ["of-git"], None
        running.host = f"127.0.0.1:{running.server_port}"
        yield running


@pytest.fixture
def git(tmp_path, home, server):
    """Fill git's credential store; return a function that makes an app for the server at a subpath."""
    home.mkdir()
    (home / ".gitconfig").write_text(f"[credential]\n\thelper = store --file={home}/credentials\n")
    (home / "credentials").write_text(f"http://smith:of-git@{server.host.replace(':', '%3a')}\n")

    def make(**environ):
        settings = f'[forges.work]\nkind = "gitea"\nurl = "http://{server.host}/sub"\n'
        environ = {"HOME": str(home), "PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1"} | environ
        return make_app(tmp_path, settings, environ=environ)

    return make


async def source(app):
    found = await app.connections.token_source(app.forges.forge("work").config)
    await app.connections.aclose()
    return found


async def test_git_is_asked_for_the_password_of_its_helper(git, server):
    app = git()
    assert await source(app) == "git credential helper"
    assert server.seen == [("/sub/api/v1/user", "of-git")]


async def test_a_password_that_the_forge_takes_for_no_token_is_not_used(git, server, caplog):
    """A helper may hold the account's password; public data can be read without it."""
    server.taken = []
    assert await source(git()) is None
    assert f"credential helper for http://{server.host}/sub is not a token of the forge" in caplog.text
    assert "of-git" not in caplog.text


@pytest.mark.parametrize("status", [403, 500])
async def test_a_forge_that_does_not_say_whether_it_takes_it_is_asked_with_it(git, server, status):
    server.status = status
    assert await source(git()) == "git credential helper"


async def test_git_is_asked_with_protocol_host_and_path(found, tmp_path):
    path = stand_in(tmp_path / "bin", "git", 'echo "$@" > "$LOG"; cat >> "$LOG"')
    assert await found(SUB, PATH=path, LOG=str(tmp_path / "log")) is None
    asked = (tmp_path / "log").read_text()
    assert asked == "-c credential.interactive=false credential fill\nprotocol=https\nhost=git.example\npath=sub\n\n"


async def test_git_is_not_asked_for_what_others_could_read_on_the_way(found, tmp_path):
    path = stand_in(tmp_path / "bin", "git", 'touch "$LOG"; echo password=of-git')
    assert await found("http://git.example", PATH=path, LOG=str(tmp_path / "log")) is None
    assert not (tmp_path / "log").exists()


async def test_git_asks_nobody(found, home, tmp_path, capfd):
    """Neither a terminal nor a window: a server on standard input has no user before it."""
    stand_in(tmp_path / "bin", "asker", f"touch {tmp_path}/asked; echo of-asker")
    home.mkdir()
    (home / ".gitconfig").write_text(f"[core]\n\taskPass = {tmp_path}/bin/asker\n")
    asker = f"{tmp_path}/bin/asker"
    assert await found(GIT_ASKPASS=asker, SSH_ASKPASS=asker, DISPLAY=":0", GIT_TERMINAL_PROMPT="1") is None
    assert not (tmp_path / "asked").exists()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("password", ["", "two words", "\u00fcber"])
async def test_a_password_that_no_header_can_carry_is_no_token(found, tmp_path, password):
    path = stand_in(tmp_path / "bin", "git", f"echo 'username=smith'; echo 'password={password}'")
    assert await found(PATH=path) is None


async def test_without_git_there_is_none(found, tmp_path):
    assert await found(PATH=str(tmp_path)) is None


async def test_tea_comes_before_git(git, tea, server, home):
    tea(login(url=f"http://{server.host}/sub"))
    assert await source(git()) == "tea login work"
    assert server.seen == []


async def test_the_settings_come_first(tmp_path, tea, home):
    tea(login())
    settings = f'[forges.work]\nkind = "gitea"\nurl = "{URL}/api/v1"\ntoken = {{ env = "WORK" }}\n'
    app = make_app(
        tmp_path, settings, environ={"HOME": str(home), "WORK": "of-settings", "GITEA_TOKEN": "x", "GITEA_URL": URL}
    )
    assert app.forges.forge("work").config.url == URL
    assert await source(app) == "the variable WORK"


async def test_a_host_that_nobody_configured_has_its_token(tmp_path, tea, home):
    tea(login(url="https://codeberg.org"))
    app = make_app(tmp_path, environ={"HOME": str(home)})
    forge, _ = await app.forges.repository("https://codeberg.org/o/r")
    assert await app.connections.token_source(forge.config) == "tea login work"


async def test_without_a_file_the_variables_make_a_forge_that_has_their_token(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    environ = {"FORGEJO_URL": f"{SUB}/api/v1", "FORGEJO_TOKEN": "s3cret-token"}
    app = App(load_config(environ, tmp_path), environ=environ, directory=tmp_path)
    config = app.forges.forge("forgejo").config
    assert (config.url, await app.connections.token_source(config)) == (SUB, "the variable FORGEJO_TOKEN")

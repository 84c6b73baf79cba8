"""Tokens of GitHub: where they are found, and that none is used for another host."""

import pytest
from programs import stand_in

from stithy_core.errors import ConfigError
from stithy_core.spi import ForgeConfig
from stithy_github import credentials
from stithy_github.credentials import GitHubCredentials
from stithy_testing import make_app

pytestmark = pytest.mark.anyio

HUB, GHES, TENANT = "https://github.com", "https://ghe.example", "https://octo.ghe.com"
GH = (
    'echo "$@" >> "$LOG"; case "$4" in github.com) echo gho_of_github;; ghe.example) echo gho_of_ghe;; *) exit 1;; esac'
)


@pytest.fixture(autouse=True)
def usual_file(tmp_path, monkeypatch):
    """The default token file, which is read without being configured."""
    path = tmp_path / "usual"
    monkeypatch.setattr(credentials, "TOKEN_FILE", str(path))
    return path


@pytest.fixture
def found(tmp_path):
    """A function that returns the token for a URL in an environment without programs."""

    async def find(url, **environ):
        config = ForgeConfig(alias="work", kind="github", url=url)
        return await GitHubCredentials(config, {"PATH": str(tmp_path / "bin")} | environ, None).find()

    return find


@pytest.fixture
def gh(tmp_path):
    """The environment with a `gh` that is logged in to two hosts, and a function that returns its calls."""
    path, log = stand_in(tmp_path / "bin", "gh", GH), tmp_path / "log"
    log.touch()
    return {"PATH": path, "LOG": str(log)}, lambda: log.read_text().splitlines()


def value(token):
    return token and token.value


async def test_a_variable_belongs_to_github_com_by_default(found):
    token = await found(HUB, GH_TOKEN="a", GITHUB_TOKEN="b")
    assert (token.value, token.source, token.kept) == ("b", "the variable GITHUB_TOKEN", False)
    assert value(await found(HUB, GH_TOKEN="a", GITHUB_TOKEN="")) == "a"


OWNERS = {
    "nothing named": ({}, HUB),
    "the API of github.com": ({"GITHUB_API_URL": "https://api.github.com"}, HUB),
    "the API of a server": ({"GITHUB_API_URL": "https://ghe.example/api/v3/"}, GHES),
    "the API of a tenant": ({"GITHUB_API_URL": "https://api.octo.ghe.com"}, TENANT),
    "a host": ({"GH_HOST": "ghe.example"}, GHES),
    "a tenant": ({"GH_HOST": "octo.ghe.com"}, TENANT),
    "github.com as a host": ({"GH_HOST": "github.com"}, HUB),
    "both, of which the API wins": ({"GITHUB_API_URL": "https://api.github.com", "GH_HOST": "ghe.example"}, HUB),
    "no address": ({"GITHUB_API_URL": "https://["}, None),
    "the same host without https": ({"GITHUB_API_URL": "http://ghe.example/api/v3"}, None),
    "the same host at another port": ({"GH_HOST": "ghe.example:8443"}, None),
}


@pytest.mark.parametrize("name", ["GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN_FILE"])
@pytest.mark.parametrize(("named", "owner"), OWNERS.values(), ids=OWNERS)
async def test_a_variable_belongs_to_one_host(found, tmp_path, named, owner, name):
    (tmp_path / "token").write_text("s3cret")
    environ = named | {name: str(tmp_path / "token") if name.endswith("FILE") else "s3cret"}
    having = [url for url in (HUB, GHES, TENANT, "https://other.example") if await found(url, **environ)]
    assert having == ([owner] if owner else [])


@pytest.mark.parametrize("name", ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"])
async def test_an_enterprise_variable_belongs_to_the_server_that_gh_host_names(found, name):
    environ = {name: "of-ghe", "GH_HOST": "ghe.example"}
    assert [value(await found(url, **environ)) for url in (GHES, HUB, "https://other.example")] == [
        "of-ghe",
        None,
        None,
    ]
    assert await found(GHES, **{name: "of-ghe"}) is None
    assert await found(HUB, **{name: "of-ghe", "GH_HOST": "github.com"}) is None


async def test_the_plain_variable_belongs_to_github_com_if_an_enterprise_variable_is_set(found):
    environ = {"GH_ENTERPRISE_TOKEN": "of-ghe", "GH_TOKEN": "of-github", "GH_HOST": "ghe.example"}
    assert [value(await found(url, **environ)) for url in (GHES, HUB, TENANT)] == ["of-ghe", "of-github", None]


async def test_a_token_file_comes_first_and_is_read_each_time(found, tmp_path):
    path = tmp_path / "token"
    for text in ("ghs_one\n", "ghs_two\n"):
        path.write_text(text)
        token = await found(HUB, GITHUB_TOKEN_FILE=str(path), GITHUB_TOKEN="x")
        assert (token.value, token.source, token.kept) == (text, f"the file {path}", False)


async def test_the_default_file_is_used_if_it_exists(found, usual_file):
    assert value(await found(HUB, GITHUB_TOKEN="x")) == "x"
    usual_file.write_text("ghs_usual")
    assert value(await found(HUB, GITHUB_TOKEN="x")) == "ghs_usual"
    assert await found(GHES) is None


async def test_an_unreadable_default_file_is_ignored(found, usual_file):
    usual_file.mkdir()
    assert value(await found(HUB, GITHUB_TOKEN="x")) == "x"


@pytest.mark.parametrize(("content", "reason"), [(None, "No such file"), (b"\xffs3cret", "it is not a text")])
async def test_an_unreadable_configured_file_is_an_error(found, tmp_path, content, reason):
    """Another identity must not replace it silently."""
    path = tmp_path / "token"
    if content:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=f"the file {path} cannot be used: {reason}") as caught:
        await found(HUB, GITHUB_TOKEN_FILE=str(path), GITHUB_TOKEN="x")
    assert "s3cret" not in repr(caught.value.as_dict())
    assert caught.value.__context__ is None


async def test_gh_is_asked_for_the_token_of_the_host(found, gh):
    environ, asked = gh
    tokens = [await found(url, **environ) for url in (HUB, GHES, TENANT)]
    assert [value(token) for token in tokens] == ["gho_of_github", "gho_of_ghe", None]
    assert asked() == [f"auth token --hostname {host}" for host in ("github.com", "ghe.example", "octo.ghe.com")]
    assert (tokens[0].source, tokens[0].kept) == ("gh auth token", True)


async def test_gh_is_not_asked_if_a_variable_has_the_token(found, gh):
    environ, asked = gh
    await found(HUB, GITHUB_TOKEN="x", **environ)
    assert asked() == []


async def test_gh_does_not_repeat_the_variable_of_another_host(found, tmp_path):
    """It prints GH_TOKEN for whichever host of GitHub it is asked for."""
    path = stand_in(tmp_path / "bin", "gh", 'echo "$GH_TOKEN$GITHUB_TOKEN$GH_ENTERPRISE_TOKEN$GITHUB_ENTERPRISE_TOKEN"')
    environ = dict.fromkeys(["GH_TOKEN", "GITHUB_TOKEN"], "of-ghe") | {"GITHUB_API_URL": "https://ghe.example/api/v3"}
    assert await found(HUB, PATH=path, **environ) is None


async def test_gh_is_not_asked_for_a_host_without_encryption(found, gh):
    environ, asked = gh
    assert await found("http://ghe.example", **environ) is None
    assert asked() == []


async def test_the_output_of_a_failing_gh_is_not_shown(found, tmp_path, capfd):
    path = stand_in(tmp_path / "bin", "gh", "echo gho_s3cret; echo gho_s3cret >&2; exit 4")
    assert await found(HUB, PATH=path) is None
    assert capfd.readouterr() == ("", "")


async def test_a_host_that_is_not_configured_has_its_token(tmp_path, gh):
    environ, _ = gh
    app = make_app(tmp_path, environ=environ)
    forge, _ = await app.forges.repository("https://github.com/octo/repo")
    assert await app.connections.token_source(forge.config) == "gh auth token"


async def test_the_url_of_the_api_configures_the_forge(tmp_path):
    settings = '[forges.work]\nkind = "github"\nurl = "https://ghe.example/api/v3"\n'
    app = make_app(tmp_path, settings, environ={"GH_HOST": "ghe.example", "GH_TOKEN": "s3cret-token"})
    config = app.forges.forge("work").config
    assert (config.url, await app.connections.token_source(config)) == ("https://ghe.example", "the variable GH_TOKEN")


@pytest.mark.parametrize(
    ("environ", "url"),
    [
        ({"GITHUB_TOKEN": "x"}, HUB),
        ({"GITHUB_API_URL": "https://api.github.com", "GH_TOKEN": "x"}, HUB),
        ({"GITHUB_API_URL": "https://ghe.example/api/v3", "GITHUB_TOKEN": "x"}, GHES),
        ({"GH_HOST": "ghe.example", "GH_ENTERPRISE_TOKEN": "x"}, GHES),
    ],
)
async def test_variables_alone_configure_a_forge_with_their_token(tmp_path, monkeypatch, environ, url):
    from stithy_core.app import App
    from stithy_core.config import load_config

    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    app = App(load_config(environ, tmp_path), environ=environ, directory=tmp_path)
    config = app.forges.forge("github").config
    assert (config.url, (await app.connections.token_source(config)).startswith("the variable ")) == (url, True)

"""The forges that variables make where there is no file, and what they say beside one."""

import traceback

import pytest

from stithy_core.config import ForgeSettings, HttpSettings, load_config, settings_sources
from stithy_core.errors import ConfigError


def forges(tmp_path, **environ):
    return load_config(environ, tmp_path).forges


@pytest.fixture(autouse=True)
def token_file(tmp_path, monkeypatch):
    """The file that is looked for without being named."""
    path = tmp_path / "github-token"
    monkeypatch.setitem(settings_sources._DEFAULT_TOKEN_FILES, "github", str(path))
    return path


@pytest.mark.parametrize("name", ["GITHUB_TOKEN_FILE", "GITHUB_TOKEN", "GH_TOKEN"])
def test_token_alone_makes_github(tmp_path, name):
    assert forges(tmp_path, **{name: "x"}) == {"github": ForgeSettings(alias="github", kind="github")}


def test_file_in_the_usual_place_makes_github(tmp_path, token_file):
    assert forges(tmp_path) == {}
    token_file.write_text("ghs_x")
    assert list(forges(tmp_path)) == ["github"]


def test_folder_in_the_usual_place_makes_none(tmp_path, token_file):
    token_file.mkdir()
    assert forges(tmp_path) == {}


@pytest.mark.parametrize(
    ("environ", "url"),
    [
        ({"GITHUB_API_URL": "https://ghe.example/api/v3/"}, "https://ghe.example/api/v3"),
        ({"GH_HOST": "ghe.example:8443"}, "https://ghe.example:8443"),
        ({"GH_HOST": "b.example", "GITHUB_API_URL": "https://a.example"}, "https://a.example"),
    ],
)
def test_address_makes_github_without_a_token(tmp_path, environ, url):
    assert forges(tmp_path, **environ) == {"github": ForgeSettings(alias="github", kind="github", url=url)}


@pytest.mark.parametrize(("alias", "prefix"), [("gitea", "GITEA"), ("forgejo", "FORGEJO")])
def test_address_makes_gitea_or_forgejo(tmp_path, alias, prefix):
    """Its kind finds the token, which may stand beside the address."""
    made = forges(tmp_path, **{f"{prefix}_URL": "https://git.example/", f"{prefix}_TOKEN": "t"})
    assert made == {alias: ForgeSettings(alias=alias, kind="gitea", url="https://git.example")}


def test_token_without_an_address_makes_no_gitea(tmp_path):
    assert forges(tmp_path, GITEA_TOKEN="t", FORGEJO_TOKEN="t") == {}


def test_all_forges_stand_side_by_side(tmp_path):
    made = forges(tmp_path, GH_TOKEN="t", GITEA_URL="https://a.example", FORGEJO_URL="https://b.example")
    assert list(made) == ["github", "gitea", "forgejo"]


def test_wrong_variables_are_named_together(tmp_path):
    with pytest.raises(ConfigError) as caught:
        forges(tmp_path, GITEA_URL="git.example", GH_HOST="https://x")
    assert [error["key"] for error in caught.value.details["errors"]] == ["GH_HOST", "GITEA_URL"]
    assert (caught.value.details["file"], caught.value.details["line"]) == (None, None)
    assert "GITEA_URL must be an address such as" in caught.value.message


def test_plugins_are_blocked_without_a_file(tmp_path):
    assert load_config({"STITHY_DISABLED_PLUGINS": "a,b"}, tmp_path).plugins.disabled == ("a", "b")


def test_token_value_is_not_kept(tmp_path):
    assert "s3cret" not in repr(load_config({"GITHUB_TOKEN": "s3cret"}, tmp_path))


def test_address_of_redis_is_the_store_with_and_without_a_file(tmp_path):
    environ = {"STITHY_REDIS_URL": "rediss://:s3cret@cache.example:6379/1"}
    without = load_config(environ, tmp_path).http
    (tmp_path / "stithy.toml").write_text("[http]\nstore = 'sqlite:a.db'")
    assert without == load_config(environ, tmp_path).http == HttpSettings(store=environ["STITHY_REDIS_URL"])


def test_address_of_redis_is_not_shown(tmp_path):
    assert "s3cret" not in repr(load_config({"STITHY_REDIS_URL": "redis://:s3cret@cache.example"}, tmp_path))


@pytest.mark.parametrize(
    "url", ["cache:s3cret", "http://me:s3cret@cache", "redis://:s3cret@", "redis://:s3cret@[::1", " "]
)
def test_wrong_address_of_redis_is_refused_unseen(tmp_path, url):
    with pytest.raises(ConfigError, match=r"^STITHY_REDIS_URL must be an address such as") as caught:
        load_config({"STITHY_REDIS_URL": url}, tmp_path)
    assert "s3cret" not in "".join(traceback.format_exception(caught.value)) + repr(caught.value.as_dict())

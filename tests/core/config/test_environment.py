"""The forges that variables make where there is no file."""

import pytest

from stithy_core.config import ForgeSettings, TokenSource, load
from stithy_core.errors import ConfigError


def forges(tmp_path, **environ):
    return load(environ, tmp_path).forges


@pytest.mark.parametrize("name", ["GITHUB_TOKEN", "GH_TOKEN"])
def test_token_alone_makes_github(tmp_path, name):
    expected = ForgeSettings(alias="github", kind="github", token=TokenSource(env=name))
    assert forges(tmp_path, **{name: "ghs_x"}) == {"github": expected}


def test_github_token_comes_before_gh_token(tmp_path):
    assert forges(tmp_path, GH_TOKEN="a", GITHUB_TOKEN="b")["github"].token == TokenSource(env="GITHUB_TOKEN")


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
def test_address_and_token_make_gitea_or_forgejo(tmp_path, alias, prefix):
    environ = {f"{prefix}_URL": "https://git.example/", f"{prefix}_TOKEN": "t"}
    token = TokenSource(env=f"{prefix}_TOKEN")
    expected = ForgeSettings(alias=alias, kind="gitea", url="https://git.example", token=token)
    assert forges(tmp_path, **environ) == {alias: expected}


def test_address_without_a_token_reads_what_is_public(tmp_path):
    assert forges(tmp_path, GITEA_URL="https://git.example", GITEA_TOKEN="")["gitea"].token is None


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
    assert load({"STITHY_DISABLED_PLUGINS": "a,b"}, tmp_path).plugins.disabled == ("a", "b")


def test_token_value_is_not_kept(tmp_path):
    assert "s3cret" not in repr(load({"GITHUB_TOKEN": "s3cret"}, tmp_path))

"""docs/settings.md: its files are loaded, its errors are those that one gets, its tables have every key."""

import re
from pathlib import Path

import attrs
import pytest

import stithy_http
from stithy_core.config import (
    ForgeSettings,
    HttpSettings,
    PluginSettings,
    ServeSettings,
    TokenSource,
    load_config,
)
from stithy_core.config import settings_sources as variables
from stithy_core.config.settings_reader import list_settings
from stithy_core.errors import ConfigError
from stithy_http.http_settings import OAuthSettings, ServeHttpSettings
from stithy_testing import make_app

PAGE = "settings.md"
SOURCES = [Path(__file__).parents[2] / "core/src", Path(stithy_http.__file__).parent]
TABLES = [ForgeSettings, PluginSettings, ServeSettings, ServeHttpSettings, OAuthSettings, HttpSettings]
INNER = {"http": "serve.http", "tokens": "serve.http.tokens", "oauth": "serve.http.oauth"}
WRONG, RIGHT = slice(-2, None), slice(None, -2)


@pytest.fixture(autouse=True)
def _no_file_of_the_user(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("home")))


def message(folder, text):
    """Return the error text of a settings file; empty without an error."""
    try:
        error = make_app(folder, text).check_names()
    except ConfigError as refused:
        error = refused
    return error.message if error else ""


def test_the_files_are_right(blocks, tmp_path):
    files = blocks(PAGE, "toml")[RIGHT]
    assert [message(tmp_path, block.text) for block in files] == [""] * len(files)


def test_the_errors_are_those_that_one_gets(blocks, tmp_path):
    shown = [block.text.strip() for block in blocks(PAGE, "text")]
    assert [message(tmp_path, block.text) for block in blocks(PAGE, "toml")[WRONG]] == shown


def test_an_error_of_the_settings_ends_with_code_2(blocks, run, tmp_path):
    (tmp_path / "stithy.toml").write_text(blocks(PAGE, "toml")[-1].text)
    code, output = run("stithy plugins")
    assert code == 2
    assert output.startswith(f"Error: {blocks(PAGE, 'text')[-1].text}")


@pytest.mark.parametrize("cls", [*TABLES, TokenSource], ids=lambda cls: cls.__name__)
def test_every_key_has_a_row(page, cls):
    wanted = (f"### `[{INNER[name]}]`" if name == "http" else f"\n| `{name}` |" for name in list_settings(cls))
    assert not [text for text in wanted if text not in page(PAGE)]


@pytest.mark.parametrize("cls", TABLES, ids=lambda cls: cls.__name__)
def test_every_key_is_in_the_whole_file(blocks, cls):
    whole = blocks(PAGE, "toml")[0].text
    written = {name: rf"^\[{INNER[name]}\]" if name in INNER else rf"^{name} =" for name in list_settings(cls)}
    assert not [name for name, text in written.items() if not re.search(text, whole, re.MULTILINE)]


def test_the_defaults_that_are_true_or_false_are_told(page):
    for cls in (ForgeSettings, ServeSettings, ServeHttpSettings):
        for item in attrs.fields(cls):
            if isinstance(item.default, bool):
                assert f"| `{item.name}` | true or false | `{str(item.default).lower()}` |" in page(PAGE)


def test_every_variable_has_a_row(page):
    texts = [path.read_text() for folder in SOURCES for path in folder.rglob("*.py")]
    own = {name for text in texts for name in re.findall(r'"(STITHY_[A-Z_]+[A-Z])"', text)}
    names = {name for _, _, tokens, addresses in variables._FORGES for name in (*tokens, *addresses)} | own
    rows = [line for line in page(PAGE).splitlines() if line.startswith("|")]
    assert not [name for name in names - {"STITHY_API"} if not any(f"`{name}`" in row for row in rows)]


@pytest.mark.parametrize(("alias", "url"), [("gitea", "GITEA_URL"), ("forgejo", "FORGEJO_URL")])
def test_variables_make_a_forge_of_the_kind_gitea(tmp_path, alias, url):
    (forge,) = load_config({url: "https://git.example"}, tmp_path).forges.values()
    assert (forge.alias, forge.kind) == (alias, "gitea")


def test_with_a_settings_file_variables_configure_no_forge(tmp_path):
    (tmp_path / "stithy.toml").write_text("")
    assert not load_config({"GITEA_URL": "https://git.example"}, tmp_path).forges


def test_the_file_that_is_named_must_be_there(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config({"STITHY_CONFIG": "other.toml"}, tmp_path)


@pytest.mark.parametrize("name", ["stithy-comments", "comments"])
def test_a_plugin_is_disabled_by_either_name(tmp_path, name):
    app = make_app(tmp_path, environ={"STITHY_DISABLED_PLUGINS": f"stithy-sandbox, {name}"})
    assert [plugin.origin.entry_point for plugin in app.plugins.blocked] == ["comments", "sandbox"]


def test_tools_that_write_are_not_listed_in_read_only_mode(tmp_path):
    app = make_app(tmp_path, "[serve]\nread_only = true\n")
    assert "pr_comment_create" not in app.executor.registry.tools


def test_a_token_is_read_where_the_file_says(tmp_path):
    """A relative path is relative to the folder of the file."""
    (tmp_path / "stithy.toml").write_text('[forges.work]\nkind = "gitea"\ntoken = { file = "token" }\n')
    assert load_config({}, tmp_path).forges["work"].token.file == str(tmp_path / "token")


def test_info_logs_each_call(run, tmp_path):
    _, output = run("stithy call list_plugins", STITHY_LOG="info")
    assert "INFO stithy.tools: list_plugins {}: ok in " in output

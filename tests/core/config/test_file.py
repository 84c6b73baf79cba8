"""What a stithy.toml without mistakes becomes."""

from stithy_core.config import ForgeSettings, HttpSettings, PluginSettings, ServeSettings, TokenSource, load_config

WHOLE = """
[forges.work]
kind = "gitea"
url = "https://git.example/sub/"
token = { env = "WORK_TOKEN" }
ca_file = "certs/ca.pem"
read_only = true
repositories = ["team/*"]

[forges.Hub-2]
kind = "github"

[plugins]
disabled = ["stithy-archdocs"]
tools = { get_thing = "stithy-mine" }

[serve]
read_only = true
toolsets = ["repository_management"]
output_schemas = true

[http]
store = "sqlite:answers.db"

[archdocs]
roots = ["docs/adr"]
"""


def test_forge_is_read(read, tmp_path):
    assert read(WHOLE).forges["work"] == ForgeSettings(
        alias="work",
        kind="gitea",
        url="https://git.example/sub",
        token=TokenSource(env="WORK_TOKEN"),
        ca_file=str(tmp_path / "certs" / "ca.pem"),
        read_only=True,
        repositories=("team/*",),
    )


def test_forge_needs_no_more_than_a_kind(read):
    assert read(WHOLE).forges["Hub-2"] == ForgeSettings(alias="Hub-2", kind="github")


def test_plugins_and_serve_are_read(read):
    config = read(WHOLE)
    assert config.plugins == PluginSettings(disabled=("stithy-archdocs",), tools={"get_thing": "stithy-mine"})
    assert config.serve == ServeSettings(read_only=True, toolsets=("repository_management",), output_schemas=True)


def test_store_is_relative_to_the_settings(read, tmp_path):
    assert read(WHOLE).http == HttpSettings(store=f"sqlite:{tmp_path / 'answers.db'}")


def test_store_may_be_shared_or_be_gone_with_the_server(read):
    stores = ("memory:", "redis://cache.example:6379/0", "rediss://me@cache.example", "unix:///run/valkey.sock")
    assert tuple(read(f"[http]\nstore = '{store}'").http.store for store in stores) == stores


def test_app_has_its_key_in_a_file_or_in_a_variable(read, tmp_path):
    app = "[forges.work]\nkind = 'x'\ntoken = {{ app = '12', private_key = {}, installation = '34' }}"
    keys = ["'app.pem'", "{ env = 'KEY' }"]
    sources = [TokenSource(file=str(tmp_path / "app.pem")), TokenSource(env="KEY")]
    for key, source in zip(keys, sources, strict=True):
        expected = TokenSource(app="12", private_key=source, installation="34")
        assert read(app.format(key)).forges["work"].token == expected


def test_tables_of_plugins_stay_as_they_are(read):
    assert read(WHOLE).tables == {"archdocs": {"roots": ["docs/adr"]}}


def test_empty_file_gives_the_defaults(read, tmp_path):
    config = read("")
    assert (config.path, config.forges, config.serve) == (tmp_path / "stithy.toml", {}, ServeSettings())


def test_file_keeps_the_environment_out(read):
    assert read("", GITHUB_TOKEN="x", GITEA_URL="https://git.example").forges == {}


def test_token_file_is_relative_to_the_settings(read, tmp_path):
    config = read("[forges.work]\nkind = 'x'\ntoken.file = 'secrets/work'")
    assert config.forges["work"].token == TokenSource(file=str(tmp_path / "secrets" / "work"))


def test_home_is_expanded(read, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "me"))
    config = read("[forges.work]\nkind = 'x'\nca_file = '~/ca.pem'")
    assert config.forges["work"].ca_file == str(tmp_path / "me" / "ca.pem")


def test_token_of_a_command_is_read(read):
    config = read("[forges.work]\nkind = 'x'\ntoken = { command = ['pass', 'show', 'work'] }")
    assert config.forges["work"].token == TokenSource(command=("pass", "show", "work"))


def test_variable_blocks_plugins_beside_the_file(read):
    config = read("[plugins]\ndisabled = ['a', 'b']", STITHY_DISABLED_PLUGINS="b, c,,")
    assert config.plugins.disabled == ("a", "b", "c")


def test_byte_order_mark_and_windows_line_ends_are_read(tmp_path):
    (tmp_path / "stithy.toml").write_bytes(b"\xef\xbb\xbf[serve]\r\nread_only = true\r\n")
    assert load_config({}, tmp_path).serve.read_only


def test_tables_are_not_shown(read):
    """A plugin's table may hold a secret, and a Config is easily logged."""
    assert "hunter2" not in repr(read("[mine]\npassword = 'hunter2'"))

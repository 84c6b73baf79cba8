"""What is said about a stithy.toml with mistakes."""

import pytest

from stithy_core.config import load_config
from stithy_core.errors import ConfigError

FORGE = "[forges.work]\nkind = 'gitea'\n"


def test_unknown_key_names_file_line_key_and_the_nearest_word(refusal):
    error = refusal("\n[forges.work]\nknd = 'x'\nkind = 'x'")
    assert error.message == "stithy.toml:3: forges.work.knd is not a setting of a forge; did you mean kind?"


def test_details_are_for_programs(refusal, tmp_path):
    details = refusal("[serve]\nread_only = 'yes'").details
    place = {"file": str(tmp_path / "stithy.toml"), "line": 2, "key": "serve.read_only"}
    said = "stithy.toml:2: serve.read_only must be true or false, not 'yes'"
    assert details == {**place, "errors": [{**place, "message": said}]}


def test_unknown_key_without_a_near_word_lists_what_there_is(refusal):
    assert "it has read_only, lockdown, toolsets, output_schemas, answers" in refusal("[serve]\nport = 1").message


def test_all_mistakes_are_reported_by_line(refusal):
    error = refusal("[serve]\ntoolsets = 'a'\n[forges.work]\nurl = 3\n[plugins]\nx = 1")
    keys = ["serve.toolsets", "forges.work.kind", "forges.work.url", "plugins.x"]
    assert [entry["key"] for entry in error.details["errors"]] == keys
    assert error.message.splitlines() == [entry["message"] for entry in error.details["errors"]]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("read_only = 'true'", "must be true or false, not 'true'"),
        ("read_only = 1", "must be true or false, not 1"),
        (f"read_only = '{'a' * 61}'", "must be true or false, not a text of 61 characters"),
        (f"read_only = 0x{'f' * 5000}", "must be true or false, not a number of more than 64 bits"),
        ("kind = 12", "must be a text, not 12"),
        ("kind = ''", "must not be empty"),
        ("repositories = 'team/*'", "must be a list of patterns such as \"team/*\", not 'team/*'"),
        ("repositories = ['']", 'must be a list of patterns such as "team/*", not a list'),
        ("repositories = []", "must not be an empty list: leave it out to allow all repositories"),
        ("ca_file = true", "must be a path, not true"),
        ("token = {}", "must have exactly one of env, file, command and app"),
        ("token = { env = 'A', file = 'b' }", "must have exactly one of env, file, command and app"),
        ("token = { env = 'A', app = '1' }", "must have exactly one of env, file, command and app"),
        ("token = { app = '1' }", "must have a private_key beside app"),
        ("token = { env = 'A', private_key = 'b' }", "must have private_key and installation only beside app"),
        ("token.app = 12345", 'must be the id of an app in quotes, such as "12345"'),
        ("token.installation = 678", 'must be the id of an installation in quotes, such as "678"'),
        ("token.installation = '../x'", 'must be the id of an installation in quotes, such as "678"'),
        ("token.private_key = { file = 'a' }", 'must be the path of a PEM file, or { env = "NAME" }'),
        ("token.private_key = { env = '$KEY' }", "must be the name of a variable, without $"),
        ("token.env = '$WORK'", "must be the name of a variable, without $, and never the token itself"),
        ("token.command = []", "must be a list of a program and its arguments"),
        ("token.command = ['']", "must name a program that prints the token"),
        ("alias = 'x'", "is not a setting of a forge"),
    ],
)
def test_values_are_not_coerced(refusal, line, said):
    assert f"stithy.toml:2: forges.work.{line.split()[0]} {said}" in refusal(f"[forges.work]\n{line}").message


@pytest.mark.parametrize(
    "url",
    [
        "git.example",
        "ftp://git.example",
        "https://",
        "https://:80",
        "https://a b.example",
        "https://git.example\\@evil.example",
        "https://git.exa\\nmple",
        "https://[::1",
        "https://git.example:99999",
        "https://git.example?x=1",
        "https://git.example#",
    ],
)
def test_address_must_be_http_with_a_host_and_no_more(refusal, url):
    error = refusal(f'{FORGE}url = "{url}"' if "\\n" in url else f"{FORGE}url = '{url}'")
    assert error.message.startswith("stithy.toml:3: forges.work.url must be an address such as")


@pytest.mark.parametrize("url", ["http://localhost:3000", "https://[::1]:3000/sub", "HTTPS://Git.Example/@team"])
def test_address_is_kept_as_written(read, url):
    assert read(f"{FORGE}url = '{url}///'").forges["work"].url == url


@pytest.mark.parametrize("alias", ["''", "'a:b'", "'-a'", "'a b'", '"a\\n"', "'\u017f'"])
def test_alias_must_fit_before_a_colon(refusal, alias):
    assert "is an invalid alias" in refusal(f"[forges.{alias}]\nkind = 'x'").message


@pytest.mark.parametrize("text", ["forges = 3", "[[forges]]\nkind = 'x'", "[forges]\nwork = 3", "plugins = []"])
def test_table_must_be_a_table(refusal, text):
    assert "must be a table, not " in refusal(text).message


def test_key_outside_of_tables_is_refused(refusal):
    assert refusal("read_only = true").message.startswith("stithy.toml:1: read_only must stand in a table")


@pytest.mark.parametrize(
    ("text", "line"),
    [("[serve]\n\nx =\n", 3), ("[a]\n[b]\n[a]\n", 3), ("a = [1,\n2\n\n", 2), ("\nx = '''\n\n", 2), ("\xe9 = 1", 1)],
)
def test_malformed_toml_names_the_line(refusal, text, line):
    error = refusal(text)
    assert error.message.startswith(f"stithy.toml:{line}: this is not TOML: ")
    assert error.details["line"] == line


@pytest.mark.parametrize("text", ["a = " + "[" * 5000, "a = " + "1" * 5000])
def test_toml_beyond_the_parsers_limits_is_an_error(refusal, text):
    assert refusal(text).message.startswith("stithy.toml: ")


def test_other_encodings_name_the_line(tmp_path):
    (tmp_path / "stithy.toml").write_bytes(b"# good\n# f\xfcnf\n")
    with pytest.raises(ConfigError, match=r"^stithy.toml:2: this is not UTF-8"):
        load_config({}, tmp_path)


@pytest.mark.parametrize(
    "store", ["'disk'", "'sqlite:'", "''", "'http://cache'", "'redis://'", "'redis://h:0'", "'redis://h:99999'", "true"]
)
def test_store_must_be_one_that_there_is(refusal, store):
    said = 'stithy.toml:2: http.store must be "memory:", "sqlite:PATH" or an address such as "redis://host:6379/0"'
    assert refusal(f"[http]\nstore = {store}").message.startswith(said)


@pytest.mark.parametrize("store", ["redis://me:hunter2@cache.example", "redis://cache.example?password=hunter2"])
def test_password_of_the_store_must_not_be_written_out(refusal, store):
    error = refusal(f"[http]\nstore = '{store}'")
    assert "http.store must not have a password in it" in error.message
    assert "set STITHY_REDIS_URL instead" in error.message
    assert "hunter2" not in repr(error.as_dict())

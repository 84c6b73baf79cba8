"""`stithy preferences`: what the user prefers, checked by the tools that take it."""

import json
import subprocess

import pytest

PLUGIN = """
    from typing import Annotated, Literal
    from attrs import frozen
    from stithy_core.spi import Meta, ToolSpec, hookimpl

    STITHY_API = 1

    @frozen
    class Watching:
        wait: Annotated[bool, Meta("Wait for the end", preferable=True)] = False
        sort: Annotated[Literal["by_file", "by_author"], Meta(preferable=True)] = "by_file"
        limit: Annotated[int, Meta(ge=1, le=9)] = 3

    @frozen
    class Reading:
        sort: Annotated[Literal["newest", "by_file"], Meta(preferable=True)] = "newest"
        ink: Annotated[str | None, Meta("Which ink", max_length=5, preferable=True)] = None

    @frozen
    class Seen:
        text: str

        def render(self):
            yield self.text

    async def see(ctx, args) -> Seen:
        return Seen(str(args))

    @hookimpl
    def stithy_tools():
        return [
            ToolSpec(name="watch", title="Watch", description="D", input=Watching, handler=see, toolset="pond"),
            ToolSpec(name="read", title="Read", description="D", input=Reading, handler=see, toolset="lake"),
        ]
"""


@pytest.fixture(autouse=True)
def plugin(install_plugin, monkeypatch):
    """Two tools that share the name `sort`, one of whose values both know; no others have anything to prefer."""
    monkeypatch.setenv("STITHY_DISABLED_PLUGINS", "stithy-ci,stithy-comments,stithy-pulls")
    return install_plugin("stithy-pond", PLUGIN)


@pytest.fixture
def path(tmp_path):
    """Where they are kept."""
    return tmp_path / "nobody" / "stithy" / "preferences.json"


@pytest.fixture
def stored(path):
    """Return a function that reads the stored preferences."""
    return lambda: json.loads(path.read_text())


def test_preferable_arguments_are_listed_with_their_tools_and_defaults(run, path):
    assert run("preferences", "list").stdout.splitlines() == [
        "ink  not set",
        "  read (stithy-pond)",
        "sort  not set",
        "  read (stithy-pond, newest by default)",
        "  watch (stithy-pond, by_file by default)",
        "wait  not set",
        "  watch (stithy-pond, false by default)",
        f"Preferences are kept in {path}.",
    ]


def test_the_absence_of_preferable_arguments_is_reported(run, path):
    assert run("preferences", "list", "--no-plugin", "stithy-pond").stdout.splitlines() == [
        "Nothing can be preferred: no installed tool marks an argument as preferable.",
        f"Preferences are kept in {path}.",
    ]


def test_a_preference_is_stored_and_counts_for_the_next_call(run, stored):
    assert run("preferences", "set", "wait", "true").stdout == "wait is true from the next call on\n"
    assert stored() == {"wait": True}
    assert run("call", "watch").stdout.splitlines() == [
        "Watching(wait=True, sort='by_file', limit=3)",
        "Preferred by the user: wait=true",
    ]


def test_an_argument_on_the_command_line_counts_more(run):
    run("preferences", "set", "wait", "true")
    assert run("call", "watch", "wait=false").stdout.startswith("Watching(wait=False")


@pytest.mark.parametrize(("word", "value"), [("42", "42"), ("true", "true"), ("", ""), ("ü", "ü")])
def test_a_text_argument_stays_text(run, stored, word, value):
    run("preferences", "set", "ink", word)
    assert stored() == {"ink": value}


def test_an_unprintable_value_is_stored_and_shown_escaped(run, stored):
    assert run("preferences", "set", "ink", "\udcff").stdout == "ink is ? from the next call on\n"
    assert stored() == {"ink": "\udcff"}


def test_a_value_that_some_tools_take_says_which_do_not(run, stored):
    result = run("preferences", "set", "sort", "newest")
    assert stored() == {"sort": "newest"}
    assert "  not for watch: sort must be one of by_file, by_author" in result.stdout
    assert "not for it: sort must be one of by_file, by_author" in run("preferences", "list").stdout


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (("wait", "yes"), 'wait must be a boolean, not "yes"'),
        (("wait", "1"), "wait must be a boolean, not 1"),
        (("wait", "null"), "wait must be a boolean, not null"),
        (("sort", "by_size"), "sort must be one of newest, by_file"),
        (("ink", "violet"), "ink must be at most 5 characters long"),
    ],
)
def test_a_value_that_no_tool_takes_is_an_error_and_not_stored(run, path, words, cause):
    result = run("preferences", "set", *words)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {cause}")
    assert not path.exists()


@pytest.mark.parametrize("words", [("get", "limit"), ("set", "limit", "3"), ("clear", "limit"), ("get", "wiat")])
def test_an_unknown_name_is_an_error_that_lists_what_there_is(run, words):
    result = run("preferences", *words)
    assert result.exit_code == 1
    assert result.stderr == f"Error: {words[1]!r} cannot be preferred\nAvailable: ink, sort, wait.\n"


def test_one_is_shown(run):
    run("preferences", "set", "sort", "by_file")
    assert run("preferences", "get", "sort").stdout == "by_file\n"


def test_one_that_is_not_stored_shows_the_defaults_and_ends_with_code_1(run):
    result = run("preferences", "get", "wait")
    assert (result.exit_code, result.stdout) == (1, "wait  not set\n  watch (stithy-pond, false by default)\n")


def test_a_cleared_preference_has_its_default_again(run, stored):
    run("preferences", "set", "wait", "true")
    run("preferences", "set", "sort", "by_author")
    assert run("preferences", "clear", "wait").stdout == "forgotten: wait\n"
    assert stored() == {"sort": "by_author"}
    assert run("call", "watch").stdout.startswith("Watching(wait=False, sort='by_author'")


def test_all_are_cleared_at_once(run, stored):
    run("preferences", "set", "wait", "true")
    run("preferences", "set", "ink", "red")
    assert run("preferences", "clear", "--all").stdout == "forgotten: ink, wait\n"
    assert stored() == {}
    assert run("preferences", "clear", "--all").stdout == "nothing was stored\n"


@pytest.mark.parametrize("words", [(), ("wait", "--all")])
def test_clearing_needs_names_or_all_of_them(run, words):
    assert run("preferences", "clear", *words).exit_code == 2


def test_the_preference_of_a_plugin_that_is_gone_is_kept_and_said(run, stored):
    run("preferences", "set", "wait", "true")
    without = ("--no-plugin", "stithy-pond")
    shown = run("preferences", "list", *without).stdout.splitlines()
    assert shown[:2] == ["wait  true", "  no installed tool has this argument; it is kept"]
    assert run("preferences", "get", "wait", *without).stdout == "true\n"
    assert stored() == {"wait": True}


def test_the_preference_of_a_plugin_that_is_gone_can_be_cleared_but_not_set(run, stored):
    run("preferences", "set", "wait", "true")
    without = ("--no-plugin", "stithy-pond")
    assert "none: no installed tool marks" in run("preferences", "set", *without, "wait", "false").stderr
    run("preferences", "clear", "wait", *without)
    assert stored() == {}


def test_tools_that_a_setting_switched_off_keep_their_preferences(run, settings):
    settings('[serve]\ntoolsets = ["lake"]\n')
    assert run("preferences", "set", "wait", "true").exit_code == 0
    assert "wait  true\n  watch (" in run("preferences", "list").stdout


def test_the_list_as_json(run, path):
    run("preferences", "set", "sort", "newest")
    whole = json.loads(run("preferences", "list", "--json").stdout)
    assert whole["file"] == str(path)
    row = next(row for row in whole["preferences"] if row["name"] == "sort")
    assert row["value"] == "newest"
    assert [one["tool"] for one in row["tools"] if "not_for" in one] == ["watch"]
    assert row["tools"][0] == {
        "tool": "read",
        "plugin": "stithy-pond",
        "default": "newest",
        "enum": ["newest", "by_file"],
    }


def test_one_as_json(run):
    row = json.loads(run("preferences", "get", "wait", "--json").stdout)
    assert row == {"name": "wait", "tools": [{"tool": "watch", "plugin": "stithy-pond", "default": False}]}


@pytest.mark.parametrize(
    "words", [("list",), ("get", "wait"), ("set", "wait", "true"), ("clear", "wait"), ("clear", "--all")]
)
def test_a_broken_file_is_named_and_left_as_it_is(run, path, words):
    path.parent.mkdir(parents=True)
    path.write_text('{"wait": tru')
    result = run("preferences", *words)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: {path}:1: invalid JSON")
    assert path.read_text() == '{"wait": tru'


def test_a_call_says_that_the_file_is_broken(run, path):
    path.parent.mkdir(parents=True)
    path.write_text("[]")
    result = run("call", "watch")
    assert result.exit_code == 1
    assert f"{path}: expected a JSON object" in result.stderr


def test_a_server_on_standard_input_and_output_follows_them(run, stithy_process, path):
    """Also those that are stored while it runs, by another process."""
    command, environ, _ = stithy_process
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}

    def ask(number, method, params):
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        server.stdin.write(json.dumps(message) + "\n")
        server.stdin.flush()
        return json.loads(server.stdout.readline())["result"]

    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([*command, "serve"], env=environ, **pipes) as server:
        ask(1, "initialize", hello)
        server.stdin.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        before = ask(2, "tools/call", {"name": "watch", "arguments": {}})["structuredContent"]
        run("preferences", "set", "wait", "true")
        after = ask(3, "tools/call", {"name": "watch", "arguments": {}})["structuredContent"]
        server.stdin.close()
    assert "applied_preferences" not in before
    assert after["applied_preferences"] == {"wait": True}

"""`stithy tools` and `stithy call`."""

import json

import pytest

pytestmark = pytest.mark.usefixtures("parrot")


def test_tools_are_listed_with_who_brings_them(run):
    lines = run("tools").stdout.splitlines()
    assert "parrot  Parrot (stithy-parrot 1.0)" in lines
    assert any(line.startswith("list_plugins  ") for line in lines)


def test_a_tool_that_is_switched_off_says_why(run, settings):
    settings("[serve]\nread_only = true\n")
    assert "paint  switched off: this server is read-only" in run("tools").stdout.splitlines()


def test_tools_are_given_as_json(run):
    row = next(row for row in json.loads(run("tools", "--json").stdout) if row["name"] == "paint")
    assert row["plugin"] == "stithy-parrot"
    assert (row["effects"], row["duration"], row["needs"]) == ("add", "quick", [])


def test_one_tool_is_shown_whole(run):
    shown = run("tools", "parrot").stdout
    for line in (
        "Says it again.",
        "needs:  nothing of a forge",
        "  text (string, required)  What to say",
        "  times (integer, optional)  How often",
        "  said (string)",
    ):
        assert line in shown.splitlines()


def test_one_tool_is_given_as_json_with_both_schemas(run):
    whole = json.loads(run("tools", "parrot", "--json").stdout)
    assert whole["input"]["required"] == ["text"]
    assert {"kind", "said"} <= set(whole["output"]["properties"])


def test_a_tool_that_there_is_not_is_named_with_the_nearest(run):
    result = run("tools", "parot")
    assert result.exit_code == 1
    assert result.stderr == "Error: unknown tool 'parot'\nDid you mean parrot?\n"


def test_a_tool_is_called_with_keys_and_values(run):
    result = run("call", "parrot", "text=ab", "times=2")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "abab\n", "")


def test_a_tool_is_called_with_a_json_object(run):
    assert run("call", "parrot", '{"text": "ü", "times": 3}').stdout == "üüü\n"


def test_a_tool_is_called_with_what_stands_on_standard_input(run):
    assert run("call", "parrot", "-", input='{"text": "in"}').stdout == "in\n"


def test_later_arguments_win(run):
    assert run("call", "parrot", '{"text": "a", "times": 1}', "times=2").stdout == "aa\n"


@pytest.mark.parametrize("value", ["42", "true", "null", '{"a": 1}', "a=b"])
def test_a_text_argument_stays_text(run, value):
    answer = json.loads(run("call", "parrot", "--json", f"text={value}").stdout)
    assert answer == {"said": value, "kind": "str"}


def test_an_error_of_the_tool_is_told_on_standard_error(run):
    result = run("call", "parrot", "text=nothing")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "there is nothing to say\nSay something.\n"


def test_an_error_of_the_tool_is_given_as_json(run):
    result = run("call", "parrot", "--json", "text=nothing")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["category"] == "api"


@pytest.mark.parametrize("word", ["times=0", "times=many", "tim=1"])
def test_arguments_that_do_not_fit_are_an_error_of_the_tool(run, word):
    assert run("call", "parrot", "text=a", word).exit_code == 1


@pytest.mark.parametrize("word", ["text", "{text", "[1]", '{"text": '])
def test_an_invalid_argument_is_a_usage_error(run, word):
    assert run("call", "parrot", word).exit_code == 2


@pytest.mark.parametrize("text", ["[1]", "no json", ""])
def test_standard_input_must_be_an_object(run, text):
    result = run("call", "parrot", "-", input=text)
    assert result.exit_code == 2
    assert "JSON" in result.stderr


def test_calling_a_tool_that_there_is_not_names_the_nearest(run):
    result = run("call", "parot")
    assert result.exit_code == 1
    assert "Did you mean parrot?" in result.stderr


def test_calling_a_tool_that_is_switched_off_says_why(run, settings):
    settings("[serve]\nread_only = true\n")
    result = run("call", "paint", "text=a")
    assert result.exit_code == 1
    assert "this server is read-only" in result.stderr


def test_a_call_without_its_plugin_finds_no_tool(run):
    assert run("call", "--no-plugin", "stithy-parrot", "parrot", "text=a").exit_code == 1

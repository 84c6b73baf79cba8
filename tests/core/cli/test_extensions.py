"""The commands that plugins bring."""

import textwrap

import pytest

COMMAND = """
    from stithy_core.spi import Command, NotFound, hookimpl

    STITHY_API = 1

    def shout(scope, words):
        if words == ("fail",):
            raise NotFound("nobody hears", suggestion="Shout louder.")
        print(scope.origin, *words, sep="|")
        return len(words)

    @hookimpl
    def stithy_commands():
        return [Command(name="{name}", help="Say it louder", run={run})]
"""


@pytest.fixture
def command(install_plugin):
    """Install a plugin with one command."""

    def install(distribution="stithy-shout", name="shout", run="shout"):
        install_plugin(distribution, COMMAND.format(name=name, run=run))

    return install


def test_a_plugins_command_is_given_the_rest_of_the_line(run, command):
    command()
    result = run("shout", "a", "--loud", "-x", "--help", "b c")
    assert result.stdout == "stithy-shout 1.0|a|--loud|-x|--help|b c\n"


@pytest.mark.parametrize("words", [[], ["a"], ["a", "b"]])
def test_a_commands_result_is_the_exit_code(run, command, words):
    command()
    assert run("shout", *words).exit_code == len(words)


def test_it_stands_in_the_help_after_the_cores_own(run, command):
    command()
    shown = run("--help").stdout
    assert "Say it louder" in shown
    assert shown.index("  tools ") < shown.index("  shout ")


def test_an_error_that_is_meant_for_its_caller_is_told(run, command):
    command()
    result = run("shout", "fail")
    assert result.exit_code == 1
    assert result.stderr == "Error: nobody hears\nShout louder.\n"


def test_a_reference_is_imported_when_it_is_called(run, command):
    command(run='"stithy_shout:shout"')
    assert run("shout", "a").stdout == "stithy-shout 1.0|a\n"


def test_a_reference_to_nothing_is_told(run, command):
    command(run='"no.where:run"')
    assert "Say it louder" in run("--help").stdout
    result = run("shout")
    assert result.exit_code == 1
    assert "'no.where:run' cannot be loaded" in result.stderr


def test_the_cores_commands_cannot_be_replaced(run, command):
    command(name="plugins")
    assert "loaded  stithy-shout 1.0" in run("plugins").stdout
    assert run("--help").stdout.count("\n  plugins ") == 1


def test_two_commands_of_one_name_are_both_refused_and_reported(run, command):
    command("stithy-a")
    command("stithy-b")
    assert run("shout").exit_code == 2
    assert "stithy-a 1.0 and stithy-b 1.0 have a command with the name shout" in run("plugins").stdout


def test_a_command_that_nobody_brings_is_a_wrong_command_line(run):
    assert run("whisper").exit_code == 2


FILE = textwrap.dedent(COMMAND).format(name="shout", run="shout")


@pytest.mark.parametrize("words", [["--plugins-dir", "files", "shout"], ["shout", "--plugins-dir=files"]])
def test_the_command_of_a_single_file_is_available(run, tmp_path, words):
    (tmp_path / "here" / "files").mkdir()
    (tmp_path / "here" / "files" / f"loud_{len(words)}.py").write_text(FILE)
    assert run(*words, "a", "b").stdout == f"loud-{len(words)} (file)|a|b\n"


def test_options_for_all_commands_are_not_passed_to_a_plugins_command(run, command):
    command()
    result = run("shout", "a", "--no-plugin", "gitea", "--read-only", "--loud", "--", "--plugin", "x")
    assert result.stdout == "stithy-shout 1.0|a|--loud|--|--plugin|x\n"


def test_the_end_of_options_is_passed_on_wherever_it_is(run, command):
    command()
    assert run("shout", "--", "--plugin", "x", "--", "-y").stdout == "stithy-shout 1.0|--|--plugin|x|--|-y\n"
    assert run("shout", "--loud", "--", "a").stdout == "stithy-shout 1.0|--loud|--|a\n"


@pytest.mark.parametrize("answer", [True, False, "done"])
def test_a_commands_result_that_is_no_exit_code_is_a_fault(run, install_plugin, answer):
    """`True` would be the failure 1, and `False` a success."""
    text = COMMAND.format(name="shout", run="shout").replace("len(words)", repr(answer))
    install_plugin("stithy-shout", text)
    result = run("shout")
    assert result.exit_code == 1
    assert f"it returned a {type(answer).__name__}, not an exit code" in result.stderr


@pytest.mark.parametrize("words", [["--version", "doctor"], ["--version", "--json", "tools"]])
def test_the_version_is_all_that_is_shown(run, words):
    result = run(*words)
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 1


def test_a_failed_plugin_is_fatal_to_a_plugins_command_under_strict(run, command, broken):
    command()
    assert run("shout", "--strict-plugins").exit_code == 3


def test_an_option_without_its_value_is_a_wrong_command_line(run):
    result = run("tools", "--plugins-dir")
    assert result.exit_code == 2
    assert "Option '--plugins-dir' requires an argument" in result.stderr


@pytest.mark.parametrize("words", [["--help"], ["-h"]])
def test_help_lists_the_commands_of_a_folder(run, tmp_path, words):
    (tmp_path / "here" / f"loud{words[0].replace('-', '_')}.py").write_text(FILE)
    assert "Say it louder" in run("--plugins-dir", ".", *words).stdout


@pytest.mark.parametrize("words", [["pond", "--forge"], ["--help"]])
def test_creating_a_plugin_without_the_testing_kit_names_what_to_install(run, monkeypatch, words):
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: ())
    result = run("plugins", "new", *words)
    assert result.exit_code == 2
    assert result.stderr == (
        'Error: `stithy plugins new` needs the package stithy-testing\nRun: pip install "stithy-testing[new]"\n'
    )


def test_init_says_how_to_install_it(run, monkeypatch):
    """It is a distribution of its own; the help lists it either way."""
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: ())
    result = run("init", "--yes")
    assert result.exit_code == 2
    assert result.stderr == 'Error: `stithy init` needs the package stithy-init\nRun: pip install "stithy-init"\n'
    assert "  init         Add the server to the settings of agent hosts" in run("--help").stdout

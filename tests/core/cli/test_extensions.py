"""The commands that plugins bring."""

import pytest

COMMAND = """
    from stithy_core.spi import Command, NotFound, hookimpl

    STITHY_API = 0

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

"""Settings that are wrong, and where logs go."""

import logging

import pytest

from stithy_core.cli.command_support import set_up_logging


@pytest.mark.parametrize("command", [["plugins"], ["tools"], ["doctor"], ["serve"], ["call", "list_plugins"]])
def test_settings_that_are_wrong_are_named_with_file_and_line(run, settings, command):
    settings("[serve]\nread_only = 3\n")
    result = run(*command)
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: stithy.toml:2: serve.read_only ")
    assert "Traceback" not in result.output


def test_a_file_that_is_no_toml_is_named(run, settings):
    settings("[serve\n")
    result = run("plugins")
    assert result.exit_code == 2
    assert "stithy.toml:1" in result.stderr


def test_a_table_that_nobody_reads_is_named(run, settings):
    settings("[servre]\nread_only = true\n")
    result = run("plugins")
    assert result.exit_code == 2
    assert "stithy.toml:1: servre" in result.stderr


def test_a_file_that_is_named_and_not_there_is_an_error(run, monkeypatch):
    monkeypatch.setenv("STITHY_CONFIG", "nowhere.toml")
    assert run("plugins").exit_code == 2


def test_help_is_there_though_the_settings_are_wrong(run, settings):
    settings("[serve]\nread_only = 3\n")
    result = run("--help")
    assert result.exit_code == 0
    assert "doctor" in result.stdout
    assert "stithy.toml:2" in result.stderr


def test_the_version_is_there_though_the_settings_are_wrong(run, settings):
    settings("[serve\n")
    assert run("--version").exit_code == 0


@pytest.mark.parametrize(
    ("given", "level"), [("debug", logging.DEBUG), ("INFO", logging.INFO), ("shout", logging.WARNING)]
)
def test_the_variable_sets_how_much_is_logged(given, level):
    set_up_logging(given)
    assert logging.getLogger("stithy").level == level


def test_calls_are_logged_to_standard_error_on_request(run, monkeypatch):
    monkeypatch.setenv("STITHY_LOG", "info")
    result = run("call", "list_plugins")
    assert "INFO stithy.tools: list_plugins {}: ok in" in result.stderr
    assert "INFO" not in result.stdout


def test_no_secret_is_logged(capsys):
    set_up_logging("info")
    logging.getLogger("stithy.x").info("it is ghp_%s", "a" * 36)
    assert capsys.readouterr().err.endswith("INFO stithy.x: it is [redacted]\n")

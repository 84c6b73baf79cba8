"""`stithy --version` and `stithy plugins`."""

import json
import subprocess

import pytest

from stithy_core.version import __version__


def test_the_version_is_shown(run):
    result = run("--version")
    assert (result.exit_code, result.stdout) == (0, f"stithy {__version__}\n")


def test_the_version_is_given_as_json(run):
    assert json.loads(run("--version", "--json").stdout) == {"stithy": __version__}


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"]])
def test_help_lists_the_commands_and_the_exit_codes(run, words):
    result = run(*words)
    assert result.exit_code == 0
    for word in ("call", "doctor", "plugins", "serve", "tools", "under --strict-plugins"):
        assert word in result.stdout


def test_a_plugin_that_works_is_shown(run, parrot):
    assert "loaded  stithy-parrot 1.0\n" in run("plugins").stdout


def test_a_plugin_that_failed_is_shown_with_its_remedy(run, broken):
    result = run("plugins")
    assert result.exit_code == 0
    assert "failed  stithy-broken 1.0\n        at import: ModuleNotFoundError" in result.stdout
    assert "remedy: install the package that provides the module 'a_module_nobody_has'" in result.stdout


def test_a_tool_that_cannot_be_served_is_shown(run, half_broken):
    assert "failed  stithy-parrot 1.0\n        offer:  tool no good name\n" in run("plugins").stdout


def test_a_pending_hook_is_shown_with_its_package(run, install_plugin):
    source = """
        from stithy_core.spi import hookimpl
        STITHY_API = 1
        @hookimpl(owner="stithy-words")
        def stithy_words():
            return []
    """
    install_plugin("stithy-speaker", source)
    assert "note:   stithy_words waits for stithy-words: pip install stithy-words" in run("plugins").stdout


def test_plugins_are_given_as_json(run, parrot, broken):
    rows = {row["distribution"]: row for row in json.loads(run("plugins", "--json").stdout)}
    assert rows["stithy-parrot"]["state"] == "loaded"
    assert rows["stithy-broken"]["stage"] == "import"
    assert "milliseconds" not in rows["stithy-broken"]


@pytest.mark.parametrize("name", ["stithy-broken", "broken"])
def test_a_plugin_is_left_out_on_request(run, broken, name):
    assert "blocked stithy-broken 1.0\n" in run("plugins", "--no-plugin", name).stdout


def test_several_plugins_are_left_out_on_request(run, parrot, broken):
    shown = run("plugins", "--no-plugin", "broken", "--no-plugin", "parrot").stdout
    assert "blocked stithy-broken" in shown
    assert "blocked stithy-parrot" in shown


def test_a_variable_leaves_plugins_out(run, parrot, broken, monkeypatch):
    monkeypatch.setenv("STITHY_DISABLED_PLUGINS", "stithy-broken, parrot")
    shown = run("plugins").stdout
    assert "blocked stithy-broken" in shown
    assert "blocked stithy-parrot" in shown


def test_the_settings_leave_plugins_out(run, broken, settings):
    settings('[plugins]\ndisabled = ["stithy-broken"]\n')
    assert "blocked stithy-broken" in run("plugins").stdout


def test_a_failed_plugin_is_fatal_on_request(run, broken):
    result = run("plugins", "--strict-plugins")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "stithy-broken 1.0 failed at import: ModuleNotFoundError" in result.stderr


def test_a_blocked_plugin_is_not_fatal(run, broken):
    assert run("plugins", "--strict-plugins", "--no-plugin", "broken").exit_code == 0


@pytest.mark.parametrize("words", [["--version"], ["plugins"], ["tools"]])
def test_other_commands_import_neither_mcp_nor_httpx(stithy_process, words):
    command, environ, modules = stithy_process
    subprocess.run([*command, *words], env=environ, check=True, capture_output=True)
    loaded = {name.partition(".")[0] for name in modules()} | {name for name in modules() if "stithy_core" in name}
    assert not loaded & {"mcp", "mcp_types", "httpx", "httpx2", "pydantic", "stithy_core.server", "stithy_core.http"}


def test_the_version_is_shown_without_looking_for_plugins(stithy_process, broken):
    command, environ, modules = stithy_process
    done = subprocess.run([*command, "--version"], env=environ, check=True, capture_output=True, text=True)
    assert done.stdout == f"stithy {__version__}\n"
    assert "stithy_core.plugins" not in modules()

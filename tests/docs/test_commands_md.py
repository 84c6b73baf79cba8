"""docs/commands.md: its examples are run, and its tables are held against the program."""

import json
import re
import shlex

import pytest

from stithy_core.cli.command_group import stithy

PAGE = "commands.md"
SERVING = {"--http", "--open", "--answers"}
OWN = ["call", "doctor", "explain", "plugins", "serve", "tools"]


@pytest.fixture
def shell(run, blocks, tmp_path):
    """Run a line in a folder with the settings of the page."""
    (tmp_path / "stithy.toml").write_text(blocks(PAGE, "toml")[0].text)
    return run


@pytest.mark.parametrize("number", range(12))
def test_an_example_writes_what_is_shown(shell, blocks, fits, number):
    command, shown = blocks(PAGE, "console")[number].text.removeprefix("$ ").split("\n", 1)
    _, output = shell(command)
    assert fits(shown, output), output


def test_every_example_is_run(blocks):
    assert len(blocks(PAGE, "console")) == 12


CODES = {
    "stithy tools": 0,
    "stithy call pr_comment_list repository=smith/anvil pull_request_number=1": 1,
    "stithy call nothing": 1,
    "stithy call pr_comment_list repository": 2,
    "stithy nothing": 2,
    "stithy plugins --bad": 2,
}


@pytest.mark.parametrize("line", CODES)
def test_a_line_ends_with_its_code(shell, line):
    assert shell(line)[0] == CODES[line]


def test_doctor_ends_with_code_1_for_a_forge_that_is_down(run, tmp_path):
    (tmp_path / "stithy.toml").write_text('[forges.down]\nkind = "gitea"\nurl = "http://127.0.0.1:9"\n')
    code, output = run("stithy doctor")
    assert code == 1
    assert "XX  forge down: http://127.0.0.1:9 is not reachable" in output


@pytest.mark.parametrize("name", OWN)
def test_strict_ends_with_code_3(shell, install_plugin, tmp_path, name):
    install_plugin("stithy-rusty", "import rust")
    rest = " pr_comment_list" if name == "call" else ""
    code, output = shell(f"stithy {name} --strict-plugins{rest}", PYTHONPATH=str(tmp_path / "site-packages"))
    assert code == 3
    assert "stithy-rusty 1.0 failed at import" in output


@pytest.mark.parametrize("name", [*OWN, "dev"])
def test_a_command_has_the_options_of_the_page(page, name):
    given = {option for parameter in stithy.get_command(None, name).params for option in parameter.opts}
    wanted = {"--plugin", "--no-plugin", "--plugins-dir", "--strict-plugins", "--read-only", "--lockdown", "--toolsets"}
    wanted |= {"--json"} if name not in ("dev", "serve") else set()
    wanted |= {"explain": {"--ask"}, "plugins": {"--hooks"}, "serve": SERVING, "dev": SERVING}.get(name, set())
    assert {option for option in given if option.startswith("-")} == wanted
    assert not [option for option in wanted if f"`{option}" not in page(PAGE)]


def test_preferences_are_kept_as_the_page_shows_it(run, plugins, blocks, fits, tmp_path):
    plugins("stithy-quench")
    shown = next(block.text for block in blocks(PAGE, "text") if "preferences" in block.text)
    for part in shown.removeprefix("$ ").split("\n$ "):
        line, output = part.split("\n", 1)
        assert fits(output, run(line, PYTHONPATH=str(tmp_path / "site-packages"))[1])


def test_the_commands_of_preferences_have_a_row_each(page):
    for name in stithy.get_command(None, "preferences").commands:
        assert f"\n| `stithy preferences {name}" in page(PAGE)


def test_help_has_the_exit_codes_of_the_page(shell, page):
    _, output = shell("stithy -h")
    codes = dict(re.findall(r"^ +(\d)  (.+)$", output, re.MULTILINE))
    assert list(codes) == re.findall(r"^\| (\d) \|", page(PAGE), re.MULTILINE)
    assert f"| 3 | {codes['3']}".replace("--strict-plugins", "`--strict-plugins`") in page(PAGE)


def test_a_failed_plugin_is_shown_as_on_the_page(shell, install_plugin, blocks, tmp_path):
    install_plugin("stithy-rusty", "import rust")
    _, output = shell("stithy plugins", PYTHONPATH=str(tmp_path / "site-packages"))
    shown = next(block.text for block in blocks(PAGE, "text") if "stithy-rusty" in block.text)
    assert output.startswith(shown)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("stithy tools --json", "name title description plugin effects duration toolset needs"),
        ("stithy explain --json", "name needs"),
        ("stithy plugins --json", "distribution version entry_point state milliseconds"),
        ("stithy doctor --json", "about level text remedy"),
    ],
)
def test_json_rows_have_the_names_of_the_page(shell, page, line, names):
    code, output = shell(line)
    assert code == 0
    assert list(json.loads(output)[0]) == names.split()
    assert all(name in page(PAGE) for name in names.split())


def test_one_tool_as_json_has_its_schemas(shell):
    described = json.loads(shell("stithy tools --json pr_comment_list")[1])
    assert described["input"]["type"] == described["output"]["type"] == "object"


def test_the_version_as_json(shell):
    assert json.loads(shell("stithy --version --json")[1]).keys() == {"stithy"}


def test_the_entry_for_a_host_starts_the_server(blocks, run):
    (entry,) = json.loads(blocks(PAGE, "json")[0].text)["mcpServers"].values()
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client})
    _, output = run(f"echo {shlex.quote(message)} | {shlex.join([entry['command'], *entry['args']])}")
    assert json.loads(output.splitlines()[0])["result"]["serverInfo"]["name"] == "stithy"


def test_a_new_plugin_is_created_as_the_page_shows_it(run, blocks, fits):
    shown = next(block.text for block in blocks(PAGE, "text") if "plugins new" in block.text)
    line, output = shown.removeprefix("$ ").split("\n", 1)
    code, printed = run(f"{line} --author Ann")
    assert (code, bool(fits(output, printed))) == (0, True), printed


def test_the_options_of_new_have_a_row_each(page):
    for parameter in stithy.get_command(None, "plugins").get_command(None, "new").params:
        assert f"\n| `{parameter.opts[0] if parameter.opts[0][0] == '-' else 'NAME'}" in page(PAGE)


def test_dev_writes_the_line_of_the_page(page):
    from stithy_core.cli.dev import format_inspector_line

    assert f"stithy dev: to inspect it: {format_inspector_line('stithy_pond', None)}\n" in page(PAGE)

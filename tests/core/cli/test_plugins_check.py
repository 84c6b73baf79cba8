"""`stithy plugins check`: everything that can be known of a plugin without a server, with cause and remedy."""

import json
import sys

import pytest
from broken_plugins import BROKEN, COMMAND, SOUND
from jsonschema import Draft202012Validator
from unsuitable_plugins import UNSUITABLE, make_capability, make_forge

from stithy_core.app.assembly import CORE_COMMANDS
from stithy_core.cli.command_group import OWN
from stithy_testing import check_installed, make_app

EVERY = BROKEN | UNSUITABLE


@pytest.fixture
def check(run):
    """Return a function that runs the command and returns its exit code and its rows."""

    def check_names(*names):
        done = run("plugins", "check", *names, "--json")
        return done.exit_code, json.loads(done.stdout)

    return check_names


@pytest.fixture(params=EVERY)
def case(request, install_plugin):
    """Install a broken plugin beside one that works, and return what is expected of it."""
    broken = EVERY[request.param]
    for name in filter(None, ("stithy-broken", broken.also)):
        install_plugin(name, broken.source, version="1.5", **broken.options)
    install_plugin("stithy-sound", SOUND)
    return broken


def test_at_least_sixty_plugins_are_broken_in_different_ways():
    assert len(EVERY) == len(BROKEN) + len(UNSUITABLE) >= 60


def test_a_broken_plugin_is_named_with_cause_and_remedy_and_no_other_is_blamed(case, check, run):
    """The message names the distribution, the cause and the remedy; a sound neighbour is served (20.9)."""
    code, rows = check("stithy-broken", "stithy-sound")
    (row,) = [row for row in rows if row["distribution"] == "stithy-broken" and row["level"] == "error"]
    assert (code, row["version"], row["stage"], row.get("offer", "")) == (1, "1.5", case.stage, case.offer)
    assert case.cause in row["cause"]
    assert case.remedy in row["remedy"]
    assert [row for row in rows if row["distribution"] == "stithy-sound"] == [
        {"distribution": "stithy-sound", "version": "1.0", "entry_point": "sound", "level": "ok"}
    ]
    if not case.offer.startswith("call wrapper"):  # a wrapper that fails refuses the calls that it wraps
        assert run("call", "sound").stdout == "said\n"


@pytest.fixture(params=UNSUITABLE)
def unsuitable(request, install_plugin):
    """Install a plugin that loads well and cannot work."""
    install_plugin("stithy-broken", UNSUITABLE[request.param].source, version="1.5")
    return UNSUITABLE[request.param]


def test_the_testing_kit_separates_cause_and_remedy(unsuitable):
    """The same checks fail an author's own tests (20.9)."""
    with pytest.raises(AssertionError) as caught:
        check_installed("stithy-broken")
    line, remedy = str(caught.value).split("\n")
    assert line.startswith(f"stithy-broken 1.5: {unsuitable.offer} failed at {unsuitable.stage}: ")
    assert unsuitable.cause in line
    assert remedy.startswith("  remedy: ")
    assert unsuitable.remedy in remedy


# Sound plugins


def test_every_installed_plugin_is_checked_without_an_argument(check, install_plugin):
    install_plugin("stithy-sound", SOUND)
    code, rows = check()
    assert code == 0
    assert {"stithy-sound", "stithy-gitea", "stithy-github", "stithy-ci"} <= {row["distribution"] for row in rows}
    assert {row["level"] for row in rows} == {"ok"}


def test_the_schemas_of_every_installed_tool_are_valid(tmp_path):
    """The check does not validate what classes are turned into: they cannot have an invalid schema."""
    for tool in make_app(tmp_path).tools:
        Draft202012Validator.check_schema(tool.input)
        Draft202012Validator.check_schema(tool.output)


def test_a_line_has_the_distribution_the_cause_and_the_remedy(run, install_plugin):
    install_plugin("stithy-broken", UNSUITABLE["operation that is not async"].source)
    assert run("plugins", "check", "broken").stdout == (
        "error stithy-broken 1.0: forge kind pond: PondPart.get is not async; remedy: write it as async def get(self,"
        " issue)\n"
    )


def test_a_keyword_that_an_operation_does_not_take_is_a_note(check, install_plugin):
    """It works, so the exit code is 0 (20.4)."""
    install_plugin("stithy-broken", make_capability("Threads", "async def reply(self, pr, thread, body): ..."))
    code, rows = check("stithy-broken")
    assert code == 0
    assert [(row["level"], row.get("cause")) for row in rows] == [
        ("note", "PondPart.reply does not take 'unless_since': unsupported where a value is passed"),
        ("ok", None),
    ]


@pytest.mark.parametrize("annotation", ["str", "None", "str | None"])
def test_a_method_may_be_annotated_with_less_than_its_base(check, install_plugin, annotation):
    method = f"def head_ref(self, pull) -> {annotation}: return None"
    install_plugin("stithy-sound", make_forge(member=method))
    assert check("stithy-sound")[0] == 0


# What can be named


def test_a_plugin_is_named_by_distribution_entry_point_or_module(check, install_plugin):
    install_plugin("stithy-sound", SOUND)
    rows = [check(name)[1] for name in ("stithy-sound", "Stithy_Sound", "sound", "stithy_sound")]
    assert rows == [[{"distribution": "stithy-sound", "version": "1.0", "entry_point": "sound", "level": "ok"}]] * 4


def test_a_module_that_is_not_installed_is_checked(check, tmp_path, monkeypatch):
    (tmp_path / "stithy_loose.py").write_text("STITHY_API = 99")
    monkeypatch.syspath_prepend(tmp_path)
    code, (row,) = check("stithy_loose")
    assert (code, row["distribution"], row["version"]) == (1, "stithy-loose", "(module)")
    assert "written for interface 99" in row["cause"]
    sys.modules.pop("stithy_loose")


def test_a_file_and_a_folder_are_checked_as_plugins_of_a_single_file(check, tmp_path):
    file = tmp_path / "folder" / "pond.py"
    file.parent.mkdir()
    file.write_text("raise KeyError('x')")
    for name in (file, file.parent):
        code, (row,) = check(str(name))
        assert (code, row["distribution"], row["version"]) == (1, "pond", "(file)")
        assert (row["cause"], row["remedy"]) == ("KeyError: 'x'", f"repair {file}, or remove it")


@pytest.mark.parametrize("name", ["site-packages", "site-packages/stithy_sound.py"])
def test_a_file_or_folder_of_an_installed_plugin_is_that_plugin(check, install_plugin, tmp_path, name):
    install_plugin("stithy-sound", SOUND)
    code, (row,) = check(str(tmp_path / name))
    assert (code, row["distribution"], row["version"], row["level"]) == (0, "stithy-sound", "1.0", "ok")


def test_a_distribution_that_is_not_installed_is_an_error_with_the_command(run, tmp_path):
    (tmp_path / "pyproject.toml").write_text("")
    done = run("plugins", "check", str(tmp_path))
    assert (done.exit_code, f"-m pip install --editable {tmp_path}" in done.stderr) == (2, True)


def test_a_folder_without_a_plugin_is_an_error(run, tmp_path):
    (tmp_path / "empty").mkdir()
    done = run("plugins", "check", str(tmp_path / "empty"))
    assert (done.exit_code, "no plugin in this folder" in done.stderr) == (2, True)


def test_an_installed_distribution_without_a_plugin_is_an_error_that_says_so(run):
    done = run("plugins", "check", "ci-failures")
    assert (done.exit_code, "no entry point in the group stithy" in done.stderr) == (2, True)


def test_a_file_takes_the_place_of_the_installed_plugin_of_its_name(check, install_plugin, tmp_path):
    install_plugin("stithy-broken", SOUND.replace("STITHY_API", "API"))
    (tmp_path / "broken.py").write_text("STITHY_API = 1")
    assert check(str(tmp_path / "broken.py")) == (
        0,
        [{"distribution": "broken", "version": "(file)", "entry_point": "broken", "level": "ok"}],
    )
    sys.modules.pop("broken", None)


@pytest.mark.parametrize("name", ["stithy-nowhere", "no.such.module", "nowhere.py"])
def test_a_name_of_nothing_is_an_error_of_the_command_line(run, name):
    done = run("plugins", "check", name)
    assert done.exit_code == 2
    assert f"Error: {name}: no such " in done.stderr


def test_faults_of_the_settings_do_not_matter(check, settings, install_plugin):
    install_plugin("stithy-sound", SOUND)
    settings("= not TOML")
    assert check("sound")[0] == 0


# Commands of plugins


@pytest.mark.parametrize(
    ("work", "cause"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("'done'", "it returned a str, not an exit code"),
        ("(_ for _ in ()).throw(GeneratorExit)", "GeneratorExit"),
    ],
)
def test_a_command_that_fails_names_its_plugin(run, install_plugin, work, cause):
    """No traceback is shown, which names no plugin (20.9)."""
    install_plugin("stithy-broken", COMMAND.replace("NAME", "dive").replace("WORK", work))
    done = run("dive")
    assert done.exit_code == 1
    assert done.stderr.startswith(f"Error: the command 'dive' failed inside stithy-broken 1.0: {cause}")
    assert "Report it to the plugin's author" in done.stderr


def test_a_command_that_exits_keeps_its_code(run, install_plugin):
    install_plugin("stithy-broken", COMMAND.replace("NAME", "dive").replace("WORK", "exit(7)"))
    assert run("dive").exit_code == 7


def test_the_reserved_names_of_commands_are_those_of_the_core():
    assert set(OWN) == CORE_COMMANDS

"""`--plugin`, `--plugins-dir` and `stithy plugins --hooks`."""

import json
import sys

import pytest
from broken_plugins import SOUND


@pytest.fixture
def folder(tmp_path):
    """Write files of a folder of plugins; give its path."""
    path = tmp_path / "plugins"
    path.mkdir()

    def write(**files):
        for name, text in files.items():
            (path / f"{name}.py").write_text(text)
        return str(path)

    yield write
    for name, module in list(sys.modules.items()):
        if str(path) in str(getattr(module, "__file__", "")):
            del sys.modules[name]


def sound(name):
    """Return the plugin that works, as a file that refers to itself by its own name."""
    text = SOUND.replace("\n    ", "\n").replace('"sound"', f'"{name}"')
    return text.replace("handler=say", f'handler="{name}:say"')


def rows(done):
    return {row["distribution"]: row for row in json.loads(done.stdout)}


@pytest.mark.parametrize("name", ["stithy-parrot", "Stithy_Parrot", "parrot"])
def test_only_the_plugin_that_is_named_is_loaded(run, parrot, broken, name):
    states = {who: row["state"] for who, row in rows(run("plugins", "--json", "--plugin", name)).items()}
    assert states.pop("stithy-parrot") == "loaded"
    assert states["stithy-broken"] == "blocked"
    assert states.pop("stithy-core") == "loaded"  # --plugin does not affect built-in plugins
    assert set(states.values()) == {"blocked"}


def test_several_plugins_are_named(run, parrot, broken):
    found = rows(run("plugins", "--json", "--plugin", "parrot", "--plugin", "broken"))
    assert (found["stithy-parrot"]["state"], found["stithy-broken"]["state"]) == ("loaded", "failed")


def test_a_plugin_that_is_named_may_still_be_left_out(run, parrot):
    done = run("plugins", "--json", "--plugin", "parrot", "--no-plugin", "parrot")
    assert rows(done)["stithy-parrot"]["state"] == "blocked"


def test_naming_a_plugin_that_is_not_there_names_those_that_are(run, parrot):
    done = run("plugins", "--plugin", "parot")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--plugin parot: no such plugin" in done.stderr
    assert "stithy-parrot" in done.stderr


def test_a_file_is_a_plugin(run, folder):
    place = folder(stithy_whistle=sound("stithy_whistle"), _helper="1/0")
    assert run("call", "--plugins-dir", place, "stithy_whistle").stdout == "said\n"
    found = rows(run("plugins", "--json", "--plugins-dir", place))
    assert (found["stithy-whistle"]["version"], found["stithy-whistle"]["entry_point"]) == ("(file)", "whistle")


def test_one_file_of_a_folder_is_a_plugin(run, folder):
    place = folder(stithy_whistle=sound("stithy_whistle"), stithy_drum=sound("stithy_drum"))
    found = rows(run("plugins", "--json", "--plugins-dir", f"{place}/stithy_drum.py"))
    assert found["stithy-drum"]["state"] == "loaded"
    assert "stithy-whistle" not in found


@pytest.mark.parametrize("option", ["--no-plugin", "--plugin"])
@pytest.mark.parametrize("name", ["stithy-whistle", "whistle"])
def test_a_file_is_left_out_or_chosen_as_any_plugin(run, folder, option, name):
    done = run("plugins", "--json", "--plugins-dir", folder(stithy_whistle="STITHY_API = 1"), option, name)
    assert rows(done)["stithy-whistle"]["state"] == ("blocked" if option == "--no-plugin" else "loaded")


BROKEN = [
    ("rusty", "import rusty_anvil", "at import: ModuleNotFoundError: No module named 'rusty_anvil'", "remove {}"),
    ("rusty", "1 / 0", "at import: ZeroDivisionError", "repair {}"),
    ("rusty", "def x(:", "at import: SyntaxError", "repair {}"),
    ("rusty", "X = 1", "at interface: ", "declare STITHY_API = 1"),
    ("json", "STITHY_API = 1", "at import: another module has the name json", "rename {}"),
    ("colorsys", "STITHY_API = 1", "at import: another module has the name colorsys", "rename {}"),
]


@pytest.mark.parametrize(("name", "text", "said", "remedy"), BROKEN)
def test_a_broken_file_is_named_with_its_remedy(run, folder, name, text, said, remedy):  # noqa: PLR0917 -- a row
    place = folder(**{name: text, "stithy_whistle": sound("stithy_whistle")})
    found = rows(run("plugins", "--json", "--plugins-dir", place))
    assert said in f"at {found[name]['stage']}: {found[name]['cause']}"
    assert remedy.format(f"{place}/{name}.py") in found[name]["remedy"]
    assert found["stithy-whistle"]["state"] == "loaded"


def test_a_file_clashes_with_what_is_installed_under_its_name(run, folder, parrot):
    failed = rows(run("plugins", "--json", "--plugins-dir", folder(parrot="STITHY_API = 1")))["stithy-parrot"]
    assert failed["stage"] == "discovery"
    assert "parrot (file) and stithy-parrot 1.0 share an entry-point name" in failed["cause"]


def test_a_file_that_failed_can_be_loaded_again_once_it_is_repaired(run, folder):
    place = folder(rusty="1 / 0")
    run("plugins", "--plugins-dir", place)
    folder(rusty="STITHY_API = 1  # it was repaired")
    assert rows(run("plugins", "--json", "--plugins-dir", place))["rusty"]["state"] == "loaded"


@pytest.mark.parametrize(("name", "why"), [("nowhere", "No such file or directory"), ("file.txt", "Not a directory")])
def test_a_folder_that_is_none_is_an_error(run, tmp_path, name, why):
    (tmp_path / "file.txt").write_text("")
    done = run("plugins", "--plugins-dir", str(tmp_path / name))
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"--plugins-dir {tmp_path / name}: {why}" in done.stderr


OWNER = """
    import sys
    from collections.abc import Iterable
    from stithy_core.spi import hookimpl, hookspec

    STITHY_API = 1

    @hookspec
    def stithy_words() -> Iterable[str]:
        ...

    @hookimpl
    def stithy_hookspecs():
        return [sys.modules[__name__]]
"""
SPEAKER = """
    from stithy_core.spi import hookimpl

    STITHY_API = 1

    @hookimpl(owner="stithy-words")
    def stithy_words():
        return ["word"]
"""


@pytest.fixture
def speakers(install_plugin):
    for name in ("stithy-zz-speaker", "stithy-a-speaker"):
        install_plugin(name, SPEAKER)
    install_plugin("stithy-words", OWNER)


def test_the_hooks_are_traced_in_the_order_in_which_they_are_asked(run, parrot, speakers):
    traces = {trace["hook"]: trace for trace in json.loads(run("plugins", "--hooks", "--json").stdout)}
    assert next(iter(traces)) == "stithy_hookspecs"
    tools = {row["distribution"]: row["offers"] for row in traces["stithy_tools"]["implementations"]}
    assert tools["stithy-parrot"] == 2
    words = traces["stithy_words"]
    assert words["owner"] == "stithy-words"
    assert [row["distribution"] for row in words["implementations"]] == ["stithy-a-speaker", "stithy-zz-speaker"]


def test_the_hooks_are_shown(run, parrot, speakers):
    shown = run("plugins", "--hooks").stdout
    assert "stithy_words  of stithy-words\n  1. stithy-a-speaker 1.0\n  2. stithy-zz-speaker 1.0\n" in shown
    assert "stithy-parrot 1.0: gave 2\n" in shown
    assert "stithy_tools  of stithy-core\n" in shown


def test_a_hook_whose_owner_is_blocked_waits(run, speakers):
    shown = run("plugins", "--hooks", "--no-plugin", "words").stdout
    assert "stithy_words  waits for its owner\n  1. stithy-a-speaker 1.0\n" in shown


def test_a_failed_plugin_implements_no_hook(run, half_broken, broken, install_plugin):
    install_plugin("stithy-raises", SPEAKER.replace("stithy_words", "stithy_tools").replace('["word"]', "1 / 0"))
    shown = run("plugins", "--hooks").stdout
    assert "stithy-raises" not in shown
    assert "stithy-broken" not in shown

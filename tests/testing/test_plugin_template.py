"""`stithy plugins new`: what it creates passes its own tests, type checks and style checks, unchanged."""

import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from stithy_core.cli.command_group import stithy
from stithy_testing import plugin_template

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "plugins" / "first-forge.md"
AUTHOR = 'Ann O"Brien & Sons'
NAMES = {"forge": "brook", "parser": "fresh-parser", "tool": "fresh-tool"}
"""The names of the new plugins; that of the forge is the guide's."""
KINDS = tuple(NAMES)


@pytest.fixture(scope="module")
def environ(tmp_path_factory):
    """The environment of a new virtual environment, which sees the packages of ours; pip reaches no index."""
    folder = tmp_path_factory.mktemp("new") / "venv"
    venv.create(folder)
    packages = sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)})
    seen = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
    Path(packages, "seen.pth").write_text(seen)
    own = {name: value for name, value in os.environ.items() if not name.startswith(("COV", "PYTEST", "STITHY"))}
    path = os.pathsep.join([str(folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    # pip reads the value of a `--no-…` option as that of the option without `no`: this is --no-build-isolation.
    author = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "user.name", "GIT_CONFIG_VALUE_0": AUTHOR}
    # One cache of what mypy found out about stithy, and no plugin of pytest that authors do not have.
    ours = {"MYPY_CACHE_DIR": str(ROOT / ".mypy_cache" / "new-plugins"), "PYTEST_ADDOPTS": "-p no:schemathesis"}
    return own | author | ours | {"PATH": path, "PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0"}


@pytest.fixture(scope="module")
def shell(environ):
    """Run lines in one shell, which ends with the first that fails; return their output."""

    def run(*lines, cwd):
        done = subprocess.run(["sh", "-ec", "\n".join(lines)], cwd=cwd, env=environ, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def commands(output):
    """Return the commands that the output shows."""
    return re.findall(r"^    (.+)$", output, re.MULTILINE)


@pytest.fixture(scope="module", params=KINDS)
def created(request, shell, tmp_path_factory):
    """A plugin of each kind, installed and tested by the commands that it shows: kind, folder, output of the tests."""
    folder, name = tmp_path_factory.mktemp("created"), NAMES[request.param]
    line = f"stithy plugins new {name} --{request.param}"
    steps = commands(shell(line, cwd=folder))
    return request.param, folder / f"stithy-{name}", shell(*steps, cwd=folder)


def test_the_commands_that_it_shows_lead_to_passing_tests(created):
    kind, _, output = created
    assert re.search(r"^=+ \d+ passed", output, re.MULTILINE), output
    assert kind != "forge" or re.search(r"test_conformance\.py [s.]*\.", output)


@pytest.mark.parametrize("created", ["forge"], indirect=True)
def test_the_guide_shows_the_four_commands_and_what_the_suite_proves(created):
    chapter = GUIDE.read_text().partition("## Four commands to the first green test\n")[2]
    shown = chapter.partition("```console\n")[2].partition("```")[0].splitlines()
    first, *rest = [line.removeprefix("$ ") for line in shown if line.startswith("$ ")]
    names = plugin_template.parse_name(NAMES["forge"])
    assert (first, rest) == (f"stithy plugins new {NAMES['forge']} --forge", plugin_template.list_steps(names))
    (proved,) = [line.partition(",")[0] for line in shown if "held" in line]
    assert proved in created[2]


@pytest.mark.parametrize("line", ["python -m mypy", "python -m ruff check", "python -m ruff format --check"])
def test_a_new_plugin_is_typed_and_formatted(created, shell, line):
    shell(line, cwd=created[1])


def test_the_wheel_of_a_new_plugin_is_typed_and_licensed(created, shell, tmp_path):
    kind, folder, _ = created
    shell(f"python -m pip wheel --quiet --no-deps --wheel-dir {tmp_path} .", cwd=folder)
    (wheel,) = tmp_path.glob("*.whl")
    files = zipfile.ZipFile(wheel).namelist()
    assert f"{folder.name.replace('-', '_')}/py.typed" in files
    assert "stithy_brook/forge.py" in files or kind != "forge"
    assert any(file.endswith("licenses/LICENSE") for file in files)


def test_its_readme_and_its_workflow_have_the_same_commands(created):
    _, folder, _ = created
    readme = (folder / "README.md").read_text()
    steps = plugin_template.list_steps(plugin_template.parse_name(folder.name))
    assert "\n".join(["```", *steps, "```"]) in readme
    workflow = (folder / ".github" / "workflows" / "tests.yml").read_text()
    assert all(f"run: {step}\n" in workflow for step in steps[1:])


def test_nothing_of_the_template_is_left(created):
    _, folder, _ = created
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".pyc", ".yml")]
    assert not [path for path in files if "{" in path.name or path.suffix == ".jinja"]
    assert not [path for path in files if re.search(r"\{\{ |\{% ", path.read_text(errors="replace"))]


def test_the_author_is_in_the_licence_and_the_metadata(created):
    _, folder, _ = created
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    assert project["authors"] == [{"name": AUTHOR}]
    assert f"{AUTHOR}\n" in (folder / "LICENSE").read_text()


# --- The command line


@pytest.fixture
def new(tmp_path, monkeypatch):
    """Run `stithy plugins new` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(stithy, ["plugins", "new", "--author", "Ann", *map(str, words)])


@pytest.mark.parametrize(
    "name", ["", "Pond", "stithy-", "1pond", "a_b", "a--b", "../pond", "/tmp/pond", "a.b", "ä", "x" * 80]
)
def test_an_invalid_name_is_an_error_with_an_example(new, tmp_path, name):
    result = new("--tool", "--", name)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: invalid plugin name {name!r}\nUse at most")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "kind", "taken"),
    [
        ("core", "tool", "the distribution 'stithy-core' exists already"),
        ("stithy-http", "forge", "the distribution 'stithy-http' exists already"),
        ("parrot", "tool", "the distribution 'stithy-parrot' exists already"),
        ("squawk", "tool", "the entry point 'squawk' belongs to 'stithy-other' already"),
    ],
)
def test_a_name_that_is_taken_is_an_error(new, install_plugin, name, kind, taken):
    install_plugin("stithy-parrot", "")
    install_plugin("stithy-other", "", entry_point="squawk")
    result = new(name, f"--{kind}")
    assert (result.exit_code, result.stderr) == (2, f"Error: {taken}\nChoose another name.\n")


@pytest.mark.parametrize("name", ["a", "ab-" * 10 + "cd"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_style_does_not_depend_on_the_length_of_the_name(new, tmp_path, kind, name):
    assert new(name, f"--{kind}").exit_code == 0
    for words in (["check"], ["format", "--check"]):
        subprocess.run([Path(sys.executable).with_name("ruff"), *words], cwd=tmp_path / f"stithy-{name}", check=True)


@pytest.mark.parametrize("kind", KINDS)
def test_an_existing_folder_is_never_written(new, tmp_path, kind):
    (tmp_path / "stithy-pond").mkdir()
    result = new("pond", f"--{kind}")
    assert result.exit_code == 2
    assert "'stithy-pond' exists already" in result.stderr
    assert not list((tmp_path / "stithy-pond").iterdir())


def test_an_existing_link_is_never_followed(new, tmp_path):
    (tmp_path / "stithy-pond").symlink_to("nowhere")
    assert new("pond", "--tool").exit_code == 2
    assert not (tmp_path / "nowhere").exists()


def test_another_folder_is_named_with_into(new, tmp_path):
    (tmp_path / "my plugins").mkdir()
    result = new("stithy-pond", "--tool", "--into", "my plugins")
    assert commands(result.stdout)[0] == f"cd {shlex.quote('my plugins/stithy-pond')}"
    assert [path.name for path in (tmp_path / "my plugins").iterdir()] == ["stithy-pond"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["pond"], "expected --tool, --forge or --parser"),
        (["pond", "--tool", "--into", "nowhere"], "'nowhere' does not exist"),
        (["pond", "--tool", "--author", "two\nlines"], "expected a name in one line"),
        (["pond", "--tool", "--author", " "], "expected a name in one line"),
    ],
)
def test_a_wrong_command_line_creates_nothing(new, tmp_path, words, said):
    result = new(*words)
    assert (result.exit_code, said in result.stderr) == (2, True), result.stderr
    assert not list(tmp_path.iterdir())


def test_without_copier_the_error_names_the_extra(new, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "copier", None)
    result = new("pond", "--tool")
    assert result.exit_code == 2
    assert 'pip install "stithy-testing[new]"' in result.stderr
    assert not list(tmp_path.iterdir())


def test_the_names_of_all_released_distributions_are_taken():
    projects = [tomllib.loads(path.read_text())["project"]["name"] for path in ROOT.glob("*/*/pyproject.toml")]
    assert set(plugin_template.RELEASED) == {"stithy-core", *projects} - {"ci-failures", "stithy-bundle"}

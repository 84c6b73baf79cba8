"""The distributions: released in lockstep, typed, licensed, and each installs what it names and requires."""

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import PathDistribution

import pytest
import yaml
from distributions import PROJECTS, ROOT
from packaging.requirements import Requirement
from wire import start_wire

from stithy_core.version import __version__
from stithy_testing import Tape, playback

CASSETTE = ROOT / "cassettes/gitea-1.27/lab-a-conversation-is-listed-oldest-first.yaml"


def project(folder):
    return tomllib.loads((folder / "pyproject.toml").read_text())["project"]


def pip(*words):
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *map(str, words)]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)


@pytest.mark.parametrize("folder", PROJECTS, ids=lambda folder: project(folder)["name"])
def test_each_reads_its_version_from_one_file(folder):
    settings = tomllib.loads((folder / "pyproject.toml").read_text())
    assert (
        folder / settings["tool"]["hatch"]["version"]["path"]
    ).resolve() == ROOT / "libs/interface/src/stithy_core/version.py"
    assert settings["project"]["dynamic"] == ["version"]


@pytest.mark.parametrize("folder", PROJECTS, ids=lambda folder: project(folder)["name"])
def test_they_require_each_other_in_the_range_of_this_version(folder):
    """As `make version` writes it; any other range also makes the core read requirements at start-up."""
    ranges = re.findall(r"(?:stithy-[a-z]+|ci-failures)(~=[^\"]+)", (folder / "pyproject.toml").read_text())
    first, second, _ = __version__.split(".")
    assert set(ranges) <= {f"~={first}.{second}.0"}


def test_a_source_distribution_builds_without_the_repository(tmp_path):
    """It has the version in its metadata, because the file that says it is not there."""
    build = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)]
    subprocess.run(build, check=True, capture_output=True, cwd=ROOT / "plugins/gitea")
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path, *tmp_path.glob("*.tar.gz"))
    assert [path.name.split("-")[:2] for path in tmp_path.glob("*.whl")] == [["stithy_gitea", __version__]]


@pytest.mark.parametrize("folder", PROJECTS, ids=lambda folder: project(folder)["name"])
def test_each_has_a_readme_and_the_licence(folder):
    assert (folder / "README.md").read_text().startswith("# ")
    assert project(folder)["license"] == "MIT"
    assert "MIT License" in (folder / "LICENSE").read_text()


def test_every_wheel_builds_and_every_package_is_typed(wheels):
    built = {path.name.split("-")[0]: zipfile.ZipFile(path).namelist() for path in wheels.glob("*.whl")}
    assert set(built) == {project(folder)["name"].replace("-", "_") for folder in PROJECTS}
    for name, files in built.items():
        packages = {file.split("/")[0] for file in files if ".dist-info/" not in file}
        package = "stithy_core" if name in {"stithy_client", "stithy_interface"} else name
        assert packages == (set() if name == "stithy" else {package})
        # Of a package in several distributions, one has the mark: the one that the others require.
        assert (f"{package}/py.typed" in files) == (name not in {"stithy", "stithy_client", "stithy_core"})


def test_no_file_is_in_two_wheels(wheels):
    files = [name for wheel in wheels.glob("*.whl") for name in zipfile.ZipFile(wheel).namelist()]
    assert [name for name in files if files.count(name) > 1] == []


def test_the_wheel_of_the_testing_kit_has_every_file_of_the_templates(wheels):
    """Also hidden ones."""
    folder = ROOT / "plugins/testing/src"
    templates = {
        path.relative_to(folder).as_posix() for path in folder.glob("stithy_testing/templates/**/*") if path.is_file()
    }
    (wheel,) = wheels.glob("stithy_testing-*.whl")
    assert templates
    assert templates <= set(zipfile.ZipFile(wheel).namelist())


def map_distributions(wheels):
    """Return the metadata in the wheels, by the name of the distribution."""
    folders = (zipfile.Path(wheel, f"{'-'.join(wheel.name.split('-')[:2])}.dist-info/") for wheel in wheels.iterdir())
    found = [PathDistribution(folder) for folder in folders]
    return {distribution.metadata["Name"]: distribution for distribution in found}


def list_installed(distributions, wanted):
    """Return the names of the distributions that an installer installs for a requirement, by their metadata."""
    found, todo = set(), [Requirement(wanted)]
    while todo:
        one = todo.pop()
        if one.name in distributions and (one.name, *one.extras) not in found:
            found.add((one.name, *one.extras))
            todo += [
                row for row in map(Requirement, distributions[one.name].requires or ()) if applies(row, one.extras)
            ]
    return {name for name, *_ in found}


def applies(requirement, extras):
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in extras or {""})


CORE = {"stithy-client", "stithy-core", "stithy-interface"}
STITHY = CORE | {"stithy", "stithy-init"}
WANTED = {
    "stithy-comments": {"stithy-comments", "stithy-interface"},
    "stithy-ci": {"ci-failures", "stithy-ci", "stithy-interface"},
    "stithy-client": {"stithy-client", "stithy-interface"},
    "ci-failures": {"ci-failures"},
    "stithy[gitea]": STITHY | {"stithy-gitea", "stithy-comments"},
    "stithy[gitlab]": STITHY | {"stithy-gitlab", "stithy-comments"},
    "stithy[redis]": STITHY | {"stithy-redis"},
    "stithy-core[redis]": CORE | {"stithy-redis"},
}


@pytest.mark.parametrize("wanted", WANTED)
def test_installing_one_installs_what_it_requires_and_nothing_else(wheels, wanted):
    assert list_installed(map_distributions(wheels), wanted) == WANTED[wanted]


def test_releases_that_fit_all_of_them_exist():
    """Those that are installed here."""
    pip("check")


@pytest.fixture
def install(uv, tmp_path):
    """Return a function that installs wheels in an environment of their own.

    It returns the folder of the programs, and the distributions that are there.
    """
    uv("venv", tmp_path / "venv")

    def install_distributions(*names):
        programs = tmp_path / "venv" / "bin"
        uv("pip", "install", "--python", programs / "python", *names)
        return programs, {path.name.partition("-")[0] for path in tmp_path.rglob("*.dist-info")}

    return install_distributions


@pytest.mark.packages
def test_ci_failures_alone_reads_a_log(install):
    """In an environment that has nothing else of this repository."""
    programs, installed = install("ci-failures")
    log = ROOT / "libs/ci-failures/tests/logs/pytest/9-plain.log"
    ran = subprocess.run([programs / "ci-failures", "--json", log], capture_output=True, text=True)
    assert "ci_failures" in installed
    assert not [name for name in installed if name.startswith("stithy")]
    assert (ran.returncode, json.loads(ran.stdout)["status"]) == (1, "failed")


@pytest.mark.packages
def test_a_program_reads_a_forge_without_the_server(install):
    """The one of the client's README, in an environment with the client and a forge plugin."""
    programs, installed = install("stithy-client", "stithy-gitea")
    program = (ROOT / "libs/client/README.md").read_text().partition("```python\n")[2].partition("```")[0]
    with playback(Tape.read([CASSETTE])) as url:
        program = program.replace("https://codeberg.org", url)
        program = program.replace('"forgejo", "forgejo"', f'"stithy-admin", "{CASSETTE.stem}"')
        ran = subprocess.run([programs / "python", "-c", program], capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("Greet\n", "")
    assert not installed & {"stithy_core", "mcp", "pydantic", "starlette", "click", "jsonschema"}


@pytest.mark.packages
def test_the_core_and_a_forge_plugin_serve_without_the_rest(install, uv, tmp_path):
    """Without PyYAML, which reads the settings of `tea`, and without what the SDK requires to serve over HTTP."""
    programs, installed = install("stithy-core", "stithy-gitea")
    assert not installed & {"redis", "pytest", "uvloop", "structlog", "prometheus_client", "rich", "stithy_testing"}
    uv("pip", "uninstall", "--python", programs / "python", "PyYAML", "starlette", "sse-starlette", "uvicorn")
    arguments = {"repository": f"stithy-admin/{CASSETTE.stem}", "pull_request_number": 1}
    with playback(Tape.read([CASSETTE])) as url:
        (tmp_path / "stithy.toml").write_text(f'[forges.lab]\nkind = "gitea"\nurl = "{url}"\n')
        options = {"cwd": tmp_path, "env": {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}}
        with start_wire([programs / "stithy", "serve"], "legacy", tmp_path / "log", **options) as wire:
            assert "pr_comment_list" in {tool["name"] for tool in wire.ask("tools/list")["tools"]}
            answer = wire.ask("tools/call", name="pr_comment_list", arguments=arguments)
    assert len(answer["structuredContent"]["comments"]) == 3


def test_the_workflow_runs_the_gate_on_every_python_that_the_distributions_name():
    """Each of its steps is an action or `.ci/run`, so that nothing is checked there that cannot be checked here."""
    jobs = yaml.safe_load((ROOT / ".github/workflows/gate.yml").read_text())["jobs"]
    ran = {name: [step["run"] for step in job["steps"] if "run" in step] for name, job in jobs.items()}
    assert ran == {"gate": [".ci/run"], "coverage": [".ci/run coverage"]}
    versions = jobs["gate"]["strategy"]["matrix"]["python"]
    named = [f"Programming Language :: Python :: {version}" for version in versions]
    for folder in PROJECTS:
        assert [name for name in project(folder)["classifiers"] if "Python :: 3." in name] == named

"""The wheels, installed by others' tools in environments that have nothing else, and what a release says of them."""

import json
import subprocess
import tomllib
import zipfile

import pytest
from distributions import ROOT, UV
from wire import start_wire

from stithy_core.version import __version__

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
OTHERS = {
    "stithy-client",
    "stithy-core",
    "stithy-init",
    "stithy-interface",
    "stithy-http",
    "stithy-testing",
    "ci-failures",
}
"""Distributions without an entry point for plugins, and the core, whose plugins are always loaded."""
PERMISSIVE = (
    *("MIT", "Apache", "BSD", "ISC", "PSF", "Python Software Foundation", "0BSD"),
    *("Mozilla Public License 2.0", "MPL-2.0", "Unlicense", "CC0"),
)

pytestmark = pytest.mark.packages


@pytest.fixture(scope="session")
def install(uv, tmp_path_factory):
    """Return a function that installs a requirement, and nothing else, and returns the folder of the environment."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    uv("venv", folder)

    def install_requirement(wanted):
        uv("pip", "install", "--exact", "--python", folder, wanted)
        return folder

    return install_requirement


@pytest.mark.parametrize("extra", EXTRAS)
def test_each_extra_works_with_what_it_requires(uv, install, extra):
    """Every plugin of its distributions is loaded, and none failed."""
    folder = install(f"stithy[{extra}]=={__version__}")
    rows = json.loads(uv("run", "--no-project", folder / "bin" / "stithy", "plugins", "--json"))
    installed = {row["name"] for row in json.loads(uv("pip", "list", "--python", folder, "--format", "json"))}
    assert {row["state"] for row in rows} == {"loaded"}
    assert {row["distribution"] for row in rows} - OTHERS == {one for one in installed if "stithy-" in one} - OTHERS


def test_uvx_and_uv_tool_find_the_command_in_the_package(uv):
    assert uv("tool", "run", "stithy", "--version") == f"stithy {__version__}\n"
    uv("tool", "install", "stithy")
    assert uv("run", "--no-project", "bin/stithy", "--version") == f"stithy {__version__}\n"


PIPX = ("tool", "run", "pipx", "run", "--spec")
WITH_SANDBOX = "stithy[sandbox]"
"""What pipx runs in both tests: it keeps an environment for each requirement, and creating one takes seconds."""


def test_pipx_runs_the_command_of_the_package(uv):
    assert uv(*PIPX, WITH_SANDBOX, "stithy", "--version") == f"stithy {__version__}\n"


@pytest.mark.parametrize("words", [("tool", "run", "--from"), PIPX])
def test_init_knows_that_uvx_and_pipx_run_make_no_program_that_stays(uv, words):
    shown = uv(*words, WITH_SANDBOX, "stithy", "init", "--host", "codex", "--print")
    assert shown.startswith("!!  this program does not stay")


def test_init_writes_the_program_of_a_tool_that_was_installed(uv):
    uv("tool", "install", "--force", "stithy")
    assert not uv("run", "--no-project", "bin/stithy", "init", "--host", "codex", "--print").startswith("!!  this")


def test_all_dependencies_have_permissive_licences(uv, install):
    """Of the packages that a release brings along; `make release` lists them."""
    folder = install("stithy[all,serve,redis,sandbox,testing]")
    words = ("--with-requirements", ROOT / "requirements/release.txt", "--from", "pip-licenses", "pip-licenses")
    rows = json.loads(uv("tool", "run", *words, "--python", folder / "bin" / "python", "--format", "json"))
    assert len(rows) > 40
    assert not [row for row in rows if not any(name in row["License"] for name in PERMISSIVE)]


@pytest.mark.node
def test_a_host_runs_the_bundle(outside, tmp_path):
    """`mcpb` accepts and packs it, and what is in it serves as a host starts it."""
    bundle = tmp_path / "stithy.mcpb"
    subprocess.run(["mcpb", "pack", ROOT / "deploy/bundle", bundle], check=True, capture_output=True)
    zipfile.ZipFile(bundle).extractall(tmp_path / "unpacked")
    server = json.loads((tmp_path / "unpacked/manifest.json").read_text())["server"]["mcp_config"]
    words = [word.replace("${__dirname}", str(tmp_path / "unpacked")) for word in server["args"]]
    with start_wire([*UV, *words], "legacy", tmp_path / "log", **outside) as wire:
        names = {tool["name"] for tool in wire.ask("tools/list")["tools"]}
    assert {"check_merge_readiness", "get_failing_tests"} <= names

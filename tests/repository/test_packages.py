"""The lists of packages in pyproject.toml and in our own rules: each names what the folders hold."""

import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
CONTRACTS = {contract["id"]: contract for contract in SETTINGS["importlinter"]["contracts"]}
CORE, TESTING, TRANSPORT, COMMAND = "stithy_core", "stithy_testing", "stithy_http", "stithy_init"
SOURCES = ["core/src", *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("*/*/src"))]
PACKAGES = {path.name for folder in SOURCES for path in (ROOT / folder).iterdir() if list(path.glob("*.py*"))}
LIBRARIES = {path.name for path in ROOT.glob("libs/*/src/*")} - {CORE}
DISTRIBUTIONS = PACKAGES | {"stithy_client", "stithy_interface"}  # these two have modules of the package stithy_core
PLUGINS = PACKAGES - LIBRARIES - {CORE, TESTING}
MOST_LINES = 500
LAYERS = {f"{CORE}.{path.stem}" for path in ROOT.glob("*/**/src/stithy_core/[a-z]*") if path.name != "py.typed"}


def list_packages(*fields):
    """Return the packages, without their modules, that a contract names in some fields."""
    contract = CONTRACTS[fields[0]]
    return {name for field in fields[1:] for name in contract[field] if "." not in name}


@pytest.mark.parametrize(
    ("lists", "folders"),
    [
        (set(SETTINGS["mypy"]["mypy_path"]), {*SOURCES, "tests/support"}),
        (set(SETTINGS["importlinter"]["root_packages"]), PACKAGES),
        (set(SETTINGS["package-coverage"]), DISTRIBUTIONS),
        (list_packages("core", "forbidden_modules"), PLUGINS | {TESTING}),
        (list_packages("ci-failures", "forbidden_modules"), PACKAGES - LIBRARIES),
        (list_packages("plugins", "modules"), PLUGINS),
        (list_packages("authors", "source_modules"), PLUGINS - {TRANSPORT, COMMAND}),
        (list_packages("mcp", "source_modules"), PLUGINS - {TRANSPORT}),
        (list_packages("httpx", "source_modules"), PLUGINS | {TESTING}),
    ],
    ids=["mypy_path", "root_packages", "package-coverage", "core", "ci-failures", "plugins", "authors", "mcp", "httpx"],
)
def test_a_list_names_the_packages_that_are_there(lists, folders):
    assert lists == folders


def test_no_module_is_longer_than_500_lines():
    modules = [path for folder in SOURCES for path in (ROOT / folder).rglob("*.py")]
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in modules}
    assert {str(path): lines for path, lines in lengths.items() if lines > MOST_LINES} == {}


@pytest.mark.parametrize("package", SETTINGS["package-coverage"])
def test_a_threshold_of_coverage_names_tests_and_demands_most_of_the_code(package):
    row = SETTINGS["package-coverage"][package]
    assert list((ROOT / row["tests"]).rglob("test_*.py"))
    assert 80 <= row["percent"] <= 100


def test_plugins_are_kept_from_all_of_the_core_but_its_interface():
    """`sanitize` and the like included: a new module of the core is not open to plugins by omission."""
    open_to_plugins = {f"{CORE}.spi"}
    assert set(CONTRACTS["authors"]["forbidden_modules"]) == LAYERS - open_to_plugins


def test_our_own_rule_names_every_plugin():
    """The rule that `check-adr-alignment` and `validate-against-pattern` hold this repository to."""
    text = (ROOT / "mcp/resources/patterns/plugin-boundaries.md").read_text()
    rules = yaml.safe_load(text.partition("```yaml policy\n")[2].partition("```")[0])["imports"]
    (rule,) = [row for row in rules if row["id"] == "core-imports-no-plugin"]
    assert set(rule["disallow"]) == PLUGINS

"""What a release publishes beside the wheels: entries of registries, and the workflow that builds them."""

import json
import re
import subprocess
import sys
import tomllib
from importlib.resources import files

import jsonschema
import pytest
import yaml
from distributions import ROOT

from stithy_core.config import list_usual_variables
from stithy_core.version import __version__

SERVER = json.loads((ROOT / "server.json").read_text())
MANIFEST = json.loads((ROOT / "deploy/bundle/manifest.json").read_text())


def test_the_entry_of_the_mcp_registry_follows_its_published_schema():
    """skillsaw brings the schemas of all versions."""
    date = re.search(r"/(\d{4}-\d\d-\d\d)/", SERVER["$schema"])[1].replace("-", "_")
    schema = json.loads((files("skillsaw") / "schemas/mcp_registry" / f"v{date}" / "server.schema.json").read_text())
    assert schema["$id"] == SERVER["$schema"]
    jsonschema.validate(SERVER, schema)


def test_the_readme_on_pypi_names_the_entry():
    """So that nobody else can claim the package: the registry reads it there."""
    assert f"<!-- mcp-name: {SERVER['name']} -->" in (ROOT / "README.md").read_text()


def test_all_entries_have_the_version_of_the_distributions():
    (package,) = SERVER["packages"]
    requirements = json.dumps(SERVER) + (ROOT / "deploy/bundle/pyproject.toml").read_text()
    pinned = re.findall(r"stithy\[all\]==([\d.]+)", requirements)
    assert {SERVER["version"], package["version"], MANIFEST["version"], *pinned} == {__version__}
    assert len(pinned) == 2


def test_all_entries_ask_for_the_variables_of_every_forge():
    names = [row["name"] for row in SERVER["packages"][0]["environmentVariables"]]
    assert names == list(MANIFEST["server"]["mcp_config"]["env"])
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    tokens = {name for extra in extras for name in list_usual_variables(extra, extra)}
    assert tokens == {name for name in names if name.endswith("_TOKEN")}


def test_the_workflows_follow_the_published_schema():
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
    done = subprocess.run([*command, *(ROOT / ".github/workflows").glob("*.yml")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_a_release_is_gated_attested_and_published_without_a_stored_secret():
    text = (ROOT / ".github/workflows/release.yml").read_text()
    jobs = yaml.safe_load(text)["jobs"]
    used = {
        name: {step.get("uses", "").partition("@")[0] for step in job.get("steps", ())} for name, job in jobs.items()
    }
    assert (jobs["gate"]["uses"], jobs["build"]["needs"]) == ("./.github/workflows/gate.yml", "gate")
    assert {"actions/attest-build-provenance", "actions/attest-sbom"} <= used["build"]
    assert "pypa/gh-action-pypi-publish" in used["pypi"]
    signing = [name for name, job in jobs.items() if job.get("permissions", {}).get("id-token")]
    assert signing == ["build", "pypi", "registry"]
    assert "secrets." not in text


@pytest.mark.parametrize(("tag", "code"), [("v0.0.7", 2), (f"v{__version__}", 0)])
def test_a_tag_of_another_version_ends_the_release(tmp_path, tag, code):
    """The changelog has its version, too."""
    for name in ("Makefile", "libs/interface/src/stithy_core/version.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text())
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## {__version__} (2026-11-24)\n")
    done = subprocess.run(["make", "-C", tmp_path, "tagged", f"TAG={tag}"], capture_output=True, text=True)
    assert done.returncode == code, done.stderr

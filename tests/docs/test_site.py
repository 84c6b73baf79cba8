"""The documentation site: every link and heading is there, pages are generated, and versions are beside each other."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


EARLIER = """
site_name: earlier
docs_dir: {folder}
plugins: [mike: {{alias_type: redirect}}]
"""
PRESENT = """
INHERIT: {root}/docs/site/mkdocs.yml
docs_dir: {root}/docs/site/pages
hooks: ["{root}/docs/site/site_pages.py"]
site_dir: {folder}
"""


def run(*words, cwd):
    environ = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}  # mike runs `mkdocs`
    environ |= {"NO_MKDOCS_2_WARNING": "1", "GIT_CONFIG_GLOBAL": os.devnull} | {
        f"GIT_{role}_{part}": "smith@example.invalid" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")
    }
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, env=os.environ | environ)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def branch(tmp_path_factory):
    """Commit the site as `make site` does, after an earlier version; a link that leads nowhere is an error."""
    folder = tmp_path_factory.mktemp("site")
    run("git", "init", "--quiet", "--initial-branch=main", cwd=folder)
    run("git", "commit", "--quiet", "--allow-empty", "--message=Begin", cwd=folder)
    (folder / "pages").mkdir()
    (folder / "pages/index.md").write_text("# Earlier")
    for name, text in (("earlier", EARLIER), ("present", PRESENT)):
        (folder / f"{name}.yml").write_text(
            text.format(root=ROOT, folder=folder / ("pages" if name == "earlier" else "built"))
        )
    run("mike", "deploy", "--config-file", "earlier.yml", "0.0", "latest", cwd=folder)
    run("mike", "deploy", "--config-file", "present.yml", "--update-aliases", "0.1", "latest", cwd=folder)
    run("git", "checkout", "--quiet", "gh-pages", cwd=folder)
    return folder


@pytest.fixture(scope="module")
def site(branch):
    """The folder of this version."""
    return branch / "0.1"


@pytest.fixture(scope="module")
def texts(site):
    """Return the texts of the search index by their addresses."""
    index = json.loads((site / "search/search_index.json").read_text())
    return {row["location"]: row["text"] for row in index["docs"]}


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("tools/check_merge_readiness/#arguments", "owner/repo#123"),
        ("hosts/#codex", "[mcp_servers.stithy]"),
        ("hosts/#codex", "~/.codex/config.toml"),
        ("hosts/#claude-desktop", "/home/ann/.local/bin/stithy"),
        ("docs/troubleshooting/#the-forge-does-not-answer", "http://127.0.0.1:9 is not reachable"),
        ("docs/adr/0001-plugins-bring-everything/", ""),
        ("", ""),
    ],
)
def test_a_search_finds(texts, address, text):
    assert text in texts[address]


def test_pages_of_the_site_request_nothing_from_other_hosts(site):
    page = (site / "index.html").read_text()
    assert not [word for word in ("fonts.googleapis", "unpkg.com", "cdn.") if word in page]


def test_links_to_code_lead_to_the_repository(site):
    assert (
        "https://github.com/stithy/stithy/blob/main/.github/workflows/release.yml"
        in (site / "CONTRIBUTING/index.html").read_text()
    )


def test_pictures_are_part_of_the_site(site):
    assert 'src="../../docs/pictures/view-blocked.png"' in (site / "plugins/view/index.html").read_text()
    assert (site / "docs/pictures/view-blocked.png").exists()


def test_the_versions_of_the_site_stand_beside_each_other(branch):
    """The selector of the theme lists them by this file; `latest` leads to the newest."""
    versions = [(row["version"], row["aliases"]) for row in json.loads((branch / "versions.json").read_text())]
    assert versions == [("0.1", ["latest"]), ("0.0", [])]
    assert "Earlier" in (branch / "0.0/index.html").read_text()
    assert "../../../0.1/docs/settings/" in (branch / "latest/docs/settings/index.html").read_text()

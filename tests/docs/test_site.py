"""The documentation site: every link and heading is there, and pages are generated for tools and hosts."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site as `make docs` does; a link that leads nowhere is an error."""
    folder = tmp_path_factory.mktemp("site")
    words = ["build", "--quiet", "--strict", "--config-file", "docs/site/mkdocs.yml", "--site-dir", folder]
    done = subprocess.run([sys.executable, "-m", "mkdocs", *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


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

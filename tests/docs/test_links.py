"""Every link of every page leads to a file, and to a heading, that is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "core/*.md", "libs/*/*.md", "plugins/*/*.md", "cassettes/*.md", "demo/*.md")
    for path in ROOT.glob(pattern)
)
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)")


def prose(path):
    return re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(path):
    """Return the headings of a page as links name them."""
    headings = re.findall(r"^#+ (.+)$", prose(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(path):
    for file, anchor in LINK.findall(prose(path)):
        if re.match(r"[a-z]+:", file):
            continue
        target = path.parent / file if file else path
        assert target.exists(), file
        assert not anchor or anchor in anchors(target), f"{file}#{anchor}"

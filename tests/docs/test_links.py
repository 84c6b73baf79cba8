"""Every link of every page, and every page and section that code names, leads to a file and a heading that is there."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "core/*.md", "libs/*/*.md", "plugins/*/*.md", "cassettes/*.md", "demo/*.md")
    for path in ROOT.glob(pattern)
)
CODE = sorted(
    path
    for pattern in ("core/src/**/*.py", "plugins/*/src/**/*.py", "libs/*/src/**/*.py")
    for path in ROOT.glob(pattern)
)
NAMED = re.compile(r"\b(docs/[\w/-]+\.md)(?:[#\w-]*, '([^']+)')?")
"""A page in an error or a docstring, and the section after it: docs/commands.md, 'Options'."""
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)")


def prose(path):
    return re.sub(r"^(`{3,}).*?^\1$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


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


def iterate_named(text):
    """Iterate over the pages, each with its section or an empty text, that the strings of a module name."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from NAMED.findall(" ".join(node.value.split()))


def test_every_page_and_section_that_code_names_is_there():
    texts = (path.read_text(encoding="utf-8") for path in CODE)
    named = {found for text in texts if "docs/" in text for found in iterate_named(text)}  # parsing all takes seconds
    assert ("docs/plugins/promises.md", "From interface 0 to 1") in named
    for page, section in sorted(named):
        assert (ROOT / page).exists(), page
        assert not section or f"\n{section}\n" in re.sub(r"^#+ ", "", prose(ROOT / page), flags=re.MULTILINE), section


def test_a_section_after_a_page_is_found():
    text = 'raise ValueError("write it as" " docs/a.md, \'A forge\' says")'
    assert list(iterate_named(text)) == [("docs/a.md", "A forge")]

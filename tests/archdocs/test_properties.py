"""Whatever a file holds: no exception, and every line is one of the document's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stithy_archdocs.document_models import DocumentKind, DocumentText
from stithy_archdocs.documents.document_files import DocumentFile
from stithy_archdocs.documents.document_parser import parse_document
from stithy_archdocs.documents.text_sections import parse_markdown, parse_rst

PIECES = st.sampled_from(
    [
        "---", "...", "===", "***", "```", "~~~~", "<!--", "-->", "# A", "## Status", "Status", "------",
        "- Status: accepted", "**Status:** Proposed | **Date:** 2024-01-02", "| Status | Draft |", "|---|---|",
        "> quoted", "Accepted", "Superseded by ADR 2", "Superseded by [2](0002-b.md)", "## Considered Options",
        "* one", "  * two", "## Decision Outcome", 'Chosen option: "one", because', "status: accepted",
        "status: {a | b", "a: [", "a: &x [*x]", ".. _Label:", ":ref:`Label <x>`", "* - Status", "  - Accepted",
        "In the context of a, we decided for b and against c", "", " ", "\t", "\x0c", "\u2028", "\ufeff",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.lists(st.one_of(PIECES, st.text(max_size=30)), max_size=30).map("\n".join), st.text())
NAMES = st.sampled_from(["0001-a.md", "0001-a.rst", "2023-11-27-a/README.md", "x.markdown", "adr-99999999-ä.md"])


def document(text, name):
    data = text.replace("\0", "").encode(errors="replace")
    return parse_document(DocumentFile(f"docs/adr/{name}", DocumentKind.ADR, name, ()), data)


@given(TEXTS, NAMES)
def test_every_line_that_is_named_is_in_the_document(text, name):
    found = document(text, name)
    many = found.text.count("\n") + 1
    decision = found.decision
    lines = [one.line for one in (decision.status, *decision.links, *decision.options, *found.problems)]
    assert all(1 <= line <= many for line in lines if line is not None)


@given(TEXTS, NAMES)
def test_sections_are_in_order_and_say_what_stands_in_their_lines(text, name):
    found = document(text, name)
    lines = found.text.split("\n")
    before = 0
    for section in found.sections:
        assert before < section.first <= section.last <= len(lines)
        assert "\n".join(lines[section.first - 1 : section.last]).endswith(section.text)
        before = section.last


@given(TEXTS, st.booleans())
def test_a_packed_text_has_its_sections(text, is_rst):
    layout = parse_rst(text) if is_rst else parse_markdown(text)
    packed = DocumentText.pack(text, layout.sections)
    assert (packed.unpack(), packed.unpack_sections()) == (text, layout.sections)


@given(st.binary(max_size=400))
def test_any_bytes_are_a_document_or_no_text(data):
    if b"\0" not in data:
        assert parse_document(DocumentFile("docs/adr/a.md", DocumentKind.ADR, "a.md", ()), data).title


@given(TEXTS)
def test_a_fenced_line_is_neither_heading_nor_status(text):
    inner = text.replace("`", "").replace("\r", "\n")
    found = document(f"# A\n\n````\n{inner}\n````\n\nend\n", "0001-a.md")
    assert [one.headings for one in found.sections] == [("A",)]
    assert found.decision.status.form in ("none", "link")


HOSTILE = [
    "status",
    "superseded by ",
    "**",
    "|",
    "[",
    "![",
    "](",
    "`",
    "<",
    " ",
    "\u2003",
    "\t",
    "a" + " " * 20,
    "ADR-1 ",
]
PLACES = [
    "## Status\n\n{}\n",
    "- Status: {}\n",
    "# {}\n",
    "{}\n===\n",
    "## Considered Options\n\n* {}\n",
    "| {} | x |\n",
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("piece", HOSTILE)
def test_no_line_takes_more_than_its_share_of_time(place, piece):
    """A thousand spaces took minutes; the deadline of a test is generous, and would be far too short for those."""
    for path in ("a.md", "a.rst"):
        text = place.format(piece * (4_000 // len(piece)))
        assert parse_document(DocumentFile(path, DocumentKind.ADR, path, ()), text.encode()).path == path

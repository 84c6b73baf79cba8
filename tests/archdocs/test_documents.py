"""Which files are documents, what they are called, and that nothing in them does harm."""

import os

import pytest

from stithy_archdocs.document_models import DocumentKind
from stithy_archdocs.documents.document_files import DocumentFile
from stithy_archdocs.documents.document_library import load_document
from stithy_archdocs.documents.front_matter import parse_front_matter

RECORD = "# Use an anvil\n\n## Status\n\nAccepted\n"
NAMES = {
    "0001-use-anvil.md": ("1", "use-anvil"),
    "001-use-anvil.md": ("1", "use-anvil"),
    "adr-001-use-anvil.md": ("1", "use-anvil"),
    "ADR-1.md": ("1", "adr-1"),
    "adr003-use-anvil.md": ("3", "use-anvil"),
    "ORG-ADR-Team-0001-use-anvil.md": ("1", "use-anvil"),
    "20200101-use-anvil.md": (None, "use-anvil"),
    "2023-11-27-use-anvil/README.md": (None, "use-anvil"),
    "0007-use-anvil/index.md": ("7", "use-anvil"),
    "xep-0001.rst": ("1", "xep-0001"),
    "Use_Anvil.md": (None, "use_anvil"),
}
TITLES = {
    r"# 1. Drop \<b>it\</b> and \[this\](x) `now`": "Drop <b>it</b> and [this](x) now",
    "# 1. Use an anvil": "Use an anvil",
    "# ADR-0001: Use an anvil": "Use an anvil",
    "# ADR 1 - Use an anvil": "Use an anvil",
    "# [0001] Use an anvil": "Use an anvil",
    "# Use `anvil` for **iron**": "Use anvil for iron",
    "Use an anvil\n============": "Use an anvil",
    "# Decision-making process": "Decision-making process",
    "## Status\n\nAccepted": "From name",
}


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_found_by_number_and_slug(project, library, name):
    text = RECORD if name.endswith(".md") else "Use an anvil\n============\n"
    project({f"docs/adr/{name}": text})
    (found,) = library().get_snapshot_blocking().documents.values()
    number, slug = NAMES[name]
    assert found.decision.numbers == ((number,) if number else ())
    assert {name.lower(), slug} <= set(found.names)


@pytest.mark.parametrize("text", TITLES)
def test_a_title_is_the_heading_without_its_number(record, text):
    assert record(f"{text}\n\nIron.\n", "docs/adr/0001-from-name.md").title == TITLES[text]


def test_the_standard_folders_are_looked_through(project, library):
    folders = ["docs/adr", "doc/adr", "docs/architecture/decisions", "docs/decisions", "mcp/resources/adr"]
    project({f"{folder}/0001-a.md": RECORD for folder in folders} | {"mcp/resources/patterns/p.md": "# P\n"})
    project({"mcp/resources/guidelines/api/g.md": "# G\n", "docs/other/0001-a.md": RECORD})
    snapshot = library().get_snapshot_blocking()
    assert len(snapshot.list_kind(DocumentKind.ADR)) == 5
    assert [one.uri for one in snapshot.list_kind(DocumentKind.GUIDELINE)] == ["architecture://guidelines/api/g.md"]


def test_the_folder_that_adr_tools_names_is_looked_through(project, library):
    project({".adr-dir": "architecture/log\n", "architecture/log/0001-a.md": RECORD})
    assert [*library().get_snapshot_blocking().documents] == ["architecture/log/0001-a.md"]


def test_a_glob_is_followed(project, library):
    project({"a/adr/0001-a.md": RECORD, "b/c/adr/0001-a.md": RECORD, "b/c/other/0001-a.md": RECORD, "adr.md": RECORD})
    snapshot = library('adr = ["**/adr/*.md"]').get_snapshot_blocking()
    assert [*snapshot.documents] == ["a/adr/0001-a.md", "b/c/adr/0001-a.md"]


def test_no_place_leads_out_of_the_project(project, library, tmp_path):
    project({"inner/a.md": RECORD, "0001-outer.md": RECORD})
    assert not library('adr = ["../**", "/etc", "inner/../.."]').get_snapshot_blocking().documents


def test_two_places_with_the_same_path_have_two_uris(project, library):
    project({"docs/adr/0001-a.md": RECORD, "doc/adr/0001-a.md": RECORD, "docs/decisions/0001-a.md": RECORD})
    uris = {path: one.uri for path, one in library().get_snapshot_blocking().documents.items()}
    assert uris == {
        "docs/adr/0001-a.md": "architecture://adr/0001-a.md",
        "doc/adr/0001-a.md": "architecture://adr/doc/adr/0001-a.md",
        "docs/decisions/0001-a.md": "architecture://adr/docs/decisions/0001-a.md",
    }


def test_documents_are_sorted_by_path(project, library):
    project({"docs/adr/0001-a.md": RECORD, "doc/adr/0002-b.md": RECORD})
    assert list(library().get_snapshot_blocking().documents) == ["doc/adr/0002-b.md", "docs/adr/0001-a.md"]


def test_index_template_and_readme_are_no_records(project, library):
    names = [
        "README.md",
        "index.md",
        "template.md",
        "adr-template.md",
        "0000-template.md",
        "NNNN-title.md",
        "_draft.md",
    ]
    project({f"docs/adr/{name}": RECORD for name in (*names, "0001-a.md", ".hidden.md")})
    assert [*library().get_snapshot_blocking().documents] == ["docs/adr/0001-a.md"]


def test_in_a_folder_of_one_record_only_the_readme_counts(project, library):
    project({"docs/adr/2023-11-27-a/README.md": RECORD, "docs/adr/2023-11-27-a/notes.md": "# Notes\n"})
    assert [*library().get_snapshot_blocking().documents] == ["docs/adr/2023-11-27-a/README.md"]


def test_a_link_out_of_the_project_is_not_followed(project, library, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.md").write_text(RECORD)
    root = project({"docs/adr/0001-a.md": RECORD})
    (root / "docs/adr/0002-b.md").symlink_to(outside / "secret.md")
    (root / "docs/adr/more").symlink_to(outside)
    (root / "doc").mkdir()
    (root / "doc/adr").symlink_to(outside)
    snapshot = library().get_snapshot_blocking()
    assert [*snapshot.documents] == ["docs/adr/0001-a.md"]
    assert {(one.rule, one.path) for one in snapshot.left_out} == {
        ("link-out", "docs/adr/0002-b.md"),
        ("link-out", "doc/adr"),
    }


def test_links_in_a_circle_end(project, library):
    root = project({"docs/adr/0001-a.md": RECORD})
    (root / "docs/adr/again").symlink_to(root / "docs")
    (root / "docs/adr/0002-b.md").symlink_to(root / "docs/adr/0002-b.md")
    assert [*library().get_snapshot_blocking().documents] == ["docs/adr/0001-a.md"]


def test_too_large_and_too_many_documents_are_left_out_and_reported(project, library):
    project({"docs/adr/0001-a.md": RECORD, "docs/adr/0002-b.md": "x" * (1024 * 1024 + 1), "docs/adr/0003-c.md": RECORD})
    snapshot = library("most_file_mb = 1\nmost_documents = 1").get_snapshot_blocking()
    assert [*snapshot.documents] == ["docs/adr/0001-a.md"]
    assert [one.rule for one in snapshot.left_out] == ["too-large", "too-many"]


def test_folders_that_are_nested_too_deeply_are_left_out(project, library):
    project({"docs/adr/" + "a/" * 30 + "0001-a.md": RECORD})
    snapshot = library().get_snapshot_blocking()
    assert not snapshot.documents
    assert [one.rule for one in snapshot.left_out] == ["too-deep"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_left_out(project, library):
    (project({"docs/adr/0001-a.md": RECORD}) / "docs/adr/0001-a.md").chmod(0)
    assert [one.rule for one in library().get_snapshot_blocking().left_out] == ["unreadable"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_a_fifo_in_the_place_of_a_known_file_is_not_waited_for(project, library):
    root = project({"docs/adr/0001-a.md": RECORD})
    known = library()
    snapshot = known.get_snapshot_blocking()
    (root / "docs/adr/0001-a.md").unlink()
    os.mkfifo(root / "docs/adr/0001-a.md")
    found = DocumentFile("docs/adr/0001-a.md", DocumentKind.ADR, "0001-a.md", ())
    loaded = load_document(root, found, None, largest=1_000, default=False)
    assert (loaded.document, loaded.problem.message) == (None, "cannot read the file: not a regular file")
    assert snapshot.documents
    assert not known.refresh().documents


BYTES = {
    "a mark of UTF-8": b"\xef\xbb\xbf---\nstatus: accepted\n---\n# A\n",
    "UTF-16": "# A\n\n## Status\n\nAccepted\n".encode("utf-16"),
    "line ends of Windows": b"---\r\nstatus: accepted\r\n---\r\n# A\r\n",
    "line ends of old": b"# A\r\r## Status\r\rAccepted\r",
    "Windows-1252": b"# A\n\n## Status\n\nAccepted \x96 na\xefve\n",
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes_are_read(record, name):
    assert record(BYTES[name]).decision.status.state.value == "accepted"


def test_documents_in_other_encodings_are_reported(record):
    assert [one.rule for one in record(BYTES["Windows-1252"]).problems] == ["encoding"]


def test_a_zero_byte_makes_no_text(project, library):
    project({"docs/adr/0001-a.md": b"# A\n\0"})
    snapshot = library().get_snapshot_blocking()
    assert not snapshot.documents
    assert [one.rule for one in snapshot.left_out] == ["unreadable"]


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [*{old},*{old},*{old},*{old},*{old},*{old},*{old},*{old}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
HOSTILE = {
    "aliases": BOMB,
    "a circle": "a: &a\n  b: *a\n",
    "a huge number": "n: " + "9" * 60_000 + "\n",
    "an impossible date": "date: 2024-13-45\n",
    "a tag": "a: !!python/object/apply:os.system [ls]\n",
    "brackets": "a: " + "[" * 30_000 + "\n",
    "the placeholder": "date: {YYYY-MM-DD when the decision was last updated}\nx: {proposed | rejected\n",
    "at": "decision-makers: @a\n",
    "a tab": "a:\n\t- b\n",
    "a control character": "a: \x07\n",
    "keys that are lists": "? [a, b]\n: c\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_front_matter_costs_neither_document_nor_status(record, name):
    found = record(f"---\n{HOSTILE[name]}status: accepted\n---\n# Use an anvil\n")
    assert (found.title, found.decision.status.state.value) == ("Use an anvil", "accepted")


@pytest.mark.parametrize("line", ["state: a" + "\t" * 60_000 + "b", "state" + " " * 60_000 + "x"])
def test_hostile_lines_of_invalid_front_matter_take_no_long_time(line):
    """One took up to ten seconds, and a folder may have many."""
    text = f"---\nowner: - [\n{line}\nstatus: accepted # since then\n---\n"
    found = [parse_front_matter(text) for _ in range(60)]
    assert {one.values["status"] for one in found} == {"accepted"}
    assert all(one.fault for one in found)


def test_invalid_front_matter_is_reported_with_its_line(record):
    found = record("---\ntitle: A\nstatus: accepted: note\n---\n# A\n")
    assert [(one.rule, one.line) for one in found.problems] == [("yaml", 3)]


@pytest.mark.parametrize("line", [" " * 7_900 + "x!", "chosen:" + "_" * 7_900 + "x!"])
def test_hostile_lines_of_a_record_take_no_long_time(record, line):
    found = record(f"# Use an anvil\n\n{line}\n\n## Status\n\nAccepted\n\n## Decision\n\n{line}\n")
    assert found.decision.status.state.value == "accepted"


def test_a_status_behind_thousands_of_names_of_files_takes_no_long_time(record):
    found = record(f"# Use an anvil\n\n## Status\n\nSuperseded by {'1.md' * 1_900}x\n")
    assert found.decision.status.state.value == "superseded"


def test_values_of_front_matter_stay_texts():
    values = parse_front_matter("---\nstatus: no\ndate: 2024-01-02\nn: 1\nlist: [a, 2]\nnone:\n---\n").values
    assert values == {"status": "no", "date": "2024-01-02", "n": "1", "list": ["a", "2"], "none": ""}


def test_headings_in_fences_and_comments_are_none(record):
    found = record("# A\n\n```\n# no\n~~~\n# no\n```\n\n<!--\n# no\n-->\n\n## B\n\n~~~~\n# never closed\n")
    assert [one.headings for one in found.sections] == [("A",), ("A", "B")]


def test_a_section_ends_with_its_last_line_that_is_not_empty(record):
    found = record("before\n\n# A\n\none\n\nB\n-\n\ntwo\n")
    assert [(one.headings, one.first, one.last) for one in found.sections] == [
        ((), 1, 1),
        (("A",), 3, 5),
        (("A", "B"), 7, 10),
    ]


def test_the_depth_of_a_heading_in_rst_is_the_order_of_its_underline(record):
    text = "===\nAll\n===\n\nOne\n***\n\nDeep\n----\n\nTwo\n***\n\n::\n\n   No\n   --\n"
    found = record(text, "docs/adr/0001-a.rst")
    assert [one.headings for one in found.sections] == [
        ("All",),
        ("All", "One"),
        ("All", "One", "Deep"),
        ("All", "Two"),
    ]

"""More documents than can be read at once: what is there is shown, and what is missing is said."""

import pytest

from stithy_archdocs.records import Kind
from stithy_archdocs.search.ranking import Filters, Ranker
from stithy_archdocs.search.store import opened
from stithy_archdocs.search.words import read_query
from stithy_testing import connect, make_app

RECORD = "# {0}. Title\n\n## Status\n\nAccepted\n\nWords of anvils.\n"
FILES = {f"docs/adr/{number:04}-a.md": RECORD.format(number) for number in range(1, 6)}
PATTERN = {"mcp/resources/patterns/p.md": "# P\n"}


@pytest.fixture
def slow(monkeypatch):
    """Make every look read one document alone, and let nobody read beside."""
    monkeypatch.setattr("stithy_archdocs.documents.shelf.QUICK", 0)
    monkeypatch.setattr("stithy_archdocs.documents.shelf.ROUND", 0)
    monkeypatch.setattr("stithy_archdocs.watching._BREATH", 1_000)


def test_a_first_look_has_what_there_was_time_for(project, library, slow):
    project(FILES)
    shelf = library().now()
    assert (len(shelf.documents), shelf.unread) == (1, 4)


def test_guidelines_and_patterns_are_read_before_records(project, library, slow):
    project(FILES | PATTERN)
    assert [one.kind for one in library().now().documents.values()] == [Kind.PATTERN]


def test_the_next_looks_go_on_where_the_last_ended(project, library, slow):
    project(FILES)
    kept = library()
    shelves = [kept.now() for _ in range(5)]
    assert [shelf.unread for shelf in shelves] == [4, 3, 2, 1, 0]
    assert [len(shelf.changed) for shelf in shelves] == [1] * 5


def test_who_needs_all_gets_all(project, library, slow):
    project(FILES)
    assert (len((shelf := library().look()).documents), shelf.unread) == (5, 0)


def test_a_uri_does_not_change_while_documents_are_read(project, library, slow):
    project({"docs/adr/0001-a.md": RECORD, "doc/adr/0001-a.md": RECORD} | PATTERN)
    kept = library()
    kept.now()
    first = {path: one.uri for path, one in kept.now().documents.items()}
    assert first.items() <= {path: one.uri for path, one in kept.look().documents.items()}.items()


def test_a_change_that_there_was_no_time_for_is_said(project, library, slow):
    project(FILES)
    kept = library()
    kept.look()
    project({path: text + "More.\n" for path, text in FILES.items()})
    kept.touched()
    assert [kept.now().unread for _ in range(5)] == [4, 3, 2, 1, 0]


def test_what_is_not_in_the_index_yet_is_counted(project, library, monkeypatch):
    project(FILES)
    shelf, ranker = library().look(), Ranker(opened(None))
    monkeypatch.setattr("stithy_archdocs.search.ranking.SECONDS", -1)
    early = ranker.rank(shelf, read_query("anvils"), Filters(), 10)
    monkeypatch.setattr("stithy_archdocs.search.ranking.SECONDS", 60)
    late = ranker.rank(shelf, read_query("anvils"), Filters(), 10)
    assert [(one.total, one.missing) for one in (early, late)] == [(0, 5), (5, 0)]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("search-architecture", {"query": "anvils"}), "4 more documents are still being read"),
        (("check-adr-alignment", {"decision_description": "Use anvils"}), "4 more documents are still being read"),
        (("validate-against-pattern", {"pattern_name": "p", "code": "x"}), "documents are still being read"),
    ],
)
async def test_an_answer_from_a_part_says_so(project, tmp_path, slow, call, said):
    project(FILES)
    async with connect(make_app(tmp_path, '[archdocs]\nroot = "."\n')) as client:
        answer = (await client.call_tool(*call)).content[0].text
    assert said in answer
    assert "ask again in some seconds" in answer


@pytest.mark.anyio
async def test_a_check_of_a_part_is_not_clean(project, tmp_path, slow, monkeypatch):
    monkeypatch.setattr("stithy_archdocs.checking.tool.SECONDS", 0)
    project(FILES)
    async with connect(make_app(tmp_path, '[archdocs]\nroot = "."\n')) as client:
        found = (await client.call_tool("check_architecture_docs", {})).structured_content
    assert (found["clean"], found["documents"], found["unread"]) == (False, 1, 4)


TOLD = ["docs/adr/0002-a.md", "docs/adr/0009-new.md"]


@pytest.mark.parametrize("path", TOLD)
@pytest.mark.parametrize("text", [RECORD + "More.\n", None])
def test_a_file_that_was_told_of_is_seen_as_by_a_restart(project, library, path, text):
    root = project(FILES)
    kept = library()
    kept.watched(on=True)
    kept.now()
    (root / path).unlink(missing_ok=True) if text is None else (root / path).write_text(text)
    kept.touched([str(root / path)])
    now, new = kept.now(), library().look()
    assert {one: now.documents[one].text for one in now.documents} == {
        one: new.documents[one].text for one in new.documents
    }


def test_what_a_link_leads_to_is_seen_when_its_target_was_told_of(project, library):
    root = project(FILES)
    (root / "docs/adr/0007-link.md").symlink_to(root / "docs/adr/0001-a.md")
    kept = library()
    kept.watched(on=True)
    kept.now()
    (root / "docs/adr/0001-a.md").write_text("# 1. Other\n")
    kept.touched([str(root / "docs/adr/0001-a.md")])
    assert kept.now().documents["docs/adr/0007-link.md"].title == "Other"

"""More documents than can be read at once: what is there is shown, and what is missing is said."""

import pytest

from stithy_archdocs.document_models import DocumentKind
from stithy_archdocs.search.search_query import parse_query
from stithy_archdocs.search.section_index import open_store
from stithy_archdocs.search.section_ranking import SearchFilters, SectionRanker
from stithy_testing import connect, make_app

RECORD = "# {0}. Title\n\n## Status\n\nAccepted\n\nWords of anvils.\n"
FILES = {f"docs/adr/{number:04}-a.md": RECORD.format(number) for number in range(1, 6)}
PATTERN = {"mcp/resources/patterns/p.md": "# P\n"}


@pytest.fixture
def slow(monkeypatch):
    """Make every look read one document alone, and let nobody read beside."""
    monkeypatch.setattr("stithy_archdocs.documents.document_library.QUICK", 0)
    monkeypatch.setattr("stithy_archdocs.documents.document_library.ROUND", 0)
    monkeypatch.setattr("stithy_archdocs.watch_service._START_DELAY", 1_000)


def test_a_first_look_has_what_there_was_time_for(project, library, slow):
    project(FILES)
    snapshot = library().get_snapshot_blocking()
    assert (len(snapshot.documents), snapshot.unread) == (1, 4)


def test_guidelines_and_patterns_are_read_before_records(project, library, slow):
    project(FILES | PATTERN)
    assert [one.kind for one in library().get_snapshot_blocking().documents.values()] == [DocumentKind.PATTERN]


def test_the_next_looks_go_on_where_the_last_ended(project, library, slow):
    project(FILES)
    kept = library()
    shelves = [kept.get_snapshot_blocking() for _ in range(5)]
    assert [snapshot.unread for snapshot in shelves] == [4, 3, 2, 1, 0]
    assert [len(snapshot.changed) for snapshot in shelves] == [1] * 5


def test_a_refresh_reads_all_documents(project, library, slow):
    project(FILES)
    assert (len((snapshot := library().refresh()).documents), snapshot.unread) == (5, 0)


def test_a_uri_does_not_change_while_documents_are_read(project, library, slow):
    project({"docs/adr/0001-a.md": RECORD, "doc/adr/0001-a.md": RECORD} | PATTERN)
    kept = library()
    kept.get_snapshot_blocking()
    first = {path: one.uri for path, one in kept.get_snapshot_blocking().documents.items()}
    assert first.items() <= {path: one.uri for path, one in kept.refresh().documents.items()}.items()


def test_unread_changes_are_counted_until_all_are_read(project, library, slow):
    project(FILES)
    kept = library()
    kept.refresh()
    project({path: text + "More.\n" for path, text in FILES.items()})
    kept.mark_changed()
    assert [kept.get_snapshot_blocking().unread for _ in range(5)] == [4, 3, 2, 1, 0]


def test_unindexed_documents_are_counted(project, library, monkeypatch):
    project(FILES)
    snapshot, ranker = library().refresh(), SectionRanker(open_store(None))
    monkeypatch.setattr("stithy_archdocs.search.section_ranking.SECONDS", -1)
    early = ranker.rank(snapshot, parse_query("anvils"), SearchFilters(), 10)
    monkeypatch.setattr("stithy_archdocs.search.section_ranking.SECONDS", 60)
    late = ranker.rank(snapshot, parse_query("anvils"), SearchFilters(), 10)
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
    assert "try again in a few seconds" in answer


@pytest.mark.anyio
async def test_a_check_of_a_part_is_not_clean(project, tmp_path, slow, monkeypatch):
    monkeypatch.setattr("stithy_archdocs.checking.check_tool.SECONDS", 0)
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
    kept.set_watched(on=True)
    kept.get_snapshot_blocking()
    (root / path).unlink(missing_ok=True) if text is None else (root / path).write_text(text)
    kept.mark_changed([str(root / path)])
    now, new = kept.get_snapshot_blocking(), library().refresh()
    assert {one: now.documents[one].text for one in now.documents} == {
        one: new.documents[one].text for one in new.documents
    }


def test_a_links_new_target_is_read_after_a_change_notification(project, library):
    root = project(FILES)
    (root / "docs/adr/0007-link.md").symlink_to(root / "docs/adr/0001-a.md")
    kept = library()
    kept.set_watched(on=True)
    kept.get_snapshot_blocking()
    (root / "docs/adr/0001-a.md").write_text("# 1. Other\n")
    kept.mark_changed([str(root / "docs/adr/0001-a.md")])
    assert kept.get_snapshot_blocking().documents["docs/adr/0007-link.md"].title == "Other"

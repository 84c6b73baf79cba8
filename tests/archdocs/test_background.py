"""An answer does not wait for all documents: it says what is missing, and the rest goes on behind it."""

import threading
from contextlib import closing

import pytest
from anyio import to_thread

from stithy_archdocs.documents.document_files import _iterate_files
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.search.search_query import parse_query
from stithy_archdocs.search.search_tool import BackgroundIndexer, open_index
from stithy_archdocs.search.section_index import open_store
from stithy_archdocs.search.section_ranking import SearchFilters, SectionRanker
from stithy_archdocs.watch_service import StopEvent
from stithy_testing import connect, make_app

RECORD = "# {0}. Title {0}\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use anvils.\n"
FILES = {f"docs/adr/{number:04}-a.md": RECORD.format(number) for number in range(1, 6)}
ANVILS = parse_query("anvils")


@pytest.fixture
def app(project, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    project(FILES)
    return make_app(tmp_path, '[archdocs]\nroot = "."\n')


@pytest.fixture
def scope(app):
    origin = next(origin for _, origin in app.commands if origin.entry_point == "archdocs")
    found = app.scope(origin)
    yield found
    found.shared(StopEvent).set()


def await_end(builder):
    """Wait until nothing is left to do."""
    for thread in threading.enumerate():
        if thread.name == "stithy-archdocs":
            thread.join(60)
    assert not builder._running


async def documents(client):
    listed = (await client.list_resources()).resources
    return [one for one in listed if str(one.uri).startswith("architecture://")]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("search-architecture", {"query": "anvils"}), ("check-adr-alignment", {"decision_description": "Use anvils"})],
)
async def test_a_call_during_the_first_walk_succeeds(app, monkeypatch, tool, arguments):
    """It was an error after 10 seconds (FIX-29)."""
    go = threading.Event()
    walked = Library._walk
    monkeypatch.setattr(Library, "_walk", lambda self: go.wait(60) and walked(self))
    monkeypatch.setattr("stithy_archdocs.documents.document_library.WAIT", 0.01)
    async with connect(app) as client:
        early = await client.call_tool(tool, arguments)
        go.set()
        monkeypatch.setattr("stithy_archdocs.documents.document_library.WAIT", 60.0)
        late = await client.call_tool(tool, arguments)
    assert not early.is_error
    assert early.structured_content["unread"] >= 1
    assert "still being read" in early.content[0].text
    assert "unread" not in late.structured_content or not late.structured_content["unread"]


@pytest.mark.anyio
async def test_a_call_during_the_first_walk_counts_what_was_found_so_far(app, monkeypatch):
    """It said that one document was being read, of however many."""
    go, half = threading.Event(), threading.Event()

    def iterate(*place):
        for number, found in enumerate(_iterate_files(*place)):
            if number == 3:
                half.set()
                go.wait(60)
            yield found

    monkeypatch.setattr("stithy_archdocs.documents.document_files._iterate_files", iterate)
    monkeypatch.setattr("stithy_archdocs.documents.document_library.WAIT", 0.01)
    async with connect(app) as client:
        await client.call_tool("search-architecture", {"query": "anvils"})
        await to_thread.run_sync(half.wait, 60)
        early = await client.call_tool("search-architecture", {"query": "anvils"})
        go.set()
    assert early.structured_content["unread"] == 3


@pytest.mark.anyio
async def test_resources_are_listed_as_far_as_they_are_known(app, monkeypatch):
    """(FIX-29)."""
    go = threading.Event()
    walked = Library._walk
    monkeypatch.setattr(Library, "_walk", lambda self: go.wait(60) and walked(self))
    monkeypatch.setattr("stithy_archdocs.documents.document_library.WAIT", 0.01)
    async with connect(app) as client:
        assert await documents(client) == []
        go.set()
        monkeypatch.setattr("stithy_archdocs.documents.document_library.WAIT", 60.0)
        assert len(await documents(client)) == 5


def test_the_index_is_built_without_further_questions(scope, monkeypatch):
    """(FIX-29)."""
    monkeypatch.setattr("stithy_archdocs.search.section_ranking.SECONDS", -1)
    snapshot, ranker = scope.shared(Library).refresh(), scope.shared(open_index)
    assert ranker.rank(snapshot, ANVILS, SearchFilters(), 10).missing == 5
    scope.shared(BackgroundIndexer).start()
    await_end(scope.shared(BackgroundIndexer))
    found = ranker.rank(snapshot, ANVILS, SearchFilters(), 10)
    assert (found.total, found.missing) == (5, 0)


def test_documents_are_read_without_further_questions(scope, monkeypatch):
    """(FIX-29)."""
    monkeypatch.setattr("stithy_archdocs.documents.document_library.QUICK", 0)
    monkeypatch.setattr("stithy_archdocs.documents.document_library.ROUND", 0)
    library = scope.shared(Library)
    assert library.get_snapshot_within().unread == 4
    scope.shared(BackgroundIndexer).start()
    await_end(scope.shared(BackgroundIndexer))
    assert (len(library.last_snapshot.documents), library.last_snapshot.unread) == (5, 0)


def test_the_indexer_stops_with_the_server(scope):
    """(FIX-29)."""
    scope.shared(StopEvent).set()
    scope.shared(BackgroundIndexer).start()
    assert not scope.shared(BackgroundIndexer)._running


@pytest.mark.anyio
async def test_the_end_of_the_server_ends_it(app, scope):
    """(FIX-29)."""
    async with connect(app) as client:
        await client.call_tool("search-architecture", {"query": "anvils"})
    assert scope.shared(StopEvent).is_set()


def test_a_failure_in_the_background_does_not_end_it_for_good(scope, monkeypatch):
    """The next question begins again (FIX-29)."""
    builder = scope.shared(BackgroundIndexer)
    with monkeypatch.context() as patched:
        patched.setattr(Library, "get_snapshot_within", lambda *_: 1 / 0)
        builder.start()
        await_end(builder)
    builder.start()
    await_end(builder)
    ranker = scope.shared(open_index)
    assert ranker.build(scope.shared(Library).refresh(), 0) == 0


@pytest.mark.anyio
async def test_the_index_is_built_before_anybody_asks(app, scope, monkeypatch):
    built = threading.Event()
    step = BackgroundIndexer._build_step
    monkeypatch.setattr(BackgroundIndexer, "_build_step", lambda self: step(self) and (built.set() or True))
    monkeypatch.setattr("stithy_archdocs.watch_service._START_DELAY", 0)
    async with connect(app):
        assert await to_thread.run_sync(built.wait, 60)
    snapshot = scope.shared(Library).refresh()
    assert scope.shared(open_index).rank(snapshot, ANVILS, SearchFilters(), 10).total == 5


def test_a_part_of_the_documents_takes_no_others_for_gone(scope, tmp_path, monkeypatch):
    """A restart of a large project threw away the index that it had kept (FIX-29)."""
    whole = scope.shared(Library).refresh()
    first = SectionRanker(open_store(tmp_path / "i.sqlite"))
    assert first.rank(whole, ANVILS, SearchFilters(), 10).total == 5
    first.close()
    monkeypatch.setattr("stithy_archdocs.documents.document_library.QUICK", 0)
    monkeypatch.setattr("stithy_archdocs.documents.document_library.ROUND", 0)
    part = Library(scope).get_snapshot_blocking()
    again = SectionRanker(open_store(tmp_path / "i.sqlite"))
    again.rank(part, ANVILS, SearchFilters(), 10)
    monkeypatch.setattr("stithy_archdocs.search.section_index._add_document", None)  # whoever writes fails
    assert part.unread == 4
    assert again.rank(whole, ANVILS, SearchFilters(), 10).total == 5


def test_an_index_is_written_at_once(scope, tmp_path):
    """FTS5 writes a segment for each commit and merges them: commits by batches made an index a third dearer."""
    for number in range(1_000, 1_200):
        (tmp_path / f"docs/adr/{number}-b.md").write_text(f"# {number}. Bellows\n\nBellows.\n")
    statements = []
    with closing(open_store(tmp_path / "i.sqlite")) as store:
        store.set_trace_callback(statements.append)
        assert not SectionRanker(store).build(scope.shared(Library).refresh(), 60)
    assert statements.count("COMMIT") == 1


def test_deleted_documents_leave_the_index_after_a_whole_walk(scope, tmp_path):
    """(FIX-29)."""
    ranker = SectionRanker(open_store(tmp_path / "i.sqlite"))
    ranker.rank(scope.shared(Library).refresh(), ANVILS, SearchFilters(), 10)
    ranker.close()
    (tmp_path / "docs/adr/0001-a.md").unlink()
    again = SectionRanker(open_store(tmp_path / "i.sqlite"))
    assert again.rank(scope.shared(Library).refresh(), ANVILS, SearchFilters(), 10).total == 4


@pytest.mark.anyio
async def test_an_alignment_indexes_the_rest_behind_its_answer(app, scope, monkeypatch):
    """(FIX-29)."""
    monkeypatch.setattr("stithy_archdocs.search.section_ranking.SECONDS", -1)
    async with connect(app) as client:
        asked = ("check-adr-alignment", {"decision_description": "Use anvils"})
        early = (await client.call_tool(*asked)).structured_content
        await_end(scope.shared(BackgroundIndexer))
        late = (await client.call_tool(*asked)).structured_content
    assert early["unread"] == 5
    assert not late.get("unread")
    assert late["related_adrs"]

"""Search by meaning, with the word vectors of the extra `vectors`: off by default, and never from the network."""

import os
import socket
import sys
from importlib.util import find_spec

import pytest

from stithy_archdocs.checking.doctor_check import check_documents
from stithy_archdocs.document_models import DocumentKind
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.search import word_vectors
from stithy_archdocs.search.search_query import parse_query
from stithy_archdocs.search.search_tool import BackgroundIndexer, open_index
from stithy_archdocs.search.section_index import open_store
from stithy_archdocs.search.section_ranking import SearchFilters, SectionRanker
from stithy_archdocs.search.word_vectors import (
    TOKENIZER,
    WEIGHTS,
    VectorLoader,
    encode_word,
    find_weights,
    open_vectors,
    read_vocabulary,
)
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

RECORD = "# {0}\n\n## Status\n\nAccepted\n\n## Decision\n\n{1}\n"
FILES = {
    "docs/adr/0001-login.md": RECORD.format("Sign in with a password", "Users type a password to authenticate."),
    "docs/adr/0002-boats.md": RECORD.format("Paint the boats", "Boats and ships in the harbour become blue."),
    "docs/adr/0003-snow.md": RECORD.format("Clear the snow", "In winter a plough clears ice from the road."),
    "mcp/resources/patterns/cats.md": "# Cats\n\nFeed kittens twice a day.\n",
}
SEA = "vessels at sea, colouring them"
"""No word of it is in a document."""
ON = '[archdocs]\nroot = "."\nvectors = true\n'
OFF = '[archdocs]\nroot = "."\n'


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def missing(monkeypatch):
    """Hide the extra."""
    monkeypatch.setattr(word_vectors, "find_spec", lambda name: None if name == "wordllama" else find_spec(name))


@pytest.fixture
def call(project):
    """Return a function that calls a tool in a project with some documents."""

    async def call_tool(tool, config, **arguments):
        async with connect(make_app(project(FILES), config)) as client:
            return await client.call_tool(tool, arguments)

    return call_tool


@pytest.fixture
def rank(library):
    """Return a function that ranks the documents of one library."""
    kept = library()

    def rank_paths(query, ranker, filters=None):
        hits = ranker.rank(kept.refresh(), parse_query(query), filters or SearchFilters(), 10).hits
        return [hit.document.path for hit in hits]

    return rank_paths


def make_ranker(path=None, *, vectors=True):
    return SectionRanker(open_store(path), open_vectors() if vectors else None)


async def test_a_document_that_shares_no_word_with_the_query_is_found(call):
    found = (await call("search-architecture", ON, query=SEA)).structured_content
    first = found["results"]["items"][0] if "items" in found["results"] else found["results"][0]
    assert first["path"] == "docs/adr/0002-boats.md"
    assert "harbour" in first["excerpt"]
    assert first["relevance_score"] > 0
    assert found["total_matches"] >= 1


async def test_it_is_off_by_default(call):
    assert (await call("search-architecture", OFF, query=SEA)).structured_content["total_matches"] == 0


async def test_a_record_that_shares_no_word_with_a_proposal_is_a_candidate(call):
    found = (await call("check-adr-alignment", ON, decision_description=SEA)).structured_content
    first = found["related_adrs"][0]
    assert (first["path"], first["relation"]) == ("docs/adr/0002-boats.md", "candidate")
    assert (await call("check-adr-alignment", OFF, decision_description=SEA)).structured_content["related_adrs"] == []


async def test_an_unrelated_proposal_has_no_verdict(call):
    found = await call("check-adr-alignment", ON, decision_description="Calculate the tax of a lottery prize")
    assert all(one["alignment"] == "related" for one in found.structured_content["related_adrs"])


def test_words_still_count(project, rank):
    project(FILES)
    assert rank("kittens", make_ranker())[0] == "mcp/resources/patterns/cats.md"
    assert rank("password", make_ranker())[0] == "docs/adr/0001-login.md"


def test_the_filters_hold_for_what_is_found_by_meaning(project, rank):
    project(FILES)
    assert rank(SEA, make_ranker(), SearchFilters(kinds=(DocumentKind.PATTERN,))) in (
        ["mcp/resources/patterns/cats.md"],
        [],
    )


def test_the_vectors_of_a_changed_document_are_made_again(project, rank, tmp_path):
    project(FILES)
    ranker = make_ranker(tmp_path / "i.sqlite")
    assert rank(SEA, ranker)[0] == "docs/adr/0002-boats.md"
    project({"docs/adr/0002-boats.md": RECORD.format("Bake the bread", "Flour and yeast rise in the oven.")})
    project({"docs/adr/0003-snow.md": RECORD.format("Ships", "Ships are painted in the harbour.")})
    assert rank(SEA, ranker)[0] == "docs/adr/0003-snow.md"


def test_the_vectors_of_a_deleted_document_are_deleted(project, rank, tmp_path):
    root = project(FILES)
    ranker = make_ranker(tmp_path / "i.sqlite")
    rank(SEA, ranker)
    (root / "docs/adr/0002-boats.md").unlink()
    assert "docs/adr/0002-boats.md" not in rank(SEA, ranker)
    assert ranker._store.execute("SELECT count(*) FROM vectors").fetchone() == (3,)


def test_an_index_without_vectors_gets_them_when_the_setting_is_turned_on(project, rank, tmp_path):
    project(FILES)
    before = make_ranker(tmp_path / "i.sqlite", vectors=False)
    assert rank(SEA, before) == []
    before.close()
    assert rank(SEA, make_ranker(tmp_path / "i.sqlite"))[0] == "docs/adr/0002-boats.md"


def test_vectors_of_another_version_are_made_again(project, rank, tmp_path):
    project(FILES)
    first = make_ranker(tmp_path / "i.sqlite")
    rank(SEA, first)
    first._store.execute("UPDATE vectors SET model = 'older', data = zeroblob(length(data))")
    first.close()
    assert rank(SEA, make_ranker(tmp_path / "i.sqlite"))[0] == "docs/adr/0002-boats.md"


async def test_without_the_extra_a_call_says_what_to_install(call, missing):
    found = await call("search-architecture", ON, query=SEA)
    assert found.is_error
    text = found.content[0].text
    assert "the setting 'vectors' in [archdocs] needs word vectors, which are not installed" in text
    assert 'pip install "stithy[vectors]"' in text


async def test_without_the_extra_and_the_setting_everything_works(call, missing):
    found = await call("search-architecture", OFF, query="boats")
    assert found.structured_content["total_matches"] == 1


def open_scope(root, config):
    app = make_app(root, config)
    return app.scope(next(origin for _, origin in app.commands if origin.entry_point == "archdocs"))


async def test_the_doctor_reports_a_missing_extra(project, missing):
    found = await check_documents(open_scope(project(FILES), ON))
    assert [(one.level, 'pip install "stithy[vectors]"' in one.remedy) for one in found if one.level == "error"] == [
        ("error", True)
    ]


async def test_the_doctor_reports_that_vectors_are_used(project):
    levels = [one.level for one in await check_documents(open_scope(project(FILES), ON))]
    assert "error" not in levels
    assert len(levels) == len([*await check_documents(open_scope(project(FILES), OFF))]) + 1


def test_the_background_thread_reports_a_missing_extra_in_one_line(project, missing, caplog):
    scope = open_scope(project(FILES), ON)
    assert scope.shared(Library).refresh().documents
    builder = BackgroundIndexer(scope)
    builder._wanted = True
    builder._run()
    (line,) = [one for one in caplog.records if "not indexed" in one.getMessage()]
    assert line.exc_info is None
    assert "stithy[vectors]" in line.getMessage()


def test_the_weights_are_read_from_the_package_without_network_and_without_its_code(project, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.delitem(sys.modules, "wordllama", raising=False)
    scope = open_scope(project(FILES), ON)
    assert scope.shared(open_index).rank(scope.shared(Library).refresh(), parse_query(SEA), SearchFilters(), 5).hits
    assert "wordllama" not in sys.modules


def test_a_package_without_weights_counts_as_missing(tmp_path, monkeypatch):
    (tmp_path / "wordllama").mkdir()
    (tmp_path / "wordllama/__init__.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    assert find_weights() is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_until_the_weights_are_loaded_the_answer_has_what_words_find(project, library, tmp_path, monkeypatch):
    monkeypatch.setattr("stithy_archdocs.search.section_ranking.SECONDS", 1.0)
    (tmp_path / "package/weights").mkdir(parents=True)
    os.mkfifo(tmp_path / "package" / WEIGHTS)  # reading it waits for a writer
    project(FILES)
    snapshot = library().refresh()
    assert make_ranker(tmp_path / "i.sqlite", vectors=False).build(snapshot, 60) == 0
    ranker = SectionRanker(open_store(tmp_path / "i.sqlite"), VectorLoader(tmp_path / "package"))
    assert ranker.build(snapshot, 1) == 4
    found = ranker.rank(snapshot, parse_query("boats"), SearchFilters(), 10)
    assert [hit.document.path for hit in found.hits] == ["docs/adr/0002-boats.md"]
    assert (found.missing, found.without_vectors, found.unread) == (0, 4, 4)
    with (tmp_path / "package" / WEIGHTS).open("wb"):
        ranker.close()
    again = make_ranker(tmp_path / "i.sqlite")
    assert again.build(snapshot, 60) == 0
    assert again.rank(snapshot, parse_query(SEA), SearchFilters(), 10).unread == 0


def test_an_index_of_another_version_gets_no_vectors_of_this_one(project, library, tmp_path):
    project(FILES)
    snapshot = library().refresh()
    first = make_ranker(tmp_path / "i.sqlite", vectors=False)
    assert first.build(snapshot, 60) == 0
    ranker = make_ranker(tmp_path / "i.sqlite")
    assert ranker.build(snapshot, 60) == 0
    first._store.execute("DELETE FROM vectors")
    first._store.execute("UPDATE documents SET digest = x'00' WHERE path LIKE '%boats%'")
    ranker._without_vectors = 4
    assert ranker.build(snapshot, 60) == 1


@pytest.mark.parametrize(
    "word", ["boats", "internationalization", "größe", "日本語", "c++", "#", "😀x", "k8s", "a" * 40]
)
def test_words_have_the_tokens_that_the_weights_are_for(word):
    from tokenizers import Tokenizer

    path = find_weights() / TOKENIZER
    peer = Tokenizer.from_file(str(path)).encode(word, add_special_tokens=False)
    assert encode_word(read_vocabulary(path), word) == tuple(peer.ids)


def test_similar_words_have_similar_vectors():
    vectors = open_vectors().get(60)
    boat, ship, bread = (vectors.make_vector({word: 1.0}) for word in ("boat", "ship", "bread"))
    assert float(boat @ ship) > float(boat @ bread) + 0.1
    assert not vectors.make_vector({}).any()

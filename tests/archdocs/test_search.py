"""search-architecture: sections are ranked, and a query's text is never query syntax."""

from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stithy_archdocs.document_models import DocumentKind, DocumentSnapshot
from stithy_archdocs.documents.document_files import DocumentFile
from stithy_archdocs.documents.document_parser import parse_document
from stithy_archdocs.search.search_query import parse_query
from stithy_archdocs.search.section_index import open_store
from stithy_archdocs.search.section_ranking import SearchFilters, SectionRanker
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

PAGES = {
    "docs/adr/0001-queue.md": "---\ntags: [messaging]\ndate: 2025-03-04\n---\n# 1. Use a message queue\n\n## Status\n\n"
    "Accepted\n\n## Decision\n\nOrders travel through RabbitMQ. Deployment is by Helm.\n",
    "docs/adr/0002-login.md": "# 2. Authorization by tokens\n\n## Status\n\nSuperseded by [3](0003-login.md)\n\n"
    "## Decision\n\nAuthorization happens at the edge.\n",
    "mcp/resources/guidelines/style.md": "# How we write\n\n## Names\n\nEach file names its author.\n\n"
    "## Languages\n\nWe write C++ and C#, and never C.\n",
    "mcp/resources/patterns/repository.md": "# Repository\n\nThe repository hides SQL.\n",
}


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with four documents, in which the server starts."""
    for path, text in PAGES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
async def search(project):
    async with connect(make_app(project)) as client:

        async def search(query, **arguments):
            result = await client.call_tool("search-architecture", {"query": query} | arguments)
            assert not result.is_error, result.content[0].text
            return result.structured_content

        yield search


async def test_a_result_leads_to_the_section_that_answers(search):
    (row,) = (await search("rabbitmq"))["results"]
    assert (row["uri"], row["section"], row["lines"]) == ("architecture://adr/0001-queue.md", "Decision", "11-13")
    assert row["excerpt"] == "Orders travel through **RabbitMQ**. Deployment is by Helm."
    assert (row["resource_type"], row["status"], row["date"]) == ("adr", "accepted", "2025-03-04")


async def test_words_are_found_by_their_stems(search):
    assert (await search("ordering"))["results"][0]["path"] == "docs/adr/0001-queue.md"


async def test_the_very_word_comes_before_another_of_its_stem(search):
    assert (await search("author"))["results"][0]["title"] == "How we write"
    assert (await search("authorization"))["results"][0]["title"] == "Authorization by tokens"


async def test_a_word_that_is_nowhere_takes_nothing_away(search):
    assert (await search("rabbitmq xylophone"))["total_matches"] == 1


async def test_words_that_say_nothing_decide_nothing(search):
    assert (await search("how do we use the repository"))["total_matches"] == 1


@pytest.mark.parametrize(("query", "total"), [("C++", 1), ("C#", 1), ("node.js", 0), ("xylophone", 0), ("?", 0)])
async def test_names_of_languages_are_words(search, query, total):
    assert (await search(query))["total_matches"] == total


@pytest.fixture
def rank():
    """Return a function that ranks documents for a query, by their paths."""

    def rank_paths(texts, query):
        files = [
            DocumentFile(path=f"{name}.md", below=f"{name}.md", kind=DocumentKind.ADR, stamp=b"") for name in texts
        ]
        snapshot = DocumentSnapshot(
            version=1,
            documents={
                file.path: parse_document(file, texts[file.path.removesuffix(".md")].encode()) for file in files
            },
        )
        with closing(SectionRanker(open_store(None))) as ranker:
            return [
                (hit.document.path.removesuffix(".md"), hit)
                for hit in ranker.rank(snapshot, parse_query(query), NONE, 20).hits
            ]

    return rank_paths


NONE = SearchFilters()
LONG = "Timber is cut before it is planed and glued to boards. " * 8


def test_two_words_in_a_row_count_more_than_the_same_words_apart(rank):
    texts = {
        "apart": f"# A\n\n{LONG} Rollback of blue paint. Green walls.",
        "row": f"# B\n\n{LONG} A blue green rollback.",
    }
    assert [name for name, _ in rank(texts, "blue green")] == ["row", "apart"]


def test_a_document_with_all_words_comes_before_one_that_repeats_some(rank):
    texts = {
        "some": f"# A\n\n## One\n\n{LONG} Ledger ledger.\n\n## Two\n\n{LONG} Ledger.",
        "all": f"# B\n\n## One\n\n{LONG} Ledger.\n\n## Two\n\n{LONG} Quorum.\n\n## Three\n\n{LONG} Journal.",
    }
    assert rank(texts, "ledger quorum journal")[0][0] == "all"


def test_tiny_sections_share_a_row_and_the_one_that_matches_is_shown(rank):
    ((_, hit),) = rank(
        {"tiny": "# T\n\n## Status\n\nAccepted\n\n## Decision\n\nUse Helm.\n\n## Notes\n\nNone."}, "helm"
    )
    assert (len(hit.group), hit.section.headings, hit.excerpt.strip()) == (4, ("T", "Decision"), "Use \x02Helm\x03.")


def test_a_word_in_most_sections_selects_nothing_beside_rarer_ones(rank, monkeypatch):
    monkeypatch.setattr("stithy_archdocs.search.section_ranking.COMMON_ROWS", 2)
    monkeypatch.setattr("stithy_archdocs.search.section_ranking.FEWEST_WORDS", 1)
    texts = {f"r{number}": f"# R{number}\n\nThe service runs." for number in range(9)} | {"rare": "# X\n\nA quorum."}
    assert [name for name, _ in rank(texts, "service quorum")] == ["rare"]
    assert len(rank(texts, "service")) == 9  # alone it does


async def test_a_number_leads_to_its_record(search):
    assert (await search("0002"))["results"][0]["path"] == "docs/adr/0002-login.md"


@pytest.mark.parametrize(
    ("filters", "paths"),
    [
        ({"resource_type": "patterns"}, ["mcp/resources/patterns/repository.md"]),
        ({"status": ["superseded"]}, ["docs/adr/0002-login.md"]),
        ({"tag": "Messaging"}, ["docs/adr/0001-queue.md"]),
        ({"since": "2025-01-01", "until": "2025-12-31"}, ["docs/adr/0001-queue.md"]),
    ],
)
async def test_only_what_was_asked_for_is_looked_at(search, filters, paths):
    found = await search("queue authorization repository author", **filters)
    assert [row["path"] for row in found["results"]] == paths
    assert found["total_matches"] == 1


async def test_all_that_match_are_counted_before_the_list_is_cut(search):
    found = await search("queue authorization repository author", max_results=1)
    assert (len(found["results"]), found["total_matches"]) == (1, 4)


async def test_scores_are_positive_and_fall(search):
    scores = [row["relevance_score"] for row in (await search("queue authorization repository author"))["results"]]
    assert scores == sorted(scores, reverse=True)
    assert min(scores) > 0


async def test_an_edit_is_found_by_the_next_search(search, project, monkeypatch):
    assert (await search("zeppelin"))["total_matches"] == 0
    monkeypatch.setattr("stithy_archdocs.documents.document_library.PATIENCE", 0)
    (project / "mcp/resources/patterns/zeppelin.md").write_text("# Zeppelin\n\nIt flies.\n")
    assert (await search("zeppelin"))["results"][0]["title"] == "Zeppelin"
    (project / "mcp/resources/patterns/zeppelin.md").unlink()
    assert (await search("zeppelin"))["total_matches"] == 0


async def test_a_second_server_takes_up_the_index_of_the_first(project, monkeypatch):
    async with connect(make_app(project)) as client:
        await client.call_tool("search-architecture", {"query": "rabbitmq"})
    monkeypatch.setattr("stithy_archdocs.search.section_index._add_document", None)  # whoever writes fails
    async with connect(make_app(project)) as client:
        found = await client.call_tool("search-architecture", {"query": "rabbitmq"})
    assert found.structured_content["total_matches"] == 1


async def test_a_damaged_index_is_rebuilt(project, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for _ in range(2):
        async with connect(make_app(project)) as client:
            found = await client.call_tool("search-architecture", {"query": "rabbitmq"})
        assert found.structured_content["total_matches"] == 1
        (index,) = (tmp_path / "cache").rglob("*.sqlite")
        index.write_bytes(b"no database" * 1000)


async def test_without_documents_the_answer_names_the_setup(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    async with connect(make_app(tmp_path)) as client:
        found = await client.call_tool("search-architecture", {"query": "queue"})
    assert "[archdocs] in stithy.toml" in found.content[0].text


@pytest.mark.parametrize("query", ["", "x" * 501])
async def test_a_query_has_1_to_500_characters(project, query):
    async with connect(make_app(project)) as client:
        found = await client.call_tool("search-architecture", {"query": query})
    assert found.is_error


@given(text=st.text(max_size=80))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_is_query_syntax(text, index):
    if parse_query(text).words:
        index.execute("SELECT count(*) FROM sections WHERE sections MATCH ?", [parse_query(text).expression]).fetchone()


@pytest.mark.parametrize("text", ["C++", "don't", "AND", "title:x", "use-kafka", '"', "NEAR(a b)", "a*", "^b", "why?"])
def test_the_operators_of_fts5_are_words_to_us(text, index):
    index.execute("SELECT count(*) FROM sections WHERE sections MATCH ?", [parse_query(text).expression or '""'])


@pytest.fixture(scope="module")
def index():
    from stithy_archdocs.search.section_index import open_store

    store = open_store(None)
    yield store
    store.close()


@pytest.mark.parametrize(
    ("query", "note"),
    [("zeppelin", "That does not prove that none covers the subject"), ("?!", "The query has no searchable word")],
)
async def test_an_empty_result_does_not_claim_that_there_is_nothing(search, query, note):
    """(FIX-27)."""
    found = await search(query)
    assert found["results"] == []
    assert note in found["note"]


async def test_the_object_reports_missing_documents(tmp_path, monkeypatch):
    """(FIX-27)."""
    monkeypatch.chdir(tmp_path)
    async with connect(make_app(tmp_path)) as client:
        found = await client.call_tool("search-architecture", {"query": "queue"})
    assert found.structured_content["note"].startswith("The project has no such documents.")
    assert found.content[0].text == found.structured_content["note"]


async def test_indexing_reports_progress(project):
    """A terminal and an MCP client receive the same reports; an index that is up to date has none."""
    messages = []

    async def receive(done, total, message):
        messages.append((done, total, message))

    async with connect(make_app(project)) as client:
        await client.call_tool("search-architecture", {"query": "queue"}, progress_callback=receive)
        assert messages[-1] == (4, 4, "indexing the architecture documents")
        messages.clear()
        await client.call_tool("search-architecture", {"query": "queue"}, progress_callback=receive)
    assert not messages

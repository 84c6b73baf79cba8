"""What comes after a full last page is found, though the page itself, and so its validator, stays as it was (FIX-5).

The server's validators are of the body alone and its 304 has no other header, as GitHub's.
"""

import pytest
from last_pages import SIZE, STYLES, dialect_of, read_while_rows_are_added, serve

from stithy_core.http import open_store

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "sqlite"])
async def stores(request, tmp_path):
    """Open one store again and again, as a server that is restarted does; memory is gone then."""
    opened = [open_store("memory:")]

    def one():
        if request.param == "sqlite":
            opened.append(open_store(f"sqlite:{tmp_path}/store"))
        return opened[-1]

    yield one
    for store in opened:
        await store.aclose()


@pytest.mark.parametrize("before", [SIZE, 2 * SIZE])
@pytest.mark.parametrize("style", STYLES)
async def test_a_row_behind_a_full_last_page_is_found(server, make, stores, style, before):
    await read_while_rows_are_added(server, make, stores, style, before)


@pytest.mark.parametrize("style", STYLES)
async def test_an_unchanged_whole_list_is_revalidated(server, make, style):
    """A short page says by itself that nothing follows, and one with a next page has it still."""
    rows = list(range(SIZE + 1))
    http = make(server.url, dialect=dialect_of(style))
    serve(server, style, rows)
    for _ in range(2):
        assert (await http.items("/x", rows="runs", size=SIZE)).items == tuple(rows)
    assert http.counts.confirmed == (1 if "counted" in style else 2)


async def test_a_list_that_a_plugin_pages_by_hand_keeps_no_count_of_before(server, make):
    """(FIX-5)."""
    rows = list(range(SIZE))
    http = make(server.url)
    serve(server, "numbers-counted", rows)
    for _ in range(2):
        answer = await http.fetch("/x", shape=list, size=SIZE)
        assert answer.headers["x-total-count"] == str(len(rows))
        rows.append(len(rows))

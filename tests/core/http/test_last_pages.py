"""What is added behind a full last page is found, though the page itself, and so its validator, stays as it was (18.5).

The server's validators are of the body alone and its 304 has no other header, as GitHub's.
"""

import json
from hashlib import blake2b
from urllib.parse import parse_qs, urlsplit

import fakeredis
import pytest
from loopback import message

from stithy_core.http import open_store
from stithy_core.http.stores.redis import RedisStore
from stithy_core.spi import Dialect, Paging

pytestmark = pytest.mark.anyio

SIZE = 3
STYLES = ["links", "links-wrapped", "links-counted", "numbers", "numbers-counted", "numbers-wrapped"]


def serve(server, style, rows):
    """Let a server list rows in pages."""

    def answer(request):
        query = parse_qs(urlsplit(request.target).query)
        page, size = int(query.get("page", ["1"])[0]), int(query["size"][0])
        body = rows[(page - 1) * size : page * size]
        whole = {"runs": body} if "wrapped" in style else body
        etag = blake2b(json.dumps(whole).encode(), digest_size=8).hexdigest()
        if request.headers.get("if-none-match") == etag:
            return message(304)
        more = {"x_total_count": len(rows)} if "counted" in style else {}
        if "links" in style and len(rows) > page * size:
            more["link"] = f'</x?size={size}&page={page + 1}>; rel="next"'
        return message(200, whole, etag=etag, **more)

    server.answers["GET /x"] = answer


def dialect_of(style):
    return Dialect(paging=Paging.LINKS if "links" in style else Paging.NUMBERS, page_size="size")


@pytest.fixture(params=["memory", "sqlite", "redis"])
async def stores(request, tmp_path):
    """Open one store again and again, as a server that is restarted does; memory is gone then."""
    opened, kept, state = [], open_store("memory:"), fakeredis.FakeServer()

    def one():
        if request.param == "memory":
            return kept
        redis = request.param == "redis"
        opened.append(
            RedisStore(fakeredis.FakeAsyncRedis(server=state)) if redis else open_store(f"sqlite:{tmp_path}/store")
        )
        return opened[-1]

    yield one
    for store in [*opened, kept]:
        await store.aclose()


@pytest.mark.parametrize("before", [SIZE, 2 * SIZE])
@pytest.mark.parametrize("style", STYLES)
async def test_a_row_behind_a_full_last_page_is_found(server, make, stores, style, before):
    dialect = dialect_of(style)
    rows = list(range(before))
    serve(server, style, rows)
    for _ in range(3):
        listing = await make(server.url, store=stores(), dialect=dialect).items("/x", rows="runs", size=SIZE)
        assert listing.items == tuple(rows)
        assert listing.total in (None, len(rows))
        rows.append(len(rows))


@pytest.mark.parametrize("style", STYLES)
async def test_what_a_304_confirms_whole_is_still_not_sent_again(server, make, style):
    """A short page says by itself that nothing follows, and one with a next page has it still."""
    rows = list(range(SIZE + 1))
    http = make(server.url, dialect=dialect_of(style))
    serve(server, style, rows)
    for _ in range(2):
        assert (await http.items("/x", rows="runs", size=SIZE)).items == tuple(rows)
    assert http.counts.confirmed == (1 if "counted" in style else 2)


async def test_a_list_that_a_plugin_pages_by_hand_keeps_no_count_of_before(server, make):
    """(18.5)."""
    rows = list(range(SIZE))
    http = make(server.url)
    serve(server, "numbers-counted", rows)
    for _ in range(2):
        answer = await http.fetch("/x", shape=list, size=SIZE)
        assert answer.headers["x-total-count"] == str(len(rows))
        rows.append(len(rows))

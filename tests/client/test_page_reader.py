"""Lists of many pages: read to their end, never in a loop, never on another host, and cut only with a reason."""

from urllib.parse import parse_qsl

import anyio
import pytest

from stithy_core.errors import ForgeError, NotTheApi, Rejected
from stithy_core.http import page_reader
from stithy_core.spi import Dialect, Paging, follow_link_header

pytestmark = pytest.mark.anyio

LINKS = Dialect(paging=Paging(next_page=follow_link_header, size="per_page"))


@pytest.fixture
def linked(make, server):
    """A client of a forge whose pages are linked."""
    return make(server.url, dialect=LINKS)


def link(to, rel="next"):
    return f'<{to}>; rel="{rel}"'


@pytest.fixture
async def other(start):
    """Another host, that would answer."""
    other = await start()
    other.answer("GET /x", 200, ["stolen"])
    return other


async def test_pages_are_read_until_one_is_empty(server, http):
    server.pages("GET /x", ["a", "b"], ["c"], [])
    assert [items async for items in http.pages("/x", limit=2)] == [["a", "b"], ["c"]]
    assert server.targets[-1] == "GET /x?limit=2&page=3"


async def test_a_page_that_is_shorter_than_the_servers_is_the_last(server, http):
    server.pages("GET /x", ["a", "b"], ["c"])
    assert [items async for items in http.pages("/x", size=2)] == [["a", "b"], ["c"]]
    assert server.targets == ["GET /x?limit=2&page=1", "GET /x?limit=2&page=2"]


async def test_without_a_size_a_short_page_is_not_the_last(server, http):
    """Some servers filter a page after they cut it."""
    server.pages("GET /x", ["a"], ["b", "c"])
    assert (await http.items("/x")).items == ("a", "b", "c")


async def test_a_list_that_does_not_end_is_an_error_and_no_shorter_list(server, http, monkeypatch, say):
    monkeypatch.setattr(page_reader, "MOST_PAGES", 3)
    server.answers["GET /x"] = lambda request: say(200, [request.target])
    with pytest.raises(Rejected, match="over 3 pages"):
        [items async for items in http.pages("/x")]
    assert len(server.received) == 3


async def test_the_allowed_number_of_pages_is_not_an_error(server, http, monkeypatch):
    monkeypatch.setattr(page_reader, "MOST_PAGES", 2)
    server.pages("GET /x", ["a", "b"], ["c"])
    assert len([items async for items in http.pages("/x", size=2)]) == 2


async def test_a_server_that_answers_every_page_the_same_is_asked_twice(server, http):
    server.answer("GET /x", 200, [{"id": 1}])
    assert (await http.items("/x")).cut == "the forge repeats its pages; only the first 1 were read"
    assert len(server.received) == 2
    with pytest.raises(Rejected, match="at /x repeat without end"):
        [page async for page in http.pages("/x")]


async def test_two_pages_of_equal_texts_are_not_a_loop(server, http):
    server.pages("GET /x", ["a", "a"], ["a", "a"], ["b"])
    assert (await http.items("/x", size=2)).items == ("a", "a", "a", "a", "b")


async def test_texts_that_are_the_same_on_every_page_are_a_loop(server, http):
    server.answer("GET /x", 200, ["a"])
    assert (await http.items("/x")).cut == "the forge repeats its pages; only the first 2 were read"
    assert len(server.received) == 3


async def test_a_page_that_fails_ends_the_reading_with_its_error(server, http, say):
    server.turns("GET /x", say(200, ["a"]), say(403))
    pages = http.pages("/x")
    assert await anext(pages) == ["a"]
    with pytest.raises(ForgeError):
        await anext(pages)


async def test_links_are_followed_to_the_end(server, linked):
    server.answer("GET /x", 200, ["a"], link=link(f"{server.url}/repositories/7?page=2&after=b"))
    server.answer("GET /repositories/7", 200, ["b"], link=link(f"{server.url}/x", rel="first"))
    assert (await linked.items("/x", size=50, state="open")).items == ("a", "b")
    assert server.targets == ["GET /x?state=open&per_page=50", "GET /repositories/7?page=2&after=b"]


async def test_null_is_an_empty_page_only_where_the_plugin_says_so(server, linked):
    server.answer("GET /x", 200, b"null", link=link("/y"))
    server.answer("GET /y", 200, ["b"])
    assert [items async for items in linked.pages("/x", or_null=True)] == [["b"]]
    with pytest.raises(NotTheApi, match="its body is null"):
        await linked.items("/x")


@pytest.mark.parametrize("rows", [[], None])
async def test_null_rows_are_none_only_where_the_plugin_says_so(server, http, rows):
    server.answer("GET /x", 200, {"total_count": 0, "runs": rows})
    assert (await http.items("/x", rows="runs", or_null=True)).items == ()
    if rows is None:
        with pytest.raises(NotTheApi, match="null in 'runs', expected a list"):
            await http.items("/x", rows="runs")


@pytest.mark.parametrize("rel", ["next", "NEXT", "next last"])
async def test_a_relation_is_written_in_several_ways(server, linked, rel):
    server.answer("GET /x", 200, ["a"], link=link("/y", rel))
    server.answer("GET /y", 200, ["b"])
    assert (await linked.items("/x")).items == ("a", "b")


@pytest.mark.parametrize("links", ['</y>; rel="next"; rel="prev"', '<>; rel="next", </y>; rel="next"'])
async def test_of_repeated_relations_and_links_the_first_valid_one_counts(server, linked, links):
    """RFC 8288, section 3.3: parsers must ignore occurrences of `rel` after the first one."""
    server.answer("GET /x", 200, ["a"], link=links)
    server.answer("GET /y", 200, ["b"])
    assert (await linked.items("/x")).items == ("a", "b")


async def test_a_relative_link_starts_where_the_page_was(server, make):
    http = make(f"{server.url}/api/v3", dialect=LINKS)
    server.answer("GET /api/v3/x/y", 200, ["a"], link=link("z?page=2"))
    server.answer("GET /api/v3/x/z", 200, ["b"])
    assert (await http.items("/x/y")).items == ("a", "b")


@pytest.mark.parametrize("loop", ["/x?page=2", "/x?page=3"])
async def test_a_circle_of_links_ends_with_a_cut(server, linked, loop, say):
    places = ("/x?page=2", "/x?page=3", loop)
    server.turns("GET /x", *(say(200, [number], link=link(to)) for number, to in enumerate(places)))
    listing = await linked.items("/x")
    assert (listing.items, listing.cut) == ((0, 1, 2), "the forge repeats its pages; only the first 3 were read")
    assert len(server.received) == 3


async def test_a_link_to_another_host_is_not_followed(server, linked, other):
    server.answer("GET /x", 200, ["a"], link=link(f"{other.url}/x?page=2"))
    with pytest.raises(Rejected, match="another host") as caught:
        await linked.items("/x")
    assert other.received == []
    assert "page=2" not in str(caught.value.as_dict())


@pytest.mark.parametrize("change", [("http://", "https://"), ("127.0.0.1", "localhost"), ("127.0.0.1", "u@127.0.0.2")])
async def test_scheme_host_and_port_make_a_host(server, linked, change):
    server.answer("GET /x", 200, ["a"], link=link(server.url.replace(*change) + "/x"))
    with pytest.raises(Rejected, match="another host"):
        await linked.items("/x")


async def test_pages_before_a_bad_link_are_enough_where_no_more_was_wanted(server, linked, other):
    server.answer("GET /x", 200, ["a", "b"], link=link(f"{other.url}/x"))
    assert (await linked.items("/x", most=2)).items == ("a", "b")


async def test_rows_may_be_wrapped(server, http):
    server.answer("GET /x", 200, {"total_count": 9, "runs": ["a"]})
    listing = await http.items("/x", rows="runs", size=2)
    assert (listing.items, listing.total) == (("a",), 9)


async def test_rows_may_be_wrapped_or_not(server, http):
    server.answer("GET /x", 200, ["a"])
    assert (await http.items("/x", rows="runs", size=2)).items == ("a",)


@pytest.mark.parametrize("body", [{"message": "?"}, {}, "text", 7, None, b"", b" "])
async def test_another_json_value_is_not_an_empty_list(server, http, body):
    """The server is named with the endpoint, and asked again before (FIX-6)."""
    server.answer("GET /x", 200, body)
    with pytest.raises(NotTheApi, match=r"answered 200 to GET /x, but its body is .*(a list|null|empty)"):
        await http.items("/x")
    assert len(server.received) == 3


@pytest.mark.parametrize("body", [{"total_count": 0}, {"runs": {}}, {}, "text", None])
async def test_an_object_without_the_list_is_no_empty_list(server, http, body):
    """(FIX-6)."""
    server.answer("GET /x", 200, body)
    with pytest.raises(NotTheApi, match="GET /x, but its body"):
        await http.items("/x", rows="runs")


@pytest.mark.parametrize(("told", "total"), [("12", 12), ("many", None), ("", None), ("9" * 5_000, None)])
async def test_the_total_is_the_servers(server, http, told, total):
    server.answer("GET /x", 200, ["a"], x_total_count=told)
    assert (await http.items("/x", size=2)).total == total


async def test_a_listing_that_was_cut_says_so(server, http):
    server.pages("GET /x", ["a", "b"], ["c", "d"])
    listing = await http.items("/x", size=2, most=3)
    assert (listing.items, listing.cut) == (("a", "b", "c"), "only the first 3 were read")


async def test_a_listing_that_may_go_on_says_so(server, http):
    server.pages("GET /x", ["a", "b"], ["c", "d"])
    assert (await http.items("/x", size=2, most=2)).cut == "only the first 2 were read; there may be more"


async def test_a_listing_that_ends_where_it_had_to_was_not_cut(server, http):
    server.pages("GET /x", ["a", "b"], x_total_count=2)
    assert (await http.items("/x", size=2, most=2)).cut == ""


async def test_a_page_holds_no_more_than_is_wanted(server, http):
    server.pages("GET /x", ["a"])
    await http.items("/x", size=50, most=1)
    assert server.targets == ["GET /x?limit=1&page=1"]


def number_of(request):
    return int(dict(parse_qsl(request.target.partition("?")[2])).get("page", 1))


def link_pages(url, page, *, last):
    names = {} if page == last else {"next": page + 1, "last": last}
    return ", ".join(link(f"{url}/x?per_page=2&page={number}", name) for name, number in names.items())


@pytest.fixture
def waves(server, say):
    """A function that serves a list, holds each page until as many have come as belong to a wave, and returns them."""

    def serve(rows, *, sizes, **headers):
        found, whole = [[] for _ in sizes], [anyio.Event() for _ in sizes]

        async def answer(request):
            page = number_of(request)
            place = next(place for place, size in enumerate(sizes) if len(found[place]) < size)
            found[place].append(page)
            if len(found[place]) == sizes[place]:
                whole[place].set()
            await whole[place].wait()
            return say(200, rows[2 * page - 2 : 2 * page], **{name: of(page) for name, of in headers.items()})

        server.answers["GET /x"] = answer
        return found

    return serve


async def test_pages_up_to_a_known_total_are_read_ahead_twice_as_many_each_time(http, waves):
    rows = list(range(11))
    found = waves(rows, sizes=[1, 2, 3], x_total_count=lambda _: "11")
    assert (await http.items("/x", size=2)).items == tuple(rows)
    assert [sorted(wave) for wave in found] == [[1], [2, 3], [4, 5, 6]]


async def test_pages_between_the_next_and_the_last_link_are_read_ahead(server, linked, waves):
    found = waves(list(range(8)), sizes=[1, 2, 1], link=lambda page: link_pages(server.url, page, last=4))
    assert (await linked.items("/x", size=2)).items == tuple(range(8))
    assert [sorted(wave) for wave in found] == [[1], [2, 3], [4]]


async def test_no_more_pages_are_read_ahead_than_are_wanted(server, http):
    server.pages("GET /x", *[[one, one] for one in range(9)], x_total_count="18")
    assert len(await http.items("/x", size=2, most=3)) == 3
    assert len(server.received) == 2


@pytest.mark.parametrize(
    "last", ["/x?page=3&after=b", "/y?page=3", "/x?page=none", "/x?page=-1", "//elsewhere/x?page=3", "http://[/x"]
)
async def test_pages_are_not_read_ahead_if_the_last_one_differs_in_more_than_its_number(server, linked, say, last):
    pages = {1: say(200, ["a"], link=f"{link('/x?page=2')}, {link(last, 'last')}"), 2: say(200, ["b"])}
    server.answers["GET /x"] = lambda request: pages[number_of(request)]
    assert (await linked.items("/x")).items == ("a", "b")


async def test_a_page_that_fails_ends_a_list_behind_the_pages_before_it(server, http, say):
    pages = {1: ["a"], 2: ["b"], 3: None}
    server.answers["GET /x"] = lambda request: (
        say(200, pages[number_of(request)], x_total_count="3") if pages[number_of(request)] else say(403)
    )
    found = http.pages("/x", size=1)
    assert [await anext(found), await anext(found)] == [["a"], ["b"]]
    with pytest.raises(ForgeError):
        await anext(found)

"""Dialects of four forges, as docs/plugins/http-and-lists.md has them.

Each is tested against a double that answers as the forge documents.
"""

import json
from base64 import b64encode
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from stithy_core.errors import NotFound, NotTheApi, Rejected, Unauthorized, Unclear
from stithy_core.spi import Dialect, NextPage, PageResponse, Paging, follow_link_header, increment_page, parse_count
from stithy_core.spi.dialect import read_total

pytestmark = pytest.mark.anyio

GUIDE = Path(__file__).parents[2] / "docs" / "plugins" / "http-and-lists.md"
SECRET = "s3cret-of-the-forge-0123456789"
PREFIX = b")]}'\n"
ROWS = [{"id": number} for number in range(5)]
SIZE = 2


def read_examples():
    """Return the names that the guide's block of dialects defines."""
    blocks = GUIDE.read_text(encoding="utf-8").split("```python\n")
    names = {}
    exec(next(block for block in blocks if "GITLAB = " in block).partition("```")[0], names)
    return names


EXAMPLES = read_examples()


class GitLab:
    """GitLab: totals and the next page in headers; `Link` has the configured host, which may be another one."""

    dialect, token, path, rows = EXAMPLES["GITLAB"], SECRET, "/api/v4/projects/1/merge_requests", ""
    header = ("private-token", SECRET)
    total = len(ROWS)

    def answer(self, url, query, say):
        page = int(query.get("page", ["1"])[0])
        rows = ROWS[(page - 1) * SIZE : page * SIZE]
        more = str(page + 1) if page * SIZE < len(ROWS) else ""
        link = f'<https://elsewhere.example/x?page={page + 1}>; rel="next"'
        return say(200, rows, x_next_page=more, x_total=len(ROWS), x_page=page, link=link)


class Bitbucket:
    """Bitbucket Cloud: the URL of the next page, and the total, in the body."""

    dialect, token = evolve(EXAMPLES["BITBUCKET"], api=lambda url: f"{url}/2.0"), f"smith@a.example:{SECRET}"
    path, rows, total = "/2.0/repositories/w/r/pullrequests", "values", len(ROWS)
    header = ("authorization", f"Basic {b64encode(token.encode()).decode()}")

    def answer(self, url, query, say):
        page = int(query.get("page", ["1"])[0])
        more = {"next": f"{url}{self.path}?pagelen={SIZE}&page={page + 1}"} if page * SIZE < len(ROWS) else {}
        rows = ROWS[(page - 1) * SIZE : page * SIZE]
        return say(200, {"values": rows, "size": len(ROWS), "page": page, "pagelen": SIZE} | more)


class Azure:
    """Azure DevOps: a token for the next page in a header; `count` is that of the page."""

    dialect, token, path, rows, total = EXAMPLES["AZURE"], SECRET, "/o/p/_apis/build/builds", "value", None
    header = ("authorization", f"Basic {b64encode(f':{SECRET}'.encode()).decode()}")

    def answer(self, url, query, say):
        begin = int(query.get("continuationToken", ["0"])[0])
        rows = ROWS[begin : begin + SIZE]
        more = {"x_ms_continuationtoken": begin + SIZE} if begin + SIZE < len(ROWS) else {}
        return say(200, {"count": len(rows), "value": rows}, **more)


class Gerrit:
    """Gerrit: a prefix before the JSON, and a mark on the last change of a page that is not the last."""

    dialect, token, path, rows, total = EXAMPLES["GERRIT"], f"smith:{SECRET}", "/a/changes/", "", None
    header = ("authorization", f"Basic {b64encode(token.encode()).decode()}")

    def answer(self, url, query, say):
        begin = int(query.get("S", ["0"])[0])
        rows = [dict(row) for row in ROWS[begin : begin + SIZE]]
        if begin + SIZE < len(ROWS):
            rows[-1]["_more_changes"] = True
        return say(200, PREFIX + json.dumps(rows).encode())


SHAPES = [GitLab, Bitbucket, Azure, Gerrit]


def path_below(double, url):
    """Return the path of a double's list below its API."""
    return double.path.removeprefix(urlsplit(double.dialect.api(url)).path)


@pytest.fixture(params=SHAPES, ids=lambda shape: shape.__name__)
def double(request, server, say):
    """A double of a forge."""
    double = request.param()
    server.answers[f"GET {double.path}"] = lambda received: double.answer(
        server.url, parse_qs(urlsplit(received.target).query), say
    )
    return double


@pytest.fixture
def http(double, make, tokens, server):
    """A client of the double."""
    return make(server.url, dialect=double.dialect, tokens=tokens(double.token))


def read_ids(rows):
    return [row["id"] for row in rows]


async def test_a_list_is_read_to_its_end_with_its_total(double, http, server):
    path = path_below(double, server.url)
    listing = await http.items(path, rows=double.rows, size=SIZE)
    assert (read_ids(listing), listing.total, listing.cut) == ([0, 1, 2, 3, 4], double.total, "")
    name, value = double.header
    assert [request.headers.get(name) for request in server.received] == [value] * 3
    assert [read_ids(page) async for page in http.pages(path, rows=double.rows, size=SIZE)] == [[0, 1], [2, 3], [4]]


async def test_a_list_that_is_cut_says_so(double, http, server):
    listing = await http.items(path_below(double, server.url), rows=double.rows, size=SIZE, most=3)
    assert (read_ids(listing), listing.cut) == ([0, 1, 2], "only the first 3 were read")


# --- Next pages of a hostile or broken forge


@pytest.fixture
def linked(make, server):
    """A client of a forge whose API is below a path, and whose next pages are URLs in the body."""
    paging = Paging(next_page=lambda page: NextPage(url=page.body["next"]) if page.body.get("next") else None)
    dialect = Dialect(api=lambda url: f"{url}/api/v1", paging=paging)
    return make(server.url, dialect=dialect)


async def read_pages(http):
    return [list(page) async for page in http.pages("/x", rows="rows")]


@pytest.mark.parametrize("reference", ["/x?page=2", "/api/v1/../../admin", "/api/v10/x", "/api/v1/%2e%2e/%2e%2e/admin"])
async def test_a_next_page_outside_of_the_api_is_not_read(linked, server, reference):
    server.answer("GET /api/v1/x", 200, {"rows": ["a"], "next": reference})
    with pytest.raises(Rejected, match=r"outside of its API|not canonical"):
        await linked.items("/x", rows="rows")
    assert len(server.received) == 1


@pytest.mark.parametrize("reference", ["//[", "https://other host/", "\x00", {"url": "/x"}, 7, ["/x"]])
async def test_a_next_page_that_is_no_url_is_an_error(linked, server, reference):
    server.answer("GET /api/v1/x", 200, {"rows": ["a"], "next": reference})
    with pytest.raises(Rejected, match=r"invalid URL of a next page|another host|outside of its API"):
        await linked.items("/x", rows="rows")
    assert len(server.received) == 1


async def test_a_next_page_of_another_host_is_not_read(linked, server, start):
    other = await start()
    server.answer("GET /api/v1/x", 200, {"rows": ["a"], "next": f"{other.url}/api/v1/x"})
    with pytest.raises(Rejected, match="refers to another host"):
        await linked.items("/x", rows="rows")
    assert other.received == []


async def test_a_loop_ends_with_a_cut_and_pages_with_an_error(linked, server):
    for here, there in (("x", "y"), ("y", "z"), ("z", "y")):
        server.answer(f"GET /api/v1/{here}", 200, {"rows": [here], "next": f"/api/v1/{there}"})
    listing = await linked.items("/x", rows="rows")
    assert (listing.items, listing.cut) == (("x", "y", "z"), "the forge repeats its pages; only the first 3 were read")
    with pytest.raises(Rejected, match="at /x repeat without end"):
        await read_pages(linked)


async def test_a_repeated_page_is_no_cut_where_the_total_was_read(make, server):
    """A server that ignores the parameters of pages answers the whole list each time."""
    server.answer("GET /x", 200, ["a", "b"], x_total_count=2)
    listing = await make(server.url).items("/x")
    assert (listing.items, listing.total, listing.cut) == (("a", "b"), 2, "")


async def test_empty_pages_before_the_end_are_read_over(make, server, say):
    """GitLab takes notes out of pages after it has cut them."""
    server.turns("GET /api/v4/x", say(200, [], x_next_page="2"), say(200, [1], x_next_page=""))
    assert (await make(server.url, dialect=EXAMPLES["GITLAB"]).items("/x")).items == (1,)


# --- Decoding


@pytest.fixture
def gerrit(make, server, tokens):
    return make(server.url, dialect=EXAMPLES["GERRIT"], tokens=tokens(f"smith:{SECRET}"))


async def test_answers_and_errors_are_decoded_and_streams_are_not(gerrit, server):
    for method in ("GET", "POST"):
        server.answer(f"{method} /a/x", 200, PREFIX + b'{"id": 1}', etag='"1"')
    server.answer("GET /a/no", 401, PREFIX + b'{"message": "who are you?"}')
    assert await gerrit.get("/x", shape=dict) == {"id": 1}
    assert await gerrit.send("POST", "/x", {}) == {"id": 1}
    assert b"".join([chunk async for chunk in gerrit.stream("/x")]) == PREFIX + b'{"id": 1}'
    with pytest.raises(Unauthorized, match="who are you"):
        await gerrit.get("/no")
    with pytest.raises(Unauthorized, match="who are you"):
        await anext(gerrit.stream("/no"))


async def test_a_confirmed_answer_is_decoded_once(gerrit, server, say):
    server.turns("GET /a/x", say(200, PREFIX + b"[1]", etag='"1"'), say(304))
    assert [await gerrit.get("/x"), await gerrit.get("/x")] == [[1], [1]]


async def test_nothing_behind_the_prefix_is_an_empty_body(gerrit, server):
    server.answer("GET /a/x", 200, PREFIX)
    with pytest.raises(NotTheApi, match="its body is empty"):
        await gerrit.get("/x")


async def test_a_body_that_cannot_be_decoded_hides_neither_a_write_nor_an_error(make, server, caplog):
    def fail(body):
        raise KeyError("a fault of the plugin")

    http = make(server.url, dialect=Dialect(decode=fail))
    server.answer("GET /x", 200, [1])
    server.answer("POST /x", 201, {"id": 1})
    server.answer("GET /no", 401, {"message": "who are you?"})
    with pytest.raises(NotTheApi, match="its body cannot be decoded"):
        await http.get("/x")
    with pytest.raises(Unclear, match="its body cannot be decoded"):
        await http.send("POST", "/x", {})
    with pytest.raises(Unauthorized, match="who are you"):
        await http.get("/no")
    assert "a fault of the plugin" in caplog.text


# --- Messages of errors


async def test_the_message_of_an_error_is_where_the_forge_writes_it(make, server, tokens):
    """Bitbucket Cloud has it in the object `error`; Gerrit answers with a plain text."""
    server.answer("GET /2.0/no", 404, {"type": "error", "error": {"message": "Repository w/r not found"}})
    server.answer("GET /a/no", 404, b"Not found: 7\n", content_type="text/plain; charset=UTF-8")
    bitbucket = evolve(EXAMPLES["BITBUCKET"], api=lambda url: f"{url}/2.0")
    for dialect, message in ((bitbucket, "Repository w/r not found"), (EXAMPLES["GERRIT"], "Not found: 7")):
        http = make(server.url, dialect=dialect, tokens=tokens(f"smith:{SECRET}"))
        with pytest.raises(NotFound, match=f"answered 404: {message}$") as caught:
            await http.get("/no")
        assert caught.value.details["message"] == message


async def test_a_message_that_the_dialect_does_not_find_leaves_the_status(make, server, caplog):
    server.answer("GET /no", 404, {"error": "no"})
    with pytest.raises(NotFound, match=r"answered 404$"):
        await make(server.url, dialect=Dialect(message=lambda body: body["error"]["message"])).get("/no")
    assert "found no message in the body of an error" in caplog.text


# --- Parsing, of anything


@given(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.integers())))
def test_a_count_is_a_whole_number_from_0_on_or_nothing(value):
    count = parse_count(value)
    assert count is None or (type(count) is int and count >= 0)
    if type(value) is int and value >= 0:
        assert parse_count(value) == value


@given(st.integers(0, 10**18 - 1))
def test_a_count_in_a_header_is_read(number):
    page = PageResponse(headers={"x-total-count": str(number)}, body={"total_count": 3})
    assert (parse_count(str(number)), read_total(page)) == (number, number)


@given(st.text())
def test_any_link_header_is_parsed(text):
    following = follow_link_header(PageResponse(headers={"link": text}))
    assert following is None or following.url in text


url = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E, exclude_characters="<>"), min_size=1)
word = st.text("abcxyz", min_size=1, max_size=5).filter(lambda text: text not in ("rel", "next"))
quoted = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters='"\\'))
others = st.lists(st.tuples(word, quoted), max_size=3)


@given(url, url, others, st.sampled_from(['"next"', "next", '"prev next"', '"NEXT"', '"nex\\t next"']), st.booleans())
def test_the_next_link_is_found_among_others(target, other, parameters, relation, is_first):
    extra = "".join(f'; {name}="{value}"' for name, value in parameters)
    links = [f"<{target}>{extra}; rel={relation}", f'<{other}>; title=", <x>; rel=next"; rel="last"']
    header = ", ".join(links if is_first else reversed(links))
    assert follow_link_header(PageResponse(headers={"link": header})) == NextPage(url=target)


@given(st.integers(1, 99), st.lists(st.integers()), st.integers(0, 9))
def test_pages_are_counted_to_one_that_is_empty_or_not_full(number, items, size):
    following = increment_page(PageResponse(number=number, items=items, size=size))
    is_last = not items or (size > 0 and len(items) < size)
    assert following == (None if is_last else NextPage(query={"page": number + 1}))


# --- Sign-in pages in place of 401


def recognise_sign_in(response):
    """Azure DevOps answers 203 with a page, or redirects to one; other forges' pages mean something else."""
    location = response.headers.get("location", "")
    return Unauthorized("sign in", suggestion="Replace the token.") if response.status == 203 or location else None


async def read_stream(http):
    return b"".join([piece async for piece in http.stream("/x")])


WAYS = {"get": lambda http: http.get("/x"), "send": lambda http: http.send("POST", "/x", {}), "stream": read_stream}


def serve_sign_in(server, status, target="https://signin.example/_signin"):
    for method in ("GET", "POST"):
        if status == 203:
            server.page(f"{method} /x", 203)
        else:
            server.redirect(f"{method} /x", target, status)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("status", [203, 302])
async def test_a_sign_in_page_is_a_refused_token(make, server, tokens, way, status):
    """Prevents: the page as a log, a followed redirect, and "a web page instead of the API"."""
    serve_sign_in(server, status)
    holder = tokens(SECRET)
    http = make(server.url, dialect=Dialect(map_error=recognise_sign_in), tokens=holder)
    with pytest.raises(Unauthorized) as caught:
        await WAYS[way](http)
    assert (holder.refusals, len(server.received)) == ([SECRET], 1)
    assert (caught.value.details["forge"], caught.value.details["status"]) == ("work", status)


@pytest.mark.parametrize("way", WAYS)
async def test_another_token_is_tried_after_a_sign_in_page(make, server, tokens, say, way):
    answer = {"ok": True}
    page = say(203, b"<html>", content_type="text/html")
    for method in ("GET", "POST"):
        server.turns(f"{method} /x", page, say(200, answer))
    http = make(
        server.url, dialect=Dialect(map_error=recognise_sign_in), tokens=tokens(SECRET, SECRET[::-1], again=True)
    )
    found = await WAYS[way](http)
    assert json.loads(found) == answer if way == "stream" else found == answer


async def test_a_page_that_the_dialect_does_not_know_stays_a_page(make, server, tokens):
    server.page("GET /x", 200)
    holder = tokens(SECRET)
    with pytest.raises(NotTheApi):
        await make(server.url, dialect=Dialect(map_error=recognise_sign_in), tokens=holder).get("/x")
    assert holder.refusals == []

"""Lists of several pages whose next page is elsewhere, nowhere, the same again, or refused.

GitHub's pages are found by `Link`; Gitea's and Forgejo's by numbers, since their `Link` may well name another host.
"""

import json

import pytest
from faulty.matrix import secrets_in
from faulty.server import FLAVOURS, GITHUB, TOKEN
from loopback import message

from stithy_core.spi import Forbidden, NotTheApi, Rejected, Unclear

pytestmark = pytest.mark.anyio

EACH = pytest.mark.parametrize("flavour", FLAVOURS, ids=lambda flavour: flavour.name)


def link(url, path):
    return f'<{url}{path}?page=2&token={TOKEN}>; rel="next"'


def page(server, place=""):
    """Make a page of a list of issues, whose `Link` leads to a path of this server or to another one."""
    path = f"{server.flavour.api}/repos/smith/anvil/issues"
    row = server.issue() | {"number": 2}
    del row["pull_request"]
    return message(200, [row], link=link(place or server.url, path))


@EACH
async def test_a_link_to_another_host_is_not_followed(begin, bounded_forge, flavour):
    server = await begin(flavour)
    what = flavour.at("GET", "/issues")
    server.turns(what, page(server, server.other.url), message(200, []))
    async with bounded_forge(flavour, server.url) as forge:
        if flavour is not GITHUB:
            assert len(await forge.issues()) == 1
        else:
            error = await forge.error("issues")
            assert (type(error), secrets_in(error)) == (Rejected, [])
            assert error.message == f"lab refers to another host: {server.other.url}/"
            assert "Check the url of the forge" in error.suggestion
    assert server.other.received == []


@EACH
async def test_a_list_that_leads_in_a_circle_ends(begin, bounded_forge, flavour):
    server = await begin(flavour)
    what = flavour.at("GET", "/issues")
    server.answers[what] = page(server)
    async with bounded_forge(flavour, server.url) as forge:
        error = await forge.error("issues")
    assert (type(error), secrets_in(error)) == (Rejected, [])
    assert "repeat without end" in error.message
    assert server.count(what) == 2


@EACH
@pytest.mark.parametrize("before", [0, 1])
@pytest.mark.parametrize("body", [b"null", b""], ids=["null", "empty"])
async def test_a_page_without_a_list_is_an_error_and_no_shorter_list(begin, bounded_forge, flavour, before, body):
    """(FIX-6)."""
    server = await begin(flavour)
    broken = message(200, body)
    server.turns(flavour.at("GET", "/issues"), *[page(server)] * before, *[broken] * 3)
    server.answers[flavour.read] = broken
    async with bounded_forge(flavour, server.url) as forge:
        for what in ("issues", "read"):
            error = await forge.error(what)
            assert type(error) is NotTheApi
            assert "answered 200 to GET " in error.message


@EACH
async def test_a_page_that_is_refused_is_an_error_and_no_shorter_list(begin, bounded_forge, flavour):
    server = await begin(flavour)
    server.turns(flavour.at("GET", "/issues"), page(server), server.refuse(403, "no more"))
    async with bounded_forge(flavour, server.url) as forge:
        assert type(await forge.error("issues")) is Forbidden


@EACH
async def test_a_lost_write_is_not_sent_again_where_the_list_leads_elsewhere(begin, bounded_forge, flavour):
    server = await begin(flavour)
    server.answers[flavour.write] = lambda request: server.apply(request) and b""
    read = f"{flavour.api}/repos/smith/anvil/issues/1/comments"
    elsewhere = link(server.other.url, read)
    server.answers[flavour.read] = lambda _: message(200, server.comments, link=elsewhere)
    async with bounded_forge(flavour, server.url) as forge:
        if flavour is GITHUB:
            error = await forge.error("write")
            assert (type(error), "could not be read back" in error.message) == (Unclear, True)
        else:
            assert (await forge.write()).id == "1"
    assert (server.count(flavour.write), len(server.comments), server.other.received) == (1, 1, [])


@EACH
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
async def test_json_is_unicode_whatever_its_label_says(begin, bounded_forge, flavour, encoding):
    server = await begin(flavour)
    text = json.dumps([server.comment("Grüße, 鍛冶屋")], ensure_ascii=False).encode(encoding)
    server.answer(flavour.read, 200, text, content_type="application/json; charset=iso-8859-1")
    async with bounded_forge(flavour, server.url) as forge:
        assert [comment.body for comment in await forge.read()] == ["Grüße, 鍛冶屋"]

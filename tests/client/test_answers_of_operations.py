"""JSON that an operation cannot map to records is an error of the server that names the endpoint (FIX-6)."""

import pytest

from stithy_core.errors import NotTheApi, Unclear
from stithy_core.spi import (
    Comments,
    Dialect,
    Forge,
    IssueRef,
    Listing,
    PullRequestRef,
    RepositoryRef,
    Threads,
    User,
    Version,
    map_concurrently,
)

pytestmark = pytest.mark.anyio

ISSUE = IssueRef(RepositoryRef("smith", "anvil"), 1)
PR = PullRequestRef(ISSUE.repository, 1)


class PondComments(Comments):
    async def list(self, subject, *, since=None):
        rows = await self.forge.http.items("/talk", size=2)
        return rows.map(lambda row: User(login=row["user"]["login"]))

    async def edit(self, subject, comment, body):
        return (await self.forge.http.send("PUT", "/talk/1", {}, idempotent=True))["id"]

    async def minimized(self, subject):
        return {}["a mistake of the plugin"]


class PondThreads(Threads):
    async def list(self, pr):
        whole = await map_concurrently(("/a", "/b"), lambda path: self.forge.http.get(path, shape=dict))
        return Listing(tuple(int(row["count"]) for row in whole))


class Pond(Forge):
    capabilities = (PondComments, PondThreads)
    dialect = Dialect(api=lambda url: f"{url}/api")

    async def identify(self):
        return Version("pond", (await self.http.get("/version", shape=dict))["version"])


@pytest.fixture
def pond(make, server):
    http = make(server.url, dialect=Pond.dialect)
    return Pond(http.config, http)


@pytest.mark.parametrize("row", [None, 7, "text", [], {}, {"user": None}, {"user": []}, {"user": "smith"}])
async def test_a_row_of_another_shape_is_the_servers_fault(server, pond, row):
    server.answer("GET /api/talk", 200, [row])
    with pytest.raises(NotTheApi, match=r"that of GET /api/talk$") as caught:
        await pond.comments.list(ISSUE)
    assert (caught.value.details["forge"], caught.value.details["status"]) == ("work", 200)


async def test_a_broken_row_is_not_confirmed_by_a_later_304(server, pond, say):
    """A proxy may damage a body and leave its validator."""
    well = [{"user": {"login": "smith"}}]
    server.turns("GET /api/talk", say(200, [{}], etag='"1"'), say(200, well, etag='"1"'))
    with pytest.raises(NotTheApi):
        await pond.comments.list(ISSUE)
    assert (await pond.comments.list(ISSUE)).items == (User(login="smith"),)


async def test_a_write_whose_answer_cannot_be_read_is_unclear(server, pond):
    server.answer("PUT /api/talk/1", 200, {"url": ""})
    with pytest.raises(Unclear, match=r"no field 'id'.*PUT /api/talk/1$"):
        await pond.comments.edit(ISSUE, "1", "text")


async def test_all_answers_that_may_be_meant_are_named(server, pond):
    server.answer("GET /api/a", 200, {"count": 1})
    server.answer("GET /api/b", 200, {"count": "many"})
    with pytest.raises(NotTheApi) as caught:
        await pond.threads.list(PR)
    assert set(caught.value.details["endpoints"]) == {"GET /api/a", "GET /api/b"}


async def test_the_servers_version_is_an_answer_too(server, pond):
    server.answer("GET /api/version", 200, {"name": "pond"})
    with pytest.raises(NotTheApi, match="no field 'version'"):
        await pond.version()


async def test_a_plugins_exception_without_an_answer_is_not_mapped(pond):
    with pytest.raises(KeyError):
        await pond.comments.minimized(ISSUE)

"""GraphQL: a response of status 200 may have errors, and a proxy's page is neither success nor error."""

import json

import pytest

from stithy_core.errors import Forbidden, ForgeError, NotTheApi, Refused, Rejected, Unavailable, Unclear
from stithy_core.spi import Dialect

pytestmark = pytest.mark.anyio

ERRORS = [{"type": "FORBIDDEN", "message": "not yours", "path": ["a"]}, {"message": "nor that"}]


def explain(refusal):
    """As a plugin's would; it is not made for odd answers, and raises."""
    kinds = {error.get("type") for error in (refusal.body or {}).get("errors", [])}
    return Forbidden(refusal.message) if refusal.status == 200 and "FORBIDDEN" in kinds else None


@pytest.fixture
def ask(make, server):
    """A client of a forge that has GraphQL."""
    dialect = Dialect(graphql=lambda url: f"{url}/api/graphql", map_error=explain)
    return make(server.url, dialect=dialect).graphql


async def refusal(awaited, kind):
    with pytest.raises(ForgeError) as caught:
        await awaited
    assert type(caught.value) is kind
    return caught.value


async def test_a_question_and_its_variables_are_sent(server, ask, secret):
    server.answer("POST /api/graphql", 200, {"data": {"a": 1}})
    assert await ask("query($n: Int) { a }", {"n": 7}) == {"a": 1}
    sent = server.received[0]
    assert json.loads(sent.body) == {"query": "query($n: Int) { a }", "variables": {"n": 7}}
    assert sent.headers["authorization"] == f"Bearer {secret}"


@pytest.mark.parametrize("data", [None, {}, [], "odd", 1])
async def test_data_without_anything_in_it_is_the_servers_fault(server, ask, data):
    """A question has at least one field, so its data has (FIX-6)."""
    server.answer("POST /api/graphql", 200, {"data": data})
    error = await refusal(ask("{ a }", {}), NotTheApi)
    assert "answered 200 to POST /api/graphql" in error.message
    assert len(server.received) == 3


async def test_errors_of_a_success_mean_what_the_dialect_says(server, ask):
    server.answer("POST /api/graphql", 200, {"data": {"a": None, "b": 2}, "errors": ERRORS})
    error = await refusal(ask("{ a }", {}), Forbidden)
    assert error.details == {
        "forge": "work",
        "status": 200,
        "message": "not yours",
        "errors": ERRORS,
        "data": {"a": None, "b": 2},
    }


@pytest.mark.parametrize("errors", [[{"message": "Field 'x' doesn't exist"}], ["odd"], "odd", {"odd": 1}])
async def test_other_errors_are_a_rejection(server, ask, errors):
    server.answer("POST /api/graphql", 200, {"errors": errors})
    await refusal(ask("{ x }", {}), Rejected)


@pytest.mark.parametrize("body", [{}, [], None, {"message": "hello"}])
async def test_an_answer_with_neither_is_not_the_api(server, ask, body):
    server.answer("POST /api/graphql", 200, body)
    await refusal(ask("{ a }", {}), NotTheApi)


async def test_a_write_without_data_is_unclear(server, ask):
    server.answer("POST /api/graphql", 200, {})
    await refusal(ask("mutation { a }", {}, writes=True), Unclear)


async def test_a_read_that_times_out_upstream_is_unavailable(server, ask):
    server.page("POST /api/graphql", 502)
    await refusal(ask("{ a }", {}), Unavailable)


async def test_a_write_that_times_out_upstream_is_unclear_and_sent_once(server, ask):
    server.page("POST /api/graphql", 502)
    await refusal(ask("mutation { a }", {}, writes=True), Unclear)
    assert len(server.received) == 1


async def test_a_read_only_forge_may_be_asked_but_not_changed(server, make):
    http = make(server.url, read_only=True, dialect=Dialect(graphql=str))
    server.answer("POST /", 200, {"data": {"a": 1}})
    assert await http.graphql("{ a }", {}) == {"a": 1}
    with pytest.raises(Refused):
        await http.graphql("mutation { a }", {}, writes=True)


async def test_a_forge_without_graphql_says_so(server, http):
    with pytest.raises(Rejected, match="work has no GraphQL"):
        await http.graphql("{ a }", {})
    assert server.received == []


async def test_graphql_on_another_host_is_not_asked(make):
    http = make("https://git.example", dialect=Dialect(graphql=lambda _: "https://api.example/graphql"))
    with pytest.raises(Rejected, match="another host"):
        await http.graphql("{ a }", {})


@pytest.mark.parametrize(
    ("document", "writes"),
    [
        ("mutation Do($a: ID!) { do(a: $a) { ok } }", True),
        ("fragment F on Thing { a }\nmutation { do }", True),
        ("# a mutation\n{ a }", False),
        ("query($mutation: String) { a(b: $mutation) }", False),
        ('query { a(b: "mutation {") mutation }', False),
        ('query($a: String = """ } mutation { """) { a }', False),
    ],
)
async def test_a_mutation_is_told_by_its_text(server, make, document, writes):
    server.answer("POST /api/graphql", 200, {"data": {"a": 1}})
    dialect = Dialect(graphql=lambda url: f"{url}/api/graphql")
    forge = make(server.url, dialect=dialect, read_only=True)
    if writes:
        with pytest.raises(Refused):
            await forge.graphql(document, {})
    else:
        await forge.graphql(document, {})
    assert len(server.received) == (not writes)

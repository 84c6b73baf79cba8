"""The double's GraphQL beyond GitHub's schema (docs/forge-behaviour/github.md#comments-and-threads)."""

import pytest
from github_double.asking import Asking
from github_double.sample import MANY_REPLIES
from github_double.server import running

pytestmark = pytest.mark.contract

PULL = '{ repository(owner: "forge", name: "anvil") { pullRequest(number: 2) { %s } } }'
REF = '{ repository(owner: "forge", name: "anvil") { ref(qualifiedName: "refs/heads/main") { %s } } }'
SETTLE = "mutation($id: ID!) { %s(input: {threadId: $id}) { thread { isResolved resolvedBy { login } } } }"
REPLY = """
mutation($id: ID!, $body: String!) {
  addPullRequestReviewThreadReply(input: {pullRequestReviewThreadId: $id, body: $body}) { comment { state body } }
}
"""


def query_data(asking, query, **variables):
    """Return the data of an answer without errors; of the pull request or the ref if the query is about one."""
    answer = asking.graph(query, **variables).json()
    assert "errors" not in answer, answer
    found = answer["data"]
    for step in ("repository", "pullRequest", "ref"):
        found = found.get(step, found)
    return found


def query_error(asking, query, **variables):
    """Return the type of the only error, and the data beside it."""
    answer = asking.graph(query, **variables).json()
    (error,) = answer["errors"]
    return error["type"], answer["data"]


def node_id(thread):
    return f"PRRT_kwDO{thread.id:010x}"


def test_it_takes_a_token(double):
    assert Asking(double, "").graph("{ viewer { login } }").status_code == 401
    assert Asking(double, "nonsense").graph("{ viewer { login } }").status_code == 401


def test_a_missing_object_is_an_error_beside_the_data(ask):
    query = '{ viewer { login } repository(owner: "forge", name: "anvil") { pullRequest(number: 1) { id } } }'
    data = {"viewer": {"login": "smith"}, "repository": {"pullRequest": None}}
    assert query_error(ask, query) == ("NOT_FOUND", data)


def test_a_private_repository_is_not_found(ask):
    kind, data = query_error(ask, '{ repository(owner: "stranger", name: "secret") { id } }')
    assert (kind, data) == ("NOT_FOUND", {"repository": None})


def test_a_former_name_is_resolved(ask):
    assert query_data(ask, '{ repository(owner: "forge", name: "old-anvil") { nameWithOwner } }') == {
        "nameWithOwner": "forge/anvil"
    }


@pytest.mark.parametrize("name", ["PRRT_kwDO0000000001", "nonsense", "IC_kwDO0000000001"])
def test_an_unknown_node_is_not_found(ask, name):
    query = "query($id: ID!) { node(id: $id) { id } }"
    assert query_error(ask, query, id=name) == ("NOT_FOUND", {"node": None})


def test_a_list_needs_a_valid_page_size(ask):
    kinds = [query_error(ask, PULL % f"reviewThreads{given} {{ totalCount }}")[0] for given in ("", "(first: 101)")]
    assert kinds == ["MISSING_PAGINATION_BOUNDARIES", "EXCESSIVE_PAGINATION"]


def test_a_long_thread_has_several_pages(ask, example):
    query = """query($id: ID!, $after: String) { node(id: $id) { ... on PullRequestReviewThread {
        comments(first: 100, after: $after) { totalCount nodes { body } pageInfo { hasNextPage endCursor } } } } }"""
    first = query_data(ask, query, id=node_id(example.thread))["node"]["comments"]
    cursor = first["pageInfo"]["endCursor"]
    second = query_data(ask, query, id=node_id(example.thread), after=cursor)["node"]["comments"]
    assert first["totalCount"] == len(first["nodes"]) + len(second["nodes"]) == MANY_REPLIES + 1
    assert (first["pageInfo"]["hasNextPage"], second["pageInfo"]["hasNextPage"]) == (True, False)


def test_ids_exceed_32_bits_and_exist_as_text_too(ask, example):
    threads = "reviewThreads(first: 1) { nodes { comments(first: 1) { nodes { databaseId fullDatabaseId } } } }"
    (found,) = query_data(ask, PULL % threads)["reviewThreads"]["nodes"][0]["comments"]["nodes"]
    number = example.thread.comments[0].id
    assert number > 2**32
    assert found == {"databaseId": number, "fullDatabaseId": str(number)}


def test_a_bot_has_no_suffix(ask, example):
    example.pull.user = example.world.accounts["renovate"]
    assert query_data(ask, PULL % "author { __typename login }")["author"] == {"__typename": "Bot", "login": "renovate"}


def test_a_deleted_author_is_null_and_an_outdated_thread_has_no_line(ask):
    query = "isResolved isOutdated line originalLine comments(first: 1) { nodes { author { login } } }"
    _, found, _ = query_data(ask, PULL % f"reviewThreads(first: 100) {{ nodes {{ {query} }} }}")["reviewThreads"][
        "nodes"
    ]
    assert (found["isResolved"], found["isOutdated"], found["line"], found["originalLine"]) == (True, True, None, 6)
    assert found["comments"]["nodes"] == [{"author": None}]


def test_pending_threads_and_reviews_are_shown_to_their_author_only(ask, ask_as_reader):
    query = PULL % "reviewThreads(first: 1) { totalCount } reviews(first: 1, states: PENDING) { totalCount }"
    seen = [query_data(one, query) for one in (ask, ask_as_reader)]
    assert [found["reviewThreads"]["totalCount"] for found in seen] == [3, 4]
    assert [found["reviews"]["totalCount"] for found in seen] == [0, 1]


def test_a_thread_is_resolved_and_unresolved(ask, example):
    settled, opened = (
        query_data(ask, SETTLE % word, id=node_id(example.thread))
        for word in ("resolveReviewThread", "unresolveReviewThread")
    )
    assert settled["resolveReviewThread"]["thread"] == {"isResolved": True, "resolvedBy": {"login": "smith"}}
    assert opened["unresolveReviewThread"]["thread"] == {"isResolved": False, "resolvedBy": None}


def test_a_reader_cannot_resolve_a_thread(ask_as_reader, example):
    assert query_error(ask_as_reader, SETTLE % "resolveReviewThread", id=node_id(example.thread))[0] == "FORBIDDEN"
    assert example.thread.resolved_by is None


def test_a_reply_is_published_unless_its_author_has_a_pending_review(ask, ask_as_reader, example):
    answers = [query_data(one, REPLY, id=node_id(example.thread), body="Oil.") for one in (ask, ask_as_reader)]
    states = [answer["addPullRequestReviewThreadReply"]["comment"]["state"] for answer in answers]
    assert states == ["SUBMITTED", "PENDING"]


def test_the_visible_branch_rules_depend_on_the_permission(ask, ask_as_reader, example):
    query = REF % "refUpdateRule { pattern } branchProtectionRule { pattern } rules(first: 1) { totalCount }"
    reader, writer = query_data(ask_as_reader, query), query_data(ask, query)
    example.anvil.permissions["smith"] = "admin"
    assert [found is None for found in reader.values()] == [True, True, True]
    assert [found is None for found in writer.values()] == [False, True, False]
    assert query_data(ask, query)["branchProtectionRule"] == {"pattern": "main"}


def test_checks_and_statuses_are_one_list(ask):
    shown = "state contexts(first: 100) { checkRunCount statusContextCount nodes { __typename } }"
    found = query_data(ask, PULL % f"statusCheckRollup {{ {shown} }}")["statusCheckRollup"]
    assert (found["state"], found["contexts"]["statusContextCount"]) == ("FAILURE", 1)
    assert len(found["contexts"]["nodes"]) == found["contexts"]["checkRunCount"] + 1


def test_an_older_server_names_the_unknown_field(ask, double):
    double.lacks = ("fullDatabaseId",)
    answer = ask.graph(PULL % "fullDatabaseId").json()
    assert "data" not in answer
    assert answer["errors"][0]["message"] == "Field 'fullDatabaseId' doesn't exist on type 'PullRequest'"


@pytest.mark.parametrize(
    "query", ["{ anvil }", "{", PULL % "number(first: 1)", PULL % "hovercard { contexts { message } }"]
)
def test_an_unknown_field_is_an_error_of_the_test(example, query):
    """A field that GitHub's schema or the double lacks is reported."""
    with pytest.raises(AssertionError, match="GraphQL: "), running(example.world) as double:
        Asking(double).graph(query)

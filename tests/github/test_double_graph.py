"""The double's GraphQL where GitHub's schema is open (docs/forge-behaviour/github.md#comments-and-threads)."""

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


def told(asking, query, **variables):
    """Give what is answered without an error, past the pull request or the branch where one is asked about."""
    answer = asking.graph(query, **variables).json()
    assert "errors" not in answer, answer
    found = answer["data"]
    for step in ("repository", "pullRequest", "ref"):
        found = found.get(step, found)
    return found


def refused(asking, query, **variables):
    """Give the type of the only error, and the data beside it."""
    answer = asking.graph(query, **variables).json()
    (error,) = answer["errors"]
    return error["type"], answer["data"]


def name_of(thread):
    return f"PRRT_kwDO{thread.id:010x}"


def test_it_takes_a_token(double):
    assert Asking(double, "").graph("{ viewer { login } }").status_code == 401
    assert Asking(double, "nonsense").graph("{ viewer { login } }").status_code == 401


def test_what_is_missing_is_an_error_beside_the_data(ask):
    query = '{ viewer { login } repository(owner: "forge", name: "anvil") { pullRequest(number: 1) { id } } }'
    data = {"viewer": {"login": "smith"}, "repository": {"pullRequest": None}}
    assert refused(ask, query) == ("NOT_FOUND", data)


def test_a_private_repository_is_not_found(ask):
    kind, data = refused(ask, '{ repository(owner: "stranger", name: "secret") { id } }')
    assert (kind, data) == ("NOT_FOUND", {"repository": None})


def test_a_former_name_leads_on(ask):
    assert told(ask, '{ repository(owner: "forge", name: "old-anvil") { nameWithOwner } }') == {
        "nameWithOwner": "forge/anvil"
    }


@pytest.mark.parametrize("name", ["PRRT_kwDO0000000001", "nonsense", "IC_kwDO0000000001"])
def test_an_unknown_node_is_not_found(ask, name):
    query = "query($id: ID!) { node(id: $id) { id } }"
    assert refused(ask, query, id=name) == ("NOT_FOUND", {"node": None})


def test_a_list_says_how_much_it_gives(ask):
    kinds = [refused(ask, PULL % f"reviewThreads{given} {{ totalCount }}")[0] for given in ("", "(first: 101)")]
    assert kinds == ["MISSING_PAGINATION_BOUNDARIES", "EXCESSIVE_PAGINATION"]


def test_a_long_thread_goes_on_behind_its_cursor(ask, made):
    query = """query($id: ID!, $after: String) { node(id: $id) { ... on PullRequestReviewThread {
        comments(first: 100, after: $after) { totalCount nodes { body } pageInfo { hasNextPage endCursor } } } } }"""
    first = told(ask, query, id=name_of(made.thread))["node"]["comments"]
    cursor = first["pageInfo"]["endCursor"]
    second = told(ask, query, id=name_of(made.thread), after=cursor)["node"]["comments"]
    assert first["totalCount"] == len(first["nodes"]) + len(second["nodes"]) == MANY_REPLIES + 1
    assert (first["pageInfo"]["hasNextPage"], second["pageInfo"]["hasNextPage"]) == (True, False)


def test_numbers_pass_32_bits_and_stand_as_text_beside_it(ask, made):
    threads = "reviewThreads(first: 1) { nodes { comments(first: 1) { nodes { databaseId fullDatabaseId } } } }"
    (found,) = told(ask, PULL % threads)["reviewThreads"]["nodes"][0]["comments"]["nodes"]
    number = made.thread.comments[0].id
    assert number > 2**32
    assert found == {"databaseId": number, "fullDatabaseId": str(number)}


def test_a_bot_has_no_mark(ask, made):
    made.pull.user = made.world.accounts["renovate"]
    assert told(ask, PULL % "author { __typename login }")["author"] == {"__typename": "Bot", "login": "renovate"}


def test_a_deleted_author_is_null_and_an_outdated_thread_has_no_line(ask):
    query = "isResolved isOutdated line originalLine comments(first: 1) { nodes { author { login } } }"
    _, found, _ = told(ask, PULL % f"reviewThreads(first: 100) {{ nodes {{ {query} }} }}")["reviewThreads"]["nodes"]
    assert (found["isResolved"], found["isOutdated"], found["line"], found["originalLine"]) == (True, True, None, 6)
    assert found["comments"]["nodes"] == [{"author": None}]


def test_what_was_begun_is_seen_by_its_author_alone(ask, stranger):
    query = PULL % "reviewThreads(first: 1) { totalCount } reviews(first: 1, states: PENDING) { totalCount }"
    seen = [told(one, query) for one in (ask, stranger)]
    assert [found["reviewThreads"]["totalCount"] for found in seen] == [3, 4]
    assert [found["reviews"]["totalCount"] for found in seen] == [0, 1]


def test_a_thread_is_settled_and_opened_again(ask, made):
    settled, opened = (
        told(ask, SETTLE % word, id=name_of(made.thread)) for word in ("resolveReviewThread", "unresolveReviewThread")
    )
    assert settled["resolveReviewThread"]["thread"] == {"isResolved": True, "resolvedBy": {"login": "smith"}}
    assert opened["unresolveReviewThread"]["thread"] == {"isResolved": False, "resolvedBy": None}


def test_who_may_not_write_settles_nothing(stranger, made):
    assert refused(stranger, SETTLE % "resolveReviewThread", id=name_of(made.thread))[0] == "FORBIDDEN"
    assert made.thread.resolved_by is None


def test_an_answer_is_sent_at_once_unless_a_review_was_begun(ask, stranger, made):
    answers = [told(one, REPLY, id=name_of(made.thread), body="Oil.") for one in (ask, stranger)]
    states = [answer["addPullRequestReviewThreadReply"]["comment"]["state"] for answer in answers]
    assert states == ["SUBMITTED", "PENDING"]


def test_what_a_branch_demands_depends_on_who_asks(ask, stranger, made):
    query = REF % "refUpdateRule { pattern } branchProtectionRule { pattern } rules(first: 1) { totalCount }"
    reader, writer = told(stranger, query), told(ask, query)
    made.anvil.permissions["smith"] = "admin"
    assert [found is None for found in reader.values()] == [True, True, True]
    assert [found is None for found in writer.values()] == [False, True, False]
    assert told(ask, query)["branchProtectionRule"] == {"pattern": "main"}


def test_checks_and_statuses_are_one_list(ask):
    shown = "state contexts(first: 100) { checkRunCount statusContextCount nodes { __typename } }"
    found = told(ask, PULL % f"statusCheckRollup {{ {shown} }}")["statusCheckRollup"]
    assert (found["state"], found["contexts"]["statusContextCount"]) == ("FAILURE", 1)
    assert len(found["contexts"]["nodes"]) == found["contexts"]["checkRunCount"] + 1


def test_an_older_server_names_the_field_that_it_does_not_know(ask, double):
    double.lacks = ("fullDatabaseId",)
    answer = ask.graph(PULL % "fullDatabaseId").json()
    assert "data" not in answer
    assert answer["errors"][0]["message"] == "Field 'fullDatabaseId' doesn't exist on type 'PullRequest'"


@pytest.mark.parametrize(
    "query", ["{ anvil }", "{", PULL % "number(first: 1)", PULL % "hovercard { contexts { message } }"]
)
def test_what_nobody_can_answer_is_a_fault(made, query):
    """Neither what GitHub's schema does not have nor what the double does not know passes unseen."""
    with pytest.raises(AssertionError, match="GraphQL: "), running(made.world) as double:
        Asking(double).graph(query)

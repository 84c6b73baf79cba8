"""Everything that can stand before a merge, alone and in pairs, to an owner, a developer and a reporter: never ready.

The double finds the word and the results of the checks as GitLab does. With STITHY_THOROUGH=1 every pair is shown to
every role, which takes many minutes; without it, each situation is paired with the one after it and one further on.
"""

import os
from itertools import combinations

import pytest
from gitlab_double.gitlab_server import NAME
from gitlab_double.gitlab_situations import SITUATIONS, set_scene
from gitlab_double.gitlab_world import BOB_TOKEN, RITA_TOKEN, SMITH_TOKEN

from stithy_pulls.readiness import readiness_check
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio
TOKENS = {"owner": SMITH_TOKEN, "developer": BOB_TOKEN, "reporter": RITA_TOKEN}
ALONE = list(SITUATIONS)
ENDED = ("closed", "merged")
HIDDEN = {
    "what it depends on is closed": "dependencies",
    "GitLab's merge check status_checks_must_pass": "protection",
}
"""Questions that stay open, and the category of the situation that they are about."""
PUSH_RULES = {"have_a_push_rule_for_messages", "have_a_push_rule_for_squashed_files"}
UNSEEN = ["no push rule refuses the merge"]
"""What is open to every developer of a project that may have a push rule."""
IS_WHOLE = os.environ.get("STITHY_THOROUGH") == "1"
PAIRS = [
    pair
    for pair in combinations(ALONE, 2)
    if IS_WHOLE or (ALONE.index(pair[1]) - ALONE.index(pair[0])) % len(ALONE) == 1
]


@pytest.fixture(autouse=True)
def hurry(monkeypatch):
    """Ask a forge that still computes once more, without a pause."""
    monkeypatch.setattr(readiness_check, "PAUSE", 0.0)


@pytest.fixture
async def judge(server, tmp_path, request):
    """Return a function that arranges situations one after the other, and returns the answer to each."""
    settings = f'[forges.work]\nkind = "gitlab"\nurl = "{server.url}"\ntoken = {{ env = "TOKEN" }}\n'
    async with connect(make_app(tmp_path, settings, environ={"TOKEN": TOKENS[request.param]})) as client:

        async def ask(*arrangements):
            server.world.projects.clear()
            it = set_scene(server.world, NAME)
            for arrange in arrangements:
                arrange(it)
            page = f"{server.url}/{NAME}/-/merge_requests/1"
            result = await client.call_tool("check_merge_readiness", {"pr": page})
            assert not result.is_error, result.content[0].text
            return result.structured_content

        yield ask


def name(arrangements):
    return " + ".join(one.__name__ for one in arrangements)


def list_categories(found):
    return [one["category"] for one in found["blocking_issues"]]


def is_only_unseen(found):
    """Return whether nothing stands before the merge but, for a developer, a push rule that is not seen."""
    open_questions = [one["questions"] for one in found.get("unproven") or ()]
    return found["verdict"] != "blocked" and open_questions in ([], [UNSEEN])


@pytest.mark.parametrize("judge", ["owner"], indirect=True)
async def test_what_nothing_blocks_is_ready(judge):
    found = await judge()
    assert (found["verdict"], list_categories(found)) == ("ready", [])


@pytest.mark.parametrize("judge", ["developer"], indirect=True)
async def test_what_nothing_blocks_is_unproven_to_a_developer_who_is_not_shown_push_rules(judge):
    found = await judge()
    assert (found["verdict"], [one["questions"] for one in found["unproven"]]) == ("unproven", [UNSEEN])


@pytest.mark.parametrize("judge", ["reporter"], indirect=True)
async def test_a_reporter_may_not_merge_what_nothing_blocks(judge):
    assert list_categories(await judge()) == ["permission"]


@pytest.mark.parametrize("judge", ["owner"], indirect=True)
async def test_an_owner_reads_what_each_situation_is_and_who_must_act(judge):
    wrong = {}
    for arrange, expected in SITUATIONS.items():
        found = await judge(arrange)
        told = list_categories(found)
        is_named = bool(set(told) & set(expected)) and found["verdict"] == "blocked"
        if not (is_named if expected else found["verdict"] == "unproven" and found["unproven"]):
            wrong[arrange.__name__] = (found["verdict"], told)
        assert all(one["actor"] and one["action_required"] for one in found["blocking_issues"])
    assert wrong == {}
    assert len(SITUATIONS) >= 30


@pytest.mark.parametrize("judge", ["developer", "reporter"], indirect=True)
async def test_nothing_alone_is_ready_to_others(judge):
    found = {arrange.__name__: await judge(arrange) for arrange in ALONE}
    assert [name for name, one in found.items() if one["verdict"] == "ready"] == []
    assert {name for name, one in found.items() if is_only_unseen(one)} <= PUSH_RULES


@pytest.mark.parametrize("judge", list(TOKENS) if IS_WHOLE else ["owner"], indirect=True)
async def test_no_pair_is_ready(judge):
    found = {pair: await judge(*pair) for pair in PAIRS}
    assert [name(pair) for pair, one in found.items() if one["verdict"] == "ready"] == []
    hidden = [{one.__name__ for one in pair} for pair, answer in found.items() if is_only_unseen(answer)]
    assert [pair for pair in hidden if pair != PUSH_RULES] == []


@pytest.mark.parametrize("judge", ["owner"], indirect=True)
async def test_both_of_a_pair_are_named(judge):
    """Also what GitLab's word hides: it is that of the first check which fails."""
    wrong = {}
    visible = [one for one, expected in SITUATIONS.items() if expected and not set(expected) & set(ENDED)]
    for first, second in zip(visible, [*visible[5:], *visible[:5]], strict=True):
        if all(any("checks" in category for category in SITUATIONS[one]) for one in (first, second)):
            continue  # the newer pipeline replaces the other
        found = await judge(first, second)
        questions = [question for one in found["unproven"] or () for question in one["questions"]]
        told = {*list_categories(found), *(HIDDEN[one] for one in questions if one in HIDDEN)}
        if found["verdict"] == "ready" or not (told & set(SITUATIONS[first]) and told & set(SITUATIONS[second])):
            wrong[name((first, second))] = sorted(told)
    assert wrong == {}

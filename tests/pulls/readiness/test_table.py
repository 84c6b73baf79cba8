"""Each thing that can stand before a merge on GitHub, alone and in pairs, to a token that sees all or little."""

from itertools import combinations

import pytest
from readiness_cases import BLOCKERS, HIDDEN, PAIRED, scene

pytestmark = [pytest.mark.anyio, pytest.mark.contract]

MOST = 4_096
PAIRS = list(combinations(PAIRED, 2))


def arrange(*what):
    it = scene()
    for one in what:
        one(it)
    return it


def id_of(value):
    return value.__name__ if callable(value) else "-".join(one.__name__ for one in value)


async def test_a_pull_request_without_blockers_is_ready(check):
    answer = await check(scene())
    assert (answer.ready, answer.categories, answer.unknown) == (True, [], {})
    assert set(answer.told["checks"].values()) == {True}


async def test_a_writer_learns_that_it_is_ready(check):
    """What classic protections hide from writers does not matter where it is not violated."""
    answer = await check(scene(), "writer")
    assert (answer.ready, answer.categories) == (True, [])


async def test_a_reader_may_not_merge_what_is_ready(check):
    answer = await check(scene(), "reader")
    assert (answer.ready, answer.categories) == (False, ["permission"])
    assert answer.blocker("permission")["actor"] == "maintainer"


@pytest.mark.parametrize("blocker", BLOCKERS, ids=id_of)
async def test_each_is_named_with_who_must_act(check, blocker):
    answer = await check(arrange(blocker))
    category, actor = BLOCKERS[blocker]
    assert (answer.ready, answer.categories) == (False, [category])
    found = answer.blocker(category)
    assert found["actor"] == actor
    assert found["description"].endswith((".", ")."))
    assert found["action_required"].endswith(".")
    assert answer.size <= MOST


@pytest.mark.parametrize("pair", PAIRS, ids=id_of)
async def test_both_of_two_blockers_are_named(check, pair):
    answer = await check(arrange(*pair))
    assert not answer.ready
    assert sorted(answer.categories) == sorted(BLOCKERS[one][0] for one in pair)
    assert answer.size <= MOST


@pytest.mark.parametrize("blocker", BLOCKERS, ids=id_of)
@pytest.mark.parametrize("who", ["writer", "reader"])
async def test_a_reader_sees_the_blocker_or_what_is_unknown(check, who, blocker):
    answer = await check(arrange(blocker), who)
    category, _ = BLOCKERS[blocker]
    assert not answer.ready
    assert category in answer.categories or HIDDEN.get(blocker) in answer.categories or answer.told["unproven"]
    assert answer.size <= MOST


@pytest.mark.parametrize("pair", PAIRS, ids=id_of)
async def test_a_reader_never_sees_two_blockers_as_ready(check, pair):
    answer = await check(arrange(*pair), "reader")
    assert (answer.ready, answer.size <= MOST) == (False, True)

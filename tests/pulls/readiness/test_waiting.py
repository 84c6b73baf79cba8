"""While GitHub computes nobody knows whether it conflicts: it is asked again, and not for long."""

import pytest
from github_double.answering import Double
from readiness_cases import scene

from stithy_pulls.readiness import readiness_check

pytestmark = [pytest.mark.anyio, pytest.mark.contract]


@pytest.fixture(autouse=True)
def hurried(monkeypatch):
    monkeypatch.setattr(readiness_check, "PAUSE", 0.01)


@pytest.fixture
def asked(monkeypatch):
    """Count what the double is asked."""
    found, answer = [], Double.answer

    def counting(self, asking):
        found.append(asking.path)
        return answer(self, asking)

    monkeypatch.setattr(Double, "answer", counting)
    return found


async def test_it_is_asked_again_until_it_knows(check, asked):
    it = scene()
    it.pull.computing = 2
    answer = await check(it)
    assert (answer.ready, answer.unknown, len(asked)) == (True, {}, 7)  # one of them lists what is stacked on it


async def test_a_rule_that_hid_behind_the_computing_is_found(check):
    it = scene()
    it.pull.computing = 1
    it.world.push(it.lab, "main", "Go on", {"new.txt": "new\n"})
    assert (await check(it, "writer")).categories == ["behind"]


async def test_a_state_that_github_never_computes_is_unknown(check, asked):
    it = scene()
    it.pull.computing = 99
    answer = await check(it)
    assert (answer.ready, answer.categories, len(asked)) == (False, [], 7)
    assert "GitHub is computing it" in answer.unproven


async def test_a_missing_pull_request_is_reported(checking):
    it = scene()
    async with checking(it) as asking:
        with pytest.raises(AssertionError, match="forge/lab has no pull request 77"):
            await asking(77)

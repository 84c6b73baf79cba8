"""The rules of rate limits for one process; for several, see tests/redis."""

import random

import pytest

from stithy_core.http.memory_store import LocalRateBudget
from stithy_core.spi.stores import ReportedLimit, RequestCost

pytestmark = pytest.mark.anyio

START = 1_800_000_000.0


async def test_no_minute_ever_holds_more_than_its_points(clock):
    local, chance, paid, now = LocalRateBudget(), random.Random(3), [], START
    for _ in range(2_000):
        now += chance.random()
        if not (await local.reserve(RequestCost(account="a", most_points=20), now)).wait:
            paid.append(now)
    assert len(paid) > 100
    assert max(sum(start <= other < start + 60 for other in paid) for start in paid) <= 20


async def test_one_wait_for_points_suffices():
    local, cost = LocalRateBudget(), RequestCost(account="a", most_points=3)
    for second in (0, 1, 2):
        await local.reserve(cost, START + second)
    wait = (await local.reserve(cost, START + 10)).wait
    assert not (await local.reserve(cost, START + 10 + wait)).wait


async def test_an_answer_of_an_older_window_changes_nothing():
    local, cost = LocalRateBudget(), RequestCost(account="a")
    reservation = await local.reserve(cost, START)
    for budget in (
        ReportedLimit(resource="", remaining=9, until=START + 100),
        ReportedLimit(resource="", remaining=0, until=START + 50),
    ):
        await local.settle(cost, reservation, START, budget, free=False)
    assert not (await local.reserve(cost, START)).wait


async def test_accounts_are_not_kept_without_end():
    local = LocalRateBudget()
    for number in range(1_500):
        await local.reserve(RequestCost(account=str(number)), START)
    assert len(local._accounts) == 1_000

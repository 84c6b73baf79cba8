"""The rules of limits: the same for one process and, over Redis, for several."""

import random

import pytest

from stithy_core.http.areas import area_of
from stithy_core.http.budgets import Cost
from stithy_core.http.localbudgets import LocalBudgets
from stithy_core.http.stores.redis import RedisStore
from stithy_core.http.waits import Budget

pytestmark = pytest.mark.anyio

START = 1_800_000_000.0
AREAS = [area_of(path) for path in ("/repos/a/b", "/repos/c/d", "/search/code", "/search/issues", "/user")]
RESOURCES = ["core", "search", "code_search", ""]


@pytest.fixture(params=[1, 2])
def processes(request, connect_redis, clock):
    """One process, or two that take turns, with their limits in Redis."""
    clock.now = START
    budgets = [RedisStore(connect_redis(), clock).budgets for _ in range(request.param)]
    return lambda: budgets[random.randrange(len(budgets))]


@pytest.fixture
def shared(connect_redis, clock):
    """The limits of two processes."""
    clock.now = START
    return [RedisStore(connect_redis(), clock).budgets for _ in range(2)]


def costs(random):
    """Make up costs."""
    write = random.random() < 0.3
    return Cost(
        account=random.choice("ab"),
        area=random.choice(AREAS),
        points=5 if write else 1,
        write=write,
        most_points=random.choice([None, 30]),
        most_writes=random.choice([None, 4]),
        free=random.random() < 0.1,
    )


def told(random, now):
    """Make up what an answer tells."""
    if random.random() < 0.3:
        return None
    until = now + random.choice([0, 1, 30, 30, 30, 90])
    return Budget(random.choice(RESOURCES), random.randrange(4), until)


@pytest.mark.parametrize("seed", range(8))
async def test_several_processes_keep_the_rules_of_one(processes, seed):
    random, local, now = random_of(seed), LocalBudgets(), START
    for _ in range(60):
        now += random.choice([0, 0.25, 1, 7, 30])
        cost, answer, free = costs(random), told(random, now), random.random() < 0.3
        ours, theirs = await local.take(cost, now), await processes().take(cost, now)
        assert (theirs.wait, theirs.reason, theirs.soon) == (pytest.approx(ours.wait, abs=0.01), ours.reason, ours.soon)
        if not ours.wait:
            await local.settle(cost, ours, now, answer, free=free)
            await processes().settle(cost, theirs, now, answer, free=free)
        if random.random() < 0.1:
            wait = random.choice([None, None, 0.0, 5.0, 90.0])
            assert await processes().penalise("a", wait, now) == pytest.approx(
                await local.penalise("a", wait, now), abs=0.01
            )


def random_of(seed):
    return random.Random(seed)


async def test_what_one_process_spent_another_knows(shared):
    first, second = shared
    cost = Cost(account="a", area=area_of("/repos/x"))
    await first.settle(cost, await first.take(cost, START), START, Budget("core", 0, START + 50), free=False)
    grant = await second.take(Cost(account="a", area=area_of("/repos/y")), START)
    assert (grant.wait, grant.reason) == (50, "its limit core is spent")


async def test_slots_are_shared_and_given_back(shared):
    first, second = shared
    cost = Cost(account="a", concurrent=2)
    held = [await process.take(cost, START) for process in shared]
    assert (await first.take(cost, START)).soon
    await second.settle(cost, held[0], START, None, free=False)
    assert not (await first.take(cost, START)).wait


async def test_slots_of_a_process_that_died_become_free(shared):
    first, second = shared
    cost = Cost(account="a", concurrent=1)
    await first.take(cost, START)
    assert (await second.take(cost, START + 89)).wait
    assert not (await second.take(cost, START + 91)).wait


async def test_no_minute_ever_holds_more_than_its_points(clock):
    local, random, paid, now = LocalBudgets(), random_of(3), [], START
    for _ in range(2_000):
        now += random.random()
        if not (await local.take(Cost(account="a", most_points=20), now)).wait:
            paid.append(now)
    assert len(paid) > 100
    assert max(sum(start <= other < start + 60 for other in paid) for start in paid) <= 20


async def test_who_is_told_to_wait_for_points_need_not_wait_again():
    local, cost = LocalBudgets(), Cost(account="a", most_points=3)
    for second in (0, 1, 2):
        await local.take(cost, START + second)
    wait = (await local.take(cost, START + 10)).wait
    assert not (await local.take(cost, START + 10 + wait)).wait


async def test_an_answer_of_an_older_window_changes_nothing():
    local, cost = LocalBudgets(), Cost(account="a")
    grant = await local.take(cost, START)
    for budget in (Budget("", 9, START + 100), Budget("", 0, START + 50)):
        await local.settle(cost, grant, START, budget, free=False)
    assert not (await local.take(cost, START)).wait


async def test_accounts_are_not_kept_without_end():
    local = LocalBudgets()
    for number in range(1_500):
        await local.take(Cost(account=str(number)), START)
    assert len(local._accounts) == 1_000

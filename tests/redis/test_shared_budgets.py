"""Rate budgets of several processes keep the rules of one."""

import random

import pytest

from stithy_core.http.memory_store import LocalRateBudget
from stithy_core.http.rate_limit_transport import parse_bucket
from stithy_core.spi.stores import ReportedLimit, RequestCost

pytestmark = pytest.mark.anyio

START = 1_800_000_000.0
BUCKETS = [parse_bucket(path) for path in ("/repos/a/b", "/repos/c/d", "/search/code", "/search/issues", "/user")]
RESOURCES = ["core", "search", "code_search", ""]


@pytest.fixture(params=[1, 2])
def processes(request, share, clock):
    """One process, or two that take turns, with their limits in Redis."""
    clock.now = START
    budgets = [share().rate_budget for _ in range(request.param)]
    return lambda: budgets[random.randrange(len(budgets))]


@pytest.fixture
def shared(share, clock):
    """The limits of two processes."""
    clock.now = START
    return [share().rate_budget for _ in range(2)]


def create_cost(random):
    """Create a cost."""
    write = random.random() < 0.3
    return RequestCost(
        account=random.choice("ab"),
        bucket=random.choice(BUCKETS),
        points=5 if write else 1,
        write=write,
        most_points=random.choice([None, 30]),
        most_writes=random.choice([None, 4]),
        free=random.random() < 0.1,
    )


def create_report(random, now):
    """Create what a response reports."""
    if random.random() < 0.3:
        return None
    until = now + random.choice([0, 1, 30, 30, 30, 90])
    return ReportedLimit(resource=random.choice(RESOURCES), remaining=random.randrange(4), until=until)


@pytest.mark.parametrize("seed", range(8))
async def test_several_processes_keep_the_rules_of_one(processes, seed):
    random, local, now = random_of(seed), LocalRateBudget(), START
    for _ in range(60):
        now += random.choice([0, 0.25, 1, 7, 30])
        cost, answer, free = create_cost(random), create_report(random, now), random.random() < 0.3
        ours, theirs = await local.reserve(cost, now), await processes().reserve(cost, now)
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


async def test_processes_share_a_spent_budget(shared):
    first, second = shared
    cost = RequestCost(account="a", bucket=parse_bucket("/repos/x"))
    await first.settle(
        cost,
        await first.reserve(cost, START),
        START,
        ReportedLimit(resource="core", remaining=0, until=START + 50),
        free=False,
    )
    reservation = await second.reserve(RequestCost(account="a", bucket=parse_bucket("/repos/y")), START)
    assert (reservation.wait, reservation.reason) == (50, "its limit core is spent")


async def test_slots_are_shared_and_given_back(shared):
    first, second = shared
    cost = RequestCost(account="a", concurrent=2)
    held = [await process.reserve(cost, START) for process in shared]
    assert (await first.reserve(cost, START)).soon
    await second.settle(cost, held[0], START, None, free=False)
    assert not (await first.reserve(cost, START)).wait


async def test_slots_of_a_process_that_died_become_free(shared):
    first, second = shared
    cost = RequestCost(account="a", concurrent=1)
    await first.reserve(cost, START)
    assert (await second.reserve(cost, START + 89)).wait
    assert not (await second.reserve(cost, START + 91)).wait

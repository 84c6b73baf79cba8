"""Circuit breakers of several processes keep the rules of one."""

import random

import pytest

from stithy_core.http.memory_store import LocalCircuitBreakers
from stithy_core.spi.stores import Admission

pytestmark = pytest.mark.anyio


@pytest.fixture
def several(share, clock):
    """The breakers of two processes."""
    clock.now = 1_000.0
    return [share().circuit_breakers for _ in range(2)]


async def test_several_processes_open_one_breaker_and_send_one_probe(several):
    first, second = several
    for number in range(5):
        process = several[number % 2]
        await process.record_failure("host", await process.admit("host", 1_000.0), 1_000.0, f"failure {number}")
    assert await first.admit("host", 1_000.0) == Admission(wait=15, reason="failure 4")
    probes = [await process.admit("host", 1_015.0) for process in several]
    assert [probe.probe for probe in probes] == [True, False]
    await first.record_success("host", probes[0])
    assert (await second.admit("host", 1_015.0)).clean


@pytest.mark.parametrize("seed", range(5))
async def test_several_processes_keep_the_rules_of_one_breaker(several, seed):
    chance, local, now, under_way = random.Random(seed), LocalCircuitBreakers(), 1_000.0, []
    for _ in range(80):
        now += chance.choice([0, 1, 8, 16])
        ours, theirs = await local.admit("host", now), await chance.choice(several).admit("host", now)
        assert ours == theirs
        if not ours.wait:
            under_way.append(ours)
        if under_way and chance.random() < 0.8:
            admission = under_way.pop(chance.randrange(len(under_way)))
            end = chance.choice([*["record_failure"] * 3, "record_success", "release"])
            for breakers in (local, chance.choice(several)):
                await getattr(breakers, end)("host", admission, *([now, str(now)] if end == "record_failure" else []))

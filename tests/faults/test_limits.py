"""A forge that wants to be left alone is left alone, by reads and by writes, and both say for how long."""

import pytest
from faulty.matrix import faults

from stithy_core.spi import RateLimited

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("what", ["read", "write"])
@pytest.mark.parametrize(("flavour", "fault"), faults("limits"))
async def test_a_forge_that_is_limited_is_not_asked_again(begin, bounded_forge, flavour, fault, what):
    server = await begin(flavour, fault, flavour.read)
    async with bounded_forge(flavour, server.url) as forge:
        await forge.error("read")
        asked = len(server.received)
        error = await forge.error(what)
    assert type(error) is RateLimited
    assert "was not asked" in error.message
    assert error.retry_after == pytest.approx(fault.wait, abs=2)
    assert len(server.received) == asked

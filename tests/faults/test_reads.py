"""Each fault of a read becomes the one error that says it, after no more requests than help."""

import pytest
from faulty.matrix import check, faults, secrets_in
from faulty.server import TOKEN

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(("flavour", "fault"), faults())
async def test_faults_of_reads(begin, bounded_forge, caplog, flavour, fault):
    caplog.set_level("DEBUG")
    server = await begin(flavour, fault, flavour.read)
    async with bounded_forge(flavour, server.url) as forge:
        error = await forge.error("read")
    check(error, fault, fault.read)
    assert server.count(flavour.read) == fault.read.asked
    assert server.other.received == []
    assert secrets_in(error) == []
    assert TOKEN not in caplog.text

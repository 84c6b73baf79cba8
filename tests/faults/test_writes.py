"""Each fault of a write that was not carried out becomes the one error that says it, and nothing is sent twice."""

import pytest
from faulty.matrix import check, faults, secrets_in
from faulty.server import TOKEN

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(("flavour", "fault"), faults())
async def test_faults_of_writes(begin, bounded_forge, caplog, flavour, fault):
    caplog.set_level("DEBUG")
    server = await begin(flavour, fault, flavour.write)
    async with bounded_forge(flavour, server.url) as forge:
        error = await forge.error("write")
    check(error, fault, fault.write)
    assert (server.count(flavour.write), server.comments) == (1, [])
    assert server.other.received == []
    assert secrets_in(error) == []
    assert TOKEN not in caplog.text

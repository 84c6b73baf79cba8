"""What the tests of the kit share: holding a forge against the whole suite, without a pytest for each."""

import pytest
from sandbox_stage import sandbox_stage

from stithy_core.spi.call_state import DryRunStop
from stithy_sandbox.forge import Sandbox
from stithy_testing.conformance import ForgeConformance

TESTS = [name for name in dir(ForgeConformance) if name.startswith("test_")]


@pytest.fixture
def failing():
    """Give the tests that fail on a sandbox in which some capabilities stand in the place of its own."""

    async def held(*capabilities, others=Sandbox.capabilities):
        cls = type("Odd", (Sandbox,), {"capabilities": (*capabilities, *others)})
        return {name for name in TESTS if not await passes(name, sandbox_stage(cls))}

    return held


async def passes(name, stage):
    try:
        await getattr(ForgeConformance(), name)(stage)
    except pytest.skip.Exception:
        return True
    except (Exception, pytest.fail.Exception, DryRunStop):  # noqa: BLE001 -- whatever a test raises, it has failed
        return False
    return True

"""Fixtures for the tests of the kit: the whole conformance suite run on a forge, without a pytest process for each."""

import pytest
from sandbox_stage import sandbox_stage

from stithy_core.spi.call_state import DryRunStop
from stithy_sandbox.sandbox_forge import Sandbox
from stithy_testing.conformance import ForgeConformance

TESTS = [name for name in dir(ForgeConformance) if name.startswith("test_")]


@pytest.fixture
def find_failures_on():
    """A function that returns the names of the tests that fail on the stages that a function creates, one a test."""

    async def run_suite(create_stage):
        return {name for name in TESTS if not await run_test(name, create_stage())}

    return run_suite


@pytest.fixture
def find_failures(find_failures_on):
    """A function that returns the names of the tests that fail on a sandbox with replaced capabilities."""

    async def run_suite(*capabilities, others=Sandbox.capabilities):
        cls = type("Odd", (Sandbox,), {"capabilities": (*capabilities, *others)})
        return await find_failures_on(lambda: sandbox_stage(cls))

    return run_suite


async def run_test(name, stage):
    """Run a test of the suite and return whether it passed or was skipped."""
    try:
        await getattr(ForgeConformance(), name)(stage)
    except pytest.skip.Exception:
        return True
    except (Exception, pytest.fail.Exception, DryRunStop):  # noqa: BLE001 -- any error is a failure
        return False
    return True

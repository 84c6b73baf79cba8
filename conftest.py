"""How many examples the property tests draw, and in how many processes tests run, here and in libs/."""

import os
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

# A busy machine makes an example slow, and not wrong.
settings.register_profile(
    "stithy",
    max_examples=int(os.environ.get("STITHY_EXAMPLES", "10")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("stithy")


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Run one process more than there are cores: tests wait a third of the time, for processes, servers and pip."""
    return (yield) + 1

"""The conformance suite of the sandbox."""

import pytest
from sandbox_stage import sandbox_stage

from stithy_testing.conformance import ForgeConformance


class TestSandbox(ForgeConformance):
    @pytest.fixture
    def stage(self):
        return sandbox_stage()

"""The conformance suite for GitHub: on the contract double, else on its recordings."""

import pytest
from github_double.stage import stage_of

from stithy_testing.conformance import ForgeConformance, Stage


class TestGitHub(ForgeConformance):
    @pytest.fixture
    async def stage(self, request, github):
        with stage_of(request.node.originalname.removeprefix("test_").replace("_", "-")) as (served, places):
            async with github(served.url, token=served.world.token) as forge:
                yield Stage(forge=forge, **places)

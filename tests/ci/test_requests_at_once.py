"""Requests that do not depend on each other's results are sent at once."""

import anyio
import pytest
from attrs import evolve
from ci_play import PYTEST, ci_play
from pull_request_ci import create_forge

from stithy_core.spi import Listing
from stithy_sandbox.capabilities.code_capabilities import SandboxChecks
from stithy_sandbox.capabilities.conversation_capabilities import SandboxRules

pytestmark = pytest.mark.anyio

SECONDS = 30


class Barrier:
    """Lets the named requests return once all of them were sent."""

    def __init__(self, *names):
        self.sent = {name: anyio.Event() for name in names}

    async def pass_with_others(self, name):
        self.sent[name].set()
        with anyio.fail_after(SECONDS):
            for other in self.sent.values():
                await other.wait()


async def test_the_log_the_annotations_and_the_rules_are_read_at_once(tmp_path):
    """Rules take several requests in a row on some forges, and a log two."""
    barrier = Barrier("log", "annotations", "rules")

    class Checks(SandboxChecks):
        async def list(self, repository, commit, *, pr=None):
            listed = await super().list(repository, commit)
            return Listing(tuple(evolve(check, annotations=1) for check in listed), total=len(listed))

        async def annotations(self, repository, check):
            await barrier.pass_with_others("annotations")
            return Listing()

        async def log(self, repository, job):
            await barrier.pass_with_others("log")
            async for piece in super().log(repository, job):
                yield piece

    class Rules(SandboxRules):
        async def get(self, repository, branch, *, pr=None):
            await barrier.pass_with_others("rules")
            return await super().get(repository, branch)

    async with ci_play(tmp_path, forge=create_forge(Checks, Rules)) as at:
        at.run(unit=PYTEST)
        at.demand("tests / unit")
        told = await at.find()
    assert [entry["test_name"] for entry in told["failures"]] == ["tests/test_auth.py::test_login"]
    assert told["checks"]["not_passed"][0]["required"] is True

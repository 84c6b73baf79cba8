"""Requests that do not depend on each other's results are sent at once."""

import anyio
import pytest
from attrs import evolve
from ci_play import PYTEST, ci_play
from pull_request_ci import create_forge

from stithy_core.spi import Annotation, Listing, PullRequestChecks, Verdict
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


async def test_runs_and_rules_are_read_beside_the_log_if_the_checks_came_with_the_pull_request(tmp_path):
    barrier = Barrier("log", "runs", "rules")

    class Checks(SandboxChecks):
        async def of_pull_request(self, pr):
            pull = await self.forge.pull_requests.get(pr)
            checks = await super().list(pr.repository, pull.head.commit)
            return PullRequestChecks(pull_request=pull, checks=checks)

        async def runs(self, repository, commit, *, pr=None):
            await barrier.pass_with_others("runs")
            runs = await super().runs(repository, commit)
            return runs.map(lambda run: evolve(run, verdict=Verdict.STARTUP_FAILURE) if run.name == "broken" else run)

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
        at.run(name="broken")
        at.demand("tests / unit")
        told = await at.find()
    assert [entry["test_name"] for entry in told["failures"]] == ["tests/test_auth.py::test_login", "broken"]
    assert [run["workflow_name"] for run in told["runs"]] == ["broken", "tests"]
    assert told["checks"]["not_passed"][0]["required"] is True


async def test_annotations_and_rules_that_came_with_the_checks_are_not_read_again(tmp_path):
    """Nor does a call that waits read the checks twice."""

    class Checks(SandboxChecks):
        async def of_pull_request(self, pr):
            pull = await self.forge.pull_requests.get(pr)
            checks = [
                evolve(check, annotations=1)
                for check in await SandboxChecks.list(self, pr.repository, pull.head.commit)
            ]
            remark = Annotation(path="horn.py", start_line=3, end_line=3, level="failure", message="It is soft.")
            return PullRequestChecks(
                pull_request=pull,
                checks=Listing(tuple(checks)),
                annotations={check.id: Listing((remark,)) for check in checks},
                rules=await self.forge.rules.get(pr.repository, "main", pr=pr),
            )

        async def list(self, repository, commit, *, pr=None):
            raise AssertionError("the checks were read")

        async def annotations(self, repository, check):
            raise AssertionError("the annotations were read")

    class Rules(SandboxRules):
        asked = 0

        async def get(self, repository, branch, *, pr=None):
            type(self).asked += 1
            return await super().get(repository, branch)

    async with ci_play(tmp_path, forge=create_forge(Checks, Rules)) as at:
        at.run(unit="##[error]Process completed with exit code 1.\n")
        at.demand("tests / unit")
        told, _ = await at.find(), await at.find(wait=True)
    assert [(entry["file_path"], entry["line_number"]) for entry in told["failures"]] == [("horn.py", 3)]
    assert told["checks"]["not_passed"][0]["required"] is True
    assert Rules.asked == 2

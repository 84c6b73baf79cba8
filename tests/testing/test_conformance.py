"""The conformance suite: what a subclass must define, and forges that lack operations."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from stithy_sandbox.capabilities.code_capabilities import SandboxChanges
from stithy_sandbox.capabilities.conversation_capabilities import SandboxComments, SandboxThreads
from stithy_testing.conformance import ForgeConformance

pytestmark = pytest.mark.anyio

SUBCLASS = """
import pytest
from attrs import evolve
from sandbox_stage import sandbox_stage
from stithy_testing.conformance import ForgeConformance
from stithy_sandbox.capabilities.conversation_capabilities import SandboxPullRequests
from stithy_sandbox.sandbox_forge import Sandbox


class Sure(Sandbox):
    class PullRequests(SandboxPullRequests):
        async def get(self, pr):
            return evolve(await super().get(pr), draft=False)

    capabilities = (PullRequests, *Sandbox.capabilities)


class TestSure(ForgeConformance):
    @pytest.fixture
    async def stage(self):
        yield sandbox_stage(Sure)
"""
SUPPORT = Path(__file__).parents[1] / "support"


async def test_a_correct_forge_passes(find_failures):
    """So in the other tests, the fault alone makes the suite fail."""
    assert await find_failures() == set()


@pytest.mark.parametrize("capabilities", [(), (SandboxComments,), (SandboxThreads, SandboxChanges)])
async def test_a_missing_capability_is_not_a_failure(find_failures, capabilities):
    """A forge with a few capabilities passes, since it raises `Unsupported` for the others."""
    assert await find_failures(*capabilities, others=()) == set()


def test_no_test_hides_another():
    """The names of tests are those of recordings, so no two classes of the suite may share one."""
    names = Counter(name for part in ForgeConformance.__bases__ for name in vars(part) if name.startswith("test_"))
    assert [name for name, count in names.items() if count > 1] == []


def test_every_test_states_its_fact():
    names = [name for name in dir(ForgeConformance) if name.startswith("test_")]
    assert [name for name in names if not getattr(ForgeConformance, name).__doc__] == []


def test_a_subclass_defines_the_stage_alone(tmp_path):
    """Under pytest without further setup, the tests run, and those of the fault show the compared values."""
    (tmp_path / "test_subclass.py").write_text(SUBCLASS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tmp_path, tmp_path]
    ran = subprocess.run(command, capture_output=True, text=True, env={"PYTHONPATH": str(SUPPORT)})
    assert "1 failed" in ran.stdout, ran.stdout
    assert "is_correct_or_unknown(False, expected=True)" in ran.stdout
    assert "TestSure::test_pull_request_draft" in ran.stdout

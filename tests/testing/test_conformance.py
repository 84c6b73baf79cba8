"""The conformance suite: what a subclass must define, and forges that lack operations."""

import os
import sys
import zlib
from collections import Counter

import pytest

from stithy_core.spi import operations
from stithy_sandbox.capabilities.code_capabilities import SandboxChanges
from stithy_sandbox.capabilities.conversation_capabilities import SandboxComments, SandboxThreads
from stithy_testing.conformance import ForgeConformance
from stithy_testing.conformance.operation_record import name_operation
from stithy_testing.pytest_plugin import RECORDED

pytestmark = pytest.mark.anyio

PAGE = "docs/plugins/recordings-and-tests.md"
ALL = len(operations())
TESTS = [name for name in dir(ForgeConformance) if name.startswith("test_")]


EMPTY = """
from stithy_core.spi import Forge, ForgeConfig, RepositoryRef, Unavailable, Version


class Empty(Forge):
    async def identify(self):
        raise Unavailable("nothing answers at https://empty.example", suggestion="Try again later.")


class TestEmpty(ForgeConformance):
    @pytest.fixture
    def stage(self):
        config = ForgeConfig(alias="work", kind="empty", url="https://empty.example")
        return Stage(forge=Empty(config, None), author="smith", repository=RepositoryRef("smith", "conformance"))
"""
PARTS = """
from attrs import evolve
from sandbox_stage import sandbox_stage
from stithy_core.spi import RepositoryRef, since
from stithy_sandbox.capabilities import code_capabilities as code, conversation_capabilities as talk
from stithy_sandbox.sandbox_forge import Sandbox


def without(capability, *names):
    return type("Less", capability.__bases__, {key: one for key, one in vars(capability).items() if key not in names})


class OldChecks(without(code.SandboxChecks, "annotations", "artifact")):
    @since("99")
    async def log(self, repository, job):
        yield b""


class Partial(Sandbox):
    capabilities = (
        OldChecks,
        without(talk.SandboxComments, "reactions", "minimized"),
        *Sandbox.capabilities,
    )


class TestPartial(ForgeConformance):
    @pytest.fixture
    def stage(self):
        return sandbox_stage(Partial)


class NobodyIsDraft(talk.SandboxPullRequests):
    async def get(self, pr):
        return evolve(await super().get(pr), draft=False)


class Wrong(Sandbox):
    capabilities = (NobodyIsDraft, *Sandbox.capabilities)


class TestWrong(ForgeConformance):
    @pytest.fixture(params=["with a run", "without one"])
    def stage(self, request):
        stage = sandbox_stage(Wrong)
        return stage if request.param == "with a run" else evolve(stage, run="")


class TestWithoutData(ForgeConformance):
    @pytest.fixture
    def stage(self):
        stage = sandbox_stage()
        return Stage(forge=stage.forge, author=stage.author, repository=RepositoryRef(stage.author, "nothing"))


class TestWithoutStage(ForgeConformance):
    pass
"""


@pytest.fixture
def run_suite(tmp_path, capsys):
    """Run a module with subclasses of the suite under pytest, in this process, and return its output and exit code."""

    def run(source, *options):
        source = f"import pytest\nfrom stithy_testing.conformance import ForgeConformance, Stage\n{source}"
        path = (
            tmp_path / f"test_{zlib.crc32(source.encode())}.py"
        )  # a module of the same name would not be imported again
        path.write_text(source)
        fresh = ["-p", "no:cacheprovider", "--import-mode=importlib", f"--rootdir={tmp_path}"]
        code = pytest.main(["-q", *fresh, str(path), *options])
        return " ".join(capsys.readouterr().out.split()), code

    return run


def test_an_empty_forge_is_refused(run_suite):
    output, code = run_suite(EMPTY)
    assert "Empty has no capability, so the suite has nothing to check. Write a subclass of a capability" in output
    assert "the server of work at https://empty.example does not report its version: nothing answers" in output
    assert f"TestEmpty (empty): 0 of {ALL} operations held, {ALL} not there: issues.get, " in output
    assert ("2 failed" in output, "passed" in output.partition("conformance of forges")[0], code) == (True, False, 1)


LACKED = "comments.reactions, comments.minimized, checks.annotations, checks.log, checks.artifact"


def test_the_summary_counts_what_held(run_suite):
    output, code = run_suite(PARTS, "-rs", "-k", "TestPartial")
    left = f"5 not there: {LACKED}, 1 not tried: pull_requests.update_branch"  # the suite merges nothing into a branch
    assert f"TestPartial (sandbox): {ALL - 6} of {ALL} operations held, {left} " in output
    assert "play (sandbox) does not have checks.annotations " in output
    assert "play (sandbox) does not have checks.log: sandbox " in output
    assert "does not have it (since 99)" in output
    assert code == 0


@pytest.mark.parametrize("processes", ["0", "2"])
def test_the_summary_names_what_failed_and_what_was_not_tried(run_suite, processes, monkeypatch):
    """In one process, and distributed by pytest-xdist."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    output, code = run_suite(PARTS, "-n", processes, "-k", "TestWrong and (draft or jobs or issue_has or log_of)")
    failed, more = "1 failed: pull_requests.get", "checks.artifacts, checks.artifact"
    assert (
        f"TestWrong[with a run] (sandbox): 3 of {ALL} operations held, {failed}, {ALL - 4} not tried: issues.list, "
        in output
    )
    assert (
        f"TestWrong[without one] (sandbox): 1 of {ALL} operations held, {failed}, {ALL - 2} not tried: issues.list, "
        in output
    )
    assert f"checks.runs, checks.jobs, checks.annotations, checks.log, {more}" in output
    assert code == 1


def test_a_stage_without_data_is_refused(run_suite):
    output, _ = run_suite(PARTS, "-k", "TestWithoutData and issue_has_its_facts")
    remedy = f"If apprentice/nothing lacks the data of the suite, prepare what {PAGE}, 'Test your forge' lists."
    assert remedy in output
    assert f"TestWithoutData (sandbox): 0 of {ALL} operations held, 1 failed: issues.get, {ALL - 1} not tried" in output


def test_a_subclass_without_a_stage_is_refused(run_suite):
    output, _ = run_suite(PARTS, "-k", "TestWithoutStage and issue_has_its_facts")
    assert f"TestWithoutStage has no fixture 'stage'. Define one that returns a Stage: {PAGE}" in output


def test_every_operation_has_a_test():
    """So that an operation is never counted as not tried for want of a test."""
    tested = {name for test in TESTS for name in getattr(getattr(ForgeConformance, test), RECORDED, ())}
    assert {name_operation(operation) for operation in operations()} == tested


async def test_a_correct_forge_passes(find_failures):
    """So in the other tests, the fault alone makes the suite fail."""
    assert await find_failures() == set()


@pytest.mark.parametrize("capabilities", [(), (SandboxComments,), (SandboxThreads, SandboxChanges)])
async def test_a_missing_capability_is_not_a_failure(find_failures, capabilities):
    """A forge with a few capabilities passes, since it raises `Unsupported` for the others; one without any fails."""
    nothing = {"test_support_is_as_declared"} if not capabilities else set()
    assert await find_failures(*capabilities, others=()) == nothing


def test_no_test_hides_another():
    """The names of tests are those of recordings, so no two classes of the suite may share one."""
    names = Counter(name for part in ForgeConformance.__bases__ for name in vars(part) if name.startswith("test_"))
    assert [name for name, count in names.items() if count > 1] == []


def test_every_test_states_its_fact():
    assert [name for name in TESTS if not getattr(ForgeConformance, name).__doc__] == []


def test_a_subclass_defines_the_stage_alone(run_suite):
    """Under pytest without further setup, the tests run, and those of the fault show the compared values."""
    output, _ = run_suite(PARTS, "-k", "TestWrong and without and draft")
    assert "1 failed" in output
    assert "is_correct_or_unknown(False, expected=True)" in output
    assert "TestWrong::test_pull_request_draft" in output

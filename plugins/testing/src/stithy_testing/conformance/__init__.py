"""The conformance suite for forges; it uses the plugin interface alone.

A test module inherits the suite and defines one fixture::

    class TestPond(ForgeConformance):
        @pytest.fixture
        def stage(self) -> Stage: ...

A forge need not have every operation. If `Forge.supports` is false for one, its tests are skipped, and one test checks
that it raises `Unsupported`. At the end of the run, pytest shows for each forge which operations held: they returned in
a test that passed, and no test of them failed. docs/plugins/recordings-and-tests.md describes the data to prepare.
"""

import pytest

from stithy_testing.conformance.comment_tests import CommentReadTests, CommentWriteTests
from stithy_testing.conformance.issue_tests import (
    IssueListTests,
    IssueTests,
    PullRequestListTests,
    PullRequestTests,
    TimelineTests,
)
from stithy_testing.conformance.merge_tests import CheckTests, ReadinessTests, ReviewTests, RuleTests, RunTests
from stithy_testing.conformance.operation_calls import DATA_PAGE
from stithy_testing.conformance.repository_tests import (
    ArchiveTests,
    CommitTests,
    FileTests,
    FormerNameTests,
    GitTests,
    RepositoryTests,
    TreeTests,
)
from stithy_testing.conformance.server_tests import ConcurrencyTests, IdentityTests, SupportTests
from stithy_testing.conformance.stage import Stage
from stithy_testing.conformance.thread_tests import ReplyRepetitionTests, ReplyTests, ResolutionTests, ThreadTests

__all__ = ["ForgeConformance", "Stage"]


class ForgeConformance(
    IssueTests,
    PullRequestTests,
    IssueListTests,
    PullRequestListTests,
    CommentReadTests,
    CommentWriteTests,
    ReviewTests,
    ThreadTests,
    ReplyTests,
    ReplyRepetitionTests,
    ResolutionTests,
    TimelineTests,
    RepositoryTests,
    FileTests,
    CommitTests,
    TreeTests,
    GitTests,
    CheckTests,
    RunTests,
    RuleTests,
    IdentityTests,
    ReadinessTests,
    FormerNameTests,
    ArchiveTests,
    SupportTests,
    ConcurrencyTests,
):
    """The suite. A subclass defines the fixture `stage`, and nothing else."""

    pytestmark = pytest.mark.anyio

    @pytest.fixture
    def anyio_backend(self) -> str:
        """Run on asyncio, as the server does."""
        return "asyncio"

    @pytest.fixture
    def stage(self) -> Stage:
        """Fail: a subclass overrides it."""
        name = type(self).__name__
        pytest.fail(f"{name} has no fixture 'stage'. Define one that returns a Stage: {DATA_PAGE}.", pytrace=False)

"""The suite that every forge is held to, through the plugin interface alone.

A forge's test module inherits it and gives one fixture::

    class TestPond(ForgeConformance):
        @pytest.fixture
        def stage(self) -> Stage: ...

A forge may lack operations: where it says so (`Forge.supports`), the tests of such an operation hold it to raising
`Unsupported` instead. docs/plugins.md says what must be prepared.
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
    """What a forge is held to. An heir gives the fixture `stage`; everything else is here."""

    pytestmark = pytest.mark.anyio

    @pytest.fixture
    def anyio_backend(self) -> str:
        """Run on asyncio, as the server does."""
        return "asyncio"

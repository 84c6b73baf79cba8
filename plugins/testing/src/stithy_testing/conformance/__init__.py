"""The suite that every forge is held to, through the plugin interface alone.

A forge's test module inherits it and gives one fixture::

    class TestPond(ForgeConformance):
        @pytest.fixture
        def stage(self) -> Stage: ...

A forge may lack operations: where it says so (`Forge.supports`), the tests of such an operation hold it to raising
`Unsupported` instead. docs/plugins.md says what must be prepared.
"""

import pytest

from stithy_testing.conformance.capabilities import Capabilities, Together
from stithy_testing.conformance.changes import CommitFacts, FileFacts, GitFacts, RepositoryFacts, TreeFacts
from stithy_testing.conformance.checks import CheckFacts, RunFacts
from stithy_testing.conformance.comments import CommentReading
from stithy_testing.conformance.identity import IdentityFacts
from stithy_testing.conformance.lists import IssueLists, PullRequestLists
from stithy_testing.conformance.names import Archives, FormerNames
from stithy_testing.conformance.readiness import ReadinessFacts
from stithy_testing.conformance.repeats import Repeating
from stithy_testing.conformance.replies import Replying
from stithy_testing.conformance.resolving import Resolving
from stithy_testing.conformance.reviews import ReviewFacts
from stithy_testing.conformance.rules import RuleFacts
from stithy_testing.conformance.stage import Stage
from stithy_testing.conformance.subjects import IssueFacts, PullRequestFacts
from stithy_testing.conformance.threads import ThreadReading
from stithy_testing.conformance.timelines import Timelines
from stithy_testing.conformance.writing import CommentWriting

__all__ = ["ForgeConformance", "Stage"]


class ForgeConformance(
    IssueFacts,
    PullRequestFacts,
    IssueLists,
    PullRequestLists,
    CommentReading,
    CommentWriting,
    ReviewFacts,
    ThreadReading,
    Replying,
    Repeating,
    Resolving,
    Timelines,
    RepositoryFacts,
    FileFacts,
    CommitFacts,
    TreeFacts,
    GitFacts,
    CheckFacts,
    RunFacts,
    RuleFacts,
    IdentityFacts,
    ReadinessFacts,
    FormerNames,
    Archives,
    Capabilities,
    Together,
):
    """What a forge is held to. An heir gives the fixture `stage`; everything else is here."""

    pytestmark = pytest.mark.anyio

    @pytest.fixture
    def anyio_backend(self) -> str:
        """Run on asyncio, as the server does."""
        return "asyncio"

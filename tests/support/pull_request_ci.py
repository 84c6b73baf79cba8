"""A forge in memory that keeps checks, runs and rules at the pull request: it checks the result of the merge."""

from types import ModuleType
from typing import Any

from attrs import evolve

from stithy_core.plugins import Entry, scan_plugins
from stithy_core.spi import (
    BranchRules,
    Capability,
    CommitCheck,
    Contribution,
    ForgeKind,
    Listing,
    PullRequestRef,
    RepositoryRef,
    WorkflowRun,
    hookimpl,
)
from stithy_sandbox.capabilities.code_capabilities import SandboxChecks
from stithy_sandbox.capabilities.conversation_capabilities import SandboxRules
from stithy_sandbox.sandbox_forge import Sandbox

KIND = "double"
RESULT = "merge-result"
"""The branch that stands for the result of the merge, which no branch of a real forge has."""


class MergeResultChecks(SandboxChecks):
    """The checks of a pull request are those of the result of its merge."""

    async def list(
        self, repository: RepositoryRef, commit: str, *, pr: PullRequestRef | None = None
    ) -> Listing[CommitCheck]:
        return await super().list(repository, RESULT if pr else commit)

    async def runs(
        self, repository: RepositoryRef, commit: str, *, pr: PullRequestRef | None = None
    ) -> Listing[WorkflowRun]:
        return await super().runs(repository, RESULT if pr else commit)


class OwnRules(SandboxRules):
    """A pull request has an approval rule of its own."""

    async def get(self, repository: RepositoryRef, branch: str, *, pr: PullRequestRef | None = None) -> BranchRules:
        rules = await super().get(repository, branch)
        return evolve(rules, required_approvals=2) if pr else rules


def create_forge(*capabilities: type[Capability]) -> type[Sandbox]:
    """Return a sandbox with these capabilities in the place of its own."""
    own = [next((one for one in capabilities if issubclass(one, base)), base) for base in Sandbox.capabilities]
    return type("Double", (Sandbox,), {"capabilities": tuple(own)})


def register_forge(forge: type[Sandbox], **fields: Any) -> list[Entry]:
    """Return the installed plugins, and one with a kind of forge called `KIND`; `fields` are those of its kind."""

    def stithy_forges() -> list[ForgeKind]:
        return [ForgeKind(name=KIND, title="Double", forge=forge, **fields)]

    module: Any = ModuleType("stithy_double")
    module.STITHY_API = 1
    module.stithy_forges = hookimpl(stithy_forges)
    return [*scan_plugins(), Entry(Contribution("stithy-double", "1.0", "double"), load=lambda: module)]

"""The sandbox: all capabilities over one world."""

from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from weakref import finalize

from stithy_core.spi import Forge, ForgeConfig, Http, RepositoryRef, Version
from stithy_sandbox.capabilities.changes import SandboxChanges
from stithy_sandbox.capabilities.checks import SandboxChecks
from stithy_sandbox.capabilities.comments import SandboxComments
from stithy_sandbox.capabilities.subjects import SandboxIssues, SandboxPullRequests
from stithy_sandbox.capabilities.threads import SandboxThreads
from stithy_sandbox.capabilities.verdicts import SandboxIdentity, SandboxReviews, SandboxRules
from stithy_sandbox.sample import sample


class Sandbox(Forge):
    """A forge in memory; it never uses `http`. A test may replace its `world`."""

    capabilities = (
        SandboxIssues,
        SandboxPullRequests,
        SandboxComments,
        SandboxReviews,
        SandboxThreads,
        SandboxChanges,
        SandboxChecks,
        SandboxRules,
        SandboxIdentity,
    )

    def __init__(self, config: ForgeConfig, http: Http) -> None:
        super().__init__(config, http)
        self.world = sample(config.url)
        self._folder: Path | None = None

    async def identify(self) -> Version:
        """Return the plugin's own version."""
        return Version("sandbox", version("stithy-sandbox"))

    def now(self) -> datetime:
        """Return the world's time in UTC: it has a clock of its own."""
        return self.world.now()

    def write_bare(self, repository: RepositoryRef) -> Path:
        """Write a repository to a folder for git to read, and return its path; it is removed with this process."""
        from stithy_sandbox.world.bare import write_bare

        if self._folder is None:
            self._folder = Path(mkdtemp(prefix="stithy-sandbox-"))
            finalize(self, rmtree, self._folder, ignore_errors=True)
        return write_bare(self.world, repository, self._folder)

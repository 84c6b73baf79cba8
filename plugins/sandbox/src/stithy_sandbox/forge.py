"""The sandbox: all nine abilities over one world."""

from datetime import datetime
from importlib.metadata import version

from stithy_core.spi import Forge, Http, Link, Version
from stithy_sandbox.abilities.changes import SandboxChanges
from stithy_sandbox.abilities.checks import SandboxChecks
from stithy_sandbox.abilities.comments import SandboxComments
from stithy_sandbox.abilities.subjects import SandboxIssues, SandboxPullRequests
from stithy_sandbox.abilities.threads import SandboxThreads
from stithy_sandbox.abilities.verdicts import SandboxIdentity, SandboxReviews, SandboxRules
from stithy_sandbox.sample import sample


class Sandbox(Forge):
    """A forge kept in memory; it never uses `http`. A test may give it another `world`."""

    abilities = (
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

    def __init__(self, link: Link, http: Http) -> None:
        super().__init__(link, http)
        self.world = sample(link.url)

    async def identify(self) -> Version:
        """Give the plugin's own version."""
        return Version("sandbox", version("stithy-sandbox"))

    def now(self) -> datetime:
        """Tell the world's time: it has a clock of its own."""
        return self.world.now()

"""The sandbox: all nine abilities over one world."""

from importlib.metadata import version

from stithy_core.spi import Forge, Http, Link, Version
from stithy_sandbox.conversations import (
    SandboxComments,
    SandboxIdentity,
    SandboxIssues,
    SandboxPullRequests,
    SandboxThreads,
)
from stithy_sandbox.sample import sample
from stithy_sandbox.verdicts import SandboxChanges, SandboxChecks, SandboxReviews, SandboxRules


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

"""What a Gitea or Forgejo server can do."""

from stithy_core.spi import Dialect, Forge, IssueRef, NotFound, Operation, OwnersFile, Thread, Version
from stithy_gitea.addresses import API
from stithy_gitea.changes import GiteaChanges
from stithy_gitea.checks import GiteaChecks
from stithy_gitea.commands import shell_command
from stithy_gitea.comments import GiteaComments
from stithy_gitea.error_mapping import map_error
from stithy_gitea.identity import GiteaIdentity
from stithy_gitea.issues import GiteaIssues
from stithy_gitea.pulls import GiteaPullRequests
from stithy_gitea.reviews import GiteaReviews
from stithy_gitea.rules import GiteaRules
from stithy_gitea.threads import GiteaThreads

OWNERS = ("CODEOWNERS", "docs/CODEOWNERS", ".gitea/CODEOWNERS")


class Gitea(Forge):
    """One server, of either flavour."""

    capabilities = (
        GiteaIssues,
        GiteaPullRequests,
        GiteaComments,
        GiteaReviews,
        GiteaThreads,
        GiteaChanges,
        GiteaChecks,
        GiteaRules,
        GiteaIdentity,
    )
    dialect = Dialect(map_error=map_error)
    writes_by_http = True

    async def command(
        self, operation: Operation, subject: IssueRef, *, thread: Thread | None = None, body: str = ""
    ) -> str:
        """Return a shell command that performs an operation with curl."""
        return await shell_command(self, operation, subject, thread=thread, body=body)

    async def owners_file(self) -> OwnersFile:
        """Return the places of code owners, on the default branch (docs/forge-behaviour/gitea.md#code)."""
        own = (".forgejo/CODEOWNERS",) if (await self.version()).flavour == "forgejo" else ()
        return OwnersFile(places=(*OWNERS, *own), of_default=True, expressions=True)

    async def identify(self) -> Version:
        """Ask for the version where only Forgejo has it; the text of the common one misleads.

        Forgejo answers there with `14.0.0+gitea-1.22.0`, of which the part behind the plus is a marker of
        compatibility (docs/forge-behaviour/forgejo.md#versions-and-routes).
        """
        try:
            return Version("forgejo", (await self.http.get("/api/forgejo/v1/version", shape=dict))["version"])
        except NotFound:
            return Version("gitea", (await self.http.get(f"{API}/version", shape=dict))["version"])

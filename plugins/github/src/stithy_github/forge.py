"""What a GitHub server can do, and how it speaks HTTP: github.com, a tenant of ghe.com, or an Enterprise Server."""

from urllib.parse import urlsplit

from stithy_core.spi import Dialect, Forge, IssueRef, Operation, Paging, RateLimits, Thread, Version, follow_link_header
from stithy_github.addresses import to_graphql_url, to_rest_url
from stithy_github.changes import GitHubChanges
from stithy_github.checks import GitHubChecks
from stithy_github.commands import shell_command
from stithy_github.comments import GitHubComments
from stithy_github.error_mapping import map_error
from stithy_github.identity import GitHubIdentity
from stithy_github.issues import GitHubIssues
from stithy_github.missing_permissions import describe_gaps
from stithy_github.pulls import GitHubPullRequests
from stithy_github.reviews import GitHubReviews
from stithy_github.rules import GitHubRules
from stithy_github.threads import GitHubThreads

VERSION_HEADER = "x-github-enterprise-version"


class GitHub(Forge):
    """One server, of either flavour: `github` where GitHub runs it, `ghes` for an Enterprise Server.

    Only an Enterprise Server has versions. A server that GitHub runs is always current and reports its host instead.
    `@since(github="0", ghes="3.9")` declares support by all of the former and by the latter from 3.9.
    """

    capabilities = (
        GitHubIssues,
        GitHubPullRequests,
        GitHubComments,
        GitHubReviews,
        GitHubThreads,
        GitHubChanges,
        GitHubChecks,
        GitHubRules,
        GitHubIdentity,
    )
    dialect = Dialect(
        api=to_rest_url,
        graphql=to_graphql_url,
        headers={"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"},
        paging=Paging(next_page=follow_link_header, gaps=describe_gaps, size="per_page"),
        map_error=map_error,
        # GitHub allows 100 concurrent requests, and 900 points and 80 writes a minute. A third of the first leaves
        # capacity for other programs (docs/forge-behaviour/github.md#rate-limits).
        rate_limits=RateLimits(concurrent=32, points=900, writes=80, free=("/rate_limit",)),
    )
    writes_by_http = True

    async def command(
        self, operation: Operation, subject: IssueRef, *, thread: Thread | None = None, body: str = ""
    ) -> str:
        """Return a `gh` command that performs an operation; `gh` finds its own token."""
        return shell_command(self.config, operation, subject, thread, body)

    async def identify(self) -> Version:
        """Read the root of the API, which is small and public; an Enterprise Server's header has its version."""
        version = (await self.http.fetch("/", shape=dict)).headers.get(VERSION_HEADER, "")
        return Version("ghes", version) if version else Version("github", urlsplit(self.config.url).netloc)

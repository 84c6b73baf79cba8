"""Bitbucket Cloud for stithy."""

from collections.abc import Sequence

from stithy_core.spi import ForgeKind, ForgeNames, hookimpl

STITHY_API = 1
URL = "https://bitbucket.org"


class BitbucketNames(ForgeNames):
    """Names of repositories and pull requests; Bitbucket Cloud has had no issues since August 2026."""

    form = "workspace/repo"
    max_depth = 2
    pull_request_pages = ("pull-requests",)
    issue_pages = ()

    def list_other_urls(self, url: str) -> Sequence[str]:
        return ("ssh://altssh.bitbucket.org",) if url == URL else ()  # SSH at the port of HTTPS


@hookimpl
def stithy_forges() -> list[ForgeKind]:
    """Register the kind `bitbucket`."""
    return [
        ForgeKind(
            name="bitbucket",
            title="Bitbucket Cloud",
            hosts=("bitbucket.org",),
            url=URL,
            forge="stithy_bitbucket.bitbucket_forge:Bitbucket",
            credentials="stithy_bitbucket.bitbucket_forge:BitbucketCredentials",
            names=BitbucketNames(),
        )
    ]

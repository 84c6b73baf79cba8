"""GitHub for stithy: github.com, ghe.com and GitHub Enterprise Server."""

from stithy_core.spi import ForgeKind, ForgeNames, hookimpl
from stithy_github.addresses import to_web_url

STITHY_API = 1


class GitHubNames(ForgeNames):
    """The names of GitHub: `pulls/7` is a list of pull requests there, the page of one is `pull/7`."""

    max_depth = 2
    pull_request_pages = ("pull", "pulls")


@hookimpl
def stithy_forges() -> list[ForgeKind]:
    """Return the kind `github`; github.com needs no configuration for public data."""
    return [
        ForgeKind(
            name="github",
            title="GitHub",
            forge="stithy_github.forge:GitHub",
            hosts=("github.com",),
            url="https://github.com",
            credentials="stithy_github.credentials:GitHubCredentials",
            address=to_web_url,
            names=GitHubNames(),
        )
    ]

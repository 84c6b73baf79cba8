"""GitHub for stithy: github.com, ghe.com and GitHub Enterprise Server."""

from stithy_core.spi import ForgeKind, hookimpl
from stithy_github.addresses import to_web_url

STITHY_API = 0


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
        )
    ]

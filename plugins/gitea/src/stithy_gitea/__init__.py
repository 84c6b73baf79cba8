"""Gitea and Forgejo for stithy."""

from stithy_core.spi import ForgeKind, hookimpl
from stithy_gitea.addresses import web_of

STITHY_API = 1


@hookimpl
def stithy_forges() -> list[ForgeKind]:
    """Bring the kind `gitea`, which Forgejo is of as well; two public instances need no configuration."""
    return [
        ForgeKind(
            name="gitea",
            title="Gitea and Forgejo",
            forge="stithy_gitea.forge:Gitea",
            hosts=("codeberg.org", "gitea.com"),
            credentials="stithy_gitea.credentials:GiteaCredentials",
            address=web_of,
        )
    ]

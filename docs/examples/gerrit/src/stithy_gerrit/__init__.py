"""Gerrit: a change is one commit in versions, votes decide, and there are no issues."""

from stithy_core.spi import ForgeKind, hookimpl
from stithy_gerrit.gerrit_names import GerritNames

STITHY_API = 1


@hookimpl
def stithy_forges() -> list[ForgeKind]:
    """Return the kind of forge; public servers need no settings."""
    return [
        ForgeKind(
            name="gerrit",
            title="Gerrit",
            hosts=("gerrit-review.googlesource.com", "chromium-review.googlesource.com", "review.opendev.org"),
            forge="stithy_gerrit.gerrit_forge:Gerrit",
            names=GerritNames(),
        )
    ]

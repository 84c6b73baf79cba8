"""A forge kept in memory, for stithy."""

from stithy_core.spi import ForgeKind, hookimpl

STITHY_API = 0

URL = "http://sandbox.invalid"


@hookimpl
def stithy_forges() -> list[ForgeKind]:
    """Bring the kind `sandbox`. Its URL is a name only: nothing is ever sent there."""
    return [ForgeKind(name="sandbox", title="Sandbox in memory", forge="stithy_sandbox.forge:Sandbox", url=URL)]

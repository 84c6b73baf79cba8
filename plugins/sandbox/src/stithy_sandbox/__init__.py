"""A forge in memory, for stithy."""

from stithy_core.spi import ForgeKind, hookimpl

STITHY_API = 1

URL = "http://sandbox.invalid"


@hookimpl
def stithy_forges() -> list[ForgeKind]:
    """Register the kind `sandbox`. Its URL is a placeholder: no request is ever sent to it."""
    return [ForgeKind(name="sandbox", title="Sandbox in memory", forge="stithy_sandbox.sandbox_forge:Sandbox", url=URL)]

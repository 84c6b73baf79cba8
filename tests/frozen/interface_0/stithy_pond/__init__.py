"""The forge called Pond."""

from stithy_core.spi import ForgeKind, hookimpl

STITHY_API = 0


@hookimpl
def stithy_forges() -> list[ForgeKind]:
    return [
        ForgeKind(
            name="pond",
            title="Pond",
            hosts=("pond.example",),
            forge="stithy_pond.forge:Pond",
            credentials="stithy_pond.forge:PondCredentials",
        )
    ]

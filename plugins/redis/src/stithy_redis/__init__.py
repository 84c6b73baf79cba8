"""Redis or Valkey as the store that several servers share."""

from stithy_core.spi import StoreKind, hookimpl

STITHY_API = 1


@hookimpl
def stithy_stores() -> list[StoreKind]:
    """Provide the stores of `redis://`, `rediss://` and `unix://` URLs; the client is imported with the first one."""
    return [
        StoreKind(scheme=scheme, open="stithy_redis.redis_store:open_store") for scheme in ("redis", "rediss", "unix")
    ]

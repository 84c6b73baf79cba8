"""Where answers are kept, and where several processes count what they share."""

from typing import Protocol

from stithy_core.errors import ConfigError
from stithy_core.http.budgets import Budgets
from stithy_core.http.circuits import Circuits
from stithy_core.spi.ledger import Ledger

FORMS = "memory:, sqlite:/path/to/file, redis://host:6379/0, rediss://…, unix:///path/to/socket"


class Store(Protocol):
    """Keeps answers by key, as long as there is room; losing one is no loss. It never raises."""

    @property
    def budgets(self) -> Budgets:
        """Where the limits of the forges are counted."""
        ...

    @property
    def circuits(self) -> Circuits:
        """Where the failures of their hosts are counted."""
        ...

    @property
    def ledger(self) -> Ledger:
        """Where writes are recorded that are under way or lost."""
        ...

    @property
    def reachable(self) -> bool | None:
        """Whether what several processes share can be reached; None where nothing is shared."""
        ...

    async def get(self, key: str) -> bytes | None:
        """Give what is kept, or None."""
        ...

    async def put(self, key: str, value: bytes) -> None:
        """Keep something, in place of what was kept there."""
        ...

    async def aclose(self) -> None:
        """Give up what is open."""
        ...


def open_store(url: str, ledger: Ledger | None = None) -> Store:
    """Make the store that a setting names; nothing is opened or connected before it is used.

    Args:
        url: `memory:`, `sqlite:/path`, or `redis://…`, `rediss://…`, `unix://…` of a Redis or Valkey.
        ledger: Where writes are recorded; a store in Redis has a ledger of its own, which all its servers share.

    Raises:
        ConfigError: It is none of these, or the package that it needs is not installed.
    """
    scheme, _, rest = url.partition(":")
    if scheme == "memory" and not rest:
        from stithy_core.http.stores.memory import MemoryStore

        return MemoryStore(ledger=ledger)
    if scheme == "sqlite" and rest.strip("/"):
        from stithy_core.http.stores.sqlite import SqliteStore

        return SqliteStore("/" + rest.lstrip("/") if rest.startswith("//") else rest, ledger=ledger)
    if scheme in ("redis", "rediss", "unix") and rest.startswith("//"):
        return _redis(url)
    # What follows the colon may hold a password.
    raise ConfigError(f"no store begins with {scheme}:", suggestion=f"Use one of: {FORMS}")


def _redis(url: str) -> Store:
    try:
        from stithy_core.http.stores.redis import RedisStore
    except ImportError as error:
        remedy = 'Run: pip install "stithy-core[redis]"'
        raise ConfigError("a store in Redis needs the package redis", suggestion=remedy) from error
    try:
        return RedisStore.at(url)
    except ValueError as error:  # its text would quote the URL, which may hold a password
        raise ConfigError("the URL of the Redis store cannot be read", suggestion=f"Use one of: {FORMS}") from error

"""The HTTP client of every forge: tokens, rate limits, cached responses, failures as errors, and the core's stores.

The only package that imports httpx. `ForgeHttp` composes the transports; each one is a rule of its own.
"""

from collections.abc import Callable, Mapping

from stithy_core.errors import ConfigError
from stithy_core.http.hidden_imports import hide_module

with hide_module("httpx._main"):  # the command line of httpx: where rich is installed, it imports 100 modules
    import httpx  # noqa: F401 -- the modules below import names of it

from stithy_core.http.file_ledger import FileLedger
from stithy_core.http.forge_http import ForgeHttp
from stithy_core.http.memory_store import MemoryStore
from stithy_core.http.request_sender import Tokens
from stithy_core.spi import Store
from stithy_core.spi.idempotent_writer import Ledger

__all__ = ["FileLedger", "ForgeHttp", "Tokens", "open_store"]

FORMS = "memory:, sqlite:/path/to/file, redis://host:6379/0, rediss://…, unix:///path/to/socket"
REDIS_SCHEMES = ("redis", "rediss", "unix")

Openers = Mapping[str, Callable[[str, Store], Store]]
"""By the scheme of URLs, what opens a store of a plugin; see `stithy_core.spi.StoreKind`."""


def open_store(url: str, ledger: Ledger | None = None, openers: Openers | None = None) -> Store:
    """Create the store that a setting names; files and connections are opened at the first use.

    Args:
        url: `memory:`, `sqlite:/path`, or the URL of a store of a plugin, such as `redis://host`.
        ledger: Records writes; a store of a plugin has a ledger of its own, which all its servers share.
        openers: The stores of plugins.

    Raises:
        ConfigError: The URL is not valid, or no plugin provides its scheme.
    """
    scheme, _, rest = url.partition(":")
    if scheme == "memory" and not rest:
        return MemoryStore(ledger=ledger)
    if scheme == "sqlite" and rest.strip("/"):
        from stithy_core.http.sqlite_store import SqliteStore

        return SqliteStore("/" + rest.lstrip("/") if rest.startswith("//") else rest, ledger=ledger)
    if rest.startswith("//") and openers and (opener := openers.get(scheme)):
        return opener(url, MemoryStore())
    # What follows the colon may hold a password, so it is never shown.
    if rest.startswith("//") and scheme in REDIS_SCHEMES:
        remedy = 'Run: pip install "stithy[redis]". If it is installed, `stithy plugins` shows why it is not loaded.'
        raise ConfigError(f"a store at {scheme}:// needs the plugin stithy-redis", suggestion=remedy)
    raise ConfigError(f"invalid store: unknown scheme {scheme!r}", suggestion=f"Use one of: {FORMS}")

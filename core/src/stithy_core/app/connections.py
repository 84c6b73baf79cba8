"""From a forge's settings to its client: token, certificates, read-only mode and the store that all share."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from stithy_core.config import Config, user_state_folder
from stithy_core.errors import ConfigError
from stithy_core.plugins import PluginError, contain_faults, resolve
from stithy_core.redaction import remember
from stithy_core.spi import Contribution, Credentials, Dialect, ForgeConfig, Http, StoreKind

if TYPE_CHECKING:
    from stithy_core.app.forge_tokens import KeptToken
    from stithy_core.http import FileLedger, ForgeHttp
    from stithy_core.server.contents import UpstreamStatistics
    from stithy_core.spi import Store


class Connections:
    """The clients of one server; `stithy_core.http` is imported when the first is made.

    Args:
        config: The settings.
        environ: The environment, for tokens.
        state: Returns the folder of the record of writes; called when the first write is made.
        stores: The stores of plugins by the scheme of their URLs, each with its plugin.
    """

    def __init__(
        self,
        config: Config,
        environ: Mapping[str, str],
        state: Callable[[], Path] = user_state_folder,
        stores: Mapping[str, tuple[StoreKind, Contribution]] | None = None,
    ) -> None:
        self._config = config
        self._environ = environ
        self._state = state
        self._openers = {scheme: partial(_open_store, *offer) for scheme, offer in (stores or {}).items()}
        self._clients: list[ForgeHttp] = []
        self._tokens: dict[ForgeConfig, KeptToken] = {}
        self._store: Store | None = None
        self._ledger: FileLedger | None = None

    def connect(self, forge_config: ForgeConfig, dialect: Dialect, credentials: type[Credentials]) -> Http:
        """Create the HTTP client of a forge.

        Raises:
            ConfigError: The settings have no address of the forge, or their store cannot be used.
        """
        if not forge_config.url:
            raise ConfigError(
                f"[forges.{forge_config.alias}] has no url, and the kind {forge_config.kind!r} has no default url",
                suggestion=f'Set url = "https://…" in [forges.{forge_config.alias}].',
            )
        from stithy_core.app.forge_tokens import DelegatedToken, KeptToken, TokenFinder
        from stithy_core.http import ForgeHttp

        forge = self._config.forges.get(forge_config.alias)
        ca_file = forge.ca_file if forge else None
        finder = TokenFinder(forge_config, dialect, ca_file, forge.token if forge else None)

        def now() -> datetime:
            return client.now()

        tokens = KeptToken(finder.bind(credentials, self._environ), now)
        delegated = DelegatedToken(forge_config.alias, tokens)
        client = ForgeHttp(
            forge_config, dialect=dialect, tokens=delegated, ca_file=ca_file, store=self._open_shared_store()
        )
        self._tokens[forge_config] = tokens
        self._clients.append(client)
        return client

    def list_without_token(self) -> list[ForgeConfig]:
        """Return the forges for which a search found no token."""
        return [forge_config for forge_config, token in self._tokens.items() if token.is_missing]

    async def token_source(self, forge_config: ForgeConfig) -> str | None:
        """Return the source of a connected forge's token, never the token; None where it has none.

        Raises:
            StithyError: The token could not be read.
        """
        token = await self._tokens[forge_config].current() if forge_config in self._tokens else None
        return token.source if token else None

    async def read_public(self, url: str, ca_file: str | None) -> Any:
        """Read public JSON without a token, with the same client as forges.

        Args:
            url: The URL.
            ca_file: The file of a private certificate authority to trust; None for public ones.

        Raises:
            ForgeError: It cannot be read.
        """
        from stithy_core.http import ForgeHttp

        parts = urlsplit(url)
        home = ForgeConfig(alias=parts.netloc, kind="", url=f"{parts.scheme}://{parts.netloc}")
        client = ForgeHttp(home, ca_file=ca_file, store=self._open_shared_store())
        try:
            return await client.get(url)
        finally:
            await client.aclose()

    def list_statistics(self) -> "list[UpstreamStatistics]":
        """Return the statistics of this process's requests to each forge."""
        from stithy_core.server.contents import UpstreamStatistics

        return [
            UpstreamStatistics(
                forge=client.config.alias,
                reads=client.counts.reads(),
                requests=client.counts.sent,
                retries=client.counts.repeated,
                withheld=client.counts.withheld,
                left=client.counts.left,
            )
            for client in self._clients
        ]

    def is_store_reachable(self) -> bool | None:
        """Return whether the shared store can be reached; None without one, or before its first use."""
        return self._store.reachable if self._store is not None else None

    async def aclose(self) -> None:
        """Close every connection, then the store."""
        for client in self._clients:
            await client.aclose()
        if self._store is not None:
            await self._store.aclose()
        if self._ledger is not None:
            await self._ledger.aclose()

    def _open_shared_store(self) -> "Store":
        """Return the store that all clients share, for answers and counts."""
        from stithy_core.http import FileLedger, open_store

        if self._store is None:
            place = self._config.http.store
            remember(urlsplit(place).password or "")
            self._ledger = FileLedger(self._state)
            self._store = open_store(place, self._ledger, self._openers)
        return self._store


def prepare_client() -> None:
    """Import what connecting takes, and create the TLS context that the first client needs, whatever its URL."""
    import encodings.idna  # noqa: F401 -- Python imports it, 9 ms, when it resolves the first name of a host

    from stithy_core.http.connection_transport import create_public_context

    create_public_context()


def _open_store(kind: StoreKind, origin: Contribution, url: str, local: "Store") -> "Store":
    """Open a store of a plugin.

    Raises:
        ConfigError: The URL is not valid, or the plugin fails.
    """
    try:
        with contain_faults(f"{origin} cannot open a {kind.scheme} store:", "Report it to the plugin's author."):
            opened: Store = resolve(kind.open)(url, local)
    except PluginError as error:
        if isinstance(error.__cause__, ConfigError):
            raise error.__cause__ from None
        raise ConfigError(error.cause, suggestion=error.remedy) from None  # a traceback may hold the URL's password
    return opened

"""From a forge's settings to its client: token, certificates, read-only mode and the store that all share."""

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from stithy_core.config import Config
from stithy_core.config.folders import user_state_folder
from stithy_core.errors import ConfigError
from stithy_core.redaction import remember
from stithy_core.spi import Credentials, Dialect, Http, Link

if TYPE_CHECKING:
    from stithy_core.app.tokens import KeptToken
    from stithy_core.http import FileLedger, ForgeHttp, Store
    from stithy_core.server.figures import Upstream


class Connections:
    """The clients of one server; `stithy_core.http` is imported when the first is made.

    Args:
        config: The settings.
        environ: The environment, for tokens.
        state: Returns the folder of the record of writes; it is asked when the first write is made.
    """

    def __init__(
        self, config: Config, environ: Mapping[str, str], state: Callable[[], Path] = user_state_folder
    ) -> None:
        self._config = config
        self._environ = environ
        self._state = state
        self._clients: list[ForgeHttp] = []
        self._tokens: dict[Link, KeptToken] = {}
        self._store: Store | None = None
        self._ledger: FileLedger | None = None

    def connect(self, link: Link, dialect: Dialect, credentials: type[Credentials]) -> Http:
        """Make the client of a forge.

        Raises:
            ConfigError: The settings do not say where it is, or the store that they name cannot be used.
        """
        if not link.url:
            raise ConfigError(
                f"[forges.{link.alias}] has no url, and forges of the kind {link.kind!r} have no place of their own",
                suggestion=f'Set url = "https://…" in [forges.{link.alias}].',
            )
        from stithy_core.app.lookup import Lookup
        from stithy_core.app.tokens import KeptToken, LentToken
        from stithy_core.http import ForgeHttp

        forge = self._config.forges.get(link.alias)
        ca_file = forge.ca_file if forge else None
        lookup = Lookup(link, dialect, ca_file, forge.token if forge else None)

        def now() -> datetime:
            return client.now()

        tokens = KeptToken(lookup.of(credentials, self._environ), now)
        serving = self._config.serve.http
        used = LentToken(link.alias, tokens, serving.forge_token_fallback) if serving.forge_tokens else tokens
        client = ForgeHttp(link, dialect=dialect, tokens=used, ca_file=ca_file, store=self._shared())
        self._tokens[link] = tokens
        self._clients.append(client)
        return client

    def without_token(self) -> list[Link]:
        """Return the forges for which a token was looked for and none was found."""
        return [link for link, token in self._tokens.items() if token.is_missing]

    async def token_source(self, link: Link) -> str | None:
        """Say where the token of a forge that was connected is from; None where it has none. It is never shown.

        Raises:
            StithyError: It could not be found out.
        """
        token = await self._tokens[link].token() if link in self._tokens else None
        return token.source if token else None

    async def read_public(self, url: str, ca_file: str | None) -> Any:
        """Read JSON that everybody may read, as the forges are read and without a token.

        Args:
            url: Where it is.
            ca_file: The certificate authority to trust, where it is a private one.

        Raises:
            ForgeError: It cannot be read.
        """
        from stithy_core.http import ForgeHttp

        parts = urlsplit(url)
        home = Link(alias=parts.netloc, kind="", url=f"{parts.scheme}://{parts.netloc}")
        client = ForgeHttp(home, ca_file=ca_file, store=self._shared())
        try:
            return await client.get(url)
        finally:
            await client.aclose()

    def figures(self) -> "list[Upstream]":
        """Say how this process got on with each forge that it asked."""
        from stithy_core.server.figures import Upstream

        return [
            Upstream(
                forge=client.link.alias,
                reads=client.counts.reads(),
                requests=client.counts.sent,
                retries=client.counts.repeated,
                withheld=client.counts.withheld,
                left=client.counts.left,
            )
            for client in self._clients
        ]

    def shares(self) -> bool | None:
        """Say whether the store that servers share can be reached; None where there is none, or nobody asked it yet."""
        return self._store.reachable if self._store is not None else None

    async def aclose(self) -> None:
        """Close every connection, then the store."""
        for client in self._clients:
            await client.aclose()
        if self._store is not None:
            await self._store.aclose()
        if self._ledger is not None:
            await self._ledger.aclose()

    def _shared(self) -> "Store":
        """Give the one store, where all clients keep answers and count what they share."""
        from stithy_core.http import FileLedger, open_store

        if self._store is None:
            place = self._config.http.store
            remember(urlsplit(place).password or "")
            self._ledger = FileLedger(self._state)
            self._store = open_store(place, self._ledger)
        return self._store

"""From a forge's settings to its client: token, certificates and read-only mode."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from stithy_core.config import Config
from stithy_core.errors import ConfigError
from stithy_core.spi import Credentials, Dialect, Http, Link

if TYPE_CHECKING:
    from stithy_core.app.tokens import KeptToken
    from stithy_core.http import ForgeHttp


class Connections:
    """The clients of one server; `stithy_core.http` is imported when the first is made.

    Args:
        config: The settings.
        environ: The environment, for tokens.
    """

    def __init__(self, config: Config, environ: Mapping[str, str]) -> None:
        self._config = config
        self._environ = environ
        self._clients: list[ForgeHttp] = []
        self._tokens: dict[Link, KeptToken] = {}

    def connect(self, link: Link, dialect: Dialect, credentials: type[Credentials]) -> Http:
        """Make the client of a forge.

        Raises:
            ConfigError: The settings do not say where it is.
        """
        if not link.url:
            raise ConfigError(
                f"[forges.{link.alias}] has no url, and forges of the kind {link.kind!r} have no place of their own",
                suggestion=f'Set url = "https://…" in [forges.{link.alias}].',
            )
        from stithy_core.app.lookup import Lookup
        from stithy_core.app.tokens import KeptToken
        from stithy_core.http import ForgeHttp

        forge = self._config.forges.get(link.alias)
        ca_file = forge.ca_file if forge else None
        lookup = Lookup(link, dialect, ca_file, forge.token if forge else None)

        def now() -> datetime:
            return client.now()

        tokens = KeptToken(lookup.of(credentials, self._environ), now)
        client = ForgeHttp(link, dialect=dialect, tokens=tokens, ca_file=ca_file)
        self._tokens[link] = tokens
        self._clients.append(client)
        return client

    async def token_source(self, link: Link) -> str | None:
        """Say where the token of a forge that was connected is from; None where it has none. It is never shown.

        Raises:
            StithyError: It could not be found out.
        """
        token = await self._tokens[link].token() if link in self._tokens else None
        return token.source if token else None

    async def aclose(self) -> None:
        """Close every connection."""
        for client in self._clients:
            await client.aclose()

"""From a forge's settings to its client: token, certificates and read-only mode."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread

from stithy_core.config import Config, ForgeSettings, token_of
from stithy_core.errors import ConfigError
from stithy_core.redaction import remember
from stithy_core.spi import Credentials, Dialect, Http, Link

if TYPE_CHECKING:
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

    def connect(self, link: Link, dialect: Dialect, credentials: type[Credentials]) -> Http:  # noqa: ARG002 -- to be asked where the settings name no token
        """Make the client of a forge; of a well-known host that nobody configured, for public data only.

        Raises:
            ConfigError: The settings do not say where it is.
        """
        from stithy_core.http import ForgeHttp

        if not link.url:
            raise ConfigError(
                f"[forges.{link.alias}] has no url, and forges of the kind {link.kind!r} have no place of their own",
                suggestion=f'Set url = "https://…" in [forges.{link.alias}].',
            )
        forge = self._config.forges.get(link.alias)
        client = ForgeHttp(
            link,
            dialect=dialect,
            tokens=_Reader(forge, self._environ),
            ca_file=forge.ca_file if forge else None,
        )
        self._clients.append(client)
        return client

    async def aclose(self) -> None:
        """Close every connection."""
        for client in self._clients:
            await client.aclose()


class _Reader:
    """Reads a forge's token before each request, so that a renewed one is used at once."""

    def __init__(self, forge: ForgeSettings | None, environ: Mapping[str, str]) -> None:
        self._source = forge.token if forge else None
        self._environ = environ
        self._kept: list[str] = []
        self._asking = anyio.Lock()

    async def current(self) -> str | None:
        source = self._source
        if source is None:
            return None
        if source.command is None:
            token = token_of(source, self._environ)
        else:
            async with self._asking:  # a password manager takes its time, or asks its user, so it is run once
                if not self._kept:
                    self._kept.append(await anyio.to_thread.run_sync(token_of, source, self._environ))
            token = self._kept[0]
        remember(token)
        return token

    async def refused(self, value: str) -> bool:  # noqa: ARG002 -- what is read is all there is
        return False

"""Finding the token of a forge: where the settings say, else by its app, else in the usual places of its kind."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

import anyio
import anyio.to_thread
from attrs import define, evolve, field

from stithy_core.app.tokens import GivenToken
from stithy_core.config import TokenSource, private_key_of, token_of, usable
from stithy_core.http import ForgeHttp
from stithy_core.redaction import remember
from stithy_core.spi import AppKey, Credentials, Dialect, ForgeConfig, Http, Token
from stithy_core.spi.write_guard import outside_call

Look = Callable[[], Awaitable[Token | None]]


@define
class Lookup:
    """Looks for the token of one forge.

    Args:
        forge_config: The forge.
        dialect: How it speaks HTTP.
        ca_file: The certificate authority to trust, where it is a private one.
        source: Where the settings say that the token is; None leaves it to the kind of forge.
    """

    forge_config: ForgeConfig
    dialect: Dialect
    ca_file: str | None
    source: TokenSource | None
    _passing: list[ForgeHttp] = field(factory=list, init=False)

    def of(self, kind: type[Credentials], environ: Mapping[str, str]) -> Look:
        """Give what looks, once for each call; what it finds is fit for a header, and known to the redaction.

        Args:
            kind: What the kind of forge knows of tokens.
            environ: The environment.
        """
        credentials = kind(self.forge_config, environ, self._carrying)

        async def look() -> Token | None:
            try:
                with outside_call():  # a dry run and a tool that reads need a token as well
                    token = await _found(self.source, credentials)
            finally:
                with anyio.CancelScope(shield=True):
                    await self._close()
            if token is not None:
                token = evolve(token, value=usable(token.value, token.source))
                remember(token.value)
            return token

        return look

    def _carrying(self, token: Token) -> Http:
        """Make a client for the time of one look."""
        remember(token.value)
        # Getting a token changes nothing on the forge, so that a read-only one may be asked for it.
        forge_config = evolve(self.forge_config, read_only=False)
        client = ForgeHttp(forge_config, dialect=self.dialect, tokens=GivenToken(token.value), ca_file=self.ca_file)
        self._passing.append(client)
        return client

    async def _close(self) -> None:
        while self._passing:
            await self._passing.pop().aclose()


async def _found(source: TokenSource | None, credentials: Credentials) -> Token | None:
    if source is None:
        return await credentials.find()
    if source.app is not None and source.private_key is not None:
        private_key = private_key_of(source.private_key, credentials.environ)
        remember(private_key)
        key = AppKey(app=source.app, private_key=private_key, installation=source.installation)
        return await credentials.exchange(key)
    read = partial(token_of, source, credentials.environ)
    if source.command is None:
        return Token(value=read(), source=str(source), kept=False)
    # A password manager takes its time, or asks its user: it is run once, and nobody else waits for it.
    return Token(value=await anyio.to_thread.run_sync(read, abandon_on_cancel=True), source=str(source))

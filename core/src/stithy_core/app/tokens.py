"""Where the token of a forge comes from, and tokens that are kept until they expire."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from time import time

import anyio
import anyio.to_thread
from attrs import define, evolve, field, frozen

from stithy_core.config import TokenSource, check_token, read_private_key, read_token
from stithy_core.errors import Refused, StithyError
from stithy_core.http import ForgeHttp
from stithy_core.http.request_sender import hash_token
from stithy_core.redaction import remember
from stithy_core.spi import AppKey, Credentials, Dialect, ForgeConfig, Http, Token
from stithy_core.spi.call_state import delegated_token, outside_call, requires_delegated_token

Look = Callable[[], Awaitable[Token | None]]


@define
class Lookup:
    """Finds the token of one forge.

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
        """Return a function that finds the token at each call, checks it and remembers it for redaction.

        Args:
            kind: The credentials of the kind of forge.
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
                token = evolve(token, value=check_token(token.value, token.source))
                remember(token.value)
            return token

        return look

    def _carrying(self, token: Token) -> Http:
        """Create a client that is closed when the token was found."""
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
        private_key = read_private_key(source.private_key, credentials.environ)
        remember(private_key)
        key = AppKey(app=source.app, private_key=private_key, installation=source.installation)
        return await credentials.exchange(key)
    read = partial(read_token, source, credentials.environ)
    if source.command is None:
        return Token(value=read(), source=str(source), kept=False)
    # A password manager takes its time, or asks its user: it is run once, and nobody else waits for it.
    return Token(value=await anyio.to_thread.run_sync(read, abandon_on_cancel=True), source=str(source))


BEFORE_ITS_END = timedelta(minutes=5)
PAUSE = 60.0
"""Seconds between two looks for another token, where nothing says that there is one."""

log = logging.getLogger("stithy.tokens")


@define
class KeptToken:
    """The token of one forge; implements `stithy_core.http.Tokens`. However many callers want it, one of them looks.

    Args:
        look: Finds a token; None means public data only.
        now: The time by the forge's clock.
    """

    _look: Callable[[], Awaitable[Token | None]]
    _now: Callable[[], datetime]
    _held: Token | None = field(default=None, init=False, repr=False)
    _looked: float | None = field(default=None, init=False)
    _refused: float | None = field(default=None, init=False)
    _failed: bool = field(default=False, init=False)
    _looking: anyio.Lock = field(factory=anyio.Lock, init=False, repr=False)

    async def current(self) -> str | None:
        """Return the token for the next request; None for requests without one."""
        token = await self.token()
        return token.value if token else None

    async def token(self) -> Token | None:
        """Return the token with its expiry and account, as far as they are known.

        Raises:
            StithyError: It could not be found out; a token that still lasts is used on.
        """
        if self._is_due():
            async with self._looking:
                if self._is_due():  # nobody else has just looked
                    await self._renew()
        return self._held

    async def account_identity(self) -> str:
        """Return what its account is known by in keys, also after it was renewed."""
        token = await self.token()
        return hash_token((token.account or token.value) if token else None)

    async def report_refusal(self, value: str) -> bool:
        """Replace a token that the forge refused, and return whether there is another one."""
        async with self._looking:
            held = self._held
            if held is not None and held.value == value and not _within_pause(self._refused):
                self._refused = time()
                await self._forget_and_look()
            return self._held is not None and self._held.value != value

    @property
    def is_missing(self) -> bool:
        """Whether a token was looked for and none was found."""
        return self._held is None and (self._looked is not None or self._failed)

    async def _renew(self) -> None:
        try:
            self._held, self._failed = await self._look(), False
        except StithyError as error:
            self._failed = True
            if (held := self._held) is None or not self._lasts(held):
                raise
            log.warning("the token of %s could not be renewed yet: %s", held.source, error.message)
        self._looked = time()

    async def _forget_and_look(self) -> None:
        self._held, self._looked = None, None
        await self._renew()

    def _is_due(self) -> bool:
        held = self._held
        if held is not None and not held.kept:
            return True
        # The pause also matters where a place gives the same token again, or one that ends in a moment.
        ending = held is None or (held.expires_at is not None and self._now() >= held.expires_at - BEFORE_ITS_END)
        return ending and not _within_pause(self._looked)

    def _lasts(self, token: Token) -> bool:
        return token.expires_at is not None and token.expires_at > self._now()


@frozen
class GivenToken:
    """A token that somebody has in the hand; implements `stithy_core.http.Tokens`."""

    value: str = field(repr=False)

    async def current(self) -> str | None:
        """Return the token."""
        return self.value

    async def report_refusal(self, value: str) -> bool:  # noqa: ARG002 -- there is no other
        """Return False: there is no other token."""
        return False


@frozen
class DelegatedToken:
    """The token that a caller brought, else the server's own; implements `stithy_core.http.Tokens`.

    Args:
        alias: The forge.
        own: The server's.
    """

    alias: str
    own: KeptToken

    async def current(self) -> str | None:
        """Return the token for the next request.

        Raises:
            Refused: The caller brought tokens, and none for this forge, of which the server has one.
        """
        if token := delegated_token(self.alias):
            return token
        own = await self.own.current()
        if own is not None and requires_delegated_token():
            raise Refused(
                f"the request brings forge tokens of its own, and none for {self.alias}",
                suggestion=f"Add {self.alias}=TOKEN to X-Forge-Token; the server's own token is not used beside them.",
            )
        return own

    async def account_identity(self) -> str:
        """Return what the account of the next token is known by in keys.

        Raises:
            Refused: As for `current`.
        """
        token = await self.current()
        return hash_token(token) if delegated_token(self.alias) else await self.own.account_identity()

    async def report_refusal(self, value: str) -> bool:
        """Replace the server's own token if that was refused; a caller's token is never replaced."""
        return False if delegated_token(self.alias) else await self.own.report_refusal(value)


def _within_pause(since: float | None) -> bool:
    return since is not None and 0 <= time() - since < PAUSE  # a clock that was set back ends it

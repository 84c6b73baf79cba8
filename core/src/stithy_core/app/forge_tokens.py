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
from stithy_core.redaction import list_token_secrets, remember
from stithy_core.spi import AppKey, Credentials, Dialect, ForgeConfig, Http, Token
from stithy_core.spi.call_state import delegated_token, outside_call, requires_delegated_token

FindToken = Callable[[], Awaitable[Token | None]]


@define
class TokenFinder:
    """Finds the token of one forge.

    Args:
        forge_config: The forge.
        dialect: Its dialect of HTTP.
        ca_file: The file of a private certificate authority to trust; None for public ones.
        source: The source of the token in the settings; None leaves it to the kind of forge.
    """

    forge_config: ForgeConfig
    dialect: Dialect
    ca_file: str | None
    source: TokenSource | None
    _temporary_clients: list[ForgeHttp] = field(factory=list, init=False)

    def bind(self, kind: type[Credentials], environ: Mapping[str, str]) -> FindToken:
        """Return a function that finds the token at each call, checks it and remembers it for redaction.

        Args:
            kind: The credentials of the kind of forge.
            environ: The environment.
        """
        credentials = kind(self.forge_config, environ, self._connect)

        async def find_token() -> Token | None:
            try:
                with outside_call():  # dry runs and tools that read need tokens as well
                    token = await _find_token(self.source, credentials)
            finally:
                with anyio.CancelScope(shield=True):
                    await self._close()
            if token is not None:
                token = evolve(token, value=check_token(token.value, token.source))
                self._remember(token)
            return token

        return find_token

    def _connect(self, token: Token) -> Http:
        """Create a client that is closed after the search."""
        self._remember(token)
        # Requesting a token changes nothing on the forge, so read-only mode allows it.
        forge_config = evolve(self.forge_config, read_only=False)
        client = ForgeHttp(forge_config, dialect=self.dialect, tokens=FixedToken(token), ca_file=self.ca_file)
        self._temporary_clients.append(client)
        return client

    def _remember(self, token: Token) -> None:
        """Record a token, and the credentials that the dialect makes of it, for redaction."""
        credentials = [value.rpartition(" ")[2] for value in self.dialect.authorization(token).values()]
        for secret in (*list_token_secrets(token.value), *credentials):
            remember(secret)

    async def _close(self) -> None:
        while self._temporary_clients:
            await self._temporary_clients.pop().aclose()


async def _find_token(source: TokenSource | None, credentials: Credentials) -> Token | None:
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
    # A password manager may be slow or ask its user, so it is run once, in a thread.
    return Token(value=await anyio.to_thread.run_sync(read, abandon_on_cancel=True), source=str(source))


RENEWAL_MARGIN = timedelta(minutes=5)
"""How long before its end a token is renewed."""
PAUSE = 60.0
"""Seconds between two searches for another token, unless something suggests that there is one."""

log = logging.getLogger("stithy.tokens")


@define
class KeptToken:
    """The token of one forge; implements `stithy_core.http.Tokens`. However many callers need it, one of them searches.

    Args:
        find: Finds the token; None means public data only.
        now: The time by the forge's clock.
    """

    _find: FindToken
    _now: Callable[[], datetime]
    _token: Token | None = field(default=None, init=False, repr=False)
    _searched: float | None = field(default=None, init=False)
    _refused: float | None = field(default=None, init=False)
    _failed: bool = field(default=False, init=False)
    _search_lock: anyio.Lock = field(factory=anyio.Lock, init=False, repr=False)

    async def current(self) -> Token | None:
        """Return the token for the next request; None for requests without one.

        Raises:
            StithyError: The token could not be renewed, and the last one has expired.
        """
        if self._is_due():
            async with self._search_lock:
                if self._is_due():  # no other task has just renewed it
                    await self._renew()
        return self._token

    async def report_refusal(self, token: Token) -> bool:
        """Replace a token that the forge refused, and return whether there is another one."""
        async with self._search_lock:
            own = self._token
            if own is not None and own.value == token.value and not _is_within_pause(self._refused):
                self._refused = time()
                await self._replace()
            return self._token is not None and self._token.value != token.value

    @property
    def is_missing(self) -> bool:
        """Whether a search found no token."""
        return self._token is None and (self._searched is not None or self._failed)

    async def _renew(self) -> None:
        try:
            self._token, self._failed = await self._find(), False
        except StithyError as error:
            self._failed = True
            if (token := self._token) is None or not self._lasts(token):
                raise
            log.warning("the token of %s could not be renewed yet: %s", token.source, error.message)
        self._searched = time()

    async def _replace(self) -> None:
        self._token, self._searched = None, None
        await self._renew()

    def _is_due(self) -> bool:
        token = self._token
        if token is not None and not token.kept:
            return True
        # The pause also matters if the source returns the same token again, or one that ends soon.
        is_ending = token is None or (token.expires_at is not None and self._now() >= token.expires_at - RENEWAL_MARGIN)
        return is_ending and not _is_within_pause(self._searched)

    def _lasts(self, token: Token) -> bool:
        return token.expires_at is not None and token.expires_at > self._now()


@frozen
class FixedToken:
    """A token that never changes; implements `stithy_core.http.Tokens`."""

    token: Token

    async def current(self) -> Token:
        """Return the token."""
        return self.token

    async def report_refusal(self, token: Token) -> bool:  # noqa: ARG002 -- this token cannot be replaced
        """Return False: this token cannot be replaced."""
        return False


@frozen
class DelegatedToken:
    """The token that a caller delegated, else the server's own; implements `stithy_core.http.Tokens`.

    Args:
        alias: The forge.
        own: The token of the server.
    """

    alias: str
    own: KeptToken

    async def current(self) -> Token | None:
        """Return the token for the next request.

        Raises:
            Refused: The caller delegated tokens, but none for this forge, and the server has one.
        """
        if value := delegated_token(self.alias):
            return Token(value=value, source="the header X-Forge-Token", kept=False)
        own = await self.own.current()
        if own is not None and requires_delegated_token():
            raise Refused(
                f"the request has forge tokens, but none for {self.alias}",
                suggestion=f"Add {self.alias}=TOKEN to X-Forge-Token; the server's own token is not used then.",
            )
        return own

    async def report_refusal(self, token: Token) -> bool:
        """Replace the server's own token if that was refused; a caller's token is never replaced."""
        return False if delegated_token(self.alias) else await self.own.report_refusal(token)


def _is_within_pause(since: float | None) -> bool:
    return since is not None and 0 <= time() - since < PAUSE  # a clock that was set back ends it

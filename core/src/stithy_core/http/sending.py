"""Makes requests of what is asked for, with the forge's token, and sends them past the policies."""

from collections.abc import Mapping
from datetime import UTC, datetime

import httpx

from stithy_core import __version__
from stithy_core.http.clock import Clock
from stithy_core.http.faults import Faults
from stithy_core.http.marks import MARK, Mark
from stithy_core.http.signals import Signal
from stithy_core.http.tokens import Tokens, identity_of
from stithy_core.http.waits import timestamp

TIMEOUT = httpx.Timeout(10.0, connect=5.0)
UNAUTHORIZED = 401
PLAIN = {
    "accept": "application/json",
    "accept-encoding": "gzip",
    "user-agent": f"stithy/{__version__}",
}


class Sender:
    """Sends requests to one forge.

    Args:
        transport: The policies, and what carries the requests behind them.
        tokens: Give the token of each request.
        headers: Those of the forge's dialect.
        faults: Say what a failure means.
        clock: Tells the time.
    """

    def __init__(
        self,
        transport: httpx.AsyncBaseTransport,
        *,
        tokens: Tokens,
        headers: Mapping[str, str],
        faults: Faults,
        clock: Clock,
    ) -> None:
        self._transport = transport
        self._tokens = tokens
        self._headers = PLAIN | {name.lower(): value for name, value in headers.items()}
        self._faults = faults
        self._clock = clock
        self._date = ""
        self.skew = 0.0

    async def send(
        self,
        method: str,
        url: httpx.URL,
        content: bytes | None = None,
        *,
        writing: bool = False,
        repeatable: bool = True,
    ) -> httpx.Response:
        """Send a request and read the answer; of a token that is refused another is tried, where there is one.

        Raises:
            ForgeError: There is no answer.
        """
        headers = self._headers if content is None else self._headers | {"content-type": "application/json"}
        token = await self._tokens.current()
        for last in (False, True):
            mark = Mark(identity_of(token), writing, repeatable)
            response = await self._issue(self._transport, _request(method, url, headers, token, mark, content), mark)
            if last or not await self._renewed(response, token):
                break
            token = await self._tokens.current()
        return response

    async def open(self, url: httpx.URL, accept: str) -> httpx.Response:
        """Ask the forge for a stream, to be read and closed by the caller."""
        headers = self._headers | ({"accept": accept} if accept else {})
        ...

    async def _renewed(self, response: httpx.Response, token: str | None) -> bool:
        return response.status_code == UNAUTHORIZED and token is not None and await self._tokens.refused(token)

"""Makes requests of what is asked for, with the forge's token, and sends them past the policies."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import httpx
from attrs import frozen

from stithy_core import __version__
from stithy_core.http.clock import Clock
from stithy_core.http.expected_json import ExpectedJson
from stithy_core.http.faults import Faults
from stithy_core.http.marks import MARK, Mark
from stithy_core.http.signals import Signal
from stithy_core.http.tokens import Tokens, identity_of
from stithy_core.http.waits import timestamp

TIMEOUT = httpx.Timeout(10.0, connect=5.0)
AGENT = {"user-agent": f"stithy/{__version__}", "accept-encoding": "gzip"}


@frozen(kw_only=True)
class Ask:
    """What is to be sent.

    Args:
        method: The HTTP method.
        url: The forge's own, or one to which it led.
        content: The body, as JSON.
        accept: The media type to ask for; that of the forge's API where it is empty.
        writing: Whether it changes something.
        repeatable: Whether sending it twice does the same as once.
        streamed: Whether the answer is read by the caller, who closes it.
        away: Whether the URL is another host's: nothing of the forge's goes there, its token least of all.
        expected: What the JSON of a success must be; None where it is not read as JSON.
    """

    method: str = "GET"
    url: httpx.URL
    content: bytes | None = None
    accept: str = ""
    writing: bool = False
    repeatable: bool = True
    streamed: bool = False
    away: bool = False
    expected: ExpectedJson | None = None


class Sender:
    """Sends requests to one forge.

    Args:
        whole: The policies for what is read whole.
        streamed: Those for streams.
        tokens: Give the token of each request.
        headers: Those of the forge's dialect.
        faults: Say what a failure means.
        clock: Tells the time.
    """

    def __init__(
        self,
        whole: httpx.AsyncBaseTransport,
        streamed: httpx.AsyncBaseTransport,
        *,
        tokens: Tokens,
        headers: Mapping[str, str],
        faults: Faults,
        clock: Clock,
    ) -> None:
        self._whole = whole
        self._streamed = streamed
        self._tokens = tokens
        self._headers = AGENT | {"accept": "application/json"} | {name.lower(): headers[name] for name in headers}
        self._faults = faults
        self._clock = clock
        self._date = ""
        self._skew = 0.0

    async def send(self, ask: Ask) -> httpx.Response:
        """Send a request, and once more with another token where the first is refused and there is one.

        Raises:
            ForgeError: There is no usable answer.
        """
        token = None if ask.away else await self._tokens.current()
        response = await self._issue(ask, token)
        if response.status_code == httpx.codes.UNAUTHORIZED and token is not None and await self._tokens.refused(token):
            response = await self._issue(ask, await self._tokens.current())
        return response

    async def _issue(self, ask: Ask, token: str | None) -> httpx.Response:
        mark = Mark(identity_of(token), ask.writing, ask.repeatable, ask.streamed, ask.expected)
        extensions = {"timeout": TIMEOUT.as_dict(), MARK: mark}
        headers = self._headers_of(ask, token)
        request = httpx.Request(ask.method, ask.url, headers=headers, content=ask.content, extensions=extensions)
        try:
            response = await (self._streamed if ask.streamed else self._whole).handle_async_request(request)
        except (httpx.TransportError, Signal) as error:
            host = ask.url.host if ask.away else ""
            raise self._faults.unanswered(error, writing=ask.writing, host=host) from error
        response.request = request
        if not ask.away:
            self._learn_time(response.headers.get("date", ""))
        return response

    def _headers_of(self, ask: Ask, token: str | None) -> dict[str, str]:
        headers = dict(AGENT if ask.away else self._headers)
        if ask.accept:
            headers["accept"] = ask.accept
        if ask.content is not None:
            headers["content-type"] = "application/json"
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        return headers

    def now(self) -> datetime:
        """Tell the time by the server's own clock, as its latest answer showed it."""
        return datetime.fromtimestamp(self._clock.time(), UTC) + timedelta(seconds=self._skew)

    def _learn_time(self, date: str) -> None:
        if date == self._date:  # most answers of a burst are of one second, whose first shows the time best
            return
        told = timestamp(date)
        if told is not None:
            self._date, self._skew = date, told - self._clock.time()

"""Sending requests to a forge with its token: whole responses, and streams that may lead to other hosts."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Protocol

import httpx
from attrs import frozen

from stithy_core.errors import Moved, TooLarge
from stithy_core.http.connection_transport import BoundedBody
from stithy_core.http.error_mapping import ErrorMapper
from stithy_core.http.forge_urls import ForgeUrls, RedirectGuard, get_origin, get_redirect_target
from stithy_core.http.request_context import CONTEXT, Clock, RequestContext, TransportRefusal, UnusableBody
from stithy_core.http.response_contents import ExpectedJson, parse_http_date
from stithy_core.spi import Dialect, Token
from stithy_core.version import __version__

TIMEOUT = httpx.Timeout(10.0, connect=5.0)
AGENT = {"user-agent": f"stithy/{__version__}", "accept-encoding": "gzip"}
MOST_REDIRECTS = 3
WRONGEST_CLOCK = 100 * 365 * 24 * 3600
"""Seconds. A server whose date differs by more is not believed: its time could not be counted on from there."""


class Tokens(Protocol):
    """Provides the tokens of one forge; the client keeps none."""

    async def current(self) -> Token | None:
        """Return the token for the next request; None to read anonymously."""
        ...

    async def report_refusal(self, token: Token) -> bool:
        """Record that the forge refused a token, by 401 or a sign-in page, and return whether another one is available.

        If it is, the request is sent once more with the token that `current` returns then: a refusal changed nothing.
        """
        ...


class NoTokens:
    """Reads anonymously; implements `Tokens`."""

    async def current(self) -> None:
        """Return None."""

    async def report_refusal(self, token: Token) -> bool:  # noqa: ARG002 -- none was sent
        """Return False."""
        return False


def hash_token(token: Token | None) -> str:
    """Return the identity of a token for keys in memory and on disk: a hash of it, or "" without a token."""
    return _hash(token.value) if token else ""


def hash_account(token: Token | None) -> str:
    """Return the identity of a token's account for keys: the same in every process, and for each renewed token."""
    return _hash(token.account or token.value) if token else ""


def _hash(text: str) -> str:
    return blake2b(text.encode(), digest_size=16, person=b"stithy").hexdigest()


@frozen(kw_only=True)
class OutgoingRequest:
    """A request before it has a token.

    Args:
        method: The HTTP method.
        url: A URL of the forge, or one to which it led.
        content: The body, as JSON.
        accept: The media type to ask for; "" for that of the forge's API.
        writing: Whether it changes something.
        repeatable: Whether sending it twice has the same effect as once.
        streamed: Whether the caller reads the body and closes the response.
        away: Whether the URL is another host's: no header of the forge is sent there, its token least of all.
        expected: What the JSON of a success must be; None if the body is not read as JSON.
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


class RequestSender:
    """Sends requests to one forge.

    Args:
        whole: The transport for responses that are read whole.
        streamed: The transport for streams.
        tokens: Provides the token of each request.
        dialect: The headers of each request, and those that carry the token.
        errors: Maps failures to errors.
        clock: The clock.
    """

    def __init__(
        self,
        whole: httpx.AsyncBaseTransport,
        streamed: httpx.AsyncBaseTransport,
        *,
        tokens: Tokens,
        dialect: Dialect,
        errors: ErrorMapper,
        clock: Clock,
    ) -> None:
        self._whole = whole
        self._streamed = streamed
        self._tokens = tokens
        self._dialect = dialect
        own = {name.lower(): value for name, value in dialect.headers.items()}
        self._headers = AGENT | {"accept": "application/json"} | own
        self._errors = errors
        self._clock = clock
        self._date = ""
        self._skew = 0.0

    async def send(self, outgoing: OutgoingRequest) -> httpx.Response:
        """Send a request, and once more with another token if the first is refused and another is available.

        Raises:
            ForgeError: It got no usable response; `Unauthorized` if it got a sign-in page.
        """
        if outgoing.away:
            return await self._send_once(outgoing, None)
        token = await self._tokens.current()
        response = await self._send_once(outgoing, token)
        refused = self._errors.find_refused_token(response, writing=outgoing.writing)
        is_refused = refused is not None or response.status_code == httpx.codes.UNAUTHORIZED
        if token is not None and is_refused and await self._tokens.report_refusal(token):
            await response.aclose()  # a page may be streamed
            response = await self._send_once(outgoing, await self._tokens.current())
            refused = self._errors.find_refused_token(response, writing=outgoing.writing)
        if refused is not None:
            await response.aclose()
            raise refused
        return response

    async def _send_once(self, outgoing: OutgoingRequest, token: Token | None) -> httpx.Response:
        request = self._build_request(outgoing, token)
        transport = self._streamed if outgoing.streamed else self._whole
        try:
            response = await transport.handle_async_request(request)
        except (httpx.TransportError, TransportRefusal) as error:
            host = outgoing.url.host if outgoing.away else ""
            raise self._errors.map_failure(error, writing=outgoing.writing, host=host) from error
        response.request = request
        if not outgoing.away:
            self._learn_time(response.headers.get("date", ""))
        return response

    def _build_request(self, outgoing: OutgoingRequest, token: Token | None) -> httpx.Request:
        headers = dict(AGENT if outgoing.away else self._headers)
        if outgoing.accept:
            headers["accept"] = outgoing.accept
        if outgoing.content is not None:
            headers["content-type"] = "application/json"
        secrets = self._dialect.authorization(token) if token is not None else {}
        headers |= {name.lower(): value for name, value in secrets.items()}
        context = RequestContext(
            identity=hash_token(token),
            secret_headers=frozenset(name.lower().encode() for name in secrets),
            writing=outgoing.writing,
            repeatable=outgoing.repeatable,
            streamed=outgoing.streamed,
            expected=outgoing.expected,
            decode=bytes if outgoing.away else self._dialect.decode,
        )
        extensions = {"timeout": TIMEOUT.as_dict(), CONTEXT: context}
        return httpx.Request(
            outgoing.method, outgoing.url, headers=headers, content=outgoing.content, extensions=extensions
        )

    def now(self) -> datetime:
        """Return the time by the server's own clock, as its latest response showed it; UTC."""
        return datetime.fromtimestamp(self._clock.time(), UTC) + timedelta(seconds=self._skew)

    def _learn_time(self, date: str) -> None:
        if date == self._date:  # of the responses within one second, the first shows the time best
            return
        time = parse_http_date(date)
        if time is not None and abs(time - self._clock.time()) < WRONGEST_CLOCK:
            self._date, self._skew = date, time - self._clock.time()


class StreamReader:
    """Reads streams of one forge: a log, a diff or an archive, wherever the forge keeps it.

    Args:
        sender: Sends the requests.
        urls: The URLs of the forge.
        guard: Decides to which other hosts they may lead.
        errors: Maps failures to errors.
    """

    def __init__(self, sender: RequestSender, urls: ForgeUrls, guard: RedirectGuard, errors: ErrorMapper) -> None:
        self._sender = sender
        self._urls = urls
        self._guard = guard
        self._errors = errors

    async def iterate_chunks(self, path: str, accept: str, most: int) -> AsyncIterator[bytes]:
        """Iterate the bytes as they arrive; for the arguments and errors, see `stithy_core.spi.Http.stream`."""
        response = await self._open(self._urls.build_url(path, {}), accept)
        url = response.request.url
        host = "" if get_origin(url) == self._urls.origin else url.host
        try:
            if not response.is_success:
                if host:
                    raise self._errors.map_redirected_response(response, host)
                raise self._errors.map_response(response, writing=False)
            BoundedBody(response, most)
            async for chunk in response.stream:  # type: ignore[union-attr]
                yield chunk
        except UnusableBody as error:
            if error.too_large:
                raise TooLarge(f"there are more than {most:,} bytes at {path}", suggestion="Ask for less.") from error
            raise self._errors.map_failure(error, writing=False, host=host) from error
        except httpx.TransportError as error:
            raise self._errors.map_failure(error, writing=False, host=host) from error
        finally:
            await response.aclose()

    async def _open(self, url: httpx.URL, accept: str) -> httpx.Response:
        away = False
        for _ in range(MOST_REDIRECTS + 1):
            outgoing = OutgoingRequest(url=url, accept=accept, streamed=True, away=away)
            response = await self._sender.send(outgoing)
            target = get_redirect_target(response)
            if target is None:
                return response
            await self._guard.check_redirect(target, url)
            # Once away, always away: another host could redirect back to a path of its choice, with the token.
            away = away or get_origin(target) != self._urls.origin
            url = target
        raise Moved(f"too many redirects (last: {url.host})", suggestion="Try again later.")

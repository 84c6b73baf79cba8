"""The way to one forge: its token, limits of time and size, and no redirect that nobody asked for."""

import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any

import httpx

from stithy_core import __version__
from stithy_core.errors import ConfigError, ForgeError, Rejected
from stithy_core.http.faults import is_html, refused, unreachable, unreadable
from stithy_core.spi import Link

TIMEOUT = httpx.Timeout(10.0, connect=5.0)
LARGEST = 20 * 1024 * 1024
MOST_REDIRECTS = 3
MOST_PAGES = 1_000

Token = Callable[[], Awaitable[str | None]]


async def no_token() -> str | None:
    """Read what everybody may read."""
    return None


class ForgeHttp:
    """The client of one forge; implements `stithy_core.spi.Http`.

    Args:
        link: Where the forge is. Nothing is ever sent to another origin.
        token: Gives the token for the next request, so that a renewed one is used at once.
        ca_file: The certificate authority to trust, where it is a private one.
        transport: What carries the requests; httpx's own by default.
    """

    def __init__(
        self,
        link: Link,
        *,
        token: Token = no_token,
        ca_file: str | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.link = link
        self._token = token
        self._ca_file = ca_file
        self._transport = transport
        self._skew = timedelta(0)
        self._open: httpx.AsyncClient | None = None

    @property
    def _client(self) -> httpx.AsyncClient:
        """The connections, opened at the first request and again after they were closed."""
        if self._open is None:
            self._open = httpx.AsyncClient(
                transport=self._transport,
                verify=_trusting(self.link, self._ca_file) if self._ca_file else _everyones(),
                timeout=TIMEOUT,
                follow_redirects=False,
                headers={"Accept": "application/json", "User-Agent": f"stithy/{__version__}"},
            )
        return self._open

    async def aclose(self) -> None:
        """Close the connections."""
        if self._open is not None:
            await self._open.aclose()
            self._open = None

    def now(self) -> datetime:
        """Tell the time by the server's own clock, as its latest answer showed it."""
        return datetime.now(UTC) + self._skew

    async def get(self, path: str, /, **query: str | int) -> Any:
        """Read JSON; redirects within the forge are followed, and none that leads out of it."""
        url = self._url(path, query)
        response, body = await self._exchange("GET", url, None)
        for _ in range(MOST_REDIRECTS):
            following = _location(response)
            if following is None or _origin(following) != _origin(url):
                break
            url = following
            response, body = await self._exchange("GET", url, None)
        return self._success(response, body, writing=False)

    async def pages(self, path: str, /, **query: str | int) -> AsyncIterator[Any]:
        """Read one JSON list after the other, by `page` from 1 on, until one is empty."""
        for page in range(1, MOST_PAGES + 1):
            items = await self.get(path, **query, page=page)
            if not items:
                return
            yield items
        raise Rejected(f"{self.link.alias} has over {MOST_PAGES:,} pages at {path}", suggestion="Ask for less at once.")

    async def send(self, method: str, path: str, body: Any = None, /, *, idempotent: bool = False) -> Any:  # noqa: ARG002 -- what may be retried is for the transports to know
        """Write JSON, once."""
        self.link.admit_write()
        # Escaped, since Gitea 1.25 damages raw UTF-8 across a buffer's border (field notes on its API, section 5).
        content = None if body is None else json.dumps(body, ensure_ascii=True).encode()
        response, answer = await self._exchange(method, self._url(path, {}), content)
        return self._success(response, answer, writing=True)

    def _url(self, path: str, query: Mapping[str, str | int]) -> httpx.URL:
        url = httpx.URL(self.link.url.rstrip("/") + "/" + path.lstrip("/"))
        return url.copy_merge_params(dict(query)) if query else url

    async def _exchange(self, method: str, url: httpx.URL, content: bytes | None) -> tuple[httpx.Response, bytes]:
        headers = {} if content is None else {"Content-Type": "application/json"}
        if token := await self._token():
            headers["Authorization"] = f"Bearer {token}"
        writing = method != "GET"
        try:
            async with self._client.stream(method, url, content=content, headers=headers) as response:
                self._learn_time(response)
                return response, await self._read(response, writing=writing)
        except (httpx.TransportError, httpx.InvalidURL) as error:  # the URL is the one that a redirect names
            raise unreachable(self.link, error, writing=writing) from error

    async def _read(self, response: httpx.Response, *, writing: bool) -> bytes:
        chunks, length = [], 0
        try:
            async for chunk in response.aiter_bytes():
                length += len(chunk)
                if length > LARGEST:
                    raise unreadable(self.link, response, f"its body is over {LARGEST:,} bytes", writing=writing)
                chunks.append(chunk)
        except httpx.DecodingError as error:
            raise unreadable(self.link, response, "its body cannot be decompressed", writing=writing) from error
        return b"".join(chunks)

    def _success(self, response: httpx.Response, raw: bytes, *, writing: bool) -> Any:
        body, malformed = _json(raw)
        if not response.is_success:
            raise self._explained(refused(self.link, response, body, writing=writing), response)
        if is_html(response):
            raise unreadable(self.link, response, "with a web page instead of the API", writing=writing)
        if malformed:
            raise unreadable(self.link, response, "its body is no JSON", writing=writing)
        return body

    def _explained(self, error: ForgeError, response: httpx.Response) -> ForgeError:
        if (location := _location(response)) is not None:
            error.details["location"] = str(location)
            error.suggestion = "Nothing was sent there. Use the present name of the repository, or the forge's own URL."
        return error

    def _learn_time(self, response: httpx.Response) -> None:
        try:
            self._skew = parsedate_to_datetime(response.headers["date"]).astimezone(UTC) - datetime.now(UTC)
        except (KeyError, ValueError, TypeError, OverflowError):  # an answer without a usable date teaches nothing
            return


def _json(raw: bytes) -> tuple[Any, bool]:
    """Read JSON; an empty body is None. Says also whether it was malformed."""
    if not raw.strip():
        return None, False
    try:
        return json.loads(raw), False
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError, too
        return None, True


def _location(response: httpx.Response) -> httpx.URL | None:
    """Give where a redirect leads; httpx has refused a place that there cannot be as no answer at all."""
    return response.request.url.join(response.headers["location"]) if response.has_redirect_location else None


@cache
def _everyones() -> ssl.SSLContext:
    """Trust whom everybody trusts; reading their certificates takes 20 ms, so all forges share it."""
    return httpx.create_ssl_context()


def _trusting(link: Link, ca_file: str) -> ssl.SSLContext:
    """Trust one certificate authority.

    Raises:
        ConfigError: The file cannot be read, or holds no certificate.
    """
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as error:  # ssl.SSLError is one, too
        raise ConfigError(
            f"ca_file of [forges.{link.alias}] cannot be used: {ca_file}: {error.strerror or error}",
            suggestion="Name a file that holds the certificate authority's certificate, as PEM.",
        ) from error


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port

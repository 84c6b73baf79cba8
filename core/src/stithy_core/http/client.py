"""The way to one forge: its token, limits of time and size, and no redirect that nobody asked for."""

import json
import ssl
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any

import httpx

from stithy_core import __version__
from stithy_core.errors import ConfigError, ForgeError, Rejected, TooLarge
from stithy_core.http.faults import is_html, refused, unreachable, unreadable
from stithy_core.http.tokens import NoTokens, Tokens
from stithy_core.spi import Answer, Dialect, Link, Listing, Paging
from stithy_core.spi.forge import MOST_BYTES, MOST_ITEMS

TIMEOUT = httpx.Timeout(10.0, connect=5.0)
LARGEST = 20 * 1024 * 1024
MOST_REDIRECTS = 3
MOST_PAGES = 1_000

EVERYDAY = Dialect()
NO_TOKENS = NoTokens()


class ForgeHttp:
    """The client of one forge; implements `stithy_core.spi.Http`.

    Args:
        link: Where the forge is. Nothing is ever sent to another origin.
        dialect: How the forge speaks HTTP.
        tokens: Gives the token for the next request, so that a renewed one is used at once.
        ca_file: The certificate authority to trust, where it is a private one.
        transport: What carries the requests; httpx's own by default.
    """

    def __init__(
        self,
        link: Link,
        *,
        dialect: Dialect = EVERYDAY,
        tokens: Tokens = NO_TOKENS,
        ca_file: str | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.link = link
        self._dialect = dialect
        self._tokens = tokens
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
        """Read JSON."""
        return (await self.fetch(path, **query)).body

    async def fetch(self, path: str, /, **query: str | int) -> Answer:
        """Read JSON, with its headers; redirects within the forge are followed, and none that leads out of it."""
        url = self._url(path, query)
        response, body = await self._exchange("GET", url, None)
        for _ in range(MOST_REDIRECTS):
            following = _location(response)
            if following is None or _origin(following) != _origin(url):
                break
            url = following
            response, body = await self._exchange("GET", url, None)
        return Answer(body=self._success(response, body, writing=False), headers=_headers(response))

    async def pages(
        self, path: str, /, *, rows: str = "", size: int = 0, **query: str | int
    ) -> AsyncIterator[Sequence[Any]]:
        """Read one page of a list after the other, to its end."""
        async for items, _, _ in self._pages(path, rows, size, query):
            yield items

    async def items(
        self, path: str, /, *, rows: str = "", size: int = 0, most: int = MOST_ITEMS, **query: str | int
    ) -> Listing[Any]:
        """Read the items of all pages, up to `most`."""
        found: list[Any] = []
        total: int | None = None
        more = False
        async for items, counted, more in self._pages(path, rows, min(size, most), query):
            found += items
            total = counted if total is None else total
            if len(found) >= most:
                break
        cut = f"only the first {most:,} were read" if more or len(found) > most else ""
        return Listing(tuple(found[:most]), total, cut)

    async def _pages(
        self, path: str, rows: str, size: int, query: Mapping[str, str | int]
    ) -> AsyncIterator[tuple[Sequence[Any], int | None, bool]]:
        """Give each page's items, the total that it tells, and whether there may be more."""
        asked = dict(query) | ({self._dialect.page_size: size} if size else {})
        seen: set[str] = set()
        place = path
        for page in range(1, MOST_PAGES + 1):
            numbered = {"page": page} if self._dialect.paging is Paging.NUMBERS else {}
            answer = await self.fetch(place, **asked, **numbered)
            wrapped = answer.body if rows and isinstance(answer.body, dict) else {}
            items = (wrapped.get(rows) if rows else answer.body) or ()
            if self._dialect.paging is Paging.LINKS:
                place, asked = _next(answer.headers), {}
                if place in seen:
                    raise Rejected(f"{self.link.alias} leads in a circle at {path}", suggestion="Ask for less at once.")
                seen.add(place)
                more = bool(place)
            else:
                more = bool(items) and (not size or len(items) >= size)
            yield items, _total(answer.headers, wrapped), more
            if not more:
                return
        raise Rejected(f"{self.link.alias} has over {MOST_PAGES:,} pages at {path}", suggestion="Ask for less at once.")

    async def send(self, method: str, path: str, body: Any = None, /, *, idempotent: bool = False) -> Any:  # noqa: ARG002 -- what may be retried is for the transports to know
        """Write JSON, once."""
        self.link.admit_write()
        # Escaped, since Gitea 1.25 damages raw UTF-8 across a buffer's border (field notes on its API, section 5).
        content = None if body is None else json.dumps(body, ensure_ascii=True).encode()
        response, answer = await self._exchange(method, self._url(path, {}), content)
        return self._success(response, answer, writing=True)

    async def graphql(self, document: str, variables: Mapping[str, Any], /, *, writes: bool = False) -> Any:
        """Ask in GraphQL, and give `data`."""
        if self._dialect.graphql is None:
            raise Rejected(f"{self.link.alias} has no GraphQL", suggestion="Use the REST API.")
        if writes:
            self.link.admit_write()
        url = httpx.URL(self._dialect.graphql(self.link.url))
        content = json.dumps({"query": document, "variables": dict(variables)}, ensure_ascii=True).encode()
        response, raw = await self._exchange("POST", url, content, writing=writes)
        body = self._success(response, raw, writing=writes)
        if errors := body.get("errors"):
            raise refused(
                self.link, self._dialect, response, {"message": errors[0].get("message")} | body, writing=writes
            )
        return body["data"]

    async def stream(self, path: str, /, *, accept: str = "", most: int = MOST_BYTES) -> AsyncIterator[bytes]:
        """Read bytes as they come."""
        url, token = self._url(path, {}), await self._tokens.current()
        length = 0
        for _ in range(MOST_REDIRECTS + 1):
            headers = {"Accept": accept} if accept else {}
            if token and _origin(url) == _origin(self._url(path, {})):
                headers["Authorization"] = f"Bearer {token}"
            async with self._client.stream("GET", url, headers=headers) as response:
                following = _location(response)
                if following is not None:
                    url = following
                    continue
                if not response.is_success:
                    body, _ = _json(await self._read(response, writing=False))
                    raise refused(self.link, self._dialect, response, body, writing=False)
                async for chunk in response.aiter_bytes():
                    length += len(chunk)
                    if length > most:
                        raise TooLarge(f"{self.link.alias} has more than {most:,} bytes at {path}")
                    yield chunk
                return

    def _url(self, path: str, query: Mapping[str, str | int]) -> httpx.URL:
        base = httpx.URL(self._dialect.api(self.link.url))
        url = httpx.URL(path) if "://" in path else httpx.URL(str(base).rstrip("/") + "/" + path.lstrip("/"))
        if _origin(url) != _origin(base):
            raise Rejected(f"{self.link.alias} names a place on another host: {url.host}")
        asked = {name: value for name, value in query.items() if value not in ("", None)}
        return url.copy_merge_params(asked) if asked else url

    async def _exchange(
        self, method: str, url: httpx.URL, content: bytes | None, *, writing: bool | None = None
    ) -> tuple[httpx.Response, bytes]:
        headers = dict(self._dialect.headers)
        if content is not None:
            headers["Content-Type"] = "application/json"
        if token := await self._tokens.current():
            headers["Authorization"] = f"Bearer {token}"
        writing = method != "GET" if writing is None else writing
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
            raise self._explained(refused(self.link, self._dialect, response, body, writing=writing), response)
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


def _headers(response: httpx.Response) -> Mapping[str, str]:
    return {name.lower(): value for name, value in response.headers.items()}


def _next(headers: Mapping[str, str]) -> str:
    """Find where `Link` says that the next page is."""
    links = httpx.Response(200, headers={"link": headers.get("link", "")}).links
    return links.get("next", {}).get("url", "")


def _total(headers: Mapping[str, str], wrapped: Mapping[str, Any]) -> int | None:
    said = headers.get("x-total-count", "")
    if said.isdecimal():
        return int(said)
    counted = wrapped.get("total_count")
    return counted if isinstance(counted, int) else None


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

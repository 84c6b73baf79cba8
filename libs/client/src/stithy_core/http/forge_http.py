"""The client of one forge: it composes the transports."""

import json
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache, partial
from typing import Any

import httpx
from attrs import evolve

from stithy_core.http.connection_transport import BoundedBodyTransport, ConnectionTransport
from stithy_core.http.error_mapping import ErrorMapper, format_endpoint, is_html
from stithy_core.http.failure_transports import CircuitBreakerTransport, RetryTransport
from stithy_core.http.forge_urls import ForgeUrls, RedirectGuard, get_origin, get_redirect_target
from stithy_core.http.memory_store import MemoryStore
from stithy_core.http.page_reader import PageReader
from stithy_core.http.rate_limit_transport import RateLimitTransport
from stithy_core.http.request_context import SYSTEM, Clock, RequestCounts, hash_request
from stithy_core.http.request_sender import (
    MOST_REDIRECTS,
    NoTokens,
    OutgoingRequest,
    RequestSender,
    StreamReader,
    Tokens,
    hash_account,
    hash_token,
)
from stithy_core.http.response_cache import CoalescingTransport, RevalidatingCache
from stithy_core.http.response_contents import (
    AnyBody,
    ExpectedGraphQL,
    ExpectedJson,
    ExpectedValue,
    copy_headers,
    take_body,
)
from stithy_core.spi import Answer, Dialect, ForgeConfig, GitRemote, Listing, Store, Token
from stithy_core.spi.call_state import PlannedWrite, is_dry
from stithy_core.spi.dialect import split_basic
from stithy_core.spi.forge import MOST_BYTES, MOST_ITEMS
from stithy_core.spi.operation_checks import NotedAnswer, note_answer

DEFAULT_DIALECT = Dialect()
NO_TOKENS = NoTokens()
MOST_ERRORS = 10
"""The number of errors of a GraphQL response in the details of its error."""
# Strings and comments are tokens of their own, since they may hold anything, braces as well.
_GRAPHQL_TOKENS = re.compile(r'"""(?:\\"""|(?!""").)*"""|"(?:\\.|[^"\\\n])*"|#[^\n]*|[{}()]|\w+', re.DOTALL)


class ForgeHttp:
    """The client of one forge; implements `stithy_core.spi.Http`.

    Args:
        config: The forge. Its token is never sent to another origin.
        dialect: How the forge uses HTTP.
        tokens: Provides the token of each request, so that a renewed one is used at once.
        ca_file: The file of a private certificate authority.
        store: Keeps responses, and counts limits and failures; in memory by default. It is closed by its owner.
        transport: Sends the requests; connections by default.
        clock: The clock, which also waits.
    """

    def __init__(
        self,
        config: ForgeConfig,
        *,
        dialect: Dialect = DEFAULT_DIALECT,
        tokens: Tokens = NO_TOKENS,
        ca_file: str | None = None,
        store: Store | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        clock: Clock = SYSTEM,
    ) -> None:
        self.config = config
        self._tokens = tokens
        self._authorization = dialect.authorization
        self._ca_file = ca_file
        self.counts = RequestCounts()
        self._urls = ForgeUrls(config, dialect)
        self._errors = ErrorMapper(config, dialect)
        self._store = store or MemoryStore()
        self.ledger = self._store.ledger
        connections = transport or ConnectionTransport(config, self._urls.origin, ca_file)
        streamed = self._compose_attempts(connections, dialect, clock)
        self._transport = CoalescingTransport(RevalidatingCache(streamed, self._store, self.counts), self.counts)
        self._sender = RequestSender(
            self._transport,
            streamed,
            tokens=tokens,
            dialect=dialect,
            errors=self._errors,
            clock=clock,
        )
        self._pages = PageReader(config, dialect.paging, self._urls, self._read)
        self._streams = StreamReader(self._sender, self._urls, RedirectGuard(config, self._urls.origin), self._errors)

    def _compose_attempts(
        self, connections: httpx.AsyncBaseTransport, dialect: Dialect, clock: Clock
    ) -> RetryTransport:
        """Return `Retry(RateLimit(CircuitBreaker(BoundedBody(connections))))`: a stream's way, and the cache's inside.

        The order matters: each attempt pays for itself, an open breaker costs no points, and a body that breaks counts
        as a failure of its host.
        """
        breaker = CircuitBreakerTransport(
            BoundedBodyTransport(connections), self._store.circuit_breakers, clock, self.counts
        )
        limit = RateLimitTransport(
            breaker,
            budget=self._store.rate_budget,
            limits=dialect.rate_limits,
            base_path=self._urls.base_path,
            errors=self._errors,
            clock=clock,
            counts=self.counts,
        )
        return RetryTransport(limit, self._errors, clock, self.counts)

    async def aclose(self) -> None:
        """Cancel requests that are under way, and close the connections; a later request opens them again."""
        await self._transport.aclose()

    async def token_identity(self) -> str:
        """Return the identity of the next request's token for keys: a hash, or "" without a token."""
        return hash_token(await self._tokens.current())

    async def account_identity(self) -> str:
        """Return the identity of the next token's account, for keys that outlive the token."""
        return hash_account(await self._tokens.current())

    def now(self) -> datetime:
        """Return the time by the server's own clock, as its latest response showed it; UTC."""
        return self._sender.now()

    async def get(self, path: str, /, *, shape: type = object, or_null: bool = False, **query: str | int) -> Any:
        """Read JSON."""
        return (await self._read(path, query, ExpectedValue(shape, or_null)))[1]

    async def fetch(self, path: str, /, *, shape: type = object, or_null: bool = False, **query: str | int) -> Answer:
        """Read JSON with its headers. Redirects within the forge are followed, others are an error."""
        response, body = await self._read(path, query, ExpectedValue(shape, or_null, headed=shape is list))
        return Answer(body=body, headers=copy_headers(response))

    async def pages(
        self, path: str, /, *, rows: str = "", size: int = 0, or_null: bool = False, **query: str | int
    ) -> AsyncIterator[Sequence[Any]]:
        """Iterate the pages of a list, to its end."""
        async for page in self._pages.iterate_pages(path, rows, size, query, or_null=or_null):
            if page.items:
                yield page.items

    async def items(
        self,
        path: str,
        /,
        *,
        rows: str = "",
        size: int = 0,
        most: int = MOST_ITEMS,
        or_null: bool = False,
        **query: str | int,
    ) -> Listing[Any]:
        """Return the items of all pages, up to `most`."""
        return await self._pages.read_listing(path, rows, size, most, query, or_null=or_null)

    async def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        /,
        *,
        idempotent: bool = False,
        changes: bool = True,
        shape: type = object,
    ) -> Any:
        """Write JSON once; it is repeated after a failure only if it is idempotent."""
        content = None if body is None else _encode_json(body)
        url = self._urls.build_url(path, {})
        if changes:
            self._admit(method, url, body)
        outgoing = OutgoingRequest(method=method, url=url, content=content, writing=True, repeatable=idempotent)
        expected = AnyBody() if shape is object else ExpectedValue(shape)
        return await self._take_body(await self._sender.send(outgoing), expected, writing=True)

    async def graphql(self, document: str, variables: Mapping[str, Any], /, *, writes: bool = False) -> Any:
        """Send a GraphQL document and return `data`.

        Raises:
            ForgeError: The response has errors; the data that came with them is in `details["data"]`.
        """
        url = self._urls.build_graphql_url()
        body = {"query": document, "variables": dict(variables)}
        writes = writes or is_mutation(document)
        if writes:
            self._admit("POST", url, body)
        expected = ExpectedGraphQL()
        outgoing = OutgoingRequest(
            method="POST",
            url=url,
            content=_encode_json(body),
            writing=writes,
            repeatable=not writes,
            expected=expected,
        )
        response = await self._sender.send(outgoing)
        answer = await self._take_body(response, expected, writing=writes)
        if errors := answer.get("errors"):  # with status 200
            raise self._map_graphql_errors(response, answer, errors, writing=writes)
        return answer["data"]

    def stream(self, path: str, /, *, accept: str = "", most: int = MOST_BYTES) -> AsyncIterator[bytes]:
        """Iterate bytes as they arrive."""
        return self._streams.iterate_chunks(path, accept, most)

    async def git(self, path: str, /, *, user: str | Callable[[Token], str] = "") -> GitRemote:
        """Return what git needs for a repository below the forge's own URL: the token goes nowhere else."""
        remote = GitRemote(url=self._urls.build_web_url(path), ca_file=self._ca_file or "")
        token = await self._tokens.current()
        if token is None:
            return remote
        own, secret = split_basic(self._authorization(token)) or ("", token.value)
        name = user if isinstance(user, str) else user(token)
        return evolve(remote, user=name or own, secret=secret)

    def _admit(self, method: str, url: httpx.URL, body: Any) -> None:
        """Check that a write is allowed, or raise it to a dry run as it would be sent, without its token."""
        text = json.dumps(body, ensure_ascii=False) if body is not None and is_dry() else ""
        self.config.admit_write(PlannedWrite(method=method, url=str(url), body=text))

    async def _read(
        self, path: str, query: Mapping[str, str | int], expected: ExpectedJson
    ) -> tuple[httpx.Response, Any]:
        """Read JSON; return the response and the JSON. A redirect within the forge is followed as a new request."""
        response = await self._sender.send(OutgoingRequest(url=self._urls.build_url(path, query), expected=expected))
        for _ in range(MOST_REDIRECTS):
            target = get_redirect_target(response)
            if target is None or get_origin(target) != self._urls.origin:
                break
            response = await self._sender.send(OutgoingRequest(url=target, expected=expected))
        return response, await self._take_body(response, expected, writing=False)

    async def _take_body(self, response: httpx.Response, expected: ExpectedJson, *, writing: bool) -> Any:
        """Return the JSON of a success, and note where it is from: a plugin may fail on a value deep inside."""
        if not response.is_success:
            raise self._errors.map_response(response, writing=writing)
        if is_html(response):
            raise self._errors.map_broken_body(response, "with a web page instead of the API", writing=writing)
        body, fault = take_body(response, expected)
        if fault:
            raise self._errors.map_broken_body(response, f"its body {fault}", writing=writing)
        forget = partial(self._store.save, hash_request(response.request), b"")
        config, endpoint = self.config, format_endpoint(response.request)
        note_answer(
            NotedAnswer(
                forge=config.alias,
                url=config.url,
                status=response.status_code,
                endpoint=endpoint,
                writing=writing,
                forget=forget,
            )
        )
        return body

    def _map_graphql_errors(self, response: httpx.Response, answer: Any, errors: Any, *, writing: bool) -> Exception:
        rows = [error for error in errors if isinstance(error, dict)] if isinstance(errors, list) else []
        message = str(rows[0].get("message") or "") if rows else ""
        error = self._errors.map_message(response, answer, message, writing=writing)
        error.details.setdefault("errors", rows[:MOST_ERRORS])
        if answer.get("data") is not None:
            error.details.setdefault("data", answer["data"])
        return error


@lru_cache(maxsize=256)
def is_mutation(document: str) -> bool:
    """Return whether a GraphQL document has an operation that changes something, whatever its caller says of it."""
    depth = 0
    for word in _GRAPHQL_TOKENS.findall(document):
        depth += (word in "{(") - (word in ")}")
        if depth == 0 and word == "mutation":
            return True
    return False


def _encode_json(body: Any) -> bytes:
    """Return JSON in ASCII: Gitea 1.25 damages raw UTF-8 (docs/forge-behaviour/gitea.md#conversations)."""
    return json.dumps(body, ensure_ascii=True).encode()

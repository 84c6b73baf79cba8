"""The client of one forge: what `stithy_core.spi.Http` promises, made of the room's parts."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

import httpx

from stithy_core.http.addresses import Addresses, location, origin
from stithy_core.http.carrying import Carrier
from stithy_core.http.clock import SYSTEM, Clock
from stithy_core.http.counts import Counts
from stithy_core.http.expected_json import Anything, ExpectedJson, GraphQLAnswer, Value, take_answer
from stithy_core.http.faults import Faults, endpoint_of, is_html
from stithy_core.http.graphql import data_of, is_mutation
from stithy_core.http.hosts import Guard
from stithy_core.http.marks import key_of
from stithy_core.http.paging import Pages
from stithy_core.http.policies import policies
from stithy_core.http.sending import Ask, Sender
from stithy_core.http.stores.memory import MemoryStore
from stithy_core.http.streaming import MOST_REDIRECTS, Streams
from stithy_core.http.tokens import NoTokens, Tokens, account_identity_of, identity_of
from stithy_core.spi import Answer, Dialect, ForgeConfig, GitRemote, Listing, Store
from stithy_core.spi.answers import NotedAnswer, note_answer
from stithy_core.spi.forge import MOST_BYTES, MOST_ITEMS
from stithy_core.spi.write_guard import PlannedWrite, is_dry

EVERYDAY = Dialect()
NO_TOKENS = NoTokens()


class ForgeHttp:
    """The client of one forge; implements `stithy_core.spi.Http`.

    Args:
        link: Where the forge is. Its token is never sent to another origin.
        dialect: How the forge speaks HTTP.
        tokens: Give the token for each request, so that a renewed one is used at once.
        ca_file: The certificate authority to trust, where it is a private one.
        store: Where answers are kept and limits counted; memory of its own where there is none. It is not closed here.
        transport: What carries the requests; connections by default.
        clock: Tells the time, and lets it pass while a slot is waited for.
    """

    def __init__(
        self,
        config: ForgeConfig,
        *,
        dialect: Dialect = EVERYDAY,
        tokens: Tokens = NO_TOKENS,
        ca_file: str | None = None,
        store: Store | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        clock: Clock = SYSTEM,
    ) -> None:
        self.config = config
        self._tokens = tokens
        self._ca_file = ca_file
        self.counts = Counts()
        self._addresses = Addresses(config, dialect)
        self._faults = Faults(config, dialect)
        self._store = store = store or MemoryStore()
        self.ledger = store.ledger
        self._way = policies(
            transport or Carrier(config, self._addresses.origin, ca_file),
            store=store,
            dialect=dialect,
            addresses=self._addresses,
            faults=self._faults,
            clock=clock,
            counts=self.counts,
        )
        self._sender = Sender(
            self._way.whole,
            self._way.streamed,
            tokens=tokens,
            headers=dialect.headers,
            faults=self._faults,
            clock=clock,
        )
        self._pages = Pages(config, dialect, self._read)
        self._streams = Streams(self._sender, self._addresses, Guard(config, self._addresses.origin), self._faults)

    async def aclose(self) -> None:
        """End what is under way, and close the connections; a later request opens them again."""
        await self._way.whole.aclose()

    async def token_identity(self) -> str:
        """Return what the token of the next request is known by in keys: a hash, or "" without a token."""
        return identity_of(await self._tokens.current())

    async def account_identity(self) -> str:
        """Return what the account of the next request's token is known by in keys that outlive the token."""
        return await account_identity_of(self._tokens)

    def now(self) -> datetime:
        """Tell the time by the server's own clock, as its latest answer showed it."""
        return self._sender.now()

    async def get(self, path: str, /, *, shape: type = object, or_null: bool = False, **query: str | int) -> Any:
        """Read JSON."""
        return (await self._read(path, query, Value(shape, or_null)))[1]

    async def fetch(self, path: str, /, *, shape: type = object, or_null: bool = False, **query: str | int) -> Answer:
        """Read JSON, with its headers; redirects within the forge are followed, and none that leads out of it."""
        response, body = await self._read(path, query, Value(shape, or_null, headed=shape is list))
        return Answer(body=body, headers={name.lower(): value for name, value in response.headers.items()})

    async def pages(
        self, path: str, /, *, rows: str = "", size: int = 0, or_null: bool = False, **query: str | int
    ) -> AsyncIterator[Sequence[Any]]:
        """Read one page of a list after the other, to its end."""
        async for page in self._pages.each(path, rows, size, query, or_null=or_null):
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
        """Read the items of all pages, up to `most`."""
        return await self._pages.listing(path, rows, size, most, query, or_null=or_null)

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
        """Write JSON, once; again only where it is idempotent."""
        content = None if body is None else _escaped(body)
        url = self._addresses.url(path, {})
        if changes:
            self._admit(method, url, body)
        ask = Ask(method=method, url=url, content=content, writing=True, repeatable=idempotent)
        expected = Anything() if shape is object else Value(shape)
        return await self._answer(await self._sender.send(ask), expected, writing=True)

    async def graphql(self, document: str, variables: Mapping[str, Any], /, *, writes: bool = False) -> Any:
        """Ask in GraphQL, and give `data`."""
        url = self._addresses.graphql()
        body = {"query": document, "variables": dict(variables)}
        writes = writes or is_mutation(document)
        if writes:
            self._admit("POST", url, body)
        content = _escaped(body)
        expected = GraphQLAnswer()
        ask = Ask(method="POST", url=url, content=content, writing=writes, repeatable=not writes, expected=expected)
        response = await self._sender.send(ask)
        return data_of(self._faults, response, await self._answer(response, expected, writing=writes), writes=writes)

    def stream(self, path: str, /, *, accept: str = "", most: int = MOST_BYTES) -> AsyncIterator[bytes]:
        """Read bytes as they come."""
        return self._streams.read(path, accept, most)

    async def git(self, path: str, /, *, user: str) -> GitRemote:
        """Give what git needs for a repository below where people find the forge: its token goes nowhere else."""
        url = self._addresses.page(path)
        token = await self._tokens.current()
        return GitRemote(url=url, user=user if token else "", secret=token or "", ca_file=self._ca_file or "")

    def _admit(self, method: str, url: httpx.URL, body: Any) -> None:
        """Pass a write, or show it to a dry run as it would be sent; its token is not there yet."""
        text = json.dumps(body, ensure_ascii=False) if body is not None and is_dry() else ""
        self.config.admit_write(PlannedWrite(method=method, url=str(url), body=text))

    async def _read(
        self, path: str, query: Mapping[str, str | int], expected: ExpectedJson
    ) -> tuple[httpx.Response, Any]:
        """Read JSON; what leads elsewhere within the forge is asked there, each time as a request of its own."""
        response = await self._sender.send(Ask(url=self._addresses.url(path, query), expected=expected))
        for _ in range(MOST_REDIRECTS):
            following = location(response)
            if following is None or origin(following) != self._addresses.origin:
                break
            response = await self._sender.send(Ask(url=following, expected=expected))
        return response, await self._answer(response, expected, writing=False)

    async def _answer(self, response: httpx.Response, expected: ExpectedJson, *, writing: bool) -> Any:
        """Return the JSON of a success, and record where it is from: a plugin may stumble over what is deep in it."""
        if not response.is_success:
            raise self._faults.refused(response, writing=writing)
        if is_html(response):
            raise self._faults.broken(response, "with a web page instead of the API", writing=writing)
        body, fault = take_answer(response, expected)
        if fault:
            raise self._faults.broken(response, f"its body {fault}", writing=writing)
        forget = partial(self._store.put, key_of(response.request), b"")
        config, endpoint = self.config, endpoint_of(response.request)
        note_answer(NotedAnswer(config.alias, config.url, response.status_code, endpoint, writing, forget))
        return body


def _escaped(body: Any) -> bytes:
    """Write JSON in ASCII: Gitea 1.25 damages raw UTF-8 (docs/forge-behaviour/gitea.md#conversations)."""
    return json.dumps(body, ensure_ascii=True).encode()

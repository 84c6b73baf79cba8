"""The documents of all plugins: the server serves them, and plugins read each other's by URI."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import anyio
from attrs import frozen

from stithy_core.errors import InternalError, NotFound, StithyError, TooLarge
from stithy_core.plugins import hook_calls
from stithy_core.spi.faults import ends_caller

if TYPE_CHECKING:
    from stithy_core.spi import Content, Contribution, Resource, ResourceProvider, Resources, Scope

log = logging.getLogger("stithy.plugins")

MOST_DOCUMENTS = 10_000
LARGEST_DOCUMENT = 4_000_000
STATISTICS = "stithy://statistics"
"""The URI of the server's own document."""
JSON = "application/json"
BYTES, TEXT = "application/octet-stream", "text/plain"

_active: ContextVar[tuple[ResourceProvider, ...]] = ContextVar("active", default=())
"""The providers that are being called. A provider that reads the documents of others is not called for its own by
them, which would never end."""


@frozen
class DocumentSource:
    """The documents of one plugin: the common prefix of their URIs, their provider, and the plugin."""

    prefix: str
    provider: ResourceProvider
    origin: Contribution


class Library:
    """The documents of all plugins; each provider is created once, at first use.

    Args:
        offers: The offers, each with its plugin and the scope for its provider.
        statistics: Returns the server's own document as JSON.
    """

    def __init__(
        self, offers: Sequence[tuple[Resources, Contribution, Scope]], statistics: Callable[[], str] = lambda: "{}"
    ) -> None:
        self.offers = offers
        self.statistics = statistics

    @cached_property
    def sources(self) -> Sequence[DocumentSource]:
        """The sources whose provider can be created, by prefix."""
        sources = [
            DocumentSource(offer.prefix, provider, origin)
            for offer, origin, scope in self.offers
            if (provider := hook_calls.create_provider(offer.provider, origin, scope)) is not None
        ]
        return sorted(sources, key=lambda source: (source.prefix, source.origin.distribution))

    def find_source(self, uri: str) -> DocumentSource | None:
        """Return the source with the longest prefix of a URI; None where no source has such URIs."""
        matching = [source for source in self.sources if uri.startswith(source.prefix)]
        return max(matching, key=lambda source: len(source.prefix), default=None)

    async def list_resources(self, prefix: str) -> Sequence[Resource]:
        """Return the resources whose URIs begin with a prefix; a provider that fails is skipped."""
        from stithy_core.spi import Resource

        def check_row(row: object) -> Resource:
            if not isinstance(row, Resource):
                raise TypeError(f"expected a Resource, not a {type(row).__name__}")
            return row

        rows: list[Resource] = []
        for source in self._select_sources(prefix):
            with _mark_active(source.provider):
                rows += await hook_calls.list_rows(source.provider.list, check_row, source.origin)
        return tuple(islice((row for row in rows if row.uri.startswith(prefix)), MOST_DOCUMENTS))

    def _select_sources(self, prefix: str) -> list[DocumentSource]:
        """Return the sources that may have URIs with a prefix, except those whose provider is being called."""
        return [
            source
            for source in self.sources
            if (prefix.startswith(source.prefix) or source.prefix.startswith(prefix))
            and source.provider not in _active.get()
        ]

    async def read(self, uri: str) -> Content:
        """Read a document, also the server's own.

        Raises:
            NotFound: No document has that URI.
            TooLarge: It has more than 4,000,000 characters or bytes.
            InternalError: Its provider failed or was too slow.
        """
        from stithy_core.spi import Content

        if uri == STATISTICS:
            return Content(self.statistics(), JSON)
        source = self.find_source(uri)
        if source is None or source.provider in _active.get():
            raise NotFound(f"no resource {uri[:200]}", suggestion="resources/list has the resources.")
        with _mark_active(source.provider):
            return _check_content(await _read(source, uri), uri, source)


@contextmanager
def _mark_active(provider: ResourceProvider) -> Iterator[None]:
    token = _active.set((*_active.get(), provider))
    try:
        yield
    finally:
        _active.reset(token)


async def _read(source: DocumentSource, uri: str) -> object:
    try:
        with anyio.fail_after(hook_calls.PROVIDER_SECONDS):
            return await source.provider.read(uri)
    except StithyError:
        raise
    except BaseException as error:
        if ends_caller(error):
            raise
        log.exception("a provider of %s cannot read", source.origin)
        raise _create_error(source, uri) from error


def _check_content(returned: object, uri: str, source: DocumentSource) -> Content:
    """Return what a provider returned as content with a media type.

    Raises:
        TooLarge: It is too large.
        InternalError: It is neither text nor bytes.
    """
    from stithy_core.spi import Content

    content = returned
    if not isinstance(content, Content):
        content = Content(returned, BYTES if isinstance(returned, bytes) else TEXT)  # type: ignore[arg-type]
    if not isinstance(content.body, str | bytes):
        raise _create_error(source, uri)
    if len(content.body) > LARGEST_DOCUMENT:
        raise TooLarge(f"{uri[:200]} has more than {LARGEST_DOCUMENT:,} characters", suggestion="Read it as a file.")
    return content


def _create_error(source: DocumentSource, uri: str) -> InternalError:
    return InternalError(f"{source.origin} could not read {uri[:200]}", suggestion="The server's log has the cause.")

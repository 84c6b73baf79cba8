"""The documents of all plugins: the server serves them, and plugins read each other's by URI."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import anyio
from attrs import frozen

from stithy_core.errors import InternalError, NotFound, StithyError, TooLarge
from stithy_core.plugins import providing
from stithy_core.spi.faults import ends_caller

if TYPE_CHECKING:
    from stithy_core.spi import Content, Contribution, Resource, ResourceProvider, Resources, Scope

log = logging.getLogger("stithy.plugins")

MOST = 10_000
LARGEST = 4_000_000
BYTES, TEXT = "application/octet-stream", "text/plain"

_asking: ContextVar[tuple[ResourceProvider, ...]] = ContextVar("asking", default=())
"""Who is being asked: a provider that looks at what others have is not asked for it itself, or there were no end."""


@frozen
class Shelf:
    """One plugin's documents: their common prefix, who gives them, and whose they are."""

    prefix: str
    provider: ResourceProvider
    origin: Contribution


class Library:
    """All of them; each provider is made once, when somebody first asks.

    Args:
        offers: The providers, with whose they are and the scope to make them with.
    """

    def __init__(self, offers: Sequence[tuple[Resources, Contribution, Scope]]) -> None:
        self.offers = offers

    @cached_property
    def shelves(self) -> Sequence[Shelf]:
        """Those whose provider could be made, by prefix."""
        found = [
            Shelf(offer.prefix, provider, origin)
            for offer, origin, scope in self.offers
            if (provider := providing.made(offer.provider, origin, scope)) is not None
        ]
        return sorted(found, key=lambda shelf: (shelf.prefix, shelf.origin.distribution))

    def shelf_of(self, uri: str) -> Shelf | None:
        """Find the one with the longest prefix that fits; None where nobody has such URIs."""
        fitting = [shelf for shelf in self.shelves if uri.startswith(shelf.prefix)]
        return max(fitting, key=lambda shelf: len(shelf.prefix), default=None)

    async def under(self, prefix: str) -> Sequence[Resource]:
        """Return the resources whose URIs begin with the prefix; a provider that fails is left out."""
        from stithy_core.spi import Resource

        def checked(row: object) -> Resource:
            if not isinstance(row, Resource):
                raise TypeError(f"a {type(row).__name__} is no Resource")
            return row

        found: list[Resource] = []
        for shelf in self._asked(prefix):
            with _asked(shelf.provider):
                found += await providing.listed(shelf.provider.list, checked, shelf.origin)
        return tuple(islice((row for row in found if row.uri.startswith(prefix)), MOST))

    def _asked(self, prefix: str) -> list[Shelf]:
        """Return the providers that may have such resources, except the one that asks."""
        return [
            shelf
            for shelf in self.shelves
            if (prefix.startswith(shelf.prefix) or shelf.prefix.startswith(prefix))
            and shelf.provider not in _asking.get()
        ]

    async def read(self, uri: str) -> Content:
        """Read a document.

        Raises:
            NotFound: There is none of that URI.
            TooLarge: It has more than 4,000,000 characters or bytes.
            InternalError: Its provider failed, or was too slow.
        """
        shelf = self.shelf_of(uri)
        if shelf is None or shelf.provider in _asking.get():
            raise NotFound(f"no resource {uri[:200]}", suggestion="resources/list says what is there")
        with _asked(shelf.provider):
            return _content(await _read(shelf, uri), uri, shelf)


@contextmanager
def _asked(provider: ResourceProvider) -> Iterator[None]:
    before = _asking.set((*_asking.get(), provider))
    try:
        yield
    finally:
        _asking.reset(before)


async def _read(shelf: Shelf, uri: str) -> object:
    try:
        with anyio.fail_after(providing.SECONDS):
            return await shelf.provider.read(uri)
    except StithyError:
        raise
    except BaseException as error:
        if ends_caller(error):
            raise
        log.exception("a provider of %s cannot read", shelf.origin)
        raise _failed(shelf, uri) from error


def _content(given: object, uri: str, shelf: Shelf) -> Content:
    """Return the content with its media type."""
    from stithy_core.spi import Content

    found = given if isinstance(given, Content) else Content(given, BYTES if isinstance(given, bytes) else TEXT)  # type: ignore[arg-type]
    if not isinstance(found.body, str | bytes):
        raise _failed(shelf, uri)
    if len(found.body) > LARGEST:
        raise TooLarge(f"{uri[:200]} has more than {LARGEST:,} characters", suggestion="Read it as a file.")
    return found


def _failed(shelf: Shelf, uri: str) -> InternalError:
    text = f"{shelf.origin} could not give {uri[:200]}"
    return InternalError(text, suggestion="The server's log has the cause.")

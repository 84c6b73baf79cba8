"""Quotes as lines of text, and what is to be said beside them."""

from collections.abc import Iterable, Iterator

from stithy_core.spi import excerpt
from stithy_pulls.documents.quoting import DocumentQuote
from stithy_pulls.documents.reading import DocumentQuotes
from stithy_pulls.words import many


def format_quotes(quotes: Iterable[DocumentQuote]) -> Iterator[str]:
    """Give a line for each: which document, what it speaks of, and its words."""
    for one in quotes:
        about = f" ({excerpt(one.about, 120)})" if one.about else ""
        of = f"{excerpt(one.title, 80)}{about}, line {one.line}, on {excerpt(one.path)}"
        yield f"Document: {one.uri}: {of}: “{excerpt(one.words)}”"


def format_quote_notes(found: DocumentQuotes) -> Iterator[str]:
    """Say what is missing."""
    if found.more:
        yield f"{many(found.more, 'more document')} of the project {'speaks' if found.more == 1 else 'speak'} of it."
    if found.unread:
        yield f"{many(found.unread, 'document')} of the project could not be looked into, or were too many for that."

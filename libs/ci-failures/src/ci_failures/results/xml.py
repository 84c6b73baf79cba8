"""Untrusted XML, one element at a time: by defusedxml, without document types, entities, or unlimited depth."""

from collections import deque
from collections.abc import Iterator, Mapping
from typing import NamedTuple, Protocol
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from ci_failures.results.tally import UnreadableFile
from ci_failures.results.text import PIECE, Markup, Text, strip_colours

DEEPEST = 100
KEPT = 8_192
"""Characters that are kept of the beginning of an element's text, and as many of its end."""
LARGEST = 64 << 20
"""Bytes at most of an XML file, or of a JSON file that cannot be read line by line."""


class Element(NamedTuple):
    """The beginning or the end of an element.

    Args:
        tag: Its name, without a namespace.
        attributes: Its attributes.
        text: Its text; None at its beginning.
    """

    tag: str
    attributes: Mapping[str, str]
    text: str | None = None


class Builder:
    """The target of the XML parser; it keeps one branch of the tree, and the beginning and the end of each text."""

    def __init__(self) -> None:
        self.elements: deque[Element] = deque()
        self._open: list[tuple[str, Mapping[str, str]]] = []
        self._texts: list[str] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Read the beginning of an element."""
        if len(self._open) >= DEEPEST:
            raise UnreadableFile(f"its elements are nested more than {DEEPEST} deep")
        name, attributes_read = tag.rpartition("}")[2], {key: strip_colours(value) for key, value in attributes.items()}
        self._open.append((name, attributes_read))
        self._texts.append("")
        self.elements.append(Element(name, attributes_read))

    def data(self, text: str) -> None:
        """Read some text."""
        if self._texts:
            whole = self._texts[-1] + text
            self._texts[-1] = whole if len(whole) <= 4 * KEPT else f"{whole[:KEPT]}{whole[-KEPT:]}"

    def end(self, _tag: str) -> None:
        """Read the end of an element."""
        tag, attributes = self._open.pop()
        self.elements.append(Element(tag, attributes, strip_colours(self._texts.pop())))

    def close(self) -> None:
        """Read the end of the file."""


class ElementReader(Protocol):
    """Base of the readers of elements."""

    def begins(self, element: Element) -> None:
        """Read the beginning of an element."""
        ...

    def ends(self, element: Element) -> None:
        """Read the end of an element."""
        ...


def read_elements(text: Text, reading: ElementReader) -> None:
    """Pass all elements to a reader, in their order.

    Raises:
        UnreadableFile: As for `elements`.
    """
    for element in elements(text):
        if element.text is None:
            reading.begins(element)
        else:
            reading.ends(element)


def elements(text: Text) -> Iterator[Element]:
    """Iterate over the beginnings and ends of all elements, in their order.

    Raises:
        UnreadableFile: It is not XML, it ends too early, or it contains what is refused.
    """
    builder, markup = Builder(), Markup(text.limited(LARGEST))
    parser = DefusedXMLParser(target=builder, forbid_dtd=True)
    try:
        while piece := markup.read(PIECE):
            parser.feed(piece)
            while builder.elements:
                yield builder.elements.popleft()
        parser.close()
    except DefusedXmlException as error:
        raise UnreadableFile(
            f"its XML has entities or a document type, which are refused ({type(error).__name__})"
        ) from error
    except ParseError as error:
        yield from builder.elements  # what precedes the error may be a whole document, with other output behind it
        raise UnreadableFile(f"its XML is damaged: {error}") from error
    yield from builder.elements

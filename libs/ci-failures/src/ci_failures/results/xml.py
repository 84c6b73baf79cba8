"""XML of strangers, an element at a time: by defusedxml, without document types, entities, or depth without end."""

from collections import deque
from collections.abc import Iterator, Mapping
from typing import NamedTuple, Protocol
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from ci_failures.results.tally import UnreadableFile
from ci_failures.results.text import PIECE, Markup, Text, plain

DEEPEST = 100
KEPT = 8_192
"""Characters that are kept of the beginning of an element's text, and as many of its end."""
LARGEST = 64 << 20
"""Bytes of a file of XML, or of JSON that cannot be read by lines."""


class Element(NamedTuple):
    """The beginning or the end of an element.

    Args:
        tag: Its name, without a namespace.
        attributes: What it says of itself.
        text: What stands in it; None at its beginning.
    """

    tag: str
    attributes: Mapping[str, str]
    text: str | None = None


class Builder:
    """What the parser calls; it keeps one branch of the tree, and of each text the beginning and the end."""

    def __init__(self) -> None:
        self.told: deque[Element] = deque()
        self._open: list[tuple[str, Mapping[str, str]]] = []
        self._texts: list[str] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take the beginning of an element."""
        if len(self._open) >= DEEPEST:
            raise UnreadableFile(f"its elements are nested more than {DEEPEST} deep")
        name, told = tag.rpartition("}")[2], {key: plain(value) for key, value in attributes.items()}
        self._open.append((name, told))
        self._texts.append("")
        self.told.append(Element(name, told))

    def data(self, text: str) -> None:
        """Take some text."""
        if self._texts:
            whole = self._texts[-1] + text
            self._texts[-1] = whole if len(whole) <= 4 * KEPT else f"{whole[:KEPT]}{whole[-KEPT:]}"

    def end(self, _tag: str) -> None:
        """Take the end of an element."""
        tag, attributes = self._open.pop()
        self.told.append(Element(tag, attributes, plain(self._texts.pop())))

    def close(self) -> None:
        """Take the end of the file."""


class Reading(Protocol):
    """What is told where in a file of XML we are."""

    def begins(self, element: Element) -> None:
        """Take the beginning of an element."""
        ...

    def ends(self, element: Element) -> None:
        """Take the end of one."""
        ...


def tell(text: Text, reading: Reading) -> None:
    """Tell of all elements, in their order.

    Raises:
        UnreadableFile: As for `elements`.
    """
    for element in elements(text):
        if element.text is None:
            reading.begins(element)
        else:
            reading.ends(element)


def elements(text: Text) -> Iterator[Element]:
    """Give the beginnings and ends of all elements, in their order.

    Raises:
        UnreadableFile: It is no XML, it ends too early, or it has what is refused.
    """
    builder, markup = Builder(), Markup(text.limited(LARGEST))
    parser = DefusedXMLParser(target=builder, forbid_dtd=True)
    try:
        while piece := markup.read(PIECE):
            parser.feed(piece)
            while builder.told:
                yield builder.told.popleft()
        parser.close()
    except DefusedXmlException as error:
        raise UnreadableFile(f"it has what is refused in XML of strangers: {type(error).__name__}") from error
    except ParseError as error:
        raise UnreadableFile(f"its XML is damaged: {error}") from error
    yield from builder.told

"""Read what a record decides: its title, its options and the sentences of its decision, as signed terms."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from html import unescape
from itertools import islice

from attrs import frozen

from stithy_archdocs.alignment.decision_passages import find_decision_sections, split_sentences, strip_markup
from stithy_archdocs.alignment.signed_terms import Term, find_stems, parse_terms
from stithy_archdocs.alignment.technology_names import TechnologyNames
from stithy_archdocs.document_models import Document, OptionOutcome
from stithy_archdocs.documents.document_parser import parse_source

MOST_SENTENCES = 40
"""Sentences of a decision that are compared with a proposal."""
MOST_OPTIONS = 30
_LONGEST = 400
"""Characters of a sentence or an option that are read."""
_SHORTEST = 3
"""Words of the shortest text that counts as a sentence."""


@frozen(eq=False)
class Passage:
    """A passage of a record.

    Args:
        role: title, decision, chosen-option, rejected-option, or option, whose outcome is not stated.
        quote: Its text.
        line: Its line.
        technologies: Known names of technologies.
    """

    role: str
    quote: str
    line: int
    technologies: TechnologyNames

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """Its terms."""
        return parse_terms(self.quote, self.technologies)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its words."""
        return find_stems(self.quote)

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of all its terms."""
        return frozenset(term.key for term in self.terms)


_ROLES = {
    OptionOutcome.CHOSEN: "chosen-option",
    OptionOutcome.REJECTED: "rejected-option",
    OptionOutcome.UNSTATED: "option",
}


@frozen(eq=False)
class RecordTerms:
    """What a record decides.

    Args:
        document: The record.
        title: Its title.
        options: Its options.
        sentences: The sentences of its decision, in order.
    """

    document: Document
    title: Passage
    options: Sequence[Passage]
    sentences: Sequence[Passage]

    def get_options(self, role: str) -> list[Passage]:
        """Return the options with one outcome."""
        return [one for one in self.options if one.role == role]

    @cached_property
    def topic(self) -> frozenset[str]:
        """The stems of title, options and decision: what the record is about."""
        return frozenset[str]().union(*(one.stems for one in (self.title, *self.options, *self.sentences)))


def read_record(document: Document, technologies: TechnologyNames) -> RecordTerms:
    """Read a record; only its title, its options and the sections of its decision."""
    options = document.decision.options[:MOST_OPTIONS] if document.decision else ()
    return RecordTerms(
        document=document,
        title=Passage("title", document.title[:_LONGEST], document.content.heading_line, technologies),
        options=[
            Passage(_ROLES[one.outcome], unescape(one.text)[:_LONGEST], one.line, technologies) for one in options
        ],
        sentences=list(islice(_iterate_sentences(document, technologies), MOST_SENTENCES)),
    )


def _iterate_sentences(document: Document, technologies: TechnologyNames) -> Iterator[Passage]:
    source = parse_source(document.path, document.text)
    for section in find_decision_sections(source.sections):
        for text, line in source.iterate_paragraphs(section):
            for sentence in split_sentences(strip_markup(text)[: _LONGEST * MOST_SENTENCES]):
                if len(sentence.split()) >= _SHORTEST:
                    yield Passage("decision", sentence[:_LONGEST], line, technologies)

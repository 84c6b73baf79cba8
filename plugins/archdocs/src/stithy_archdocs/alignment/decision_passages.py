"""Extract the passages of a record that state its decision, as plain sentences."""

import re
from collections.abc import Iterator, Sequence

from stithy_archdocs.adr.option_candidates import match_outcome_heading
from stithy_archdocs.document_models import Document, Section

_ASIDE = re.compile(
    r"^[\W\d_]*(?:status|context|consequences?|background|links?|references?|more information|pros and cons"
    r"|considered|alternatives?|options?|rationale|reasons?|decision drivers|positive|negative|drawbacks|risks?|problem"
    r"|motivation|confirmation|validation|date|deciders|notes?|implementation|history|change|appendix|see also"
    r"|related|further|kontext)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])[\"”)*_]*\s+(?=[\"“(*_`]*[A-ZÀ-Ý])")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_MARKUP = (
    (re.compile(r"<!--.{0,2000}?-->"), ""),
    (re.compile(r"!\[[^\]]{0,300}\]\([^)]{0,500}\)"), ""),
    (re.compile(r"\[([^\]]{0,300})\](?:\([^)]{0,500}\)|\[[^\]]{0,300}\])"), r"\1"),
    (re.compile(r":\w+:`([^`<]{0,300})[^`]{0,300}`"), r"\1"),
    (re.compile(r"https?://\S+"), ""),
    (re.compile(r"[*`~|]{1,3}|(?<!\w)_+|_+(?!\w)"), " "),
)
MOST_TEXT = 200_000
"""Maximum characters of a record that determine its subject, and of one paragraph."""


def find_decision_sections(document: Document) -> Sequence[Section]:
    """Return the sections that state the decision; without such a heading, all except known other sections."""
    sections, aside = document.sections, _ASIDE.match
    tops = [one.headings for one in sections if match_outcome_heading(one)]
    if not tops:
        return [one for one in sections if not any(map(aside, one.headings[1:]))]
    return [
        one
        for one in sections
        if any(one.headings[: len(top)] == top and not any(map(aside, one.headings[len(top) :])) for top in tops)
    ]


def iterate_paragraphs(section: Section) -> Iterator[tuple[str, int]]:
    """Iterate over the paragraphs and bullets of a section with their first lines.

    Fences, quotations and tables are left out: a row of cells is not a sentence.
    """
    number = section.last - section.text.count("\n")
    parts: list[str] = []
    start, fenced = number, False
    for at, line in enumerate(section.text.split("\n"), number):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        stops = fenced or not line.strip() or line.lstrip().startswith((">", "|", "```", "~~~", "<!--"))
        if parts and (stops or _BULLET.match(line)):
            yield strip_markup(" ".join(parts)), start
            parts = []
        if not stops:
            start = start if parts else at
            parts.append(_BULLET.sub("", line).strip())
    if parts:
        yield strip_markup(" ".join(parts)), start


def split_sentences(text: str) -> list[str]:
    """Split a text into sentences."""
    return [sentence for part in text.split("\n") for sentence in _SENTENCE.split(part) if sentence.strip()]


def strip_markup(text: str) -> str:
    """Remove markup and URLs from a text."""
    text = text[:MOST_TEXT]
    for pattern, instead in _MARKUP:
        text = pattern.sub(instead, text)
    return " ".join(text.split())

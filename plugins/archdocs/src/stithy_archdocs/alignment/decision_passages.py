"""Extract the passages of a record that state its decision, as plain sentences."""

import re
from collections.abc import Sequence

from stithy_archdocs.adr.option_candidates import match_outcome_heading
from stithy_archdocs.document_models import Section

_ASIDE = re.compile(
    r"^[\W\d_]*(?:status|context|consequences?|background|links?|references?|more information|pros and cons"
    r"|considered|alternatives?|options?|rationale|reasons?|decision drivers|positive|negative|drawbacks|risks?|problem"
    r"|motivation|confirmation|validation|date|deciders|notes?|implementation|history|change|appendix|see also"
    r"|related|further|kontext)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])[\"”)*_]*\s+(?=[\"“(*_`]*[A-ZÀ-Ý])")
_MARKUP = (
    (re.compile(r"!\[[^\]]{0,300}\]\([^)]{0,500}\)"), ""),
    (re.compile(r"\[([^\]]{0,300})\](?:\([^)]{0,500}\)|\[[^\]]{0,300}\])"), r"\1"),
    (re.compile(r":\w+:`([^`<]{0,300})[^`]{0,300}`"), r"\1"),
    (re.compile(r"https?://\S+"), ""),
    (re.compile(r"[*`~|]{1,3}|(?<!\w)_+|_+(?!\w)"), " "),
)
MOST_TEXT = 200_000
"""Maximum characters of a record that determine its subject, and of one paragraph."""


def find_decision_sections(sections: Sequence[Section]) -> Sequence[Section]:
    """Return the sections that state the decision; without such a heading, all except known other sections."""
    tops = [one.headings for one in sections if match_outcome_heading(one)]

    def is_chosen(one: Section) -> bool:
        for top in tops or [one.headings[:1]]:
            if one.headings[: len(top)] == top and not any(map(_ASIDE.match, one.headings[len(top) :])):
                return True
        return False

    return list(filter(is_chosen, sections))


def split_sentences(text: str) -> list[str]:
    """Split a text into sentences."""
    return [sentence for part in text.split("\n") for sentence in _SENTENCE.split(part) if sentence.strip()]


def strip_markup(text: str) -> str:
    """Remove markup and URLs from a text."""
    text = text[:MOST_TEXT]
    for pattern, instead in _MARKUP:
        text = pattern.sub(instead, text)
    return " ".join(text.split())

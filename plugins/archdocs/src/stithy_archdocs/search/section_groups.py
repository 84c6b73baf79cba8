"""Merge tiny sections of a document, so that the index has fewer rows; each group of sections is a row.

Both the writer of the index and its readers derive the groups from the document, so that the index stores no positions.
"""

from collections.abc import Sequence

from stithy_archdocs.document_models import Document, Section

MOST_CHARACTERS = 400
"""Characters that sections of one group may have together; a longer section has a group of its own."""
SEPARATOR = "\x1d"
"""Separates the sections in the text of a row; the tokenizer ignores it."""

SectionGroup = Sequence[Section]
"""Consecutive sections, at least one."""


def group_sections(document: Document) -> Sequence[SectionGroup]:
    """Return the sections of a document in groups."""
    groups: list[list[Section]] = []
    free = 0
    for section in document.sections:
        free -= len(section.text)
        if groups and free >= 0:
            groups[-1].append(section)
        else:
            groups.append([section])
            free = MOST_CHARACTERS - len(section.text)
    return groups


def join_texts(group: SectionGroup) -> str:
    """Return the text of a row."""
    return SEPARATOR.join(section.text.replace(SEPARATOR, " ") for section in group)


def get_headings_below_title(document: Document, section: Section) -> tuple[str, ...]:
    """Return the headings of a section without the document's own title."""
    headings = section.headings
    return headings[1:] if headings and document.title in headings[0] else headings

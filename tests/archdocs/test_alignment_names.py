"""check-adr-alignment: names that a decision takes at once, and names that are written in two ways."""

import pytest

from stithy_archdocs.adr.link_resolver import LinkResolver
from stithy_archdocs.alignment.lexicon import load_lexicon
from stithy_archdocs.alignment.rule_signals import find_signals
from stithy_archdocs.alignment.statement_parser import parse_proposal, parse_record
from stithy_archdocs.document_models import DocumentKind
from stithy_archdocs.documents.document_files import DocumentFile
from stithy_archdocs.documents.document_parser import parse_document

LEXICON = load_lexicon({})


def align(title, decision, proposal):
    """Return the alignment of a record with a proposal."""
    text = f"# {title}\n\n## Status\n\nAccepted\n\n## Decision\n\n{decision}\n"
    found = DocumentFile(path="a.md", below="a.md", kind=DocumentKind.ADR, stamp=())
    reading = parse_record(
        LinkResolver().resolve_all({"a.md": parse_document(found, text.encode())}, {}, ())["a.md"], LEXICON
    )
    heard = find_signals(parse_proposal(proposal, LEXICON).respell_for(reading), reading, LEXICON)
    return heard[0].alignment if heard else ""


@pytest.mark.parametrize(
    "decision",
    [
        "Quillon.",
        "Quillon is chosen, because it is quick.",
        "Quillon will be used.",
        "Our choice is Quillon.",
        "The team preferred Quillon over Glimmer.",
    ],
)
@pytest.mark.parametrize(
    ("proposal", "expected"), [("Queue uploads with Quillon", "supports"), ("Drop Quillon", "conflicts")]
)
def test_a_decision_may_be_no_more_than_a_name(decision, proposal, expected):
    assert align("Work in the background", decision, proposal) == expected


@pytest.mark.parametrize("decision", ["Accepted.", "Yes.", "Quillon offers the richest set of features."])
def test_an_answer_or_a_praise_takes_no_name(decision):
    assert align("Work in the background", decision, "Drop Quillon") == ""


@pytest.mark.parametrize(
    ("title", "proposal"),
    [
        ("Use QuillonQueue for uploads", "Stop using Quillon Queue for uploads"),
        ("Use Quillon Queue for uploads", "Stop using QuillonQueue for uploads"),
        ("Use the US Quillon Design Kit", "Drop USQDK"),
        ("Use USQDK for forms", "Drop the US Quillon Design Kit for forms"),
    ],
)
def test_a_name_may_be_joined_parted_or_shortened(title, proposal):
    assert align(title, "See the title.", proposal) == "conflicts"


def test_a_name_that_the_record_writes_in_both_ways_stays():
    assert align("Use Quillon Queue", "We will use QuillonQueue.", "Drop QuillonQueue") == "conflicts"


@pytest.mark.parametrize(
    ("title", "proposal"),
    [
        ("Use Quillon for Support::Case", "Rip Quillon out of Support::Case"),
        ("Use Quillon for sign-in", "Move sign-in away from Quillon"),
        ("Port the .NET client to Quillon", "Stop porting the .NET client to Quillon"),
    ],
)
def test_marks_inside_a_name_part_nothing(title, proposal):
    assert align(title, "See the title.", proposal) == "conflicts"


@pytest.mark.parametrize(
    ("proposal", "expected"),
    [("Let Quillon check the mirrors too", "supports"), ("Let Quillon open its requests on Mondays", "related")],
)
def test_a_tool_with_a_task_counts_as_chosen(proposal, expected):
    assert align("Use Quillon", "Quillon checks the requests of the mirrors.", proposal) == expected

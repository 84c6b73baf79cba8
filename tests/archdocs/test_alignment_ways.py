"""check-adr-alignment without a lexicon: ends and means, names of a record's own, options told by their words."""

import pytest

from stithy_archdocs.adr.link_resolver import LinkResolver
from stithy_archdocs.alignment.lexicon import load_lexicon
from stithy_archdocs.alignment.rule_signals import find_signals
from stithy_archdocs.alignment.statement_parser import parse_proposal, parse_record
from stithy_archdocs.alignment.word_stems import stem
from stithy_archdocs.document_models import DocumentKind
from stithy_archdocs.documents.document_files import DocumentFile
from stithy_archdocs.documents.document_parser import parse_document

LEXICON = load_lexicon({})


def record(title, decision, options=""):
    """Parse a record for comparison."""
    text = f"# {title}\n\n## Status\n\nAccepted\n\n{options}## Decision\n\n{decision}\n"
    found = DocumentFile(path="a.md", below="a.md", kind=DocumentKind.ADR, stamp=())
    return parse_record(
        LinkResolver().resolve_all({"a.md": parse_document(found, text.encode())}, {}, ())["a.md"], LEXICON
    )


def find_strongest(reading, proposal):
    """Return alignment and relation of the strongest signal; empty without one."""
    heard = find_signals(parse_proposal(proposal, LEXICON).respell_for(reading), reading, LEXICON)
    return (heard[0].alignment, heard[0].relation) if heard else ()


@pytest.mark.parametrize(
    ("proposal", "expected"),
    [
        ("Parse the recipe files with Glimmer", ("conflicts", "other_way")),
        ("Use Glimmer to parse recipe files", ("conflicts", "other_way")),
        ("Parse the recipe files with Quillon", ("supports", "same_decision")),
        ("Print the recipe files with Glimmer", ()),
    ],
)
def test_other_means_for_the_same_end_exclude_each_other(proposal, expected):
    assert find_strongest(record("Use Quillon to parse recipe files", "We will use Quillon."), proposal) == expected


@pytest.mark.parametrize(
    ("proposal", "expected"),
    [
        ("Remove the Quillon check from the pipeline", "conflicts"),
        ("Keep Quillon in the nightly build", "supports"),
    ],
)
def test_a_record_names_what_no_lexicon_has(proposal, expected):
    reading = record("Use Quillon as a static analyser", "Quillon is run on every change. Quillon is quick.")
    assert find_strongest(reading, proposal)[0] == expected


OPTIONS = (
    "## Considered Options\n\n* **Option 1**: One pooled connection for all tenants\n"
    "* **Option 2**: A fresh connection for each request (chosen)\n\n"
)


@pytest.mark.parametrize(
    ("proposal", "expected"),
    [
        ("Use one pooled connection", "conflicts"),
        ("Use a fresh connection", "supports"),
    ],
)
def test_an_option_is_identified_by_words_that_others_lack(proposal, expected):
    assert find_strongest(record("Connections to the ledger", "We go with option 2.", OPTIONS), proposal)[0] == expected


@pytest.mark.parametrize(
    ("title", "proposal", "expected"),
    [
        ("Use JUnit", "Write the tests with JUnit5", "supports"),
        ("Use Go for services", "Run golang-migrate before each start of a service", "related"),
        ("Use Swift to build the watch app", "Build the watch app in Kotlin", "conflicts"),
        ("Use TypeScript for the web client", "Write the billing service in Go", "related"),
        ("Composition over inheritance", "Prefer composition over inheritance for new widgets", "supports"),
    ],
)
def test_names_are_read_as_they_are_meant(title, proposal, expected):
    heard = find_strongest(record(title, "See the title."), proposal)
    assert (heard[0] if heard else "related") == expected


def test_words_of_one_kin_have_one_stem():
    assert stem("deploying") == stem("deployed") == stem("deploys")
    assert stem("general") != stem("generate")

"""Decision records and patterns written in AsciiDoc."""

import pytest

from stithy_archdocs.rules.rulebook import load_rules
from stithy_testing import connect, make_app

OLD = """= 1. Use anvil

:date: 2026-01-02

== Status

Superseded by xref:0002-use-forge.adoc[2. Use forge]

== Context

----
== No heading
link:nowhere.adoc[code]
----
"""
NEW = """= 2. Use forge

== Status

Accepted

Supersedes <<0001-use-anvil.adoc#,1. Use anvil>>

== Context

// == Hidden
Words.
"""


def test_a_record_has_its_title_number_status_date_and_links(record):
    parsed = record(OLD, "docs/adr/0001-use-anvil.adoc", **{"docs/adr/0002-use-forge.adoc": NEW})
    decision = parsed.decision
    assert (parsed.title, decision.numbers, decision.status.state.value) == ("Use anvil", ("1",), "superseded")
    assert decision.date.isoformat() == "2026-01-02"
    assert [(one.relation, one.target) for one in decision.links] == [("superseded_by", "docs/adr/0002-use-forge.adoc")]
    assert [one.headings[-1] for one in parsed.sections] == ["1. Use anvil", "Status", "Context"]


@pytest.mark.parametrize(
    "head",
    [
        ":status: Rejected",
        ":adr_status: rejected",
        ":decision-status: Rejected",
        "Status:: Rejected",
        "*Status:* Rejected",
        "* Status: Rejected",
        "|===\n|Status |Rejected\n|===",
        "|===\n|Status\n|Rejected\n|===",
        "Status\n------\nRejected",
        "== Status\n\n*Rejected*",
    ],
)
def test_a_status_is_read_in_each_form(record, head):
    parsed = record(f"= Use anvil\n\n{head}\n\n== Context\n\nWords.\n", "docs/adr/0001-use-anvil.adoc")
    assert parsed.decision.status.state.value == "rejected"


@pytest.mark.parametrize("mark", ["----", "....", "////", "++++"])
def test_headings_in_blocks_are_not_headings(record, mark):
    parsed = record(f"= T\n\n{mark}\n== No\n{mark}\n\n== Yes\n\nx\n", "docs/adr/0001-t.asciidoc")
    assert [one.headings[-1] for one in parsed.sections] == ["T", "Yes"]


@pytest.mark.anyio
async def test_broken_links_are_found_and_the_resource_names_its_type(project, tmp_path):
    project({"docs/adr/0001-use-anvil.adoc": OLD, "docs/adr/0003-c.adoc": "= C\n\n== Status\n\nAccepted\n"})
    async with connect(make_app(tmp_path, '[archdocs]\nroot = "."\n')) as client:
        found = (await client.call_tool("check_architecture_docs", {})).structured_content["problems"]
        read = await client.read_resource("architecture://adr/3")
    assert [(one["rule"], one["line"]) for one in found if one["rule"] == "broken-link"] == [("broken-link", 7)]
    assert read.contents[0].mime_type == "text/asciidoc"


RULE = "id: no-print\nlanguage: python\nrule: {pattern: print($A)}\ninvalid: [print(1)]"


@pytest.mark.parametrize("head", ["[source,yaml]", "[source,yaml,role=ast-grep]", '[source,yaml,role="ast-grep"]'])
def test_a_listing_carries_rules(project, library, head):
    page = f"= Printing\n\nWords.\n\n{head}\n.Title\n----\n{RULE}\n----\n\n////\n----\n{RULE}\n----\n////\n"
    project({"mcp/resources/patterns/p.adoc": page})
    (pattern,) = library().get_snapshot_blocking().documents.values()
    rules = load_rules(pattern)
    assert [(rule.id, rule.line) for rule in rules.rules] == [("no-print", 8)]
    assert rules.problems == ()


@pytest.mark.parametrize("written", ["== Words ==", "== Words  ==  ", "==\tWords", f"== Words{' ' * 200_000}"])
def test_a_title_has_no_spaces_or_marks_around_it(record, written):
    """The last one took two minutes."""
    parsed = record(f"= T\n\n{written}\n\nx\n", "docs/adr/0001-t.adoc")
    assert parsed.sections[-1].headings == ("T", "Words")


def test_a_title_of_marks_alone_is_kept(record):
    assert record("= T\n\n== ==\n\nx\n", "docs/adr/0001-t.adoc").sections[-1].headings == ("T", "==")


def test_a_title_of_brackets_without_an_end_is_read(record):
    """It took two minutes."""
    assert record(f"= {'[' * 300_000}\n\nx\n", "docs/adr/0001-t.adoc").title.startswith("[[")

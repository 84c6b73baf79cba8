"""What a record says of others, which record is meant, and what came after it."""

import pytest

from stithy_archdocs.adr.supersession import follow_supersession, get_effective_state
from stithy_archdocs.document_models import DecisionState

OLD, NEW = "docs/adr/0003-old.md", "docs/adr/0009-new.md"
ACCEPTED = "# 9. New\n\n## Status\n\nAccepted\n"
WAYS = [
    "## Status\n\nSuperceded by [9. New](0009-new.md)\n",
    "## Status\n\nSuperseded by [9. New](./0009-new.md#status)\n",
    "## Status\n\nSuperseded by [9. New](/docs/adr/0009-new.md)\n",
    "## Status\n\nSuperseded by [9. New](https://forge.example/o/r/blob/main/docs/adr/0009-new.md)\n",
    "## Status\n\nSuperseded by ADR-0009\n",
    "## Status\n\nReplaced by ADR 9.\n",
    "## Status\n\nSuperseded by 0009\n",
    "## Status\n\nSuperseded by 0009-new.md\n",
    "- Status: superseded by [new](0009-new.md)\n",
    "- Status: superseded\n- Superseded by: ADR-9\n",
    "> **Note:** superseded by [ADR 9](0009-new.md)\n",
]


def log(project, library, files):
    project(files)
    return library().get_snapshot_blocking()


@pytest.mark.parametrize("text", WAYS)
def test_the_successor_is_found_however_it_is_named(project, library, text):
    snapshot = log(project, library, {OLD: f"# 3. Old\n\n{text}", NEW: ACCEPTED})
    links = snapshot.documents[OLD].decision.get_links("superseded_by")
    assert [link.target for link in links] == [NEW]


def test_a_label_of_rst_is_found(project, library):
    files = {"docs/adr/0003-old.rst": "Old\n===\n\nStatus\n------\n\nReplaced by :ref:`The New`\n"}
    snapshot = log(project, library, files | {"docs/adr/0009-new.rst": ".. _The New:\n\nNew\n===\n"})
    (link,) = snapshot.documents["docs/adr/0003-old.rst"].decision.get_links("superseded_by")
    assert link.target == "docs/adr/0009-new.rst"


def test_a_link_knows_its_line_and_words(project, library):
    snapshot = log(
        project, library, {OLD: "# 3. Old\n\n## Status\n\nSuperceded by [9. New](0009-new.md)\n", NEW: ACCEPTED}
    )
    (link,) = snapshot.documents[OLD].decision.links
    assert (link.line, link.raw) == (5, "[9. New](0009-new.md)")


def test_a_number_that_two_records_have_gives_both(project, library):
    other = "docs/adr/0009-other.md"
    snapshot = log(
        project, library, {OLD: "# 3. Old\n\n## Status\n\nSuperseded by ADR 9\n", NEW: ACCEPTED, other: ACCEPTED}
    )
    (link,) = snapshot.documents[OLD].decision.links
    assert (link.target, link.candidates) == (None, (NEW, other))


def test_a_word_in_another_records_title_does_not_relate_them(project, library):
    text = "# 3. Old\n\n## Status\n\nAccepted\n\nAmends [9. What replaces iron](0009-new.md)\n"
    snapshot = log(project, library, {OLD: text, NEW: ACCEPTED})
    assert [link.relation for link in snapshot.documents[OLD].decision.links] == ["amends"]


def test_a_part_is_marked_and_has_no_successor(project, library):
    snapshot = log(project, library, {OLD: "# 3. Old\n\n## Status\n\nPartly superseded by ADR 9\n", NEW: ACCEPTED})
    (link,) = snapshot.documents[OLD].decision.links
    assert link.partial
    assert snapshot.documents[OLD].decision.status.state is DecisionState.ACCEPTED
    assert follow_supersession(snapshot, snapshot.documents[OLD]).live == ()


def test_a_supersession_named_by_the_successor_alone_counts(project, library):
    snapshot = log(
        project, library, {OLD: "# 3. Old\n\n## Status\n\nAccepted\n", NEW: ACCEPTED + "\nSupersedes ADR 3\n"}
    )
    assert [one.path for one in follow_supersession(snapshot, snapshot.documents[OLD]).live] == [NEW]
    assert get_effective_state(snapshot, snapshot.documents[OLD]) is DecisionState.SUPERSEDED


def test_a_proposed_record_supersedes_nothing(project, library):
    proposed = "# 9. New\n\n## Status\n\nProposed\n\nSupersedes ADR 3\n"
    snapshot = log(project, library, {OLD: "# 3. Old\n\n## Status\n\nAccepted\n", NEW: proposed})
    assert get_effective_state(snapshot, snapshot.documents[OLD]) is DecisionState.ACCEPTED


def test_a_chain_is_followed_to_what_holds_now(project, library):
    middle = "docs/adr/0005-middle.md"
    files = {
        OLD: "# Old\n\n## Status\n\nSuperseded by ADR 5\n",
        middle: "# Middle\n\n## Status\n\nSuperseded by ADR 9\n",
    }
    snapshot = log(project, library, files | {NEW: ACCEPTED})
    found = follow_supersession(snapshot, snapshot.documents[OLD])
    assert [one.path for one in found.path] == [middle, NEW]
    assert [one.path for one in found.live] == [NEW]


def test_several_successors_are_all_given(project, library):
    files = {
        OLD: "# Old\n\n## Status\n\nSuperseded by ADR 9 and ADR 10\n",
        "docs/adr/0010-too.md": ACCEPTED,
        NEW: ACCEPTED,
    }
    snapshot = log(project, library, files)
    assert [one.path for one in follow_supersession(snapshot, snapshot.documents[OLD]).live] == [
        NEW,
        "docs/adr/0010-too.md",
    ]


def test_a_circle_ends(project, library):
    files = {OLD: "# Old\n\n## Status\n\nSuperseded by ADR 9\n", NEW: "# New\n\n## Status\n\nSuperseded by ADR 3\n"}
    snapshot = log(project, library, files)
    found = follow_supersession(snapshot, snapshot.documents[OLD])
    assert (found.circular, found.live) == (True, ())


def test_a_chain_that_ends_in_a_dead_record_says_so(project, library):
    snapshot = log(
        project, library, {OLD: "# Old\n\n## Status\n\nSuperseded by ADR 9\n", NEW: "# New\n\n## Status\n\nRejected\n"}
    )
    found = follow_supersession(snapshot, snapshot.documents[OLD])
    assert ([one.path for one in found.ends], found.live) == ([NEW], ())


@pytest.mark.parametrize(
    ("relations", "said"),
    [
        ("relations:\n  - type: supersedes\n    target: ADR-2", ("supersedes", False)),
        ("relations:\n  - {type: partially-superseded-by, target: ADR-2, scope: names}", ("superseded_by", True)),
        ("links: {amended-by: [2]}", ("amended_by", False)),
    ],
)
def test_relations_of_front_matter_are_read(project, library, relations, said):
    project({"docs/adr/0001-a.md": f"---\nstatus: accepted\n{relations}\n---\n# A\n", "docs/adr/0002-b.md": "# B\n"})
    (link,) = library().get_snapshot_blocking().documents["docs/adr/0001-a.md"].decision.links
    assert ((link.relation, link.partial), link.target) == (said, "docs/adr/0002-b.md")


NOTHING = [
    "None (extends ADR-0003)",
    "none; see [ADR-3](0003-old.md)",
    "_None_, although ADR-3 is near",
    "N/A (ADR-3 stays in force)",
    "n/a",
    "-",
    "— (see ADR-0003)",
    "none yet, ADR-0003 may follow",
    "no (see ADR-0003)",
    "No. It complements ADR-3",
    "not applicable: ADR-3 holds",
    "Nothing, but relates to ADR-3",
    "does not supersede ADR-0003",
    "TBD (ADR-3?)",
]
FORMS = [
    "# 9. New\n\n**Status:** Accepted\n**Supersedes:** {}\n",
    "# 9. New\n\n- Status: Accepted\n- Supersedes: {}\n",
    "# 9. New\n\n| Status | Accepted |\n|---|---|\n| Supersedes | {} |\n",
    "# 9. New\n\n## Status\n\nAccepted\n\nSupersedes: {}\n",
    "# 9. New\n\n## Status\n\nAccepted\n\n## Supersedes\n\n{}\n",
    "---\nstatus: accepted\nsupersedes: '{}'\n---\n# 9. New\n",
]


@pytest.mark.parametrize("form", FORMS, ids=["bold", "bullet", "table", "status", "section", "front matter"])
@pytest.mark.parametrize("value", NOTHING)
def test_a_record_that_supersedes_nothing_leaves_the_other_in_force(project, library, form, value):
    """(FIX-27)."""
    snapshot = log(project, library, {OLD: "# 3. Old\n\n## Status\n\nAccepted\n", NEW: form.format(value)})
    assert snapshot.documents[NEW].decision.get_links("supersedes") == ()
    assert get_effective_state(snapshot, snapshot.documents[OLD]) is DecisionState.ACCEPTED


def test_a_relation_after_none_keeps_its_verb(project, library):
    """`None (extends ADR-3)` amends it (FIX-27)."""
    text = "# 9. New\n\n**Status:** Accepted\n**Supersedes:** None (extends ADR-0003)\n"
    snapshot = log(project, library, {OLD: "# 3. Old\n\n## Status\n\nAccepted\n", NEW: text})
    (link,) = snapshot.documents[NEW].decision.links
    assert (link.relation, link.target) == ("amends", OLD)


DENIED = [
    "This record does not supersede ADR-0009.",
    "This decision neither supersedes nor amends ADR-0009.",
    "Accepted (not superseded by ADR-0009)",
    "It isn't superseded by ADR-0009.",
    "Superseded by: none (see ADR-0009)",
    "Superseded by: N/A",
    "Never replaced by ADR-0009",
]


@pytest.mark.parametrize("text", DENIED)
def test_a_negated_verb_relates_to_nothing(project, library, text):
    """(FIX-27)."""
    files = {OLD: f"# 3. Old\n\n## Status\n\nAccepted\n\n{text}\n", NEW: ACCEPTED}
    decision = log(project, library, files).documents[OLD].decision
    assert {link.relation for link in decision.links} <= {"related"}
    assert decision.status.state is DecisionState.ACCEPTED


NAMED = ["No. 9", "No 0009", "[No ORM](0009-new.md)", "ADR-9", "0009", "ADR-0009 (None of its parts remain)"]


@pytest.mark.parametrize("value", NAMED)
def test_a_record_name_does_not_count_as_a_denial(project, library, value):
    """(FIX-27)."""
    files = {OLD: f"# 3. Old\n\n- Status: Accepted\n- Superseded by: {value}\n", NEW: ACCEPTED}
    links = log(project, library, files).documents[OLD].decision.get_links("superseded_by")
    assert [link.target for link in links] == [NEW]


def test_an_exception_in_a_list_is_not_superseded(project, library):
    """(FIX-27)."""
    files = {
        "docs/adr/0002-kept.md": ACCEPTED,
        OLD: ACCEPTED,
        NEW: "# 9. New\n\n- Status: Accepted\n- Supersedes: ADR-3, but not ADR-2\n",
    }
    links = log(project, library, files).documents[NEW].decision.get_links("supersedes")
    assert [link.target for link in links] == [OLD]

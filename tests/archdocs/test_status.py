"""How a decision stands: every form in which people write it."""

import pytest

from stithy_archdocs.records import State

HEADING = "# 1. Use an anvil\n\nDate: 2024-02-03\n\n## Status\n\n{}\n\n## Context\n\nIron is soft.\n"
VALUES = [
    ("Accepted", State.ACCEPTED),
    ("Approved", State.ACCEPTED),
    ("Accepted, implemented in v6", State.ACCEPTED),
    ("Accepted: Tracking issue [\\#12].", State.ACCEPTED),
    ("Rejected in favour of ADR 12", State.REJECTED),
    ("Deprecated (no superseding ADR)", State.DEPRECATED),
    ("Depreciated.", State.DEPRECATED),
    ("Obsolete", State.DEPRECATED),
    ("Reverted", State.DEPRECATED),
    ("Partly superseded", State.ACCEPTED),
    ("Partially Accepted", State.ACCEPTED),
    ("Decided", State.ACCEPTED),
    ("Final", State.ACCEPTED),
    ("Active", State.ACCEPTED),
    ("Implementable", State.ACCEPTED),
    ("Proposed.", State.PROPOSED),
    ("PROPOSED", State.PROPOSED),
    ("*deprecated*", State.DEPRECATED),
    ("In Review", State.PROPOSED),
    ("Under review", State.PROPOSED),
    ("Needs Revision", State.PROPOSED),
    ("Provisional", State.PROPOSED),
    ("TBD", State.PROPOSED),
    ("🤔 Incomplete", State.PROPOSED),
    ("✅ Accepted", State.ACCEPTED),
    ("❌ Rejected (see [019](019-x.md))", State.REJECTED),
    ("⌛️ Superseded by [036. Title](036-title.md)", State.SUPERSEDED),
    ("Superceded by [9. Title](0009-title.md)", State.SUPERSEDED),
    ("Accepted\n\nSuperceded by [9. Title](0009-title.md)", State.SUPERSEDED),
    ("Replaced by ADR 9", State.SUPERSEDED),
    ("Accepted\n\nAmends [3. Title](0003-title.md)\n\nAmended by [10. Title](0010-title.md)", State.ACCEPTED),
    ("declined (2020-12-02)", State.REJECTED),
    ("Withdrawn", State.REJECTED),
    ("Not accepted", State.REJECTED),
    ("Not yet accepted", State.PROPOSED),
    ("Deferred", State.ON_HOLD),
    ("on hold", State.ON_HOLD),
    ("Draft", State.DRAFT),
    ("Implemented", State.IMPLEMENTED),
    ("Partially Implemented", State.IMPLEMENTED),
    ("Completed 2/6/21", State.IMPLEMENTED),
    ("- **Accepted**", State.ACCEPTED),
    ("**Status:** Proposed | **Date:** 2025-01-31 | **Review:** 2026-01-31", State.PROPOSED),
    ("> One of proposed, accepted, rejected.\n\nRejected", State.REJECTED),
    ("<!-- proposed | accepted -->\nAccepted", State.ACCEPTED),
    ("Accepted <!-- was: proposed -->", State.ACCEPTED),
    ("~~Proposed~~ Accepted", State.ACCEPTED),
    ("- [ ] Proposed\n- [x] Accepted\n- [ ] Rejected", State.ACCEPTED),
    ("- Proposed: 2020-01-01\n- Accepted: 2020-02-01\n- Deprecated: 2021-03-01", State.DEPRECATED),
    ("This record was accepted by the team.", State.ACCEPTED),
    ("[accepted]", State.ACCEPTED),
    ("Statement: the iron is hot.", State.UNKNOWN),
    ("{proposed | rejected | accepted | deprecated | … | superseded by ADR-0123", State.UNKNOWN),
    ("proposed | accepted | rejected", State.UNKNOWN),
    ("What is the status, such as proposed, accepted, rejected, deprecated, superseded, etc.?", State.UNKNOWN),
    ("Proposed, accepted or rejected", State.UNKNOWN),
]
FORMS = {
    "heading of the first level": ("# Use an anvil\n\n# Status\n\nApproved\n", State.ACCEPTED, "heading"),
    "blank line with a space": ("# Use an anvil\n\n## Status\n \nAccepted\n", State.ACCEPTED, "heading"),
    "underlined heading": ("Use an anvil\n============\n\nStatus\n------\n\nRejected\n", State.REJECTED, "heading"),
    "in the heading": ("# Use an anvil\n\n## Status: Accepted\n", State.ACCEPTED, "heading"),
    "bullet": ("# Use an anvil\n\n* Status: accepted\n* Date: 2024-01-02\n", State.ACCEPTED, "bullet"),
    "bullet with a link": ("# A\n\n- Status: superseded by [b](b.md)\n", State.SUPERSEDED, "bullet"),
    "bold bullet": ("# Use an anvil\n\n- **Status**: Accepted\n", State.ACCEPTED, "bold"),
    "bold line": (
        "# A\n\n**Status:** Proposed | **Date:** 2025-01-31 | **Review:** 2026-01-31\n",
        State.PROPOSED,
        "bold",
    ),
    "quoted header": (
        "# A\n\n> **Status:** Accepted • **Date:** 2026-01-31\n\n## Context\n\nX.\n",
        State.ACCEPTED,
        "bold",
    ),
    "quoted word": ("# A\n\n## Status\n\n> Accepted\n\n## Context\n\nX.\n", State.ACCEPTED, "heading"),
    "quoted explanation": ("# A\n\n## Status\n\n> Accepted or Rejected\n>\n> Write one.\n", State.UNKNOWN, "none"),
    "heading with a space that does not break": ("# A\n\n##\u00a0Status\n\nAccepted\n", State.ACCEPTED, "heading"),
    "tentative": ("# A\n\n## Status\n\nTentative, but in use\n", State.PROPOSED, "heading"),
    "table": ("# A\n\n|Status  |Implemented|\n|---|---|\n|Owner|smith|\n", State.IMPLEMENTED, "table"),
    "table with a head": ("# A\n\n| Status | Date |\n|---|---|\n| Draft | 2024-01-02 |\n", State.DRAFT, "table"),
    "front matter": ("---\nstatus: accepted\n---\n# A\n", State.ACCEPTED, "front_matter"),
    "front matter in quotes": ('---\nstatus: "superseded by ADR-0012"\n---\n# A\n', State.SUPERSEDED, "front_matter"),
    "front matter, two": ('---\nstatus: "accepted; supersedes ADR-0007"\n---\n# A\n', State.ACCEPTED, "front_matter"),
    "front matter on hold": ("---\nstatus: on hold\n---\n# A\n", State.ON_HOLD, "front_matter"),
    "front matter that is no YAML": ("---\nstatus: accepted: note\n---\n# A\n", State.ACCEPTED, "front_matter"),
    "none": ("# A\n\nOur status is that of a smith who has accepted much.\n", State.UNKNOWN, "none"),
    "in a fence alone": ("# A\n\n```\n## Status\n\nAccepted\n```\n", State.UNKNOWN, "none"),
}
RST = {
    "heading": ("A\n=\n\nStatus\n******\n\n**Accepted** 2024-01-31\n", State.ACCEPTED),
    "superseded by a label": ("A\n=\n\nStatus\n******\n\nSuperceded by :ref:`Label`.\n", State.SUPERSEDED),
    "replaced by a label": ("A\n=\n\nStatus\n******\n\nReplaced by :ref:`Label`\n", State.SUPERSEDED),
    "grid table": ("A\n=\n\n+--------+-------+\n| Status | Final |\n+--------+-------+\n", State.ACCEPTED),
    "list table": ("A\n=\n\n.. list-table::\n\n   * - Status\n     - Accepted\n", State.ACCEPTED),
    "fields of a proposal": ("XEP: 1\nTitle: A\nStatus: Withdrawn\n\nAbstract\n========\n", State.REJECTED),
}


@pytest.mark.parametrize(("text", "state"), VALUES, ids=[text[:40] for text, _ in VALUES])
def test_a_value_under_the_heading_comes_down_to_a_state(record, text, state):
    assert record(HEADING.format(text)).decision.status.state is state


@pytest.mark.parametrize("name", FORMS)
def test_a_form_is_read_and_named(record, name):
    text, state, form = FORMS[name]
    found = record(text).decision.status
    assert (found.state, found.form) == (state, form)


@pytest.mark.parametrize("name", RST)
def test_a_form_of_rst_is_read(record, name):
    text, state = RST[name]
    assert record(text, "docs/adr/0001-a.rst").decision.status.state is state


def test_the_line_of_a_status_is_where_it_is_written(record):
    found = record(HEADING.format("> a quotation\n\nRejected"))
    assert found.text.split("\n")[found.decision.status.line - 1] == "Rejected"


def test_a_date_in_a_status_is_not_the_records_date(record):
    assert record("# A\n\n## Status\n\nAccepted 2020-12-02\n").decision.date is None


def test_front_matter_and_heading_that_disagree_are_told(record):
    found = record("---\nstatus: proposed\n---\n# A\n\n## Status\n\nAccepted\n")
    assert found.decision.status.state is State.ACCEPTED
    assert found.decision.status.confidence < 1
    assert [problem.rule for problem in found.problems] == ["conflicting-status"]


def test_a_placeholder_is_a_problem_and_no_status(record):
    found = record('---\nstatus: "{proposed | rejected | accepted}"\n---\n# A\n')
    assert found.decision.status.state is State.UNKNOWN
    assert [problem.rule for problem in found.problems] == ["placeholder"]


def test_without_a_status_log4brains_means_accepted(record):
    files = {".log4brains.yml": "project: {}\n"}
    assert record("# A\n", "docs/adr/20200101-a.md", **files).decision.status.state is State.ACCEPTED


def test_an_unknown_status_is_a_draft_for_log4brains(record):
    files = {".log4brains.yml": "project: {}\n"}
    assert record("# A\n\n- Status: hot\n", "docs/adr/20200101-a.md", **files).decision.status.state is State.DRAFT


def test_the_file_beside_a_proposal_has_its_status(record):
    files = {"docs/adr/12-anvil/kep.yaml": "title: A\nstatus: implemented (alpha)\n"}
    found = record("# KEP-12: Use an anvil\n", "docs/adr/12-anvil/README.md", **files)
    assert found.decision.status.state is State.IMPLEMENTED


@pytest.mark.parametrize("path", ["docs/adr/0001-a.md", "docs/adr/0001-a.rst"])
def test_a_heading_below_an_empty_status_is_the_status(record, path):
    texts = {
        "md": "# A\n\n## Status\n\n### Rejected in May\n\nToo dear.\n",
        "rst": "A\n=\n\nStatus\n++++++\n\nRejected in May\n-------\n",
    }
    found = record(texts[path.rpartition(".")[2]], path).decision.status
    assert (found.state, found.raw) == (State.REJECTED, "Rejected in May")


def test_a_heading_that_only_begins_with_status_says_nothing(record):
    text = "---\nstatus: accepted\n---\n# A\n\n## Status grammar\n\nsuperseded by ADR-XXXX\n"
    decision = record(text).decision
    assert (decision.status.state, decision.links) == (State.ACCEPTED, ())


@pytest.mark.parametrize("name", ["AGENTS.md", "CLAUDE.md", "README.ko.md", "index.pt-BR.md"])
def test_what_is_written_for_tools_or_translated_indexes_is_no_record(project, library, name):
    project({"docs/adr/0001-a.md": "# A\n", f"docs/adr/{name}": "# Agents\n"})
    assert list(library().now().documents) == ["docs/adr/0001-a.md"]

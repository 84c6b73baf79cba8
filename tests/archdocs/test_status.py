"""How a decision stands: every form in which people write it."""

import pytest

from stithy_archdocs.document_models import DecisionState

HEADING = "# 1. Use an anvil\n\nDate: 2024-02-03\n\n## Status\n\n{}\n\n## Context\n\nIron is soft.\n"
VALUES = [
    ("Accepted", DecisionState.ACCEPTED),
    ("Approved", DecisionState.ACCEPTED),
    ("Accepted, implemented in v6", DecisionState.ACCEPTED),
    ("Accepted: Tracking issue [\\#12].", DecisionState.ACCEPTED),
    ("Rejected in favour of ADR 12", DecisionState.REJECTED),
    ("Deprecated (no superseding ADR)", DecisionState.DEPRECATED),
    ("Depreciated.", DecisionState.DEPRECATED),
    ("Obsolete", DecisionState.DEPRECATED),
    ("Reverted", DecisionState.DEPRECATED),
    ("Partly superseded", DecisionState.ACCEPTED),
    ("Partially Accepted", DecisionState.ACCEPTED),
    ("Decided", DecisionState.ACCEPTED),
    ("Final", DecisionState.ACCEPTED),
    ("Active", DecisionState.ACCEPTED),
    ("Implementable", DecisionState.ACCEPTED),
    ("Proposed.", DecisionState.PROPOSED),
    ("PROPOSED", DecisionState.PROPOSED),
    ("*deprecated*", DecisionState.DEPRECATED),
    ("In Review", DecisionState.PROPOSED),
    ("Under review", DecisionState.PROPOSED),
    ("Needs Revision", DecisionState.PROPOSED),
    ("Provisional", DecisionState.PROPOSED),
    ("TBD", DecisionState.PROPOSED),
    ("🤔 Incomplete", DecisionState.PROPOSED),
    ("✅ Accepted", DecisionState.ACCEPTED),
    ("❌ Rejected (see [019](019-x.md))", DecisionState.REJECTED),
    ("⌛️ Superseded by [036. Title](036-title.md)", DecisionState.SUPERSEDED),
    ("Superceded by [9. Title](0009-title.md)", DecisionState.SUPERSEDED),
    ("Accepted\n\nSuperceded by [9. Title](0009-title.md)", DecisionState.SUPERSEDED),
    ("Replaced by ADR 9", DecisionState.SUPERSEDED),
    ("Accepted\n\nAmends [3. Title](0003-title.md)\n\nAmended by [10. Title](0010-title.md)", DecisionState.ACCEPTED),
    ("declined (2020-12-02)", DecisionState.REJECTED),
    ("Withdrawn", DecisionState.REJECTED),
    ("Not accepted", DecisionState.REJECTED),
    ("Not yet accepted", DecisionState.PROPOSED),
    ("Deferred", DecisionState.ON_HOLD),
    ("on hold", DecisionState.ON_HOLD),
    ("Draft", DecisionState.DRAFT),
    ("Implemented", DecisionState.IMPLEMENTED),
    ("Partially Implemented", DecisionState.IMPLEMENTED),
    ("Completed 2/6/21", DecisionState.IMPLEMENTED),
    ("- **Accepted**", DecisionState.ACCEPTED),
    ("**Status:** Proposed | **Date:** 2025-01-31 | **Review:** 2026-01-31", DecisionState.PROPOSED),
    ("> One of proposed, accepted, rejected.\n\nRejected", DecisionState.REJECTED),
    ("<!-- proposed | accepted -->\nAccepted", DecisionState.ACCEPTED),
    ("Accepted <!-- was: proposed -->", DecisionState.ACCEPTED),
    ("~~Proposed~~ Accepted", DecisionState.ACCEPTED),
    ("- [ ] Proposed\n- [x] Accepted\n- [ ] Rejected", DecisionState.ACCEPTED),
    ("Accepted\n\n[x](minutes.md)", DecisionState.ACCEPTED),
    ("- Proposed: 2020-01-01\n- Accepted: 2020-02-01\n- Deprecated: 2021-03-01", DecisionState.DEPRECATED),
    ("This record was accepted by the team.", DecisionState.ACCEPTED),
    ("[accepted]", DecisionState.ACCEPTED),
    ("Statement: the iron is hot.", DecisionState.UNKNOWN),
    ("{proposed | rejected | accepted | deprecated | … | superseded by ADR-0123", DecisionState.UNKNOWN),
    ("proposed | accepted | rejected", DecisionState.UNKNOWN),
    ("What is the status, such as proposed, accepted, rejected, deprecated, superseded, etc.?", DecisionState.UNKNOWN),
    ("Proposed, accepted or rejected", DecisionState.UNKNOWN),
]
FORMS = {
    "heading of the first level": ("# Use an anvil\n\n# Status\n\nApproved\n", DecisionState.ACCEPTED, "heading"),
    "blank line with a space": ("# Use an anvil\n\n## Status\n \nAccepted\n", DecisionState.ACCEPTED, "heading"),
    "underlined heading": (
        "Use an anvil\n============\n\nStatus\n------\n\nRejected\n",
        DecisionState.REJECTED,
        "heading",
    ),
    "in the heading": ("# Use an anvil\n\n## Status: Accepted\n", DecisionState.ACCEPTED, "heading"),
    "bullet": ("# Use an anvil\n\n* Status: accepted\n* Date: 2024-01-02\n", DecisionState.ACCEPTED, "bullet"),
    "bullet with a link": ("# A\n\n- Status: superseded by [b](b.md)\n", DecisionState.SUPERSEDED, "bullet"),
    "bold bullet": ("# Use an anvil\n\n- **Status**: Accepted\n", DecisionState.ACCEPTED, "bold"),
    "bold line": (
        "# A\n\n**Status:** Proposed | **Date:** 2025-01-31 | **Review:** 2026-01-31\n",
        DecisionState.PROPOSED,
        "bold",
    ),
    "quoted header": (
        "# A\n\n> **Status:** Accepted • **Date:** 2026-01-31\n\n## Context\n\nX.\n",
        DecisionState.ACCEPTED,
        "bold",
    ),
    "quoted word": ("# A\n\n## Status\n\n> Accepted\n\n## Context\n\nX.\n", DecisionState.ACCEPTED, "heading"),
    "quoted explanation": (
        "# A\n\n## Status\n\n> Accepted or Rejected\n>\n> Write one.\n",
        DecisionState.UNKNOWN,
        "none",
    ),
    "heading with a space that does not break": (
        "# A\n\n##\u00a0Status\n\nAccepted\n",
        DecisionState.ACCEPTED,
        "heading",
    ),
    "tentative": ("# A\n\n## Status\n\nTentative, but in use\n", DecisionState.PROPOSED, "heading"),
    "table": ("# A\n\n|Status  |Implemented|\n|---|---|\n|Owner|smith|\n", DecisionState.IMPLEMENTED, "table"),
    "table with a head": (
        "# A\n\n| Status | Date |\n|---|---|\n| Draft | 2024-01-02 |\n",
        DecisionState.DRAFT,
        "table",
    ),
    "front matter": ("---\nstatus: accepted\n---\n# A\n", DecisionState.ACCEPTED, "front_matter"),
    "front matter in quotes": (
        '---\nstatus: "superseded by ADR-0012"\n---\n# A\n',
        DecisionState.SUPERSEDED,
        "front_matter",
    ),
    "front matter, two": (
        '---\nstatus: "accepted; supersedes ADR-0007"\n---\n# A\n',
        DecisionState.ACCEPTED,
        "front_matter",
    ),
    "front matter on hold": ("---\nstatus: on hold\n---\n# A\n", DecisionState.ON_HOLD, "front_matter"),
    "invalid front matter": ("---\nstatus: accepted: note\n---\n# A\n", DecisionState.ACCEPTED, "front_matter"),
    "none": ("# A\n\nOur status is that of a smith who has accepted much.\n", DecisionState.UNKNOWN, "none"),
    "in a fence alone": ("# A\n\n```\n## Status\n\nAccepted\n```\n", DecisionState.UNKNOWN, "none"),
}
RST = {
    "heading": ("A\n=\n\nStatus\n******\n\n**Accepted** 2024-01-31\n", DecisionState.ACCEPTED),
    "superseded by a label": ("A\n=\n\nStatus\n******\n\nSuperceded by :ref:`Label`.\n", DecisionState.SUPERSEDED),
    "replaced by a label": ("A\n=\n\nStatus\n******\n\nReplaced by :ref:`Label`\n", DecisionState.SUPERSEDED),
    "grid table": ("A\n=\n\n+--------+-------+\n| Status | Final |\n+--------+-------+\n", DecisionState.ACCEPTED),
    "list table": ("A\n=\n\n.. list-table::\n\n   * - Status\n     - Accepted\n", DecisionState.ACCEPTED),
    "fields of a proposal": ("XEP: 1\nTitle: A\nStatus: Withdrawn\n\nAbstract\n========\n", DecisionState.REJECTED),
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


def test_contradicting_front_matter_and_heading_are_reported(record):
    found = record("---\nstatus: proposed\n---\n# A\n\n## Status\n\nAccepted\n")
    assert found.decision.status.state is DecisionState.ACCEPTED
    assert found.decision.status.confidence < 1
    assert [problem.rule for problem in found.problems] == ["conflicting-status"]


def test_a_placeholder_is_a_problem_and_no_status(record):
    found = record('---\nstatus: "{proposed | rejected | accepted}"\n---\n# A\n')
    assert found.decision.status.state is DecisionState.UNKNOWN
    assert [problem.rule for problem in found.problems] == ["placeholder"]


def test_without_a_status_log4brains_means_accepted(record):
    files = {".log4brains.yml": "project: {}\n"}
    assert record("# A\n", "docs/adr/20200101-a.md", **files).decision.status.state is DecisionState.ACCEPTED


def test_an_unknown_status_is_a_draft_for_log4brains(record):
    files = {".log4brains.yml": "project: {}\n"}
    assert (
        record("# A\n\n- Status: hot\n", "docs/adr/20200101-a.md", **files).decision.status.state is DecisionState.DRAFT
    )


def test_the_file_beside_a_proposal_has_its_status(record):
    files = {"docs/adr/12-anvil/kep.yaml": "title: A\nstatus: implemented (alpha)\n"}
    found = record("# KEP-12: Use an anvil\n", "docs/adr/12-anvil/README.md", **files)
    assert found.decision.status.state is DecisionState.IMPLEMENTED


@pytest.mark.parametrize("path", ["docs/adr/0001-a.md", "docs/adr/0001-a.rst"])
def test_a_heading_below_an_empty_status_is_the_status(record, path):
    texts = {
        "md": "# A\n\n## Status\n\n### Rejected in May\n\nToo dear.\n",
        "rst": "A\n=\n\nStatus\n++++++\n\nRejected in May\n-------\n",
    }
    found = record(texts[path.rpartition(".")[2]], path).decision.status
    assert (found.state, found.raw) == (DecisionState.REJECTED, "Rejected in May")


def test_a_heading_that_only_begins_with_status_says_nothing(record):
    text = "---\nstatus: accepted\n---\n# A\n\n## Status grammar\n\nsuperseded by ADR-XXXX\n"
    decision = record(text).decision
    assert (decision.status.state, decision.links) == (DecisionState.ACCEPTED, ())


@pytest.mark.parametrize("name", ["AGENTS.md", "CLAUDE.md", "README.ko.md", "index.pt-BR.md"])
def test_tool_instructions_and_translated_indexes_are_not_records(project, library, name):
    project({"docs/adr/0001-a.md": "# A\n", f"docs/adr/{name}": "# Agents\n"})
    assert list(library().get_snapshot_blocking().documents) == ["docs/adr/0001-a.md"]

"""Shapes of one section: how many findings a body has, and where each begins and ends."""

import pytest

from stithy_comments.findings import drop_repeats, extract_findings


def section(*files, name="🧹 Nitpick comments (1)"):
    inner = "\n".join(
        f"<details>\n<summary>{path}</summary><blockquote>\n\n{text}\n\n</blockquote></details>" for path, text in files
    )
    return f"<details>\n<summary>{name}</summary><blockquote>\n\n{inner}\n\n</blockquote></details>\n"


def quote(body):
    return "\n".join(f"> {line}".rstrip() for line in body.splitlines())


def test_a_body_of_twenty_kilobytes_gives_each_of_its_twelve_findings_once():
    def item(number):
        code = "\n".join(f"+blow({number}, {blow})" for blow in range(110))
        return f"`{number}-{number + 3}`: **Blow {number}.**\n\nIt is weak.\n\n```diff\n{code}\n---\n```\n"

    files = [
        (f"forge/part{part}.py (3)", "\n---\n\n".join(item(part * 100 + at) for at in (1, 11, 21))) for part in range(3)
    ]
    outside = section(
        (("forge/part9.py (3)"), "\n---\n\n".join(item(900 + at) for at in (1, 11, 21))),
        name="⚠️ Outside diff range comments (3)",
    )
    body = f"**Actionable comments posted: 0**\n\n{quote(outside)}\n\n{section(*files)}"
    assert len(body) > 20_000
    items = extract_findings(body).items
    assert [item.title for item in items] == [f"Blow {p * 100 + at}." for p in (9, 0, 1, 2) for at in (1, 11, 21)]
    assert len({item.key for item in items}) == 12


@pytest.mark.parametrize(
    ("locator", "start", "line"),
    [
        ("`12-15`:", 12, 15),
        ("`12`:", None, 12),
        ("`12-12`:", None, 12),
        ("`15-12`:", None, 15),
        ("`L10-L12`:", 10, 12),
        ("`Line 65`:", None, 65),
        ("Line range hint `4-15`:", 4, 15),
        ("`99999999999999999999`:", None, None),
    ],
)
def test_lines_are_written_in_many_ways(locator, start, line):
    (item,) = extract_findings(section(("a.py (1)", f"{locator} **Title.**"))).items
    assert (item.start_line, item.line, item.title) == (start, line, "Title.")


def test_findings_without_separators_are_split_by_their_number():
    items = extract_findings(section(("a.py (2)", "`1`: **One.**\n\n`2`: **Two.**"))).items
    assert [item.title for item in items] == ["One.", "Two."]


def test_findings_about_a_whole_file_have_no_line():
    items = extract_findings(section(("a.py (2)", "**One.**\n\n---\n\n**Two.**"))).items
    assert [(item.title, item.line) for item in items] == [("One.", None), ("Two.", None)]


def test_rules_in_code_and_folds_separate_nothing():
    text = "`1`: **One.**\n\n```yaml\n---\n`2`: no\n```\n\n<details><summary>x</summary>\n\n---\n\n`3`: no\n</details>"
    (item,) = extract_findings(section(("a.py (1)", text))).items
    assert "`2`: no" in item.text
    assert "`3`: no" in item.text


def test_a_section_quoted_twice_is_read():
    (item,) = extract_findings(quote(quote(section(("a.py (1)", "`1`: **One.**\n\nMore.\n"))))).items
    assert (item.title, item.text) == ("One.", "More.")


def test_a_section_of_a_new_name_is_read_under_that_name():
    (item,) = extract_findings(section(("a.py (1)", "`1`: **One.**"), name="🟡 Minor comments (1)")).items
    assert item.section == "minor"


def test_text_between_the_files_of_a_section_is_kept():
    body = section(("a.py (1)", "`1`: **One.**")).replace(
        "</blockquote></details>\n\n</blockquote>", "</blockquote></details>\n\nMind the fire.\n\n</blockquote>"
    )
    found = extract_findings(body)
    assert len(found.items) == 1
    assert "Mind the fire." in found.rest


def test_a_section_that_is_never_closed_still_gives_its_finding():
    body = "<details><summary>Nitpick comments (1)</summary>\n<details><summary>a.py (1)</summary>\n\n`1`: **One.**\n"
    assert [item.title for item in extract_findings(body).items] == ["One."]


def test_a_section_in_a_code_block_does_not_count():
    body = f"This is how it looks:\n\n~~~html\n{section(('a.py (1)', '`1`: **One.**'))}~~~"
    assert extract_findings(body).items == ()
    assert extract_findings(body).rest == body


def test_a_word_of_praise_with_a_wish_is_a_finding():
    found = extract_findings(section(("a.py (2)", "`1`: LGTM!\n\n---\n\n`2`: **LGTM! Consider a comment.**")))
    assert [item.line for item in found.items] == [2]
    assert [item.line for item in found.approvals] == [1]


def test_a_finding_said_again_has_the_same_key_whatever_its_section_and_weight():
    first = extract_findings(section(("a.py (1)", "`1-2`: _🧹 Nit_\n\n**Close the `valve`.**\n\nAir is lost.")))
    again = extract_findings(
        section(("a.py (1)", "`1-2`: **Close the valve**\n\nStill."), name="♻️ Duplicate comments (1)")
    )
    assert first.items[0].key == again.items[0].key
    assert drop_repeats(first.items + again.items) == again.items


@pytest.mark.parametrize("other", ["`1-3`: **Close the valve.**", "`1-2`: **Open the valve.**"])
def test_another_place_or_title_is_another_finding(other):
    first = extract_findings(section(("a.py (1)", "`1-2`: **Close the valve.**"))).items
    assert len(drop_repeats(first + extract_findings(section(("a.py (1)", other))).items)) == 2


def test_generic_types_in_titles_are_no_markup():
    (item,) = extract_findings(section(("a.ts (1)", "`1`: **Await the Promise<string>.** It is `Map<a, b>`."))).items
    assert (item.title, item.text) == ("Await the Promise<string>.", "It is `Map<a, b>`.")

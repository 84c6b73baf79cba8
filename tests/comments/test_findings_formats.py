"""What bots hide in bodies is found, located, and once; the samples beside this module have the shapes of real ones."""

from pathlib import Path

import pytest

from stithy_comments.findings import Finding, extract_findings

BODIES = Path(__file__).parent / "bodies"


def extract(name):
    return extract_findings((BODIES / f"{name}.md").read_text())


def places(items):
    return [(item.section, item.path, item.start_line, item.line) for item in items]


def test_every_section_of_coderabbit_gives_its_findings_with_their_places():
    assert places(extract("coderabbit").items) == [
        ("outside_diff", "forge/bellows.py", 81, 92),
        ("outside_diff", "docs/care.md", None, 7),
        ("nitpick", "forge/anvil.py", 12, 15),
        ("nitpick", "forge/anvil.py", None, 40),
        ("nitpick", "forge/anvil.py", 61, 64),
        ("failed_to_post", "forge/hammer.py", 30, 31),
        ("duplicate", "forge/quench.py", 9, 11),
    ]


def test_praise_and_remarks_of_coderabbit_are_no_findings():
    assert places(extract("coderabbit").approvals) == [
        ("nitpick", "forge/tongs.py", None, 3),
        ("additional", "forge/apron.py", 1, 9),
        ("additional", "forge/vice.py", None, 4),
    ]


def test_a_quoted_finding_keeps_its_own_quotes_and_code_and_loses_the_order_to_agents():
    assert extract("coderabbit").items[0] == Finding(
        format="coderabbit",
        section="outside_diff",
        path="forge/bellows.py",
        start_line=81,
        line=92,
        label="Stability | Major | Quick win",
        title="Close the valve when the fire is out.",
        text="Line 95 leaves it open.\n\n> The manual says so, too.\n\n"
        "```diff\n def stop(self):\n+    self.valve.close()\n---\n     self.fire.quench()\n```",
    )


def test_a_fold_and_a_range_in_a_finding_belong_to_it():
    items = extract("coderabbit").items
    assert items[3].text.startswith("<details>\n<summary>♻️ Proposed change</summary>\n\n```diff\n-weight = 90")
    assert items[3].text.endswith("</details>\n\nAlso applies to: 52-53")
    assert items[4].text == "As in\n\n`12-13`: it does nothing."


def test_the_rest_of_coderabbits_body_is_its_text_for_readers():
    assert extract("coderabbit").rest == (
        "**Actionable comments posted: 2**\n\n> [!CAUTION]\n"
        "> Some comments are outside the diff and can\u2019t be posted inline due to platform limitations."
    )


def test_coderabbits_sections_below_titles_give_their_findings():
    closing, naming, oiling = extract("coderabbit-titled").items
    assert places([closing, naming, oiling]) == [
        ("outside_diff", "forge/bellows.py", 58, 61),
        ("outside_diff", "forge/anvil.py", None, 12),
        ("nitpick", "forge/tongs.py", None, 3),
    ]
    assert (closing.label, closing.title) == ("Stability | Major | Quick win", "Close the `Valve` at last.")
    assert (naming.label, naming.title, naming.text) == ("Stability | Minor", "Name the horn.", "It has none.")
    assert "Nitpick" not in extract("coderabbit-titled").rest
    assert "Something else" in extract("coderabbit-titled").rest


def test_copilots_suppressed_comments_have_places_without_invisible_characters():
    items = extract("copilot").items
    assert places(items) == [
        ("suppressed", "forge/very/long/bellows.py", None, 40),
        ("suppressed", "forge/anvil.py", 7, 9),
        ("suppressed", "forge/anvil.py", None, 12),
    ]
    assert items[0].text == "The valve is opened twice; consider\n  a guard.\n```\n    self.valve.open()\n```"
    assert "Files not reviewed (1)" in extract("copilot").rest


def test_copilots_later_overview_has_findings_in_folds_and_below_headings():
    missed, suppressed = extract("copilot-overview").items
    assert places([missed, suppressed]) == [
        ("missed", "forge/bellows.py", None, 211),
        ("suppressed", "forge/anvil.py", None, 173),
    ]
    assert (missed.label, missed.title) == ("Medium severity", "Close the valve, not the `Fire`")
    assert suppressed.text.endswith("- line 197")
    assert "The valve is never closed." in extract("copilot-overview").rest


def test_greptiles_comments_outside_of_the_diff_are_dedented():
    first, second = extract("greptile").items
    assert places([first]) == [("outside_diff", "forge/bellows.py", 314, 325)]
    assert (first.label, first.title) == ("P1", "`Valve<Air>` is dropped silently")
    assert first.text == "Nobody sees it:\n\n```py\nif valve:\n    pass\n```"
    assert (second.line, second.label, second.title, second.text) == (58, "syntax", "Two horns of one name", "")


def test_sourcerys_comments_are_read_from_the_body_and_not_from_its_prompt():
    first, second = extract("sourcery").items
    assert places([first, second]) == [
        ("individual", "forge/bellows.py", 193, 195),
        ("individual", "forge/anvil.py", None, 22),
    ]
    assert (first.label, first.title) == ("issue (security)", "Anybody can open the valve.")
    assert first.text == "Ask for a key:\n\n```suggestion\n    self.valve.open(key)\n```"
    assert "The bellows know too much." in extract("sourcery").rest


def test_ellipsis_drafts_that_were_not_posted_are_findings():
    items = extract("ellipsis").items
    assert places(items) == [
        ("not_posted", "forge/bellows.py", None, 209),
        ("not_posted", "forge/anvil.py", None, 3),
        ("not_posted", "forge/anvil.py", 5, 6),
    ]
    assert [item.text.splitlines()[0] for item in items] == ["Consider two valves.", "Name the horn.", "Weigh it."]


def test_qodos_suggestions_with_a_place_are_findings_and_the_others_stay():
    closing, naming = extract("qodo").items
    assert places([closing, naming]) == [
        ("suggestion", "forge/bellows.py", 187, 189),
        ("suggestion", "forge/anvil.py", None, 1),
    ]
    assert (closing.label, closing.title) == ("Possible issue | High", "Close the `Valve`")
    assert closing.text.startswith("**The valve stays open.**\n\n```diff\n+self.valve.close()  # not <br>\n```")
    assert "Why: Air is lost." in closing.text
    assert "<table><tr><td>one forge</td></tr></table>" in extract("qodo").rest


@pytest.mark.parametrize("name", [path.stem for path in BODIES.glob("*.md")])
def test_lines_may_end_as_in_windows(name):
    body = (BODIES / f"{name}.md").read_text()
    assert extract_findings(body.replace("\n", "\r\n")) == extract_findings(body)


@pytest.mark.parametrize("name", [path.stem for path in BODIES.glob("*.md")])
def test_the_rest_repeats_no_finding(name):
    assert extract_findings(extract(name).rest).items == ()


def test_a_hostile_place_of_greptile_takes_no_long_time():
    body = (BODIES / "greptile.md").read_text()
    hostile = body.replace("2. `forge/anvil.py`", f"2. `a`{chr(9) * 300_000}x\n\n2. `forge/anvil.py`")
    assert places(extract_findings(hostile).items) == places(extract("greptile").items)

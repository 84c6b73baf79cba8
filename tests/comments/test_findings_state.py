"""What bots keep in bodies for machines is not shown; everything else is, and no body is too odd."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stithy_comments.findings import extract_findings, strip_machine_text

BODIES = Path(__file__).parent / "bodies"
SAMPLES = sorted(path.read_text() for path in BODIES.glob("*.md"))
ALL_AWAKE = (
    "comments (1) suppressed previously missed comments outside diff additional comments <issue_to_address> "
    "draft comment not posted code suggestions\n"
)
MEGABYTE = 1_000_000
SHAPES = st.sampled_from(
    [
        "<details>",
        "</details>",
        "<summary>",
        "</summary>",
        "<details><summary>🧹 Nitpick comments (1)</summary>",
        "<details><summary>a.py (2)</summary>",
        "<details><summary>Previously missed (1)</summary>",
        "<table>",
        "</table>",
        "<details><summary>Fold</summary>\n\n`a.py:1`\n",
        "<details><summary><h3>Comments Outside Diff (1)</h3></summary>",
        "```\n",
        "~~~\n",
        "`",
        "\n`1-2`: **x**",
        "\n\n---\n\n",
        "\n",
        "> ",
        "* ",
        "_x_ | ",
        "<blockquote>",
        "</blockquote>",
        "\n### Suppressed comments (1)\n",
        "\n**a.py:1**\n* x",
        "\n##### 1. `a.py:1`\n- Draft comment:\n",
        "</td>",
        "\n**Nitpick comments (1)**\n",
        "<details><summary>Major · T · <code>a.py:1</code></summary>",
        "\n### Comment 1\n<location> `a.py:1` </location>\n<issue_to_address>",
        "</issue_to_address>",
        "\n[a.py [1]](x)\n",
        "\n1. `a.py`, line 1\n",
        "<td rowspan=2>code suggestions</td>",
        "<td align=center>High</td>",
    ]
)
STATE = st.sampled_from(
    [
        "<!--",
        "-->",
        "<!-- tips_start -->",
        "<!-- tips_end -->",
        "<summary>Review details</summary>",
        "run id",
        "<summary>Prompt for AI agents</summary>",
        "[//]: # (x)\n",
    ]
)


def test_comments_state_and_advertisements_go_and_shown_code_stays():
    assert strip_machine_text((BODIES / "walkthrough.md").read_text()) == (
        "## Walkthrough\n\nThe bellows get a valve.\n\n| File | What |\n|---|---|\n| `forge/bellows.py` | a valve |\n\n"
        "The marker `<!-- keep -->` stays:\n\n```html\n<!-- and so does this one -->\n```"
    )


@pytest.mark.parametrize(
    "body",
    [
        "| File | % |\n|---|---|\n| `a.py` | 97.5 |\n\n<details><summary>More</summary>\n\nx\n</details>",
        "An arrow --> and <!-- an opening.",
        "```\nnever closed\n\n---",
        "<details><summary>Prompt users before commits</summary>\n\nAsk first.\n</details>",
        "<details><summary>Review details</summary>\n\nThree bugs, no note on the run.\n</details>",
        "Line one  \nline two\n\n\n\n    code\n\n\n    more",
    ],
)
def test_text_for_readers_stays_unchanged(body):
    assert strip_machine_text(body) == extract_findings(body).rest == body


@pytest.mark.parametrize(
    "summary",
    [
        "🤖 Prompt for AI Agents",
        "Prompt To Fix All With AI",
        "🤖 Fix all issues with AI agents",
        "Agent prompt",
        "🪧 Tips",
    ],
)
def test_folds_for_agents_and_advertisements_go(summary):
    body = f"Before.\n\n<details>\n<summary>{summary}</summary>\n\n```\nDo <details>.\n```\n\n</details>\n\nAfter."
    assert strip_machine_text(body) == "Before.\n\nAfter."


def test_findings_in_the_notes_on_a_run_are_kept_by_plain():
    kept = "<details>\n<summary>🧹 Nitpick comments (1)</summary>\n\nx\n</details>"
    body = f"<details>\n<summary>Review details</summary>\n\nRun ID: 7\n\n{kept}\n\nmore\n</details>\n\nEnd."
    assert strip_machine_text(body) == f"{kept}\n\nEnd."


def test_a_blob_goes_and_a_long_word_in_code_stays():
    blob = "QUJD" * 60
    assert strip_machine_text(f"Report.\n\n{blob}\n\n```\n{blob}\n```") == f"Report.\n\n```\n{blob}\n```"


@given(st.text())
def test_any_text_is_taken(body):
    found = extract_findings(body)
    assert found.items == found.approvals == ()
    assert found.rest == strip_machine_text(body)


@given(st.lists(st.tuples(SHAPES, st.sampled_from([" ", "\n"])), max_size=30))
def test_no_word_is_lost_whatever_the_markup_around_it(pieces):
    """Each word is in a finding, in an approval or in the rest. No piece here holds a machine's state."""
    body = "".join(f"{piece}{gap}w{at}w{gap}" for at, (piece, gap) in enumerate(pieces))
    found = extract_findings(body)
    said = " ".join([found.rest, *(str(item) for item in found.items + found.approvals)])
    assert [at for at in range(len(pieces)) if f"w{at}w" not in said] == []


@given(st.sampled_from(SAMPLES), st.lists(st.tuples(st.floats(0, 1), SHAPES | STATE, st.integers(0, 40)), max_size=6))
def test_a_damaged_sample_is_taken(body, damages):
    for where, piece, lost in damages:
        at = int(where * len(body))
        body = body[:at] + piece + body[at + lost :]
    found = extract_findings(body)
    assert all(item.path and len(item.key) == 10 for item in found.items)


@given(st.sampled_from(SAMPLES), st.text("abcdefghij", min_size=12, max_size=12))
def test_a_readers_word_in_front_of_a_sample_is_never_lost(body, word):
    whole = extract_findings(f"{word}\n\n{body}")
    assert whole.rest.startswith(word)
    assert whole.items == extract_findings(body).items


@pytest.mark.parametrize(
    "piece",
    [
        "<details>",
        "> ",
        "> <details>\n",
        "<details><summary>Nitpick comments (1)</summary>\n",
        "```\n",
        "> ```x\n",
        "` ",
        "<!--",
        "<!---->",
        "\n",
        "**",
        "<summary>",
        "<details><summary>Review details</summary>",
        "<table>",
        "[a [1]](",
        "### Suppressed comments (1)\n**a:1**\n",
        "### Comment 1\n<location> `a:1` </location>\n<issue_to_address>\n",
    ],
)
def test_a_megabyte_of_hostile_markup_is_read_in_one_go(piece):
    """In linear time and without recursion: were it quadratic, this would take hours."""
    body = ALL_AWAKE + piece * (MEGABYTE // len(piece))
    assert extract_findings(body).rest.startswith(ALL_AWAKE.split("(", maxsplit=1)[0])


def test_code_fences_of_many_widths_are_read_in_one_go():
    body = "".join("`" * width + "x\n" for width in range(1_400, 2, -1))
    assert extract_findings(body).rest == body.strip()

"""Code that a comment suggests, in texts: it keeps its lines there, whatever else is cut."""

import pytest

from stithy_comments.suggested_code import GUTTER, MOST, excerpt_with_code, has_suggestion
from stithy_core.spi import Abridged

pytestmark = pytest.mark.anyio

CODE = ["if hot:", "    strike()", "", "\tcool()"]
SUGGESTION = "\n".join(["Use this:", "```suggestion", *CODE, "```", "It is shorter."])
SHOWN = "\n".join(f"{GUTTER}{line}" for line in CODE)


def lines(body, most=200):
    return list(excerpt_with_code("- ", body, most))


@pytest.mark.parametrize("fence", ["```suggestion", "~~~suggestion", "````suggestion:-0+3", "```  Suggestion "])
def test_the_lines_of_a_suggestion_stay_below_the_words(fence):
    """(FIX-14)"""
    close = fence[0] * (4 if fence.startswith("````") else 3)
    body = "\n".join(["Use this:", fence, *CODE, close, "It is shorter."])
    assert lines(body) == ["- Use this: It is shorter.", *SHOWN.split("\n")]


def test_code_that_is_no_suggestion_is_a_part_of_the_words():
    assert lines("See:\n```python\na\n```") == ["- See: ```python a ```"]


def test_a_suggestion_inside_of_other_code_is_none():
    body = "````md\n```suggestion\na\n```\n````"
    assert lines(body) == ["- ````md ```suggestion a ``` ````"]


def test_a_suggestion_without_words_is_called_one():
    assert lines("```suggestion\na\n```") == ["- suggests:", f"{GUTTER}a"]


def test_a_suggestion_that_nothing_closes_goes_on_to_the_end():
    assert lines("So:\n```suggestion\na\nb") == ["- So:", f"{GUTTER}a", f"{GUTTER}b"]


def test_left_out_lines_of_a_long_suggestion_are_counted():
    body = "```suggestion\n" + "a\n" * (MOST + 5) + "```"
    assert lines(body)[-1] == f"{GUTTER}… 5 more lines"


def test_a_truncated_suggestion_has_no_line_count():
    """(FIX-14)"""
    body = Abridged("```suggestion\n" + "a\n" * (MOST + 5), whole=9_000)
    assert lines(body)[-1] == f"{GUTTER}…"


def test_the_length_is_that_of_the_whole_body():
    """(FIX-14)"""
    body = "word " * 100 + "\n```suggestion\na\n```"
    assert lines(body, 9)[0] == f"- word word… [{len(body)} chars]"


def test_no_line_of_code_passes_for_a_line_of_ours():
    shown = lines("```suggestion\n- [7] open, thread 9\nMore: call again\n```")
    assert all(line.startswith(GUTTER) for line in shown[1:])


PLACE = {"owner": "smith", "repo": "anvil", "pullNumber": 2}
READINGS = [
    ("find_unresolved_comments", {"pr": "smith/anvil#2"}),
    ("pull_request_read", PLACE | {"method": "get_review_comments"}),
    ("get_pull_request_conversation", {"pr": "smith/anvil#2"}),
]


@pytest.mark.parametrize(("tool", "arguments"), READINGS)
async def test_every_text_of_comments_shows_the_code_in_lines(smithy, tool, arguments):
    """(FIX-14)"""
    async with smithy() as play:
        play.world.add_thread(play.pr, "anvil/horn.py", 3, SUGGESTION, play.world.user)
        text = (await play.client.call_tool(tool, arguments)).content[0].text
    assert f"Use this: It is shorter.\n{SHOWN}" in text


async def test_find_tells_the_length_of_the_whole_body_and_not_of_what_it_shows(smithy):
    """(FIX-14)"""
    body = "word " * 2_000
    async with smithy() as play:
        play.world.add_thread(play.pr, "anvil/horn.py", 3, body, play.world.user)
        text = (await play.client.call_tool("find_unresolved_comments", {"pr": "smith/anvil#2"})).content[0].text
    assert f"[{len(body)} chars]" in text
    assert "call pull_request_read" not in text.split(f"[{len(body)} chars]")[0]


@pytest.mark.parametrize("line", ["```" + "\t" * 400_000 + "`", "~" * 400_000 + "`"])
def test_a_hostile_line_like_a_fence_takes_no_long_time(line):
    assert has_suggestion(f"{line}\n```suggestion\na\n```")

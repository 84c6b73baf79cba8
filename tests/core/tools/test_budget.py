"""Answers keep within their budget: cut at items or inside of long texts, each cut said, nothing that names lost."""

import re
import unicodedata
from typing import Annotated, Any

import pytest
from attrs import field, frozen, make_class
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import CallToolResult, TextContent

from stithy_core.errors import InvalidArguments, NotFound
from stithy_core.spi import BYTE_BUDGET, Meta, Page, excerpt
from stithy_core.spi.tools import json_bytes
from stithy_core.tools.answer import Budget, PageCut, answer_bytes, render
from stithy_core.tools.executor import build_error_answer
from stithy_core.tools.shrink import CutText, truncate_text

LONG = "word " * 20_000


@frozen
class Remark:
    id: str
    body: Annotated[str, Meta(cut=True)]
    verdict: str = "approved"
    path: str = "src/a/b.py"


@frozen
class Remarks:
    remarks: Page[Remark]
    title: Annotated[str, Meta(cut=True)] = "T"
    url: str = "https://git.example/o/r/pulls/1"

    def render(self):
        yield f"{self.remarks.total} remarks on {self.title}"
        for remark in self.remarks:
            yield f"- {remark.id} {remark.path} {remark.verdict}: {excerpt(remark.body)}"


Texts = Annotated[Any, Meta(cut=True)]


def page(*bodies, **around):
    items = [Remark(f"id-{number}", body) for number, body in enumerate(bodies)]
    return Remarks(Page(items, key=lambda remark: remark.id), **around)


def render_answer(result, budget=BYTE_BUDGET, mint=lambda end: f"after-{end.key}", *, text_alone=False):
    return render(result, PageCut(Budget(budget, text_alone), lambda _: 0, mint))


def holding(budget=BYTE_BUDGET, hint=Any, *, text_alone=False, **values):
    """Render a result without a page."""
    lines = {"render": lambda self: [f"{name}: {getattr(self, name)}" for name in values]}
    cls = make_class("Holding", {name: field(type=hint) for name in values}, class_body=lines)
    return render_answer(cls(**values), budget, text_alone=text_alone)


def on_the_wire(answer):
    """What the SDK writes of an answer, less what it writes around every one."""
    result = CallToolResult(content=[TextContent(text=answer.text)], structured_content=dict(answer.structured))
    empty = CallToolResult(content=[TextContent(text="")], structured_content={})
    whole, around = (part.model_dump_json(by_alias=True).encode() for part in (result, empty))
    return len(whole) - len(around) + len('{}""')


# One thing that is too large


def test_one_item_over_the_budget_is_cut_inside_of_its_text():
    answer = render_answer(page(LONG))
    (remark,) = answer.structured["remarks"]
    assert 10_000 < answer_bytes(answer) <= BYTE_BUDGET
    assert remark["body"].startswith("word word")
    assert remark["body"].endswith("… [100000 chars]")
    assert (remark["id"], remark["path"], remark["verdict"]) == ("id-0", "src/a/b.py", "approved")


def test_a_cut_is_said_with_its_place_how_much_is_left_and_what_has_the_rest():
    answer = render_answer(page(LONG))
    (row,) = answer.structured["cuts"]
    left = len(answer.structured["remarks"][0]["body"].removesuffix("… [100000 chars]"))
    assert row == {"field": "remarks[0].body", "sent": left, "of": 100_000, "rest": "url"}
    assert answer.text.splitlines()[-1] == f"cut: remarks[0].body: {left} of 100000 (the whole: url)"


def test_the_text_says_ids_places_and_verdicts_and_how_long_the_body_is():
    line = render_answer(page(LONG)).text.splitlines()[1]
    assert line.startswith("- id-0 src/a/b.py approved: word word")
    assert line.endswith("… [100000 chars]")


def test_a_result_without_a_list_is_cut_likewise():
    answer = holding(id="7", body=LONG)
    assert answer_bytes(answer) <= BYTE_BUDGET
    assert (answer.structured["id"], len(answer.structured["cuts"])) == ("7", 1)


def test_the_note_of_a_field_names_what_has_the_rest():
    hint = Annotated[str, Meta(cut=True, rest="remark_get with this id")]
    assert holding(hint=hint, body=LONG).structured["cuts"][0]["rest"] == "remark_get with this id"


def test_the_nearest_address_is_named():
    linked = make_class("Linked", {"url": field(type=str), "body": field(type=str)})
    answer = holding(hint=Any, parts=[linked("u", "short"), linked("v", LONG)])
    assert answer.structured["cuts"][0]["rest"] == "parts[1].url"


def test_cuts_of_several_items_fold():
    (row,) = holding(hint=list[str], texts=[LONG] * 5).structured["cuts"]
    assert row == {"field": "texts[*]"}


def test_a_short_text_is_not_cut_beside_a_long_one():
    answer = holding(body=LONG, note="a note " * 50)
    assert answer.structured["note"] == "a note " * 50


@pytest.mark.parametrize("name", ["x" * 256, "src/" + "deep/" * 200 + "a.py", "a b" * 80])
def test_possible_names_are_not_cut(name):
    answer = holding(budget=6_000, body=LONG, path=name)
    assert answer.structured["path"] == name


def test_uncuttable_texts_are_sent_beyond_the_budget():
    whole = Annotated[str, Meta(cut=False)]
    assert holding(hint=whole, body=LONG).structured == {"body": LONG}


def test_lists_without_a_page_are_cut_when_texts_are_not_enough():
    answer = holding(ids=[f"id-{number}" for number in range(10_000)])
    (row,) = answer.structured["cuts"]
    assert answer_bytes(answer) <= BYTE_BUDGET
    assert (row["field"], row["sent"], row["of"]) == ("ids", len(answer.structured["ids"]), 10_000)
    assert 200 < row["sent"] < 1_000


def test_mappings_are_cut_likewise():
    answer = holding(counts={f"id-{number}": number for number in range(10_000)})
    assert answer_bytes(answer) <= BYTE_BUDGET
    assert answer.structured["cuts"][0]["of"] == 10_000


def test_a_text_larger_than_all_that_it_says_is_cut_at_its_lines():
    cls = make_class(
        "Chatty", {"id": field(type=str)}, class_body={"render": lambda _: [f"line {n}" for n in range(9_999)]}
    )
    answer = render_answer(cls("7"))
    assert (answer.structured, answer_bytes(answer) <= BYTE_BUDGET) == ({"id": "7"}, True)
    assert re.fullmatch(r"… \d+ more lines; the object has what they say", answer.text.splitlines()[-1])


# Pages


def test_a_page_is_cut_at_its_items_before_any_text_is():
    answer = render_answer(page(*["word " * 600] * 20))
    assert "cuts" not in answer.structured
    assert {remark["body"] for remark in answer.structured["remarks"]} == {"word " * 600}
    assert answer.structured["nextCursor"] == f"after-id-{len(answer.structured['remarks']) - 1}"


def test_fields_around_a_page_leave_it_half_of_the_budget():
    answer = render_answer(page(*["word " * 100] * 50, title=LONG))
    assert len(answer.structured["remarks"]) > 5
    assert [row["field"] for row in answer.structured["cuts"]] == ["title"]


def test_the_text_has_half_of_the_budget_and_still_every_id_that_is_sent():
    answer = render_answer(page(*["word " * 30] * 40), budget=12_000)
    ids = [remark["id"] for remark in answer.structured["remarks"]]
    assert json_bytes(answer.text) <= 6_000
    assert [name for name in ids if f"- {name} src/a/b.py approved" not in answer.text] == []


def test_long_texts_give_way_in_the_text_before_items_do():
    """Forty lines of 200 characters would not fit; forty of what names and decides do."""
    answer = render_answer(page(*["é" * 150] * 30), budget=BYTE_BUDGET)
    assert len(answer.structured["remarks"]) == 30
    assert "… [150 chars]" in answer.text


def test_a_tool_without_a_cursor_says_that_its_page_was_cut():
    answer = render_answer(page(*["word " * 600] * 20), mint=None)
    assert "nextCursor" not in answer.structured
    (row,) = answer.structured["cuts"]
    assert (row["field"], row["sent"], row["of"]) == ("remarks", len(answer.structured["remarks"]), 20)


def test_a_page_of_very_many_items_encodes_no_more_than_may_fit():
    asked = []

    class Counted(dict):
        def items(self):
            asked.append(1)
            return super().items()

    cls = make_class("Many", {"rows": field(type=Any)}, class_body={"render": lambda self: []})
    answer = render_answer(cls(Page([Counted(id=7)] * 100_000, key=str)))
    assert len(answer.structured["rows"]) <= len(asked) < 2_000


def test_a_page_is_cut_where_its_text_is_larger_than_its_share():
    lines = {"render": lambda self: [f"- {row} {row} {row}" for row in self.rows]}
    cls = make_class("Wordy", {"rows": field(type=Any)}, class_body=lines)
    answer = render_answer(cls(Page([f"id-{number}" for number in range(900)], key=str)))
    assert 7_000 < json_bytes(answer.text) <= 8_192
    assert answer.text.count("\n- ") == len(answer.structured["rows"]) - 1


# Whatever the texts are


def pieces():
    whole = [
        "a",
        " ",
        "\n",
        '"',
        "\\",
        "é",
        "漢",
        "😀",
        "👩‍👩‍👧‍👦",
        "e\u0301\u0323",
        "🇩🇪",
        "👨🏽‍💻",
        "\r\n",
        "\ud800",
        "\t",
        "\x1b",
        "\u202e",
    ]
    return st.sampled_from(whole)


hostile = st.builds(lambda parts, times: "".join(parts) * times, st.lists(pieces(), max_size=12), st.integers(0, 400))


@given(st.lists(hostile, min_size=1, max_size=8), hostile, st.integers(3_000, 20_000))
def test_an_answer_is_never_larger_than_its_budget(bodies, title, budget):
    answer = render_answer(page(*bodies, title=title), budget)
    assert on_the_wire(answer) == answer_bytes(answer) <= budget
    assert json_bytes(answer.text) <= budget // 2
    for remark in answer.structured["remarks"]:
        assert (remark["verdict"], remark["path"]) == ("approved", "src/a/b.py")
        assert f"- {remark['id']} src/a/b.py approved" in answer.text
    assert ("nextCursor" in answer.structured) == (len(answer.structured["remarks"]) < len(bodies))


@given(hostile, st.lists(hostile, max_size=5), st.integers(3_000, 20_000))
def test_nor_is_one_without_a_page(body, others, budget):
    answer = holding(budget, Texts, id="7", body=body, others=others)
    assert on_the_wire(answer) == answer_bytes(answer) <= budget
    assert answer.structured["id"] == "7"
    texts = [answer.structured["body"], *answer.structured["others"]]
    whole = len(texts) == 1 + len(others) and not any(text.endswith(" chars]") for text in texts)
    assert whole != ("cuts" in answer.structured)


@given(hostile, st.integers(0, 3_000))
def test_a_text_is_cut_between_characters(text, most):
    text = text.encode(errors="replace").decode()
    cut = truncate_text(text, most)
    if not isinstance(cut, CutText):
        assert (cut, json_bytes(cut) <= most) == (text, True)
        return
    kept, rest = text[: cut.left], text[cut.left :]
    assert cut == f"{kept}… [{len(text)} chars]"
    assert json_bytes(cut) <= max(most, json_bytes(f"… [{len(text)} chars]"))
    assert not (kept and unicodedata.category(rest[0]) in ("Mn", "Mc", "Me"))
    assert not kept.endswith("\u200d")
    assert not rest.startswith(("\u200d", "🏽"))
    assert not (kept.endswith("\r") and rest.startswith("\n"))
    flags = len(kept) - len(kept.rstrip("🇩🇪"))
    assert flags % 2 == 0


def test_a_text_is_cut_as_late_as_fits():
    text = "a" * 100
    assert [json_bytes(truncate_text(text, most)) for most in (50, 101, 102, 103)] == [50, 101, 102, 102]
    assert truncate_text(text, 102) is text


def test_a_cut_text_can_be_cut_again_and_remembers_the_whole():
    once = truncate_text("é" * 9_000, 1_000, hidden=3)
    assert once.shorter(500) == truncate_text("é" * 9_000, 500)
    assert (once.shorter(500).whole, once.shorter(500).hidden, once.shorter(2_000)) == (9_000, 3, once)


def test_marks_without_end_are_cut_somewhere():
    assert truncate_text("e" + "\u0301" * 9_000, 1_000).left > 400


# The text without the object


@given(st.lists(hostile, min_size=1, max_size=120), hostile, st.integers(3_000, 20_000))
def test_a_text_that_is_sent_alone_has_the_whole_budget(bodies, title, budget):
    """What is on the page is in the text, and what is not is behind the cursor."""
    answer = render_answer(page(*bodies, title=title), budget, text_alone=True)
    assert json_bytes(answer.text) <= budget
    shown = [number for number in range(len(bodies)) if f"- id-{number} src/a/b.py approved" in answer.text]
    assert shown == list(range(len(shown)))
    assert ("call again with cursor=" in answer.text) == (len(shown) < len(bodies))
    both = render_answer(page(*bodies, title=title), budget)
    assert len(shown) >= len(both.structured["remarks"])


@pytest.mark.parametrize("count", [65, 500])
def test_more_items_fit_where_the_object_is_not_sent(count):
    """The object of an item takes more than its line."""
    bodies = ["word " * 20] * count
    both, alone = (render_answer(page(*bodies), text_alone=alone) for alone in (False, True))
    sent = [answer.text.count("\n- id-") for answer in (both, alone)]
    assert sent[1] >= min(count, 1.4 * sent[0])
    assert len(alone.text) > BYTE_BUDGET * 0.9 or sent[1] == count


@given(hostile, st.lists(hostile, max_size=5), st.integers(3_000, 20_000))
def test_a_cut_is_recorded_where_no_object_has_the_rest(body, others, budget):
    answer = holding(budget, Texts, text_alone=True, id="7", body=body, others=others)
    assert json_bytes(answer.text) <= budget
    assert answer.text.startswith("id: 7\n")
    assert (" chars]" in answer.text) == ("\ncut: " in answer.text)


def test_the_object_is_not_encoded_where_it_is_not_sent(monkeypatch):
    """What is not sent is not measured."""
    measured = []
    monkeypatch.setattr(
        "stithy_core.tools.answer.json_bytes", lambda value: measured.append(value) or json_bytes(value)
    )
    render_answer(page(*["word " * 50] * 300), text_alone=True)
    assert {type(value) for value in measured} == {str}


# Errors


def test_an_error_whose_object_is_not_sent_has_its_facts_in_the_text():
    """Its code, its category and its details, each once."""
    details = {"status": 410, "url": "https://git.example/o/r", "errors": [{"message": "gone"}], "message": "gone"}
    answer = build_error_answer(NotFound("o/r is gone", suggestion="Ask.", details=details), text_alone=True)
    facts = "code: -32002, category: api, status: 410, url: https://git.example/o/r"
    assert answer.text == f"o/r is gone\nAsk.\n{facts}"


def test_an_error_keeps_within_the_budget_and_says_what_was_cut():
    problem = {"path": "x", "given": "1", "allowed": "a value", "message": "x is required"}
    answer = build_error_answer(
        InvalidArguments("wrong", suggestion="Correct it.", details={"errors": [problem] * 5_000})
    )
    assert answer_bytes(answer) <= BYTE_BUDGET
    assert answer.structured["cuts"][0]["field"] == "details.errors"
    assert answer.text.startswith("Invalid request: wrong\nCorrect it.\ncut: details.errors: ")


def test_an_errors_long_texts_are_cut_too():
    answer = build_error_answer(NotFound(LONG, details={"message": LONG}))
    assert answer_bytes(answer) <= BYTE_BUDGET
    assert {row["field"] for row in answer.structured["cuts"]} == {"error", "details.message"}


def test_details_that_json_does_not_have_are_left_out():
    assert build_error_answer(NotFound("gone", details={"what": object()})).structured["error"] == "gone"


# What is hidden


def test_hidden_characters_go_from_every_text_and_are_counted():
    answer = render_answer(page("a\u202eb", "\x1b[31mred\x1b[0m", title="T\u200b"))
    assert [remark["body"] for remark in answer.structured["remarks"]] == ["ab", "red"]
    assert (answer.structured["title"], answer.structured["hidden_characters_removed"]) == ("T", 11)
    assert answer.text.splitlines()[-1] == "11 hidden characters were removed from texts"
    assert answer.text.splitlines()[:2] == ["2 remarks on T", "- id-0 src/a/b.py approved: ab"]


def test_they_are_counted_where_texts_are_cut_too():
    answer = render_answer(page(f"\u200b{LONG}\u200b"))
    assert answer.structured["hidden_characters_removed"] == 2


def test_they_go_from_names_of_mappings_and_from_what_is_not_known():
    answer = holding(counts={"a\u200b": 1})
    assert answer.structured == {"counts": {"a": 1}, "hidden_characters_removed": 1}


def test_the_callers_own_text_is_returned_unchanged():
    answer = holding(hint=Annotated[str, Meta(echo=True)], body="soft\u00adhyphen")
    assert (answer.structured, answer.text) == ({"body": "soft\u00adhyphen"}, "body: soft\u00adhyphen")


def test_texts_of_other_users_beside_it_are_cleaned():
    lines = {"render": lambda self: [self.own, self.other]}
    fields = {"own": field(type=Annotated[str, Meta(echo=True)]), "other": field(type=str)}
    answer = render_answer(make_class("Both", fields, class_body=lines)("a\xadb", "c\xadd"))
    assert (answer.text.splitlines()[:2], answer.structured["other"]) == (["a\xadb", "cd"], "cd")


def test_errors_are_cleaned_and_a_secret_is_found_behind_what_was_hidden():
    answer = build_error_answer(NotFound("no ghp_\u200b" + "a" * 36, details={"message": "a\u202eb"}))
    assert answer.structured["error"] == "no [redacted]"
    assert (answer.structured["details"], answer.structured["hidden_characters_removed"]) == ({"message": "ab"}, 2)


async def saying_async(ctx, args):
    await ctx.progress(1, 1, "a\u202eb\ud800")
    return page()


def saying_plain(worker, args):
    worker.progress(1, 1, "a\u202eb\ud800")
    return page()


@pytest.mark.anyio
@pytest.mark.parametrize("handler", [saying_async, saying_plain])
async def test_messages_of_progress_are_cleaned_too(serving, handler):
    heard = []

    async def report(done, total, message):
        heard.append(message)

    await serving(handler).call("tool", {}, report)
    assert heard == ["ab?"]

"""From results to answers: pages cut to the budget, unknowns gathered, values as JSON has them."""

import itertools
import json
import time
from datetime import UTC, datetime, timedelta, timezone
from enum import Enum, StrEnum
from typing import Annotated, Any

import anyio
import pytest
from attrs import evolve, field, frozen, make_class
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from stithy_core.errors import InternalError
from stithy_core.sanitize import clean
from stithy_core.spi import BYTE_BUDGET, Abridged, CursorArg, Hint, Maybe, Meta, Page, Unknown, excerpt
from stithy_core.tools.answer import Budget, PageCut, answer_bytes, render
from stithy_core.tools.cursors import Position
from stithy_core.tools.schema import output_schema

HIDDEN = Unknown("the forge hides it", "give the token the scope review")


@frozen
class Row:
    id: str
    resolved: Maybe[bool] = True


@frozen
class Answer:
    rows: Page[Row]
    about: str = ""

    def render(self):
        yield f"{self.rows.total} rows {self.about}"
        for row in self.rows:
            yield f"- {row.id}"


class Color(Enum):
    RED = "red"


class Tone(StrEnum):
    LOW = "low"


def rows(*ids):
    return [Row(row) for row in ids]


def page(items, **options):
    return Answer(Page(items, key=lambda row: row.id, **options))


def mint(end):
    return f"{end.key}@{end.seen}"


def render_page(result, budget=100_000, begin=0, mint=mint):
    return render(result, PageCut(Budget(budget), lambda _: begin, mint))


def sent_ids(answer):
    return [row["id"] for row in answer.structured["rows"]]


def holding(value, hint=Any):
    """Render a result with one field."""
    cls = make_class("Holding", {"x": field(type=hint)}, class_body={"render": lambda self: ["text"]})
    return render_page(cls(value)).structured


# Pages


def test_a_page_that_fits_is_sent_whole_and_without_cursor():
    answer = render_page(page(rows("a", "b")))
    assert sent_ids(answer) == ["a", "b"]
    assert "nextCursor" not in answer.structured
    assert answer.text == "2 rows \n- a\n- b"


def test_a_page_over_budget_is_cut_and_says_how_to_go_on():
    answer = render_page(page(rows(*map(str, range(100)))), budget=800)
    sent = len(sent_ids(answer))
    assert 1 < sent < 100
    assert answer.structured["nextCursor"] == f"{sent - 1}@{sent}"
    assert answer.text.endswith(f'More: call again with cursor="{sent - 1}@{sent}"')


def test_the_text_shows_what_is_sent_and_the_total_that_is_true():
    answer = render_page(page(rows(*map(str, range(100)))), budget=800)
    assert answer.text.startswith("100 rows")
    assert answer.text.count("\n- ") == len(sent_ids(answer))


def test_one_more_item_would_not_fit():
    whole = rows(*map(str, range(100, 200)))
    answer = render_page(page(whole), budget=800)
    longer = render_page(page(whole, limit=len(sent_ids(answer)) + 1))
    assert answer_bytes(answer) <= 800 < answer_bytes(longer)


def test_at_least_one_item_is_sent_however_large_it_is():
    answer = render_page(page(rows("a" * 1_000, "b")), budget=10)
    assert sent_ids(answer) == ["a" * 1_000]
    assert answer.structured["nextCursor"]


def test_a_single_item_over_budget_needs_no_cursor():
    assert "nextCursor" not in render_page(page(rows("a" * 1_000)), budget=10).structured


def test_an_empty_page_is_an_empty_list():
    answer = render_page(page([]))
    assert (answer.structured, answer.text) == ({"rows": [], "about": ""}, "0 rows ")


def test_the_limit_of_the_caller_is_honoured():
    answer = render_page(page(rows("a", "b", "c"), limit=2))
    assert sent_ids(answer) == ["a", "b"]
    assert answer.structured["nextCursor"] == "b@2"


@pytest.mark.parametrize("limit", [3, 9])
def test_a_limit_that_nothing_exceeds_brings_no_cursor(limit):
    assert "nextCursor" not in render_page(page(rows("a", "b", "c"), limit=limit)).structured


def test_a_page_goes_on_behind_what_was_seen():
    answer = render_page(page(rows("a", "b", "c", "d"), limit=2), begin=1)
    assert sent_ids(answer) == ["b", "c"]
    assert answer.structured["nextCursor"] == "c@3"


def test_a_partial_page_has_a_cursor_at_its_end_and_no_total():
    answer = render_page(page(rows("a", "b"), partial=True))
    assert answer.structured["nextCursor"] == "b@2"
    assert answer.text.startswith("None rows")


def test_a_partial_page_without_items_ends():
    assert "nextCursor" not in render_page(page([], partial=True)).structured


@frozen
class Two:
    """A result with two pages."""

    first: Page[str]
    second: Page[str]

    def render(self):
        return [f"{len(self.first.items)} and {len(self.second.items)}"]


def two(first, second):
    return Two(
        *(
            Page([f"{letter}{number} {'x' * 50}" for number in range(count)], key=str)
            for letter, count in (first, second)
        )
    )


@pytest.mark.parametrize("counts", [(10, 10), (0, 10), (10, 0), (1, 1)])
@pytest.mark.parametrize("budget", [300, 800, 100_000])
def test_one_cursor_leads_through_two_pages_in_their_order(counts, budget):
    whole, found = two(("a", counts[0]), ("b", counts[1])), [[], []]
    while True:
        answer = render_page(whole, budget=budget, begin=len(found[0]) + len(found[1]))
        found[0] += answer.structured["first"]
        found[1] += answer.structured["second"]
        assert answer.text.startswith(f"{len(answer.structured['first'])} and {len(answer.structured['second'])}")
        if "nextCursor" not in answer.structured:
            break
    assert found == [list(whole.first.items), list(whole.second.items)]


def test_two_pages_without_a_cursor_report_their_cuts():
    answer = render_page(two(("a", 10), ("b", 10)), budget=500, mint=None)
    cuts = {row["field"]: (row["sent"], row["of"]) for row in answer.structured["cuts"]}
    assert 0 < len(answer.structured["first"]) < 10
    assert cuts == {"first": (len(answer.structured["first"]), 10), "second": (0, 10)}


@pytest.mark.parametrize("hidden", ["", "\u200b"])
def test_a_part_of_a_text_that_is_cut_again_still_tells_the_length_of_the_whole(hidden):
    """(FIX-14)"""

    @frozen
    class Part:
        body: Annotated[str, Meta(cut=True)]

        def render(self):
            return [excerpt(self.body, 9)]

    answer = render_page(Part(Abridged("word " * 1_000 + hidden, whole=90_000)), budget=500)
    assert answer.text.startswith("word word… [90000 chars]")
    assert answer.structured["cuts"][0]["of"] == 90_000
    assert answer.structured["body"].endswith("… [90000 chars]")


@pytest.mark.parametrize("result", [None, "text", {"a": 1}, make_class("Mute", {})()])
def test_a_result_without_attrs_or_render_is_an_internal_error(result):
    with pytest.raises(InternalError, match=type(result).__name__):
        render_page(result)


letters = st.text(st.sampled_from('a"\\\n\té漢😀\u2028\u0301'), min_size=1, max_size=60)


@given(st.lists(letters, unique=True, max_size=40), st.integers(50, 4_000), letters)
def test_an_answer_of_several_items_never_exceeds_its_budget(ids, budget, note):
    answer = render_page(evolve(page(rows(*ids)), about=note), budget)
    sent = [json.dumps(part, ensure_ascii=False, separators=(",", ":")) for part in (answer.structured, answer.text)]
    assert len(sent_ids(answer)) <= 1 or sum(len(part.encode()) for part in sent) <= budget
    assert sent_ids(answer) == ids[: len(sent_ids(answer))]
    assert ("nextCursor" in answer.structured) == (len(sent_ids(answer)) < len(ids))


def test_text_of_many_bytes_is_measured_as_it_is_sent():
    """As UTF-8, which the SDK writes; escapes would count a Chinese sign twice."""
    from mcp_types import CallToolResult, TextContent

    answer = render_page(page(rows("漢字" * 20, "é😀")))
    result = CallToolResult(content=[TextContent(text=answer.text)], structured_content=dict(answer.structured))
    around = CallToolResult(content=[TextContent(text="")], structured_content={})
    written = len(result.model_dump_json(by_alias=True).encode()) - len(around.model_dump_json(by_alias=True).encode())
    assert answer_bytes(answer) == written + len('{}""')


# Paging through


@frozen
class Asked:
    cursor: CursorArg = None


def pager(serving, items, *, limit=None, budget=400):
    async def handler(ctx, args):
        return page(rows(*items), limit=limit)

    return serving(handler, Asked, budget=budget)


async def read_through(executor, between=lambda: None):
    """Call until there is no cursor, and give the ids of all pages."""
    gathered, arguments = [], {}
    for _ in range(500):
        answer = await executor.call("tool", arguments)
        gathered += sent_ids(answer)
        if "nextCursor" not in answer.structured:
            return gathered
        arguments = {"cursor": answer.structured["nextCursor"]}
        between()
    raise AssertionError("it never ends")


ids = st.lists(st.text(st.sampled_from('ab漢"\u202e'), min_size=1, max_size=30), unique=True, max_size=30)


@given(ids, st.none() | st.integers(1, 7), st.integers(1, 1_000))
def test_paging_through_gives_every_item_exactly_once(serving, items, limit, budget):
    assert anyio.run(read_through, pager(serving, items, limit=limit, budget=budget)) == list(map(clean, items))


@given(st.integers(0, 20), st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=6), st.integers(1, 5))
def test_a_list_that_grows_at_either_end_is_read_exactly_once(serving, length, growth, limit):
    items = [f"item {number}" for number in range(length)]
    news, growing, before = itertools.count(), iter(growth), []

    def grow():
        front, back = next(growing, (0, 0))
        before.extend(fresh := [f"new {next(news)}" for _ in range(front)])
        items[:0] = fresh
        items.extend(f"new {next(news)}" for _ in range(back))

    gathered = anyio.run(read_through, pager(serving, items, limit=limit), grow)
    assert gathered == [item for item in items if item not in before]


@given(st.integers(1, 12), st.integers(1, 3))
def test_equal_keys_end_and_lose_nothing(serving, length, limit):
    items = ["same"] * length
    assert anyio.run(read_through, pager(serving, items, limit=limit)) == items


def test_when_the_last_item_seen_is_gone_one_before_it_counts(serving):
    items = list("abcdef")
    executor = pager(serving, items, limit=2)
    assert anyio.run(read_through, executor, lambda: items.remove("b") if "b" in items else None) == list("abcdef")


def test_when_everything_behind_is_gone_the_list_ends(serving):
    items = list("abcdef")
    assert anyio.run(read_through, pager(serving, items, limit=2), items.clear) == ["a", "b"]


def test_a_handler_that_fetches_less_is_read_from_its_first_item(serving):
    async def handler(ctx, args):
        later = [letter for letter in "abcde" if ctx.after is None or letter > ctx.after]
        return page(rows(*later[:2]), partial=len(later) > 2)

    assert anyio.run(read_through, serving(handler, Asked)) == list("abcde")


# Unknowns


def test_an_unknown_is_left_out_and_gathered_with_its_place():
    answer = render_page(page([Row("a", HIDDEN), Row("b")]))
    assert answer.structured["rows"] == [{"id": "a"}, {"id": "b", "resolved": True}]
    row = {"field": "rows[0].resolved", "reason": HIDDEN.reason, "remedy": HIDDEN.remedy}
    assert answer.structured["unknown"] == [row]


def test_the_text_says_what_is_unknown():
    answer = render_page(page([Row("a", Unknown("hidden")), Row("b", HIDDEN)]))
    assert answer.text.splitlines()[-2:] == [
        "unknown: rows[0].resolved: hidden",
        "unknown: rows[1].resolved: the forge hides it (give the token the scope review)",
    ]


def test_equal_unknowns_of_several_items_fold():
    unknown = render_page(page([Row("a", HIDDEN), Row("b", HIDDEN), Row("c", Unknown("other"))])).structured["unknown"]
    assert [row["field"] for row in unknown] == ["rows[*].resolved", "rows[2].resolved"]


def test_an_unknown_without_remedy_has_none():
    unknown = render_page(page([Row("a", Unknown("why"))])).structured["unknown"]
    assert unknown == [{"field": "rows[0].resolved", "reason": "why"}]


@pytest.mark.parametrize("shown", [False, "unknown"])
def test_an_unknown_may_show_a_value_in_its_place(shown):
    structured = holding(Unknown("not asked", shown=shown))
    assert structured["x"] == shown
    assert structured["unknown"] == [{"field": "x", "reason": "not asked"}]


def test_an_unknown_item_of_a_list_is_left_out_and_gathered():
    structured = holding([1, Unknown("a"), Unknown("b", shown="?")], list[Maybe[int]])
    assert structured["x"] == [1, "?"]
    assert [row["field"] for row in structured["unknown"]] == ["x[*]", "x[1]"]


@pytest.mark.parametrize("budget", [100_000, 700])
def test_places_behind_an_unknown_item_are_those_of_the_list_that_is_sent(budget):
    """Both where all items fit, and where each is encoded alone."""
    items = [Row("a"), Unknown("gone"), Row("b", HIDDEN), *rows(*map(str, range(50)))]
    text = {"render": lambda self: ["text"]}
    cls = make_class("Some", {"rows": field(type=Page[Maybe[Row]])}, class_body=text)
    answer = render_page(cls(Page(items, key=lambda row: row.id)), budget)
    assert ("nextCursor" in answer.structured) is (budget < 1_000)
    assert sent_ids(answer)[1] == "b"
    assert [row["field"] for row in answer.structured["unknown"]] == ["rows[*]", "rows[1].resolved"]


def test_a_cut_behind_an_unknown_item_is_where_the_list_has_it():
    cls = make_class("Cut", {"x": field(type=tuple[Maybe[str], ...])}, class_body={"render": lambda self: ["text"]})
    structured = render_page(cls((Unknown("gone"), "a " * 5_000)), budget=2_000).structured
    assert [row["field"] for row in structured["cuts"]] == ["x[0]"]


def test_the_place_of_a_cut_has_no_hidden_characters_and_finds_the_address():
    cls = make_class("Cut", {"x": field(type=Any)}, class_body={"render": lambda self: ["text"]})
    entry = {"url": "https://a.example", "text": "a " * 5_000}
    structured = render_page(cls({"a\u200b": entry}), budget=2_000).structured
    assert [(row["field"], row["rest"]) for row in structured["cuts"]] == [("x.a.text", "x.a.url")]


@pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
def test_a_number_that_json_lacks_is_unknown(number):
    assert holding(float(number)) == {"unknown": [{"field": "x", "reason": f"JSON has no number for {number}"}]}
    structured = holding([float(number), 1.5])
    assert structured["x"] == [1.5]
    assert structured["unknown"][0]["field"] == "x[*]"


def test_names_that_hidden_characters_tell_apart_are_noted():
    structured = holding({"a\u200b": 1, "a": 2})
    assert structured["x"] == {"a": 1}
    assert [row["field"] for row in structured["unknown"]] == ["x.a"]


def test_only_unknowns_of_items_that_are_sent_are_gathered():
    answer = render_page(page([Row("a"), Row("b", HIDDEN)], limit=1))
    assert "unknown" not in answer.structured


def test_the_place_of_an_unknown_has_the_names_of_the_wire():
    structured = holding(Unknown("why"), Annotated[Maybe[int], Meta(name="+1")])
    assert structured == {"unknown": [{"field": "+1", "reason": "why"}]}


# Values


@pytest.mark.parametrize(
    ("value", "sent"),
    [
        ("text", "text"),
        (True, True),
        (0, 0),
        (1.5, 1.5),
        ("", ""),
        ([], []),
        ((1, (2,)), [1, [2]]),
        ({"a": Color.RED}, {"a": "red"}),
        (Tone.LOW, "low"),
        (frozenset({1}), [1]),
        ([None], [None]),
        (Row("a"), {"id": "a", "resolved": True}),
        (Page(["a"], key=str), ["a"]),
        ("half a pair \ud83d", "half a pair ?"),
        ({"\ud83d": "\udfff"}, {"?": "?"}),
        (datetime(2026, 1, 31, 12, 0, 59, 999_999, UTC), "2026-01-31T12:00:59Z"),
        (datetime(2026, 1, 31, 1, tzinfo=timezone(timedelta(hours=2))), "2026-01-30T23:00:00Z"),
        (datetime(1, 1, 1, tzinfo=UTC), "0001-01-01T00:00:00Z"),
        ({1: 2}, {"1": 2}),
    ],
)
def test_a_value_is_sent_as_json_has_it(value, sent):
    structured = holding(value)
    assert structured == {"x": sent}
    assert json.dumps(structured, ensure_ascii=False).encode()


def test_a_time_without_a_zone_is_in_utc_wherever_the_server_is(monkeypatch):
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        assert holding(datetime(2026, 1, 31, 12)) == {"x": "2026-01-31T12:00:00Z"}  # noqa: DTZ001 -- it has no zone
    finally:
        monkeypatch.undo()
        time.tzset()


def test_none_values_are_left_out():
    assert holding(None) == {}
    assert holding({"a": None, "b": 1}) == {"x": {"b": 1}}


@pytest.mark.parametrize("value", [object(), 1j, lambda: 0, b"a", bytearray(b"a"), memoryview(b"a")])
def test_a_value_that_json_does_not_have_is_an_internal_error(value):
    with pytest.raises(InternalError, match="results cannot contain"):
        holding(value)


def test_halves_of_surrogate_pairs_leave_the_text_and_the_reasons():
    answer = render_page(page([Row("\ud83d", Unknown("\ud83d", "\ud83d"))]))
    assert json.dumps([answer.text, answer.structured], ensure_ascii=False).encode().count(b"?") == 6


@given(st.lists(st.builds(Row, st.text(), st.booleans() | st.just(HIDDEN))), st.integers(1, 999))
def test_every_answer_fits_the_schema_of_its_result(items, budget):
    answer = render_page(page(items), budget)
    Draft202012Validator(output_schema(Answer)).validate(answer.structured)


def test_any_sequence_is_a_list():
    assert holding(range(3)) == {"x": [0, 1, 2]}


def test_a_cursor_is_minted_of_the_last_item_sent():
    minted = []
    render(
        page(rows("a", "b", "c"), limit=2),
        PageCut(Budget(9_999), lambda _: 0, lambda end: minted.append(end) or "next"),
    )
    assert minted == [Position.at(2, "ab".__getitem__)]


@frozen
class Empty:
    rows: tuple[str, ...] = ()

    def render(self):
        yield Hint("There are none. <|> Look elsewhere.\u202e")
        yield "0 rows"
        yield Hint("Then ask.")


def test_a_hint_stands_in_the_object_and_in_the_text():
    """Some hosts pass on the object alone (FIX-38)."""
    answer = render(Empty(), PageCut(Budget(BYTE_BUDGET), lambda _: 0, None))
    assert answer.structured["note"] == "There are none. <|> Look elsewhere.\nThen ask."
    assert answer.text == "There are none. <|> Look elsewhere.\n0 rows\nThen ask."

"""One stream of several lists, whatever they hold: in order, nothing twice, nothing lost, and in linear time."""

import sys
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from streams import START, comment, comment_fields, conversations, event, make_sources, review, thread

from stithy_comments.stream.merged_stream import merge_sources
from stithy_comments.stream.stream_handler import create_conversation_result
from stithy_comments.stream.stream_items import format_page_key
from stithy_comments.stream.stream_selection import Selection
from stithy_comments.stream.summary import summarize_stream
from stithy_core.spi import Unknown

WHOLE = Selection(include=("review", "issue", "timeline"), events=("all",))


def rows(lists, selection=WHOLE):
    return [entry.row for entry in merge_sources(make_sources(**lists), selection).entries]


@given(conversations())
def test_items_stand_by_time_and_then_by_id_as_text(lists):
    timed = [row for row in rows(lists) if not isinstance(row.created_at, Unknown)]
    places = [(row.created_at, row.id) for row in timed]
    assert places == sorted(places)


@given(conversations())
def test_items_without_a_time_come_last(lists):
    timeless = [isinstance(row.created_at, Unknown) for row in rows(lists)]
    assert timeless == sorted(timeless)


@given(conversations(), st.randoms(use_true_random=False))
def test_the_order_of_the_lists_makes_no_difference(lists, random):
    shuffled = {name: random.sample(items, len(items)) for name, items in lists.items()}
    assert rows(shuffled) == rows(lists)


@given(conversations())
def test_no_two_items_share_a_key_and_events_repeat_nothing(lists):
    stream = merge_sources(make_sources(**lists), WHOLE)
    assert len({format_page_key(entry.row) for entry in stream.entries}) == len(stream.entries)
    same = {"commented": "comments", "reviewed": "reviews"}
    known = {(name, one.id) for name in same.values() for one in lists[name]}
    repeats = [entry.source for entry in stream.entries if entry.row.type == "timeline" and entry.source.kind in same]
    assert not [one for one in repeats if (same[one.kind], one.subject) in known]


@given(conversations())
def test_whatever_was_said_is_there(lists):
    found = {entry.key for entry in merge_sources(make_sources(**lists), WHOLE).entries}
    assert {f"comment:{one.id}" for one in lists["comments"]} <= found
    assert {f"remark:{one.id}" for thread in lists["threads"] for one in thread.comments} <= found
    speaking = [one for one in lists["reviews"] if one.body.strip() or one.state != "commented"]
    assert {f"review:{one.id}" for one in speaking} <= found


@given(conversations(), st.integers(1, 8))
def test_the_newest_are_kept_and_the_others_counted(lists, most):
    stream = merge_sources(make_sources(**lists), Selection(include=WHOLE.include, events=("all",), most=most))
    assert stream.newest == stream.entries[max(0, len(stream.entries) - most) :]
    older = len(stream.entries) - len(stream.newest)
    told = [
        line
        for line in stream.describe_omissions("all of them")
        if line.startswith(f"the {older} oldest of {len(stream.entries)} items")
    ]
    assert bool(told) == bool(older)


@given(conversations(), st.integers(0, 5), st.integers(0, 5))
def test_bounds_take_only_what_lies_outside_of_them(lists, since, until):
    bounds = {"since": START + timedelta(minutes=since), "until": START + timedelta(minutes=until)}
    inside = {format_page_key(row) for row in rows(lists, Selection(include=("review", "issue"), **bounds))}
    for row in rows(lists, Selection()):
        timeless = isinstance(row.created_at, Unknown)
        assert (format_page_key(row) in inside) == (
            timeless or (row.updated_at >= bounds["since"] and row.created_at <= bounds["until"])
        )


def test_a_thing_that_stands_twice_in_its_list_is_given_once():
    """Pages shift while they are read."""
    given_twice = make_sources(comments=[comment(1), comment(2, minutes=1), comment(2, minutes=1)])
    assert [entry.row.id for entry in merge_sources(given_twice, WHOLE).entries] == ["1", "2"]


def test_ids_of_different_kinds_do_not_hide_each_other():
    lists = {
        "comments": [comment(7)],
        "reviews": [review(7, "approved")],
        "threads": [thread("horn.py", 1, comment_fields(7))],
        "timeline": [event(7, "labeled", "bug")],
    }
    assert len(rows(lists)) == 4


def test_the_empty_cover_of_a_reply_is_no_item():
    lists = {"reviews": [review(1, "commented"), review(2, "commented", "Look."), review(3, "approved")]}
    lists["timeline"] = [event(9, "reviewed", subject=1)]
    assert [row.id for row in rows(lists)] == ["2", "3"]


def work_for(count):
    """Count the calls of functions that a conversation of so many comments, and a summary of it, takes."""
    body = "- [ ] Temper the horn\n> quoted\nThe horn is soft."
    lists = {
        "comments": [comment(number, body, minutes=number) for number in range(count)],
        "reviews": [review(number, "changes_requested", body, minutes=number) for number in range(count)],
        "threads": [
            thread(f"{number}.py", number, comment_fields(number, body), comment_fields(-number - 1))
            for number in range(count)
        ],
        "timeline": [event(number, "commented", subject=number) for number in range(count)],
    }
    found, calls = make_sources(**lists), []
    sys.setprofile(lambda _, what, __: calls.append(what) if what in ("call", "c_call") else None)
    try:
        stream = merge_sources(found, WHOLE)
        create_conversation_result(stream, summarize_stream(stream, "compact", 4_000))
    finally:
        sys.setprofile(None)
    assert len(stream.entries) == 4 * count
    return len(calls)


def test_four_times_as_many_comments_take_four_times_the_work():
    assert work_for(2_000) < 4.4 * work_for(500)

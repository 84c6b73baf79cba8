"""Summaries of any conversation: within their budget, the same for the same, and without secrets."""

import os
import subprocess
import sys
from pathlib import Path

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from streams import conversations, make_sources

from stithy_comments.stream.merged_stream import merge_sources
from stithy_comments.stream.stream_selection import Selection
from stithy_comments.stream.summary import summarize_stream

WHOLE = Selection(include=("review", "issue", "timeline"), events=("all",))
MODES = st.sampled_from(["brief", "compact"])
BUDGETS = st.one_of(st.sampled_from([1, 2, 50, 4_000]), st.integers(1, 1_000))
TOKEN = "ghp_0123456789abcdefghij0123456789"


def summarize(lists, mode, budget, selection=WHOLE):
    return summarize_stream(merge_sources(make_sources(**lists), selection), mode, budget)


@given(conversations(), MODES, BUDGETS)
def test_a_summary_is_never_longer_than_its_budget_and_never_empty(lists, mode, budget):
    assert 0 < len(summarize(lists, mode, budget).text) <= budget


@given(conversations(), MODES, BUDGETS, st.randoms(use_true_random=False))
def test_the_order_of_the_lists_makes_no_difference(lists, mode, budget, random):
    shuffled = {name: random.sample(items, len(items)) for name, items in lists.items()}
    assert summarize(shuffled, mode, budget) == summarize(lists, mode, budget)


@given(conversations(), MODES, st.integers(1, 5))
def test_items_beyond_max_items_count_in_the_summary(lists, mode, most):
    few = Selection(include=WHOLE.include, events=("all",), most=most)
    assert summarize(lists, mode, 2_000, few) == summarize(lists, mode, 2_000)


@given(conversations())
def test_the_types_add_up_to_the_total(lists):
    stats = summarize(lists, "brief", 2_000).stats
    assert stats.total_comments == stats.review_comments + stats.issue_comments + stats.timeline_events
    stream = merge_sources(make_sources(**lists), WHOLE)
    assert stats.characters == sum(len(entry.row.body) for entry in stream.entries)


@given(conversations(), MODES, st.integers(1, 600))
def test_no_part_of_a_secret_is_in_it_wherever_it_is_cut(lists, mode, budget):
    leaking = {
        name: [one if name == "threads" else _with_secret(one) for one in items] for name, items in lists.items()
    }
    assert "ghp_" not in summarize(leaking, mode, budget).text


def _with_secret(one):
    field = "text" if hasattr(one, "text") else "body"
    return evolve(one, **{field: f"- [ ] take {TOKEN} to log in"})


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from streams import *
from stithy_comments.stream.merged_stream import merge_sources
from stithy_comments.stream.stream_selection import Selection
from stithy_comments.stream.summary import summarize_stream

body = "The hardened horn rings well, the soft steel bends; quench it, temper it, and heat the anvil slowly."
lists = {
    "comments": [comment(n, body, PEOPLE[n % 5], n) for n in range(40)],
    "reviews": [review(n, STATES[n % 5], body, PEOPLE[n % 5], n) for n in range(40)],
    "threads": [thread(f"{n % 7}.py", n, comment_fields(n, body), resolved=n % 2 == 0) for n in range(40)],
}
stream = merge_sources(make_sources(**lists), Selection())
texts = (summarize_stream(stream, mode, size).text for mode in ("brief", "compact") for size in (50, 700, 4_000))
print(*texts, sep="|")
"""


def test_every_process_writes_the_same_bytes():
    """Neither the order of sets, which differs from process to process, nor the time or the place counts."""
    found = set()
    for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"), ("3", "America/New_York")):
        environ = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": "C"}
        command = [sys.executable, "-X", "utf8", "-c", SCRIPT, str(Path(__file__).parents[1] / "support")]
        done = subprocess.run(command, env=environ, capture_output=True, check=True)
        assert b"Themes" in done.stdout
        found.add(done.stdout)
    assert len(found) == 1

"""How often each tool was called, how it ended and how long it took."""

from hypothesis import given
from hypothesis import strategies as st

from stithy_core.tools.executor import RECENT_CALLS, Statistics


def test_statistics_start_at_zero():
    nothing = {"invocations": 0, "failures": 0, "timeouts": 0, "total_ms": 0, "tools": {}}
    assert Statistics().as_dict() == nothing


def test_one_call_is_counted_with_its_time():
    statistics = Statistics()
    statistics.record("one", 0.25)
    row = {"invocations": 1, "failures": 0, "timeouts": 0, "total_ms": 250.0, "p50_ms": 250.0, "p95_ms": 250.0}
    assert statistics.as_dict()["tools"] == {"one": row}


def test_totals_are_the_sums_of_the_tools():
    statistics = Statistics()
    statistics.record("b", 0.1, failed=True)
    statistics.record("a", 0.2, failed=True, timed_out=True)
    whole = statistics.as_dict()
    assert (whole["invocations"], whole["failures"], whole["timeouts"], whole["total_ms"]) == (2, 2, 1, 300.0)
    assert list(whole["tools"]) == ["a", "b"]


def test_half_are_faster_than_p50_and_few_are_slower_than_p95():
    statistics = Statistics()
    for milliseconds in range(1, 101):
        statistics.record("one", milliseconds / 1_000)
    row = statistics.as_dict()["tools"]["one"]
    assert 50 <= row["p50_ms"] <= 51
    assert 95 <= row["p95_ms"] <= 96


def test_percentiles_are_of_the_last_thousand_calls_and_counts_of_all():
    statistics = Statistics()
    for seconds in [9.0] * 500 + [1.0] * RECENT_CALLS:
        statistics.record("one", seconds)
    row = statistics.as_dict()["tools"]["one"]
    assert (row["invocations"], row["p95_ms"]) == (500 + RECENT_CALLS, 1_000.0)


@given(st.lists(st.floats(0, 100), min_size=1))
def test_percentiles_lie_between_the_fastest_and_the_slowest(times):
    statistics = Statistics()
    for seconds in times:
        statistics.record("one", seconds)
    row = statistics.as_dict()["tools"]["one"]
    low, high = round(min(times) * 1_000, 3), round(max(times) * 1_000, 3)
    assert low <= row["p50_ms"] <= row["p95_ms"] <= high

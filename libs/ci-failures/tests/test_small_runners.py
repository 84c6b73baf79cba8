"""Avocado, lab and tap-spec: their lists, and what their tests print."""

APP = "/home/runner/work/app/app"
LAB = f"Failed tests:\n\n  2) Cart adds:\n\n      no\n\n      at {APP}/test/cart.js:12:27\n\n"
LAB_END = "1 of 2 tests failed\nTest duration: 8 ms\n"
BLOCK = f"  rejects\n\n    ✖ should be equal\n    -----\n      at: Test.<anonymous> ({APP}/test/a.js:3:24)\n\n"
LIST = "  Failed Tests: There was 1 failure\n\n    rejects\n\n      ✖ should be equal\n\n"
SPEC_END = "  total:     2\n  passing:   1\n  failing:   1\n  duration:  86ms\n"


def parse(read, log, tool):
    return [(one.name, one.file, one.line) for tale in read(log) for one in tale.failures if tale.parser.tool == tool]


def test_the_results_of_avocado_are_read(read):
    log = (
        " (1/3) t/x.py:T.test_ok:  PASS (0.07 s)\n (2/3) t/x.py:T.test_bad:  FAIL: no (0.11 s)\n"
        " (3/3) t/x.py:T.test_err:  ERROR (0.1 s)\n"
        "RESULTS    : PASS 1 | ERROR 1 | FAIL 1 | SKIP 0 | WARN 0 | INTERRUPT 0 | CANCEL 0\n"
    )
    assert parse(read, log, "avocado") == [("t/x.py:T.test_bad", "t/x.py", None), ("t/x.py:T.test_err", "t/x.py", None)]


def test_the_list_of_lab_is_read(read):
    assert parse(read, f"{LAB}{LAB_END}", "lab") == [("Cart adds", "test/cart.js", 12)]


def test_a_list_that_a_test_of_lab_prints_does_not_count(read):
    assert parse(read, f"{LAB}1 of 2 tests failed\n\n  .\n\n1 tests complete\nTest duration: 7 ms\n", "lab") == []


def test_the_list_of_tap_spec_has_the_places_of_its_blocks(read):
    assert parse(read, f"{BLOCK}{LIST}{SPEC_END}", "tap") == [("rejects", "test/a.js", 3)]


def test_a_list_that_a_test_under_tap_spec_prints_does_not_count(read):
    assert parse(read, f"{LIST}\n  total:     1\n  passing:   1\n  duration:  86ms\n", "tap") == []


def test_the_last_result_of_a_whole_stream_of_tap_counts(read):
    assert [one[0] for one in parse(read, "1..2\nnot ok 1 a.py:T.a\nnot ok 2 a.py:T.b\n", "tap")] == [
        "a.py:T.a",
        "a.py:T.b",
    ]


def test_a_stream_of_tap_that_breaks_off_at_a_failure_says_so(read):
    (tale,) = [tale for tale in read("1..4\nnot ok 1 a\nok 2 b\nnot ok 3 c\n") if tale.parser.tool == "tap"]
    assert "break off" in tale.gap

"""Zig beyond the kept logs: older forms, tests that print, and totals that disagree."""

import ci_failures

RUN = """1/3 till.test.adds...OK
2/3 till.test.subtracts...expected 3, found 4
FAIL (TestExpectedEqual)
/opt/zig/lib/std/testing.zig:93:17: 0x1253154 in expectEqualInner (std.zig)
                return error.TestExpectedEqual;
/home/runner/work/app/app/src/till.zig:5:20: 0x1253222 in test.subtracts (till.zig)
3/3 till.test.prints...{}OK
2 passed; 0 skipped; {} failed.
"""


def read(text):
    return ci_failures.parse(text.encode())


def test_a_test_has_the_place_of_the_project_and_what_it_printed_before_its_trace():
    (one,) = read(RUN.format("", 1)).failures
    assert (one.name, one.file, one.line) == ("till.test.subtracts", "src/till.zig", 5)
    assert one.message == "TestExpectedEqual\nexpected 3, found 4"


def test_what_a_test_prints_is_not_the_result_of_another():
    for printed in ("1/3 till.test.adds...FAIL (No)\n", "FAIL (No)\n", "\n2/3 till.test.x...FAIL (No)\n"):
        report = read(RUN.format(printed, 1))
        assert [one.name for one in report.failures] == ["till.test.subtracts"], printed
        assert not report.gaps


def test_results_of_zig_before_0_12_are_read():
    old = "Test [1/2] test.adds... OK\nTest [2/2] test.subtracts... FAIL (NotEqual)\n1 passed; 0 skipped; 1 failed.\n"
    assert [(one.name, one.confidence) for one in read(old).failures] == [("test.subtracts", "high")]


def test_a_total_that_counts_more_than_was_read_leaves_a_gap():
    report = read(RUN.format("", 2))
    assert [one.confidence for one in report.failures] == ["medium"]
    assert report.gaps


def test_errors_of_the_compiler_are_told_beside_tests_of_another_step():
    report = read(RUN.format("", 1) + "src/main.zig:4:7: error: expected ';'\nsrc/main.zig:3:1: note: here\n")
    assert [one.name for one in report.failures] == ["till.test.subtracts", "error src/main.zig:4:7"]


def test_a_crash_and_a_timeout_under_the_build_are_told():
    built = (
        "error: 'a.test.x' timed out after 1s\nerror: 'a.test.y' crashed:\n  panic\nBuild Summary: 1/3 steps succeeded"
    )
    report = read(f"{built} (1 failed); 3/5 tests passed (1 crashed, 1 timed out)\n")
    assert [one.message.split()[0] for one in report.failures] == ["timed", "crashed"]

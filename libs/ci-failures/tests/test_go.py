"""What is particular to go test, gotestsum, go vet and Go's compiler."""

import json

import pytest
from attrs import evolve

import ci_failures
from ci_failures.model import Failure
from ci_failures.parsers.go_rust import GoTest


def parse(read, log):
    return {one.name: one for tale in read(log) for one in tale.failures}


def test_a_test_is_named_with_the_package_that_is_named_after_it(read):
    log = "--- FAIL: TestA (0.00s)\n    a_test.go:3: no\nFAIL\nFAIL\texample.com/app/one\t0.002s\nFAIL\n"
    assert list(parse(read, log)) == ["example.com/app/one.TestA"]


def test_a_parent_is_left_out_unless_it_speaks_itself(read):
    child = "    --- FAIL: TestA/b (0.00s)\n        a_test.go:9: child\n"
    end = "FAIL\nFAIL\tapp/one\t0.002s\n"
    assert list(parse(read, f"--- FAIL: TestA (0.00s)\n{child}{end}")) == ["app/one.TestA/b"]
    spoken = parse(read, f"--- FAIL: TestA (0.00s)\n{child}    a_test.go:4: parent\n{end}")
    assert {name: one.message for name, one in spoken.items()} == {
        "app/one.TestA": "parent",
        "app/one.TestA/b": "child",
    }


def test_a_race_is_of_the_innermost_test(read):
    race = "testing.go:1446: race detected during execution of test"
    child = f"    --- FAIL: TestA/b (0.00s)\n        {race}\n"
    log = f"--- FAIL: TestA (0.01s)\n{child}    {race}\nFAIL\nFAIL\tapp\t0.1s\n"
    (one,) = parse(read, log).values()
    assert (one.name, one.message, one.file) == ("app.TestA/b", "race detected during execution of test", "")


def test_messages_before_a_verdict_are_those_of_the_test_that_goes_on(read):
    log = (
        "=== RUN   TestA\n=== PAUSE TestA\n=== RUN   TestB\n=== PAUSE TestB\n=== CONT  TestB\n    b_test.go:2: of b\n"
        "=== CONT  TestA\n    a_test.go:1: of a\n--- FAIL: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\n"
        "FAIL\tapp\t0.1s\n"
    )
    said = {name: one.message for name, one in parse(read, log).items()}
    assert said == {"app.TestA": "of a", "app.TestB": "of b"}


def test_what_a_passing_test_prints_is_no_failure(read):
    log = (
        "=== RUN   TestA\n--- FAIL: TestInner (0.00s)\n    inner_test.go:3: no\n--- PASS: TestA (0.00s)\nPASS\n"
        "ok  \tapp\t0.1s\n"
    )
    assert not parse(read, log)


def test_the_message_of_testify_is_its_error(read):
    log = (
        "--- FAIL: TestA (0.00s)\n    a_test.go:8: \n"
        "        \tError Trace:\t/home/runner/work/app/app/in/a_test.go:7\n"
        "        \tError:      \tNot equal: \n"
        "        \t            \texpected: 1\n        \t            \tactual  : 2\n"
        "        \tTest:       \tTestA\n        \tMessages:   \tsums\nFAIL\nFAIL\texample.com/app/in\t0.1s\n"
    )
    one = parse(read, log)["example.com/app/in.TestA"]
    assert (one.file, one.line, one.message) == (
        "in/a_test.go",
        7,
        "Not equal:\nexpected: 1\nactual  : 2\nsums",
    )


def test_the_specs_of_a_suite_are_told_in_its_place(read):
    log = (
        "Summarizing 1 Failure:\n  [FAIL] Controller [It] should reconcile\n"
        "  /home/runner/work/app/app/in/c_test.go:45\n"
        "\nRan 2 of 2 Specs in 0.1 seconds\n--- FAIL: TestAPIs (0.10s)\nFAIL\nFAIL\tex.org/app/in\t0.1s\n"
    )
    (one,) = parse(read, log).values()
    assert (one.tool, one.name, one.file, one.line) == ("ginkgo", "Controller should reconcile", "in/c_test.go", 45)


def test_a_time_that_is_up_names_the_innermost_tests_that_ran(read):
    log = (
        "panic: test timed out after 3s\n\trunning tests:\n\t\tTestSlow (3s)\n\t\tTestSlow/sub (3s)\n\n"
        "goroutine 17 [running]:\ntesting.(*M).startAlarm.func1()\nFAIL\tapp\t3.057s\n"
    )
    (one,) = parse(read, log).values()
    assert (one.kind, one.name, one.message.splitlines()[0]) == (
        "timeout",
        "app.TestSlow/sub",
        "panic: test timed out after 3s",
    )


def test_a_panic_beside_the_tests_is_of_the_test_that_began_it(read):
    log = (
        "panic: nil map\n\ngoroutine 8 [running]:\napp/r.TestR.func1()\n"
        "\t/home/runner/work/app/app/r/r_test.go:15 +0x31\n"
        "created by app/r.TestR in goroutine 7\n\t/home/runner/work/app/app/r/r_test.go:13 +0x65\nFAIL\tapp/r\t0.009s\n"
    )
    (one,) = parse(read, log).values()
    assert (one.name, one.message, one.file, one.line) == ("app/r.TestR", "panic: nil map", "r/r_test.go", 15)


def test_a_package_without_a_failed_test_is_named_itself(read):
    log = "the database does not answer\nFAIL\texample.com/app/gate\t0.007s\n"
    (one,) = parse(read, log).values()
    assert (one.name, one.message) == ("example.com/app/gate", "the database does not answer")


def test_the_folder_is_told_by_what_all_packages_share(read):
    log = (
        "--- FAIL: TestA (0.00s)\n    a_test.go:3: no\nFAIL\nFAIL\tex.org/x/one/two\t0.1s\nok  \tex.org/x/three\t0.1s\n"
    )
    assert parse(read, log)["ex.org/x/one/two.TestA"].file == "one/two/a_test.go"


def test_a_module_of_a_forge_has_three_parts_and_its_version_no_folder(read):
    log = "--- FAIL: TestA (0.00s)\n    a_test.go:3: no\nFAIL\nFAIL\tgithub.com/o/r/v3/in\t0.1s\n"
    assert parse(read, log)["github.com/o/r/v3/in.TestA"].file == "in/a_test.go"


def test_what_passes_when_it_is_run_again_is_flaky(read):
    log = (
        "=== Failed\n=== FAIL: in TestA (0.00s)\n    a_test.go:3: no\n\n=== FAIL: in TestB (0.00s)\n\n"
        "=== FAIL: in TestB (re-run 1) (0.00s)\n    b_test.go:4: still\n\nDONE 2 runs, 3 tests, 3 failures in 0.1s\n"
    )
    assert {name: (one.flaky, one.attempts) for name, one in parse(read, log).items()} == {
        "in.TestA": (True, 1),
        "in.TestB": (False, 2),
    }


def test_a_compile_error_is_one_though_it_is_said_of_two_packages(read):
    said = "a/a.go:5:2: undefined: x\n"
    ends = "FAIL\tex.org/a [build failed]\nFAIL\tex.org/b [build failed]\n"
    log = f"# ex.org/a [ex.org/a.test]\n{said}# ex.org/a\n{said}{ends}"
    (one,) = parse(read, log).values()
    assert (one.kind, one.name, one.file, one.line) == ("compile", "a/a.go:5:2", "a/a.go", 5)


def test_the_matcher_of_the_set_up_action_does_not_hide_an_error(read):
    assert list(parse(read, "# ex.org/a\n##[error]./a.go:5:2: undefined: x\n")) == ["a.go:5:2"]


def test_a_module_that_is_not_required_says_how_to_get_it(read):
    log = "# ex.org/a\na.go:6:2: no required module provides package ex.org/b; to add it:\n\tgo get ex.org/b\n"
    (one,) = parse(read, log).values()
    assert (one.kind, one.suggested_fix) == ("dependency", "go get ex.org/b")


@pytest.mark.parametrize(
    ("tests", "pattern"),
    [
        (["^TestA$"], "'^TestA$'"),
        (["^TestA$/^a$/^b$", "^TestB$"], "'^TestA$/^a$/^b$|^TestB$'"),
    ],
)
def test_one_command_runs_all_of_a_package_again(tests, pattern):
    failures = [Failure(tool="go", name=test, selector=test, place="ex.org/a") for test in tests]
    assert GoTest.rerun(failures) == f"go test ex.org/a -run {pattern} -count=1"


def test_a_package_that_was_not_built_is_built_again_and_one_that_vet_complains_of_is_vetted():
    one = Failure(tool="go", kind="compile", name="a.go:1:2", place="ex.org/a")
    assert GoTest.rerun([one, evolve(one, name="a.go:3:4")]) == "go test ex.org/a -run '^$'"
    assert GoTest.rerun([evolve(one, kind="lint")]) == "go vet ex.org/a"


def test_a_fuzz_test_and_its_input_have_one_name_and_are_one(read):
    log = (
        "--- FAIL: FuzzA (0.02s)\n    --- FAIL: FuzzA (0.00s)\n        a_test.go:9: 3 is odd\n    \n"
        "    Failing input written to testdata/fuzz/FuzzA/12ab\nFAIL\nexit status 1\nFAIL\tex.org/a\t0.1s\n"
    )
    (one,) = parse(read, log).values()
    assert (one.name, one.message.splitlines()[0], one.line) == ("ex.org/a.FuzzA", "3 is odd", 9)


EVENT = '{"Time":"2026-01-05T09:00:00Z","Action":"output","Package":"a","Test":"TestX","Output":"=== RUN   TestX\\n"}\n'


def test_events_before_the_plain_output_of_a_package_are_none_of_it(read):
    (tale,) = read(EVENT * 3 + "--- FAIL: TestA (0.00s)\n    a_test.go:3: wrong\nFAIL\nFAIL\tex.org/b\t0.1s\n")
    assert [(one.name, one.message) for one in tale.failures] == [("ex.org/b.TestA", "wrong")]


def test_a_summary_of_gotestsum_whose_end_is_cut_out_tells_what_its_tests_said(read):
    tests = "=== FAIL: in/auth TestNil (unknown)\n\n=== FAIL: in/db TestRows (0.01s)\n    r_test.go:3: no rows\n"
    (tale,) = read(f"=== Failed\n{tests}")
    assert [(one.name, one.message) for one in tale.failures] == [("in/db.TestRows", "no rows")]


RERUN = """✖  flaky (9ms)

DONE 3 tests, 1 failure in 0.009s

✓  flaky (7ms)

=== Failed
=== FAIL: flaky TestFlaky (0.00s)
    f_test.go:11: first time

DONE 2 runs, 4 tests, 1 failure in 1.134s
"""


def test_a_run_of_gotestsum_whose_failed_tests_pass_at_last_has_failed_in_nothing(read):
    report = ci_failures.parse(RERUN.encode())
    assert (report.status, [one.name for one in report.flaky], report.gaps) == ("passed", ["flaky.TestFlaky"], ())


ERRORS = """✖  broken
✖  vet

=== Failed
=== FAIL: broken  (0.00s)
FAIL\texample.com/app/broken [build failed]

=== Errors
broken/b_test.go:5:28: undefined: undefinedName

vet/v_test.go:8:40: fmt.Printf format %d has arg "x" of wrong type string


DONE 0 tests, 1 failure, 2 errors in 0.306s
vendor/other.go:1:2: printed later
"""


def test_errors_that_gotestsum_lists_without_the_headers_of_packages_are_read(read):
    kinds = {one.file: (one.kind, one.message) for tale in read(ERRORS) for one in tale.failures}
    assert kinds == {
        "broken/b_test.go": ("compile", "undefined: undefinedName"),
        "vet/v_test.go": ("lint", 'fmt.Printf format %d has arg "x" of wrong type string'),
    }


def test_the_events_of_reruns_make_a_test_that_passes_at_last_flaky(read):
    """gotestsum writes them behind those of the first run (`tests/logs/go/gotestsum-jsonfile.log`)."""

    def run(*ends):
        rows = [("start", None), *ends, ("fail", None)]
        events = ({"Action": action, "Package": "app/one"} | ({"Test": test} if test else {}) for action, test in rows)
        return "".join(f"{json.dumps(event, separators=(',', ':'))}\n" for event in events)

    first, again = [("fail", "TestA"), ("fail", "TestB")], [("pass", "TestA"), ("fail", "TestB")]
    told = parse(read, run(*first) + run(*again))
    assert {name: one.flaky for name, one in told.items()} == {"app/one.TestA": True, "app/one.TestB": False}
    assert not any(one.flaky for one in parse(read, run(*first, ("pass", "TestA"))).values())


@pytest.mark.parametrize(
    ("package", "folder"),
    [
        ("example.com/app/cart", "cart/"),
        ("example.com/app/internal/cart", "internal/cart/"),
        ("git.example.com/team/app/cart", "cart/"),
        ("shop/cart", "cart/"),
        ("github.com/team/app/v2/cart", "cart/"),
        ("example.com/app", ""),
    ],
)
def test_the_folder_of_a_package_is_below_its_module_also_where_the_log_has_one_package(read, package, folder):
    log = f"--- FAIL: TestA (0.00s)\n    a_test.go:3: no\nFAIL\nFAIL\t{package}\t0.002s\nFAIL\n"
    assert [one.file for one in parse(read, log).values()] == [f"{folder}a_test.go"]


FAILED = "--- FAIL: {} (0.00s)\n    a_test.go:3: no\n"
END = "FAIL\nFAIL\texample.com/app/a\t0.004s\n"


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("printed", ["FAIL\tother/pkg\t0.1s\n", "ok  \tother/pkg\t0.1s\n"])
def test_a_printed_result_of_another_module_ends_no_package(read, printed, times):
    """All tests before it went to the package that the line names, or were lost."""
    log = f"{FAILED.format('TestA')}{printed * times}{FAILED.format('TestB')}{END}ok  \texample.com/app/b\t0.1s\nFAIL\n"
    told = parse(read, log)
    assert list(told) == ["example.com/app/a.TestA", "example.com/app/a.TestB"]
    assert told["example.com/app/a.TestA"].confidence == "medium"


def test_a_printed_result_before_all_tests_that_failed_is_no_failure(read):
    log = f"hello\nFAIL\tother/pkg\t0.1s\n{FAILED.format('TestB')}{END}FAIL\n"
    assert list(parse(read, log)) == ["example.com/app/a.TestB"]


def test_a_test_that_goes_on_printed_the_result_above(read):
    """With -v the verdict tells it, even if the line names the test's own module."""
    begin = f"=== RUN   TestA\n{FAILED.format('TestA')}=== RUN   TestB\nFAIL\texample.com/app/x\t0.1s\n"
    told = parse(read, f"{begin}    a_test.go:5: nor\n--- FAIL: TestB (0.00s)\n{END}FAIL\n")
    assert {name: one.message for name, one in told.items()} == {
        "example.com/app/a.TestA": "no",
        "example.com/app/a.TestB": "nor",
    }


def test_tests_before_one_that_exits_belong_to_the_package_that_is_named(read):
    exits = f"{FAILED.format('TestA')}2026/11/29 00:16:57 dead\nFAIL\texample.com/app/b\t0.006s\n"
    assert list(parse(read, f"{exits}{FAILED.format('TestZ')}{END}FAIL\n")) == [
        "example.com/app/b.TestA",
        "example.com/app/a.TestZ",
    ]
    elsewhere = exits.replace("example.com/app/b", "example.org/tool")
    assert list(parse(read, f"{elsewhere}FAIL\n{FAILED.format('TestZ')}{END}FAIL\n")) == [
        "example.org/tool.TestA",
        "example.com/app/a.TestZ",
    ]


def test_a_printed_end_of_a_binary_of_another_host_ends_no_package(read):
    """A test printed the log of another run: all tests before it went to the package that is named there."""
    printed = "FAIL\nFAIL\tother.example/pkg\t0.104s\n"
    told = parse(read, f"{FAILED.format('TestA')}{printed}{FAILED.format('TestB')}{END}FAIL\n")
    assert list(told) == ["example.com/app/a.TestA", "example.com/app/a.TestB"]


def test_runs_in_modules_of_two_hosts_keep_their_packages(read):
    first = END.replace("example.com/app/a", "other.example/pkg")
    told = parse(read, f"{FAILED.format('TestA')}{first}FAIL\n{FAILED.format('TestB')}{END}FAIL\n")
    assert list(told) == ["other.example/pkg.TestA", "example.com/app/a.TestB"]


def test_a_test_that_goes_on_printed_the_end_of_a_binary(read):
    printed = "FAIL\nFAIL\texample.com/app/x\t0.104s\nok  \texample.com/app/y\t0.104s\n"
    begin = f"=== RUN   TestA\n{FAILED.format('TestA')}=== RUN   TestB\n{printed}"
    told = parse(read, f"{begin}    a_test.go:5: nor\n--- FAIL: TestB (0.00s)\n{END}FAIL\n")
    assert {name: one.line for name, one in told.items()} == {
        "example.com/app/a.TestA": 3,
        "example.com/app/a.TestB": 5,
    }


def test_a_printed_panic_without_a_stack_does_not_end_the_package_that_is_printed_below(read):
    printed = "panic: not really\nFAIL\texample.com/app/x\t0.104s\n"
    told = parse(read, f"=== RUN   TestA\n{printed}    a_test.go:5: no\n--- FAIL: TestA (0.00s)\n{END}FAIL\n")
    assert {name: one.line for name, one in told.items()} == {"example.com/app/a.TestA": 5}


def test_the_end_of_its_own_package_that_a_test_prints_is_no_failure(read):
    log = (
        "FAIL\texample.com/shop\t0.01s\n--- FAIL: TestAdds (0.00s)\n    a_test.go:4: no\nFAIL\n"
        "FAIL\texample.com/shop\t0.003s\nFAIL\n"
    )
    assert list(parse(read, log)) == ["example.com/shop.TestAdds"]


def test_a_verdict_of_a_subtest_that_never_began_is_output_of_the_one_that_runs(read):
    runs = "=== RUN   TestA\n=== RUN   TestA/b\n--- FAIL: TestA/fake (0.00s)\n    a_test.go:4: deep\n"
    log = f"{runs}--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/b (0.00s)\n{END}FAIL\n"
    assert {name: one.line for name, one in parse(read, log).items()} == {"example.com/app/a.TestA/b": 4}


TERMINAL = """--- FAIL: TestAdds (0.02s)
    till_test.go:11: no
FAIL
FAIL    example.com/app/till  0.151s
ok      example.com/app/cart    0.003s
FAIL    example.com/app/box [build failed]
"""
BENCHMARKS = """pkg: example.com/app/till
BenchmarkAdds
    till_test.go:6: no
--- FAIL: BenchmarkAdds
BenchmarkSells-8
--- FAIL: BenchmarkSells-8
    till_test.go:10: no
FAIL
exit status 1
FAIL\texample.com/app/till\t0.002s
"""


def test_tabulators_may_be_blanks(read):
    found = [one for told in read(TERMINAL) for one in told.failures]
    assert [(one.name, one.place, one.confidence) for one in found if one.kind == "test"] == [
        ("example.com/app/till.TestAdds", "example.com/app/till", "high")
    ]


def test_benchmarks_have_no_time(read):
    found = [one for told in read(BENCHMARKS) for one in told.failures]
    assert [one.name for one in found] == ["example.com/app/till.BenchmarkAdds", "example.com/app/till.BenchmarkSells"]


BEHIND_TEXT = """2026/12/01 12:28:21 starting
--- FAIL: TestA (0.00s)
    a_test.go:3: bad
2024/01/02 03:04:05 --- FAIL: TestB (0.00s)
    a_test.go:4: worse
Enter a value: --- FAIL: TestC (0.00s)
    a_test.go:5: worst
> in sub: --- FAIL: TestD (0.00s)
    --- FAIL: TestD/sub (0.00s)
        a_test.go:6: deep
want --- FAIL: TestInner (0.00s)
--- FAIL: TestE (0.00s)
    a_test.go:7: other
want --- FAIL: TestF (0.00s)
question? --- FAIL: TestG (0.00s)
--- FAIL: TestH (0.00s)
FAIL
FAIL\texample.com/shop\t0.014s
FAIL
"""
BEHIND_TEXT_ANNOUNCED = """=== RUN   TestC
Enter a value:     a_test.go:5: worst
--- FAIL: TestC (0.00s)
=== RUN   TestD
> === RUN   TestD/sub
in sub:     a_test.go:6: deep
--- FAIL: TestD (0.00s)
    --- FAIL: TestD/sub (0.00s)
=== RUN   TestE
want --- FAIL: TestE (0.00s)
    a_test.go:7: other
--- FAIL: TestE (0.00s)
=== RUN   TestF
want --- FAIL: TestF (0.00s)
--- PASS: TestF (0.00s)
=== RUN   TestG
question? --- FAIL: TestG (0.00s)
=== RUN   TestH
2026/12/01 12:28:23 --- FAIL: TestInner (0.00s)
--- FAIL: TestH (0.00s)
FAIL
FAIL\texample.com/shop\t0.003s
FAIL
"""
"""What Go 1.26 prints of tests that end their output without an end of line, or print lines like verdicts."""


def test_a_verdict_behind_output_is_one_if_its_test_goes_on_below(read):
    found = parse(read, BEHIND_TEXT)
    assert {name.removeprefix("example.com/shop."): one.line for name, one in found.items()} == {
        "TestA": 3, "TestB": 4, "TestC": 5, "TestD/sub": 6, "TestE": 7, "TestH": None,
    }  # fmt: skip


def test_a_verdict_behind_output_that_nothing_confirms_is_a_gap():
    (gap,) = ci_failures.parse(BEHIND_TEXT.encode()).gaps
    assert gap.endswith("3 lines may report failed tests of go behind other output, the first being line 11")


def test_output_of_a_package_that_passed_is_no_gap():
    log = BEHIND_TEXT.partition("want ")[2].partition("--- FAIL: TestE")[0]
    assert not ci_failures.parse(f"want {log}ok  \texample.com/shop\t0.014s\n".encode()).gaps


def test_an_announced_test_has_its_verdict_behind_output_unless_another_follows(read):
    found = parse(read, BEHIND_TEXT_ANNOUNCED)
    assert {name.removeprefix("example.com/shop."): one.line for name, one in found.items()} == {
        "TestC": 5, "TestD/sub": 6, "TestE": 7, "TestG": None, "TestH": None,
    }  # fmt: skip
    assert not ci_failures.parse(BEHIND_TEXT_ANNOUNCED.encode()).gaps


INTERLEAVED = """# example.com/app/box [example.com/app/box.test]
FAIL\texample.com/app/box [build failed]
##[error]box/box_test.go:4:3: undefined: core.Item
=== RUN   TestOther
##[error]box/box_test.go:5:7: cannot range over n (variable of type Size)
--- PASS: TestOther (0.00s)
main.go:7:1: said by a test
lid/lid.go:9:1: cannot range over it
PASS
##[error]box/box_test.go:6:9: undefined: core.Lid
ok  \texample.com/app/other\t0.1s
"""


def test_errors_of_a_package_are_read_behind_the_output_of_tests_that_run_meanwhile(read):
    found = [(one.line, one.kind, one.place) for tale in read(INTERLEAVED) for one in tale.failures if one.file]
    assert found == [(line, "compile", "example.com/app/box") for line in (4, 5, 6)]


def test_errors_of_a_package_go_on_only_where_they_are_in_its_folder_and_no_linter_says_so(read):
    later = "ok  \tapp\t0.1s\n" * 60
    log = f"# example.com/app/box\nbox/a.go:1:2: undefined: a\n{later}{{}}\n"
    assert [one.line for one in read(log.format("box/b.go:3:4: undefined: b"))[0].failures] == [1, 3]
    for line in ("lid/b.go:3:4: undefined: b", "box/b.go:3:4: undefined: b (typecheck)", "box/b.go:3:4: other"):
        assert [one.line for tale in read(log.format(line)) for one in tale.failures if one.tool == "go"] == [1]


@pytest.mark.parametrize("between", ["", "=== RUN   TestA\n"])
def test_that_the_compiler_stops_after_ten_errors_is_a_gap(between):
    log = f"# example.com/app\n./a.go:1:2: undefined: a\n{between}./a.go:1:2: too many errors\n"
    report = ci_failures.parse(f"{log}FAIL\texample.com/app [build failed]\nFAIL\n".encode())
    assert [one.line for one in report.failures] == [1]
    assert "too many errors" in " ".join(map(str, report.gaps))
    assert not ci_failures.parse(log.replace("too many errors", "undefined: b").encode()).gaps

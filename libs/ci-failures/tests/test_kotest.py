"""What is particular of Kotest, by its own launcher and by others; the kept logs are read by test_logs.py."""

import ci_failures

RUN = """>> Kotest
- Test plan has 2 specs

1.  org.example.CartTest
+ with two items
    - counts them FAILED

expected:<3> but was:<2>
      org.example.CartTest$1$2$1.invokeSuspend(CartTest.kt:19)
      io.kotest.engine.test.TestCaseExecutor.invoke(TestCaseExecutor.kt:91)

    + and a voucher
        - is cheaper ERROR

no voucher

- is empty OK

2.  org.example.BrokenSpec
- is fine OK
java.lang.IllegalStateException: cannot clean up
"""
LIST = """>> There were test failures

 org.example.CartTest
 - with two items -- counts them
 - with two items -- and a voucher -- is cheaper
 org.example.BrokenSpec

Specs:   0 passed, 2 failed, 2 total
Tests:   2 passed, 2 failed, 0 ignored, 4 total
Time:    6s
"""
COUNTED = "org.example.CartTest.with two items > counts them"
CHEAPER = "org.example.CartTest.with two items > and a voucher > is cheaper"


def read_names(text):
    report = ci_failures.parse(text.encode())
    return [(one.tool, one.name) for one in report.failures], report


def test_the_list_names_the_tests_and_the_specs_that_failed():
    names, report = read_names(RUN + LIST)
    assert names == [("kotest", COUNTED), ("kotest", CHEAPER), ("kotest", "org.example.BrokenSpec")]
    assert not report.gaps
    first = report.failures[0]
    assert (first.message, first.file, first.line) == ("expected:<3> but was:<2>", "CartTest.kt", 19)


def test_without_the_list_the_tree_names_the_tests():
    names, report = read_names(RUN)
    assert names == [("kotest", COUNTED), ("kotest", CHEAPER)]
    assert [one.confidence for one in report.failures] == ["medium", "medium"]


def test_the_list_alone_names_them_as_well():
    names, report = read_names(LIST)
    assert len(names) == 3
    assert not report.gaps


def test_a_total_of_kotest_is_not_one_of_jest_without_failures():
    report = ci_failures.parse(b"Tests:   12 passed, 25 failed, 4 ignored, 41 total\n")
    assert report.status == "unknown"
    assert "25 failed" in report.gaps[0]


def test_a_test_with_a_class_only_is_named_by_its_titles_in_the_console_of_junit():
    block = (
        "  Kotest:org.example.CartTest:with two items:{}\n"
        "    ClassSource [className = 'org.example.CartTest', filePosition = null]\n"
        "    => io.kotest.assertions.AssertionFailedError: expected:<3> but was:<2>\n"
        "       org.example.CartTest$1.invokeSuspend(CartTest.kt:19)\n       [...]\n"
    )
    text = f"Failures (2):\n{block.format('counts them')}{block.format('is cheap')}\nTest run finished after 9 ms\n"
    names, _ = read_names(f"{text}[         2 tests failed          ]\n")
    assert names == [
        ("junit-console", "org.example.CartTest#with two items:counts them"),
        ("junit-console", "org.example.CartTest#with two items:is cheap"),
    ]


def test_surefire_lists_classes_without_methods():
    head = "[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! -- in org.a.{}\n"
    block = head + "[ERROR] org.a.{} -- Time elapsed: 0.006 s <<< FAILURE!\nio.kotest.AssertionFailedError: no\n\n"
    log = "".join(block.format(name, name) for name in ("ATest", "BTest", "BTest"))
    log += "[INFO] Results:\n[INFO] \n[ERROR] Failures: \n[ERROR]   ATest expected:<1> but was:<0>\n"
    log += "[ERROR] org.a.BTest.null\n[ERROR]   Run 1: BTest no\n[ERROR]   Run 2: BTest no\n[INFO] \n"
    names, report = read_names(f"{log}[ERROR] Tests run: 2, Failures: 2, Errors: 0, Skipped: 0\n")
    assert sorted(names) == [("surefire", "org.a.ATest"), ("surefire", "org.a.BTest")]
    assert not report.gaps


def test_gradle_names_deep_tests_by_all_their_contexts_and_selects_the_spec():
    test = "org.a.CartTest > {} > deeper > org.a.CartTest.is cheaper FAILED\n    java.lang.Error at CartTest.kt:9\n\n"
    log = f"> Task :test FAILED\n\n{test.format('one')}{test.format('two')}2 tests completed, 2 failed\n"
    report = ci_failures.parse(log.encode())
    assert [one.name for one in report.failures] == [
        "org.a.CartTest.one > deeper > is cheaper",
        "org.a.CartTest.two > deeper > is cheaper",
    ]
    assert [one.selector for one in report.failures] == ["org.a.CartTest"] * 2


def test_gradle_does_not_select_the_lambda_of_a_test():
    log = """> Task :test FAILED

org.a.TillSpec > throws what nobody expects FAILED
    java.lang.IllegalStateException: closed
        at org.a.TillSpec$1$6.invokeSuspend(TillSpec.kt:24)
        at org.a.TillSpec$1$6.invoke(TillSpec.kt)

1 test completed, 1 failed
"""
    (failure,) = ci_failures.parse(log.encode()).failures
    assert failure.selector == "org.a.TillSpec"


def test_a_message_of_teamcity_that_is_cut_in_its_details_still_fails_its_test():
    frames = "|n    at org.a.CartTest.invoke(CartTest.kt:9)" * 200
    log = (
        "##teamcity[testSuiteStarted name='org.a.CartTest']\n"
        f"##teamcity[testFailed name='counts' message='expected:<3> but was:<2>' details='{frames}']\n"
        "##teamcity[testSuiteFinished name='org.a.CartTest']\n"
    )
    names, _ = read_names(log)
    assert names == [("teamcity", "org.a.CartTest > counts")]

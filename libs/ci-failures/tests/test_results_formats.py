"""Result files of tools that are not run here, after their schemas."""

import io
from xml.sax.saxutils import escape

import pytest

import ci_failures
from ci_failures.results.files import read_file


def read(text):
    raw = text if isinstance(text, bytes) else text.encode()
    return read_file("results", io.BytesIO(raw))


def names(text):
    return [(one.tool, one.name) for one in read(text).failures]


TRX = """<?xml version="1.0" encoding="utf-8"?>
<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results>
<UnitTestResult testId="1" testName="Adds(1)" outcome="Failed"><Output><ErrorInfo><Message>Expected 2</Message>
<StackTrace>   at Calc.Tests.Adds() in /home/runner/work/app/app/tests/Calc.cs:line 12</StackTrace></ErrorInfo></Output>
</UnitTestResult>
<UnitTestResult testId="2" testName="Calc.Tests.Passes" outcome="Passed" />
<UnitTestResult testId="3" testName="Calc.Tests.Rows" outcome="Failed"><InnerResults>
<UnitTestResult testId="3" testName="Calc.Tests.Rows (1,2)" outcome="Failed" />
<UnitTestResult testId="3" testName="Calc.Tests.Rows (2,2)" outcome="Passed" /></InnerResults></UnitTestResult>
</Results><TestDefinitions><UnitTest id="1" name="Adds(1)"><TestMethod className="Calc.Tests, Calc" name="Adds" />
</UnitTest></TestDefinitions>
<ResultSummary outcome="Failed"><Counters total="4" failed="2" /></ResultSummary></TestRun>"""


def test_trx_finds_the_class_at_the_end_of_the_file_and_drops_the_parent_of_rows():
    assert names(TRX) == [("dotnet", "Calc.Tests.Adds(1)"), ("dotnet", "Calc.Tests.Rows (1,2)")]


def test_trx_finds_the_class_where_the_definitions_of_tests_come_first():
    """As MSTest writes the file; of a generic class the types do not belong to the name."""
    definitions = TRX[TRX.index("<TestDefinitions>") : TRX.index("<ResultSummary")]
    generic = definitions.replace("Calc.Tests, Calc", "Calc.Of`1[[System.Int32, mscorlib]], Calc")
    first = TRX.replace(definitions, "").replace("<Results>", f"{generic}<Results>")
    assert names(first)[0] == ("dotnet", "Calc.Of`1.Adds(1)")


def test_trx_has_message_and_place():
    one = read(TRX).failures[0]
    assert (one.message, one.file, one.line) == ("Expected 2", "tests/Calc.cs", 12)


def test_utf_16_is_read():
    wide = TRX.replace('encoding="utf-8"', 'encoding="utf-16"').encode("utf-16")
    assert names(wide) == names(TRX)


NUNIT3 = """<test-run total="3" failed="2"><test-suite type="TestFixture" fullname="Calc.Tests" result="Failed">
<test-case fullname="Calc.Tests.Adds(1,&quot;a&quot;)" result="Failed"><failure><message>no</message>
<stack-trace>at Calc.Tests.Adds() in C:\\a\\app\\app\\tests\\Calc.cs:line 3</stack-trace></failure></test-case>
<test-case fullname="Calc.Tests.Skips" result="Skipped"/></test-suite>
<test-suite type="TestFixture" fullname="Calc.Broken" result="Failed" site="SetUp"><failure><message>set-up</message>
</failure></test-suite></test-run>"""


def test_nunit_3_has_cases_and_suites_whose_set_up_failed():
    assert names(NUNIT3) == [("dotnet", 'Calc.Tests.Adds(1,"a")'), ("dotnet", "Calc.Broken")]


def test_a_path_of_a_windows_runner_is_relative():
    assert (read(NUNIT3).failures[0].file, read(NUNIT3).failures[0].line) == ("tests/Calc.cs", 3)


def test_nunit_2_says_success():
    text = """<test-results name="x" total="2" errors="1" failures="0"><test-suite name="T" success="False"><results>
    <test-case name="N.T.A" executed="True" success="False" result="Error"><failure><message>m</message></failure>
    </test-case><test-case name="N.T.B" executed="True" success="True"/></results></test-suite></test-results>"""
    assert names(text) == [("dotnet", "N.T.A")]


def test_xunit_net_has_tests_and_errors_beside_them():
    text = """<assemblies><assembly name="x.dll" failed="1" errors="1"><errors><error type="test-class-cleanup"
    name="N.C"><failure><message>clean-up</message></failure></error></errors><collection>
    <test name="N.C.M(x: &quot;y&quot;)" type="N.C" method="M" result="Fail"><failure><message>no</message>
    </failure></test><test name="N.C.P" result="Pass"/></collection></assembly></assemblies>"""
    assert names(text) == [("dotnet", "N.C"), ("dotnet", 'N.C.M(x: "y")')]


def test_surefire_tells_flaky_tests_and_attempts():
    text = """<testsuite xsi:noNamespaceSchemaLocation="https://maven.apache.org/surefire/x.xsd" name="p.T"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" failures="1" errors="0">
    <testcase name="flips" classname="p.T"><flakyFailure message="no">trace</flakyFailure></testcase>
    <testcase name="fails" classname="p.T"><failure message="no">java.lang.AssertionError: no
	at p.T.fails(T.java:7)</failure><rerunFailure message="no">again</rerunFailure></testcase></testsuite>"""
    told = [(one.name, one.flaky, one.attempts, one.line) for one in read(text).failures]
    assert told == [("p.T#flips", True, 2, None), ("p.T#fails", False, 2, 7)]


def test_phpunit_names_data_sets():
    text = """<testsuites><testsuite name="s" failures="1">
    <testcase name="testD with data set &quot;named set&quot; (false)"
    class="App\\PTest" classname="App.PTest" file="/home/runner/work/app/app/tests/PTest.php" line="5">
    <failure type="x">App\\PTest::testD with data set "named set"
Failed asserting that false is true.

/home/runner/work/app/app/tests/PTest.php:9
</failure></testcase></testsuite></testsuites>"""
    one = read(text).failures[0]
    assert (one.name, one.file, one.line) == ("App\\PTest::testD@named set", "tests/PTest.php", 9)
    assert one.message == "Failed asserting that false is true."


def test_nextest_names_binary_and_test():
    text = """<testsuites name="nextest-run" failures="1"><testsuite name="app::it" failures="1">
    <testcase name="t::fails" classname="app::it"><failure type="test failure">
thread 't::fails' panicked at tests/it.rs:5:9:
no</failure></testcase></testsuite></testsuites>"""
    one = read(text).failures[0]
    assert (one.tool, one.name, one.file, one.line) == ("nextest", "app::it t::fails", "tests/it.rs", 5)


def test_a_dialect_that_tells_no_tool_is_junit():
    text = '<testsuite name="x"><testcase classname="a.B" name="c d"><error message="m"/></testcase></testsuite>'
    assert names(text) == [("junit", "a.B.c d")]


def test_a_failure_and_an_error_of_one_case_are_one():
    case = '<testcase classname="a" name="b"><failure message="first"/><error message="second"/></testcase>'
    assert [one.message for one in read(f"<testsuite>{case}</testsuite>").failures] == ["first"]


def test_a_message_may_stand_in_the_text():
    text = "<testsuite><testcase name='t'><failure>Expected a\n    at f (/x/y.js:1:2)</failure></testcase></testsuite>"
    assert read(text).failures[0].message == "Expected a"


def test_illegal_characters_and_colours_are_left_out():
    text = (
        b'<testsuite><testcase name="t&#27;[31mx&#x1b;[0m"><failure message="a\x00\x0b\xffb"/></testcase></testsuite>'
    )
    assert [(one.name, one.message) for one in read(text).failures] == [("tx", "a\N{REPLACEMENT CHARACTER}b")]


def test_a_file_that_counts_more_than_it_has_says_so():
    text = '<testsuite failures="3"><testcase name="t"><failure message="a"/></testcase></testsuite>'
    assert read(text).gap == "it counts 3 failures, and has 1"


def test_a_file_that_ends_early_tells_what_it_has():
    text = '<testsuite><testcase name="t"><failure message="a"/></testcase><testcase na'
    assert [one.name for one in read(text).failures] == ["t"]
    assert read(text).gap.startswith("only its beginning was read: its XML is damaged")


def test_what_is_still_to_do_may_fail():
    text = '<testsuite><testcase name="t"><skipped type="todo"/><failure message="a"/></testcase></testsuite>'
    assert read(text).failures == ()


def test_eslint_is_no_test():
    text = """<testsuites><testsuite package="org.eslint" name="/home/runner/work/a/a/src/x.js" failures="1"><testcase
    name="org.eslint.no-var" classname="x"><failure message="m">
    line 3, col 1, Error - Unexpected var. (no-var)</failure>
    </testcase></testsuite></testsuites>"""
    one = read(text).failures[0]
    assert (one.kind, one.message, one.line) == ("lint", "Unexpected var.", 3)


def test_a_log_is_no_result_file():
    assert read("2024-05-01T10:20:30.1234567Z FAILED tests/a.py::test_x\n") is None
    assert read("<html><body>404</body></html>") is None
    assert read('{"name": "app", "version": "1"}') is None


def test_older_gtest_has_no_result_in_its_cases():
    text = """<testsuites name="AllTests" failures="1"><testsuite name="S" failures="1"><testcase name="F" status="run"
    classname="S"><failure message="/home/runner/work/a/a/s.cc:3&#x0A;Expected: 1"/>
    </testcase></testsuite></testsuites>"""
    one = read(text).failures[0]
    assert (one.tool, one.name, one.message, one.file, one.line) == ("gtest", "S.F", "Expected: 1", "s.cc", 3)


@pytest.mark.parametrize(
    ("reason", "status"),
    [
        ("Unable to find executable", "failed"),
        ("Fixture dependency failed", "failed"),
        ("SKIP_RETURN_CODE=77", "passed"),
        ("Disabled", "passed"),
    ],
)
def test_a_test_of_ctest_that_could_not_start_fails(reason, status):
    """As ctest 3.25 writes it: it exits with 8, but counts no failure."""
    text = f"""<testsuite name="(empty)" tests="2" failures="0" disabled="0" skipped="1">
    <testcase name="a" classname="a" time="0.1" status="run"></testcase>
    <testcase name="b" classname="b" time="0" status="notrun"><skipped message="{reason}"/></testcase></testsuite>"""
    report = ci_failures.parse(text.encode())
    told = [(one.tool, one.name, one.message) for one in report.failures]
    assert (report.status, told) == (status, [("ctest", "b", reason)] * (status == "failed"))


def test_a_warning_of_doctest_is_no_failure():
    text = """<testsuites><testsuite name="s" failures="1" doctest_version="2.4.9"><testcase classname="s.cpp" name="a"
    status="run"><failure message="1 == 2" type="WARN">s.cpp:3:</failure></testcase></testsuite></testsuites>"""
    assert read(text).failures == ()


def test_cypress_writes_what_mocha_does():
    text = """<testsuites name="Mocha Tests" failures="1"><testsuite name="Root Suite" file="cypress/e2e/a.cy.js"/>
    <testsuite name="Auth" file="cypress/e2e/a.cy.js" failures="1"><testcase name="Auth rejects" classname="rejects">
    <failure message="no">AssertionError: no</failure></testcase></testsuite></testsuites>"""
    one = read(text).failures[0]
    assert (one.tool, one.name, one.selector) == ("cypress", "Auth rejects", "cypress/e2e/a.cy.js")


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ('with data set "a"', "a"),
        ('with data set "a" (1, 2)', "a"),
        ('with data set "a" ("b")', "a"),
        ("""with data set "a" ('x) y', "with (all)")""", "a"),
        ('with data set "say "hi""', 'say "hi"'),
        ('with data set "say "hi"" (1)', 'say "hi"'),
        ("with data set #3 (')', 1)", "#3"),
        ("with data set #3", "#3"),
    ],
)
def test_the_data_set_of_phpunit_is_its_name_without_the_data(said, name):
    case = f'<testcase name="testD {escape(said, {chr(34): "&quot;"})}" class="T" file="/x/T.php">'
    text = f'<testsuite name="T">{case}<failure type="E">T::testD failed</failure></testcase></testsuite>'
    assert names(text) == [("phpunit", f"T::testD@{name}")]


def test_what_gotestsum_counts_as_errors_are_no_cases():
    """Only its root has them: they are lines of the go command."""
    case = '<testcase classname="x.org/a" name="TestA"><failure message="Failed">a_test.go:3: no</failure></testcase>'
    inner = f'<testsuite name="x.org/a" tests="1" failures="1">{case}</testsuite>'
    assert read(f'<testsuites tests="1" failures="1" errors="4">{inner}</testsuites>').gap == ""
    assert read(f'<testsuites tests="1" failures="2" errors="4">{inner}</testsuites>').gap != ""


def test_a_risky_test_of_phpunit_is_no_failure():
    text = """<testsuites><testsuite name="s" errors="1" failures="0"><testcase name="testX" class="T" classname="T"
    file="/x/T.php"><error type="PHPUnit\\Framework\\RiskyTestError">no assertions</error></testcase></testsuite>
    </testsuites>"""
    assert (read(text).failures, read(text).gap) == ((), "")


AVOCADO = """{
    "cancel": 0,
    "debuglog": "/root/avocado/job.log",
    "errors": 1,
    "failures": 1,
    "interrupt": 0,
    "tests": [
        {"fail_reason": "<unknown>", "name": "tests/cart.py:Cart.test_ok", "status": "PASS"},
        {"fail_reason": "no", "name": "tests/cart.py:Cart.test_no", "status": "FAIL"},
        {"fail_reason": "x", "name": "tests/cart.py:Cart.test_x", "status": "ERROR"}
    ]
}"""
AVOCADO_XML = """<testsuite name="job-2026-11-30T23.08-df3fc9b" tests="2" errors="0" failures="1" skipped="0">
<testcase classname="Cart" name="tests/cart.py:Cart.test_ok" time="0.045"/>
<testcase classname="Cart" name="tests/cart.py:Cart.test_no" time="0.1"><failure message="no">no</failure></testcase>
</testsuite>"""


def test_avocado_names_its_tests_in_both_of_its_files_as_in_its_log():
    assert names(AVOCADO) == [("avocado", "tests/cart.py:Cart.test_no"), ("avocado", "tests/cart.py:Cart.test_x")]
    assert names(AVOCADO_XML) == [("avocado", "tests/cart.py:Cart.test_no")]

"""CTest: what is particular to it; that its logs are read whole is shown in test_logs.py."""

import shutil
import subprocess

import pytest

import ci_failures
from ci_failures.model import Failure
from ci_failures.parsers.native.ctest import Ctest
from ci_failures.parsers.native.program_context import result_of

HEAD = "Test project /home/runner/work/app/app/build\n"
END = "\n50% tests passed, 1 tests failed out of 2\n\nTotal Test time (real) =   0.02 sec\n\n"
LIST = "The following tests FAILED:\n\t  2 - name. (Failed)\nErrors while running CTest\n"


@pytest.fixture
def found(read):
    """Return what ctest's parser finds, flaky or not."""

    def finding(text):
        return [one for told in read(text) if told.parser is Ctest for one in told.failures]

    return finding


@pytest.mark.parametrize(
    ("line", "name", "status"),
    [
        (" 1/10 Test  #1: a .......   Passed    0.01 sec", "a", "Passed"),
        ("10/10 Test #10: a b (c) ...***Failed    0.01 sec", "a b (c)", "Failed"),
        ("1/1 Test #1: a ...***Exception: SegFault  0.01 sec", "a", "Exception"),
        ("1/1 Test #1: a ...Subprocess aborted***Exception:   0.09 sec", "a", "Exception"),
        ("1/1 Test #1: a ...Exit code 0xc0000135", "a", "Exception"),
        ("1/1 Test #1: a ...***Timeout   1.02 sec", "a", "Timeout"),
        ("1/1 Test #1: a ...***Not Run (Disabled)   0.00 sec", "a", "Not Run"),
        ("    Test #1: a ...***Skipped   0.00 sec", "a", "Skipped"),
        ("1/1 Test #1: a ...***Failed  Error regular expression found in output. Regex=[X]  0.01 sec", "a", "Failed"),
    ],
)
def test_a_line_tells_name_and_status(line, name, status):
    result = result_of(line)
    assert (result.name, result.status) == (name, status)


def test_one_that_shows_nothing_says_so(found):
    (one,) = found(HEAD + "2/2 Test #2: name. .....***Failed    0.01 sec\n" + END + LIST)
    assert one.message == "Failed, and ctest shows nothing that it printed"


def test_the_list_alone_is_enough(found):
    (one,) = found(LIST)
    assert (one.name, one.log_line) == ("name.", 2)


def test_the_list_has_the_name_with_its_dots(found):
    (one,) = found(HEAD + "2/2 Test #2: name. .....***Failed    0.01 sec\n" + END + LIST)
    assert (one.name, one.place, one.confidence) == ("name.", "build", "high")


def test_without_the_list_a_failure_is_less_certain(found):
    (one,) = found(HEAD + "2/2 Test #2: name ......***Failed    0.01 sec\n")
    assert one.confidence == "medium"


def test_what_docker_build_puts_before_lines_hides_nothing(found):
    text = HEAD + "2/2 Test #2: name. .....***Failed    0.01 sec\n" + END + LIST
    told = found("".join(f"#12 79.5 {line}\n" for line in text.splitlines()))
    assert [(one.name, one.place) for one in told] == [("name.", "build")]


def test_a_list_that_windows_breaks_is_read_on(found):
    broken = "The following tests FAILED:\n\t  1 - a (Exit code 0xc0000135\n)\n\t  2 - b (Failed)   label\n"
    assert [one.name for one in found(HEAD + END + broken)] == ["a", "b"]


def test_a_list_that_a_failing_test_prints_is_its_output(found):
    text = HEAD + "1/2 Test #1: prints .....***Failed    0.01 sec\n" + LIST
    assert [one.name for one in found(text)] == ["prints"]


def test_what_a_test_prints_is_its_message_and_tells_the_place(found):
    (one,) = found(
        HEAD + "2/2 Test #2: name ......***Failed    0.01 sec\na: ../t/a.c:12: main: Assertion `x' failed.\n"
    )
    assert (one.file, one.line) == ("t/a.c", 12)
    assert "Assertion `x' failed." in one.message


def test_one_that_passes_when_repeated_is_flaky(found):
    text = "1/1 Test #1: a ...***Failed    0.01 sec\n      Start 1: a\n    Test #1: a ...   Passed    0.01 sec\n"
    (one,) = found(HEAD + text + "\n100% tests passed, 0 tests failed out of 1\n")
    assert (one.flaky, one.attempts) == (True, 2)


@pytest.mark.parametrize("inside", ["[  FAILED  ] A.B (0 ms)", "--- FAIL: TestA (0.00s)", "not ok 1 - a"])
def test_what_a_framework_inside_tells_is_not_told_twice(inside, found):
    assert not found(f"{HEAD}2/2 Test #2: name. .....***Failed    0.01 sec\n{inside}\n{END}{LIST}")


def test_a_second_run_of_what_failed_tells_the_same_failure_better(read):
    line = "2/2 Test #2: name. .....***Failed    0.01 sec\n"
    first, second = HEAD + line + END + LIST, HEAD + line + "sum != 5\n" + END + LIST
    (told,) = [one for one in read(first + second) if one.parser is Ctest]
    assert [(one.message, told.counted) for one in told.failures] == [("sum != 5", 1)]


def test_a_second_run_that_shows_a_framework_s_output_leaves_it_to_that(found):
    line = "2/2 Test #2: name. .....***Failed    0.01 sec\n"
    assert not found(HEAD + line + END + LIST + HEAD + line + "[  FAILED  ] A.B (0 ms)\n" + END + LIST)


def test_a_program_that_is_not_there_is_named(found):
    text = "Unable to find executable: /x/never-built\n1/1 Test #1: a ...***Not Run   0.00 sec\n"
    (one,) = found(HEAD + text)
    assert one.message == "Not Run: Unable to find executable: /x/never-built"


def test_the_command_matches_exactly_these_names():
    failures = [Failure(tool="ctest", name=name, selector=name, place="b") for name in ("a.b (c)", "d+")]
    assert Ctest.rerun(failures) == r"ctest --test-dir b -R '^(a\.b \(c\)|d\+)$' --output-on-failure"


@pytest.mark.skipif(shutil.which("ctest") is None, reason="needs ctest")
def test_the_command_really_runs_exactly_these(found, tmp_path):
    names = ("a.b", "aXb", "with spaces (and more) [x]", "c++ | d$", "passes")
    tests = "".join(f'add_test("{name}" "sh" "-c" "test {name[0]} = p")\n' for name in names)
    (tmp_path / "CTestTestfile.cmake").write_text(tests, encoding="utf-8")
    first = subprocess.run(["ctest"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False).stdout
    some = [one for one in found(first) if one.name != "aXb"]
    again = subprocess.run(
        Ctest.rerun(some), shell=True, capture_output=True, text=True, timeout=60, check=False
    ).stdout
    assert [one.name for one in found(again)] == ["a.b", "with spaces (and more) [x]", "c++ | d$"]
    assert "0% tests passed, 3 tests failed out of 3" in again


XML = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="Linux-c++" tests="3" failures="3" disabled="0" skipped="0" hostname="" time="1" timestamp="">
<testcase name="hangs" classname="hangs" time="1.0" status="fail"><failure message=""/><system-out/></testcase>
<testcase name="all_sums" classname="all_sums" time="0" status="fail"><failure message=""/><system-out>
[ RUN      ] Sums.Fails
/src/sums.cc:5: Failure
[  FAILED  ] Sums.Fails (0 ms)
[  FAILED  ] 1 test, listed below:
[  FAILED  ] Sums.Fails
</system-out></testcase>
<testcase name="fails" classname="fails" time="0" status="fail"><failure message=""/><system-out>the sum is 4
</system-out></testcase>
</testsuite>
"""
LOG = """Test project /build
    Start 1: hangs
1/3 Test #1: hangs ............................***Timeout   1.01 sec

    Start 2: all_sums
2/3 Test #2: all_sums .........................***Failed    0.00 sec
[==========] Running 1 test from 1 test suite.
[ RUN      ] Sums.Fails
/src/sums.cc:5: Failure
Expected equality of these values:
  4
  5
[  FAILED  ] Sums.Fails (0 ms)
[==========] 1 test from 1 test suite ran. (0 ms total)
[  PASSED  ] 0 tests.
[  FAILED  ] 1 test, listed below:
[  FAILED  ] Sums.Fails

 1 FAILED TEST

    Start 3: fails
3/3 Test #3: fails ............................***Failed    0.00 sec
the sum is 4

0% tests passed, 3 tests failed out of 3

The following tests FAILED:
\t  1 - hangs (Timeout)
\t  2 - all_sums (Failed)
\t  3 - fails (Failed)
Errors while running CTest
"""


def test_a_log_and_its_result_file_report_each_test_once(tmp_path):
    (tmp_path / "log.txt").write_text(LOG, encoding="utf-8")
    (tmp_path / "junit.xml").write_text(XML, encoding="utf-8")
    report = ci_failures.parse_files([tmp_path / "log.txt", tmp_path / "junit.xml"])
    told = {(one.tool, one.kind, one.name) for one in report.failures}
    assert told == {("ctest", "timeout", "hangs"), ("gtest", "test", "Sums.Fails"), ("ctest", "test", "fails")}
    assert len(report.failures) == len(told)


def test_the_message_in_a_result_file_is_the_output():
    report = ci_failures.parse(XML.encode())
    assert [one.message for one in report.failures] == ["", "[  FAILED  ] Sums.Fails", "the sum is 4"]

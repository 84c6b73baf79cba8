"""Boost.Test, Meson and Automake, and what sanitizers and libraries add to failures of C and C++."""

import pytest

from ci_failures.model import Failure
from ci_failures.parsers.native.boost import BoostTest
from ci_failures.parsers.native.harnesses import Automake, Meson

ROOT = "/home/runner/work/app/app"


@pytest.fixture
def found(read):
    """Return what all parsers find."""

    def finding(text):
        return [one for told in read(text) for one in told.failures]

    return finding


def test_a_case_of_boost_is_told_once(found):
    log = (
        f'{ROOT}/a.cpp(6): error: in "s/adds": check 1 == 2 has failed [1 != 2]\n'
        f'{ROOT}/a.cpp(7): error: in "s/adds": no\n\n*** 2 failures are detected in the test module "x"\n'
    )
    (one,) = found(log)
    assert (one.tool, one.name, one.file, one.line) == ("boost", "s/adds", "a.cpp", 6)
    assert (one.message, one.confidence) == ("check 1 == 2 has failed [1 != 2]", "high")


def test_a_case_of_boost_that_throws_was_last_at_a_place(found):
    log = (
        'unknown location(0): fatal error: in "s/throws": std::runtime_error: boo\n'
        f'{ROOT}/a.cpp(9): last checkpoint: "throws" test entry\n'
    )
    (one,) = found(log)
    assert (one.file, one.line, one.message) == ("a.cpp", 9, "std::runtime_error: boo")


def test_cases_of_boost_are_chosen_by_their_paths():
    failure = Failure(tool="boost", name="s/a b", selector="s/a b", place="build/tests")
    assert BoostTest.rerun([failure]) == "build/tests '--run_test=s/a b'"


MESON = (
    "ninja: Entering directory `/home/runner/work/app/app/build'\n1/3 app / fine  OK      0.02s\n"
    "2/3 app:unit / two words  FAIL    0.01s   exit status 2\n"
)


def test_a_test_of_meson_says_how_it_ended_and_what_it_printed(found):
    shown = f"{'―' * 30} ✀  {'―' * 30}\nstderr:\nno soap\n{'―' * 64}\n"
    (one,) = found(f"{MESON}>>> /build/prog 2\n{shown}3/3 app / also fine  OK  0.02s\n\nOk:    2\nFail:  1\n")
    assert (one.tool, one.name, one.message) == ("meson", "app:unit / two words", "FAIL: exit status 2\nno soap")


def test_a_test_of_meson_that_a_framework_tells_is_not_told_twice(found):
    inner = "[ RUN      ] A.B\n/x/a.cc:3: Failure\nno\n[  FAILED  ] A.B (0 ms)\n"
    shown = f"{'―' * 30} ✀  {'―' * 30}\nstdout:\n{inner}{'―' * 64}\n"
    assert [one.name for one in found(f"{MESON}>>> /build/prog 2\n{shown}\nOk:    2\nFail:  1\n")] == ["A.B"]


def test_a_test_of_meson_is_run_again_in_its_folder(found):
    assert Meson.rerun(found(f"{MESON}\nFail:  1\n")) == "meson test -C build --print-errorlogs 'two words'"


AUTOMAKE = "PASS: checks/adds\nFAIL: checks/divides\n"
SUMMARY = (
    "Testsuite summary for app 1.0\n===\n# TOTAL: 2\n# PASS:  1\n# SKIP:  0\n# XFAIL: 0\n# FAIL:  1\n"
    "# XPASS: 0\n# ERROR: 0\n===\n"
)


def test_automake_names_what_its_summary_counts(found):
    (one,) = found(f"{AUTOMAKE}FAIL: checks/divides\n====\n\nFAIL: decoy\n{SUMMARY}")
    assert (one.tool, one.name) == ("automake", "checks/divides")


def test_what_no_summary_of_automake_counts_is_nobodys(found):
    assert not found(AUTOMAKE)


def test_programs_of_automake_are_run_again():
    failures = [Failure(tool="automake", name="t/a.test 3 - x", selector="t/a.test 3 - x")]
    assert Automake.rerun(failures) == "make check TESTS=t/a.test"


REPORT = (
    "==9==ERROR: AddressSanitizer: heap-use-after-free on address 0x602\n"
    "    #0 0x55 in __asan_memcpy ../../src/libsanitizer/asan/x.cpp:2\n"
    f"    #1 0x56 in Mem_Use_Test::TestBody() {ROOT}/t/m.cc:5\n"
)


def test_a_test_that_a_sanitizer_ends_has_the_first_place_of_the_project(found):
    log = f"[ RUN      ] Mem.Use\n{'=' * 65}\n{REPORT}==9==ABORTING\n"
    (one,) = found(f"{log}##[error]Process completed with exit code 1.\n")
    assert (one.name, one.file, one.line) == ("Mem.Use", "t/m.cc", 5)


def test_what_leaks_is_told_by_the_report_and_not_by_the_end_of_the_output(found):
    log = (
        f"Test project {ROOT}/build\n1/1 Test #1: leaks ....***Failed    0.02 sec\nall good\n"
        f"{REPORT}SUMMARY: AddressSanitizer: 40 byte(s)\n\n0% tests passed, 1 tests failed out of 1\n\n"
        "The following tests FAILED:\n\t  1 - leaks (Failed)\n"
    )
    (one,) = found(log)
    assert (one.file, one.line, one.message.count("\n")) == ("t/m.cc", 5, 1)


def test_what_ctest_numbers_is_no_other_parsers_to_tell(found):
    log = (
        f"Test project {ROOT}/build\ntest 1\n    Start 1: py\n\n1: Test command: /usr/bin/python3 -m unittest\n"
        "1: FAILED (failures=1)\n1/1 Test #1: py ....***Failed    0.02 sec\n\n"
        "0% tests passed, 1 tests failed out of 1\n\nThe following tests FAILED:\n\t  1 - py (Failed)\n"
    )
    assert [(one.tool, one.name) for one in found(log)] == [("ctest", "py")]


def test_an_expression_that_ctest_misses_may_end_in_the_next_line(found):
    log = (
        f"Test project {ROOT}/build\n1/1 Test #1: says ....***Failed  Required regular expression not found. Regex=["
        "hello\n]  0.00 sec\nall good\n\n0% tests passed, 1 tests failed out of 1\n\n"
        "The following tests FAILED:\n\t  1 - says (Failed)\n"
    )
    (one,) = found(log)
    assert one.message == "Failed Required regular expression not found. Regex=[hello]\nall good"


HEADER = "/usr/include/c++/12/bits/x.h:4:5: error: no match\n"


@pytest.mark.parametrize(
    "log",
    [
        f"src/a.cpp:9:12:   required from here\n{HEADER}",
        f"{HEADER}src/a.cpp:9:12: note: in instantiation of function template specialization 'f<int>' requested here\n",
    ],
)
def test_an_error_in_a_librarys_header_is_where_the_project_requires_it(log, found):
    (one,) = found(log)
    assert (one.name, one.file, one.line) == ("error /usr/include/c++/12/bits/x.h:4:5", "src/a.cpp", 9)


def test_a_symbol_that_is_missing_belongs_to_the_source_of_its_object(found):
    log = (
        "/usr/bin/ld: sub/CMakeFiles/app.dir/src/a.cpp.o: in function `main':\n"
        "a.cpp:(.text+0xb): undefined reference to `gone'\n"
    )
    (one,) = found(log)
    assert (one.name, one.file) == ("undefined reference to gone", "sub/src/a.cpp")


def test_a_place_behind_text_without_an_end_of_line_is_read(found):
    log = f"[ RUN      ] A.B\npartial line{ROOT}/t/a.cc:16: Failure\nno\n[  FAILED  ] A.B (0 ms)\n"
    assert [(one.file, one.line) for one in found(log)] == [("t/a.cc", 16)]

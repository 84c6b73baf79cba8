"""doctest for C++: what is particular to it; that its logs are read whole is shown in test_logs.py."""

import pytest

from ci_failures.parsers.native.doctest import Doctest

RULE = "=" * 79
ERROR = "t/a.cpp:8: ERROR: CHECK( 1 == 2 ) is NOT correct!\n  values: CHECK( 1 == 2 )\n\n"


def block(names, told=ERROR):
    return f"{RULE}\nt/a.cpp:5:\n{names}\n\n{told}"


def closing(failed):
    return f"{RULE}\n[doctest] test cases:  3 |  1 passed | {failed} failed | 0 skipped\n[doctest] Status: FAILURE!\n"


@pytest.fixture
def found(read):
    """Return what the parser finds."""

    def finding(text):
        return [one for told in read(text) if told.parser is Doctest for one in told.failures]

    return finding


def test_a_case_fails_once_however_many_subcases_do(found):
    name = "TEST SUITE: s\nTEST CASE:  a case"
    (one,) = found(block(name) + block(f"{name}\n  sub\n  deeper") + closing(1))
    assert (one.name, one.file, one.line, one.confidence) == ("a case", "t/a.cpp", 8, "high")


def test_the_message_tells_the_subcase_and_the_assertion(found):
    (one,) = found(block("TEST CASE:  a case\n  sub\n  deeper") + closing(1))
    assert one.message.splitlines()[:2] == ["sub / deeper", "CHECK( 1 == 2 ) is NOT correct!"]


@pytest.mark.parametrize(
    "verdict", ["Failed as expected so", "Allowed to fail so", "Failed exactly 1 times as expected so"]
)
def test_what_was_expected_to_fail_failed_not(verdict, found):
    assert not found(block("TEST CASE:  a case", f"{ERROR}{verdict} marking it as not failed\n") + closing(0))


@pytest.mark.parametrize(
    "verdict", ["Should have failed but didn't! Marking it as failed!", "Test case exceeded time limit of 0.1!"]
)
def test_a_verdict_alone_is_a_failure_of_the_case_s_own_line(verdict, found):
    (one,) = found(block("TEST CASE:  a case", f"{verdict}\n") + closing(1))
    assert (one.line, one.message) == (5, verdict)


def test_what_may_yet_prove_to_be_expected_is_not_told(found):
    assert not found(block("TEST CASE:  a case"))


def test_the_case_in_which_a_program_dies_is_told(found):
    (one,) = found(block("TEST CASE:  a case") + "Segmentation fault (core dumped)\n")
    assert one.confidence == "medium"


def test_a_message_that_looks_like_an_error_is_none(found):
    assert not found(block("TEST CASE:  a case", "t/a.cpp:6: MESSAGE: t/a.cpp:8: ERROR: CHECK( x )\n\n"))


def test_a_place_as_msvc_writes_it_is_understood(found):
    (one,) = found(f"{RULE}\nt\\a.cpp(5):\nTEST CASE:  a\n\nt\\a.cpp(8): ERROR: CHECK( x )\n{RULE}\n")
    assert (one.file, one.line) == ("t/a.cpp", 8)


def test_the_command_has_a_pattern_without_what_separates_patterns(found):
    text = ": Test command: /home/runner/work/app/app/b/t\n"
    (one,) = found(
        "1" + text + "".join(f"1: {line}\n" for line in (block('TEST CASE:  a, "b"') + closing(1)).splitlines())
    )
    assert Doctest.rerun([one]) == "b/t '--test-case=*a? ?b?'"

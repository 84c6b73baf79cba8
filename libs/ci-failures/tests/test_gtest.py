"""GoogleTest: what is particular to it; that its logs are read whole is shown in test_logs.py."""

import pytest
from attrs import evolve

from ci_failures.parsers.native.gtest import Gtest

BEGIN = "[==========] Running 2 tests from 1 test suite.\n[----------] 2 tests from A\n"
DIES = BEGIN + "[ RUN      ] A.Dies\n"


@pytest.fixture
def found(read):
    """Return by name what gtest's parser finds."""

    def finding(text):
        return {one.name: one for told in read(text) if told.parser is Gtest for one in told.failures}

    return finding


def test_the_message_is_the_first_assertion_not_the_banner(found):
    text = BEGIN + "[ RUN      ] A.B\n/home/runner/work/app/app/t/a.cc:3: Failure\nValue of: x\n  Actual: false\n"
    one = found(text + "t/a.cc:9: Failure\nValue of: y\n[  FAILED  ] A.B (0 ms)\n")["A.B"]
    assert (one.file, one.line, one.message) == ("t/a.cc", 3, "Value of: x\n  Actual: false")


def test_a_place_as_msvc_writes_it_is_understood(found):
    text = BEGIN + "[ RUN      ] A.B\nD:\\a\\app\\app\\t\\a.cc(3): error: Value of: x\n[  FAILED  ] A.B (0 ms)\n"
    one = found(text)["A.B"]
    assert (one.file, one.line, one.message) == ("t/a.cc", 3, "Value of: x")


def test_a_build_folder_s_way_up_is_no_part_of_a_path(found):
    text = BEGIN + "[ RUN      ] A.B\n../../t/a.cc:3: Failure\nFailed\n[  FAILED  ] A.B (0 ms)\n"
    assert found(text)["A.B"].file == "t/a.cc"


def test_a_place_that_a_problem_matcher_knew_is_understood(found):
    text = BEGIN + "[ RUN      ] A.B\n##[error]t/a.cc:3: Failure\nFailed\n[  FAILED  ] A.B (0 ms)\n"
    assert found(text)["A.B"].file == "t/a.cc"


def test_what_a_passing_test_prints_of_another_gtest_failed_nowhere(found):
    inner = "[ RUN      ] In.X\n[  FAILED  ] In.X (0 ms)\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] In.X\n"
    assert not found(BEGIN + "[ RUN      ] A.B\n" + inner + "[       OK ] A.B (0 ms)\n")


def test_the_list_at_the_end_alone_is_enough(found):
    assert list(found("[  FAILED  ] 1 test, listed below:\n[  FAILED  ] P/A.B/0, where GetParam() = 5\n")) == [
        "P/A.B/0"
    ]


def test_output_without_an_end_of_line_before_the_tag_hides_nothing(found):
    assert list(found(BEGIN + "[ RUN      ] A.B\nbusy...[  FAILED  ] A.B (0 ms)\n")) == ["A.B"]


def test_the_test_in_which_a_program_dies_failed_with_less_certainty(found):
    one = found(DIES + "script.sh: line 1: 12 Segmentation fault (core dumped) ./a\n")["A.Dies"]
    assert one.confidence == "medium"
    assert "Segmentation fault" in one.message


def test_a_step_that_ends_in_the_midst_of_a_test_ended_in_it(found):
    assert list(found(DIES + "##[error]Process completed with exit code 3.\n")) == ["A.Dies"]


def test_a_log_that_only_ends_in_a_test_says_nothing_of_it(found):
    assert not found(DIES + "still busy\n")


def test_a_word_of_death_in_a_test_that_passes_is_nothing(found):
    assert not found(DIES + "Segmentation fault expected\n[       OK ] A.Dies (1 ms)\n")


def test_a_test_that_ctest_ends_in_time_out_is_told(found):
    text = "Test project /home/runner/work/app/app/b\n1/2 Test #1: all ...***Timeout  5.00 sec\n" + DIES
    one = found(text + "      Start 2: other\n")["A.Dies"]
    assert (one.place, one.kind) == ("b#all", "timeout")


def test_a_test_whose_end_was_not_seen_did_not_die_when_others_ended_after_it(found):
    text = DIES + "garbled\n[ RUN      ] A.B\n[  FAILED  ] A.B (0 ms)\nProcess completed with exit code 1.\n"
    assert list(found(text)) == ["A.B"]


def test_the_end_of_a_suite_ends_a_test_whose_own_end_was_not_seen(found):
    text = BEGIN + "[ RUN      ] A.A\ngarbled\n[----------] 2 tests from A (0 ms total)\n"
    assert list(found(text + "[ RUN      ] B.B\n[  FAILED  ] B.B (0 ms)\n")) == ["B.B"]


def test_what_a_test_printed_of_others_when_the_log_ends_is_not_believed(found):
    assert not found(BEGIN + "[ RUN      ] A.A\n[ RUN      ] In.X\n[  FAILED  ] In.X (0 ms)\n")


def test_a_program_that_begins_after_one_that_ended_in_silence_is_believed(found):
    other = "[==========] Running 1 test from 1 test suite.\n[ RUN      ] B.B\n[  FAILED  ] B.B (0 ms)\n"
    assert list(found(DIES + other)) == ["B.B"]


def test_what_passes_when_ctest_repeats_it_is_flaky(found):
    text = "1/1 Test #1: one ...***Failed  0.01 sec\n[ RUN      ] A.B\n[  FAILED  ] A.B (0 ms)\n"
    assert found(text + "      Start 1: one\n    Test #1: one ...   Passed    0.01 sec\n")["A.B"].flaky


def test_the_same_name_in_two_programs_is_two_failures(read):
    block = "[ RUN      ] A.B\n[  FAILED  ] A.B (0 ms)\n"
    text = f"1/2 Test #1: one ...***Failed  0.01 sec\n{block}2/2 Test #2: two ...***Failed  0.01 sec\n{block}"
    (told,) = [one for one in read(text) if one.parser is Gtest]
    assert [one.place for one in told.failures] == ["#one", "#two"]


def test_output_that_is_shown_again_is_the_same_failure(read):
    block = "[ RUN      ] A.B\nt/a.cc:3: Failure\nFailed\n[  FAILED  ] A.B (0 ms)\n"
    text = (
        f"1/2 Test #1: one ...***Failed  0.01 sec\n{block}\n      Start 2: two\nOutput:\n---\n{block}<end of output>\n"
    )
    (told,) = [one for one in read(text) if one.parser is Gtest]
    assert [one.place for one in told.failures] == ["#one"]


def test_what_docker_compose_puts_before_lines_is_no_part_of_the_message(found):
    lines = ["[ RUN      ] A.B", "t/a.cc:3: Failure", "Value of: x", "  Actual: false", "[  FAILED  ] A.B (0 ms)"]
    one = found("".join(f"test_1  | {line}\n" for line in lines))["A.B"]
    assert (one.file, one.message) == ("t/a.cc", "Value of: x\n  Actual: false")


def test_ctest_s_numbers_keep_programs_apart_that_run_at_once(found):
    text = "1: [ RUN      ] A.B\n2: [ RUN      ] A.C\n1: a.cc:3: Failure\n1: Failed\n2: [       OK ] A.C (0 ms)\n"
    one = found(text + "1: [  FAILED  ] A.B (0 ms)\n")
    assert {name: failure.line for name, failure in one.items()} == {"A.B": 3}


@pytest.mark.parametrize(
    ("place", "command"),
    [
        ("", ""),
        ("build/a", "build/a '--gtest_filter=P/A.B/0:C.*'"),
        ("a", "./a '--gtest_filter=P/A.B/0:C.*'"),
        ("//x:y", "bazel test //x:y '--test_filter=P/A.B/0:C.*'"),
        ("b#a.b", "GTEST_FILTER='P/A.B/0:C.*' ctest --test-dir b -R '^a\\.b$' --output-on-failure"),
    ],
)
def test_the_command_runs_the_program_that_is_known(place, command, found):
    listed = "[  FAILED  ] P/A.B/0\n[  FAILED  ] C: SetUpTestSuite or TearDownTestSuite\n"
    text = f"[  FAILED  ] 1 test, listed below:\n{listed}"
    assert Gtest.rerun([evolve(one, place=place) for one in found(text).values()]) == command


def test_a_folder_may_have_a_space_in_its_name(found):
    text = BEGIN + "[ RUN      ] A.B\n/srv/my project/t/a.cc:3: Failure\nFailed\n[  FAILED  ] A.B (0 ms)\n"
    assert found(text)["A.B"].file == "/srv/my project/t/a.cc"


def test_what_a_program_repeats_is_counted_once(read):
    again = (
        "[==========] Running 1 test from 1 test suite.\n[ RUN      ] A.Adds\nt.cc:3: Failure\nno\n"
        "[  FAILED  ] A.Adds (0 ms)\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.Adds\n\n 1 FAILED TEST\n"
    )
    log = "".join(f"\nRepeating all tests (iteration {n}) . . .\n\n{again}" for n in (1, 2, 3))
    (tale,) = read(log)
    assert ([one.name for one in tale.failures], tale.counted) == (["A.Adds"], 1)

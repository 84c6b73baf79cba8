"""pytest: what is particular to it; that its logs are read whole is shown in test_logs.py."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ci_failures
from ci_failures.logs.log_reader import Literals, LogReader
from ci_failures.model import Failure, Line
from ci_failures.parsers.python.pytest import Pytest

HERE = Path(__file__).parent
LOGS = HERE / "logs" / "pytest"
CASES = sorted(path.stem for path in LOGS.glob("*.log"))
PLAIN = ("9-subtests", "9-collection", "9-xdist-group", "9-flaky", "3-collection", "9-conftest", "5-conftest")
"""Logs of tests that print nothing."""
LITERALS = Literals((Pytest,))
BANNER = " test session starts ".center(80, "=")
FAILURES = " FAILURES ".center(80, "=")
SUMMARY = " short test summary info ".center(80, "=")
NOISE = (
    BANNER,
    FAILURES,
    SUMMARY,
    "_" * 80,
    " test_x ".center(80, "_"),
    "FAILED ::",
    "ERROR [",
    "E   ",
    "1 failed in 1s",
)


def inner(name):
    """Return what is left of a name where a log was cut before it told the file."""
    return name.rpartition("::")[2]


def parse(text):
    reader = LogReader(LITERALS)
    reader.feed(text.encode())
    return [one for told in reader.finish() for one in told.failures]


def log(case):
    return (LOGS / f"{case}.log").read_text(encoding="utf-8")


def one(case, name):
    return next(failure for failure in parse(log(case)) if failure.name == name)


def names(text):
    return [failure.name for failure in parse(text)]


def test_a_message_is_the_assertion_not_the_banner():
    message = one("9-plain", "tests/test_shop.py::test_total_is_wrong").message
    assert message.startswith("AssertionError: the till is broken\nassert 3 == 4")


def test_a_failure_deep_in_a_library_is_placed_in_the_repository():
    failure = one("9-plain", "tests/test_shop.py::test_deep_in_a_library")
    assert (failure.file, failure.line) == ("app/shop.py", 26)
    assert failure.message.startswith("json.decoder.JSONDecodeError: Expecting property name")


def test_a_test_that_fails_and_cannot_be_torn_down_is_one_failure():
    assert names(log("9-plain")).count("tests/test_setup.py::test_fails_twice") == 1


def test_subtests_are_failures_of_their_test():
    told = parse(log("9-subtests"))
    assert [failure.name.rpartition("::")[2] for failure in told] == ["test_last", "test_parts", "test_fixture"]
    assert {failure.confidence for failure in told} == {"high"}


def test_a_test_that_passes_when_tried_again_is_flaky():
    told = {failure.name.rpartition("::")[2]: failure for failure in parse(log("9-flaky"))}
    assert told["test_flaky"].flaky
    assert (told["test_never_passes"].flaky, told["test_never_passes"].attempts) == (False, 3)


def test_a_module_that_cannot_be_read_is_a_failure_to_compile():
    failure = one("9-collection", "broken/test_syntax.py")
    assert (failure.kind, failure.line) == ("compile", 2)
    assert "SyntaxError: '(' was never closed" in failure.message


def test_settings_that_cannot_be_read_are_told_of():
    failure = one("9-conftest", "lost/conftest.py")
    assert failure.kind == "compile"
    assert failure.message == "ModuleNotFoundError: No module named 'not_installed_anywhere'"


def test_a_worker_that_died_names_its_test_without_a_summary():
    text = "\n".join(line for line in log("9-xdist-crash").splitlines() if not line.startswith("FAILED "))
    assert "crash/test_crash.py::test_dies" in names(text)


def test_a_test_that_takes_python_with_it_is_told():
    failure = one("9-death-verbose", "death/test_death.py::test_dies")
    assert (failure.message, failure.line) == ("Fatal Python error: Segmentation fault", 5)
    assert failure.confidence == "medium"


def test_a_name_that_is_only_in_a_stack_is_a_hint():
    assert one("9-death", "death/test_death.py::test_dies").confidence == "low"
    assert one("9-timeout", "death/test_slow.py::test_slow").message == "Timeout"


def test_a_run_in_a_folder_names_the_folder():
    failure = one("9-place", "tests/test_setup.py::test_set_up")
    assert (failure.place, failure.file) == ("backend", "backend/tests/test_setup.py")


def test_a_run_within_a_test_is_not_ours():
    assert "test_inner.py::test_inner" not in names(log("9-no-capture"))


def test_a_run_that_died_does_not_swallow_the_next():
    died = f"{BANNER}\ncollected 2 items\n\ntests/test_a.py "
    assert "tests/test_shop.py::test_total_is_wrong" in names(f"{died}\n{log('9-plain')}")


def test_two_runs_of_the_same_tests_are_told_once():
    assert names(log("9-plain") * 2) == names(log("9-plain"))


def test_a_log_without_its_end_is_less_certain():
    text = log("9-plain").rpartition("\n=")[0]
    assert {failure.confidence for failure in parse(text)} == {"medium"}


def test_a_log_that_begins_in_the_midst_of_the_failures_tells_what_the_summary_says():
    text = log("9-plain")
    rest = text[text.index("app/shop.py:17: ValueError") :]
    told_by_its_block_only = "tests/test_shop.py::test_names[tail] - head]"
    assert set(names(text)) - set(names(rest)) <= {told_by_its_block_only}


def test_a_test_of_a_base_class_has_the_file_that_it_ran_in():
    ran = "tests/test_a.py::TestA::test_x <- tests/base.py FAILED [100%]"
    header, end = " TestA.test_x ".center(80, "_"), " 1 failed in 0.10s ".center(80, "=")
    block = f"{FAILURES}\n{header}\n\n>   assert 0\nE   assert 0\n\ntests/base.py:3: AssertionError\n{end}\n"
    (failure,) = parse(f"{BANNER}\ncollected 1 item\n\n{ran}\n\n{block}")
    assert (failure.name, failure.file) == ("tests/test_a.py::TestA::test_x", "tests/base.py")


def test_a_log_that_was_edited_is_read_although_its_lines_differ_in_length():
    text = (
        f"{BANNER}\ncollected 2 items\n\ntests/test_a.py F.  [100%]\n\n=============== FAILURES ===============\n"
        "______________ test_x ______________\n\n    def test_x():\n>       assert 0\nE       assert 0\n\n"
        "tests/test_a.py:3: AssertionError\n======== short test summary info =========\n"
        "FAILED tests/test_a.py::test_x - assert 0\n======= 1 failed, 1 passed in 0.12s =======\n"
    )
    (failure,) = parse(text.replace("=============== FAILURES ===============", FAILURES))
    assert (failure.name, failure.line, failure.confidence) == ("tests/test_a.py::test_x", 3, "high")


GROUPED = ["group/test_group.py::test_together", "group/test_group.py::test_mail[a@b.c]"]
"""Names of tests in the group `disk`, as pytest accepts them; pytest-xdist 3.3 prints `@disk` after each."""


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(
            ["FF  [100%]", SUMMARY, *(f"FAILED {name}@disk - assert 1 == 2" for name in GROUPED)], id="summary"
        ),
        pytest.param([f"[gw0] [ 50%] FAILED {name}@disk " for name in GROUPED], id="progress"),
        pytest.param(
            [
                FAILURES,
                *(
                    f"{' group/test_group.py '.center(80, '_')}\n[gw0] linux -- Python 3.11.7 /venv/bin/python\n"
                    f"worker 'gw0' crashed while running '{name}@disk'"
                    for name in GROUPED
                ),
            ],
            id="crash",
        ),
    ],
)
def test_the_name_of_a_test_does_not_contain_its_group_of_workers(lines):
    text = "\n".join([BANNER, "1 worker [2 items]", *lines, " 2 failed in 0.38s ".center(80, "="), ""])
    assert names(text) == GROUPED


def test_windows_paths_are_told_with_slashes():
    text = (
        f"{BANNER}\nrootdir: D:\\a\\app\\app\ncollected 1 item\n\n{FAILURES}\n{' test_x '.center(80, '_')}\n\n"
        f"E   assert 0\n\ntests\\test_a.py:3: AssertionError\n{' 1 failed in 0.10s '.center(80, '=')}\n"
    )
    (failure,) = parse(text)
    assert (failure.name, failure.file, failure.line) == ("tests/test_a.py::test_x", "tests/test_a.py", 3)


def test_another_tools_banner_is_no_run_of_pytest():
    assert parse("== FAILURES ==\n___ test_x ___\ntests/test_a.py:3: AssertionError\n") == []


def test_a_summary_of_other_lines_names_nothing():
    text = (
        f"{SUMMARY}\nFAILED to connect\nERROR in the end\nFAILED (failures=3)\n{' 2 passed in 1s '.center(80, '=')}\n"
    )
    assert parse(text) == []


@pytest.fixture
def sample(tmp_path):
    return Path(shutil.copytree(HERE / "samples" / "pytest" / "project", tmp_path / "project"))


def test_the_command_runs_exactly_what_failed(sample):
    failures = parse(log("9-plain"))
    program, *words = shlex.split(Pytest.rerun(failures))
    report = sample / "truth.json"
    env = os.environ | {"TRUTH": str(report), "PYTHONPATH": str(HERE / "samples" / "pytest")}
    command = [sys.executable, "-m", program, "-p", "truth", "-p", "no:cacheprovider", *words]
    done = subprocess.run(command, cwd=sample, env=env, capture_output=True, text=True)
    again = {row["name"] for row in json.loads(report.read_text())}
    assert again == {failure.name for failure in failures}
    assert "passed" not in done.stdout.replace("1 passed", "", 1)  # the call of the test that cannot be torn down


@given(st.sampled_from(PLAIN), st.integers(0, 80), st.integers(0, 80))
def test_a_cut_log_names_nothing_else(case, begin, length):
    lines = log(case).splitlines()
    known = {inner(name) for name in names("\n".join(lines))}
    assert {inner(name) for name in names("\n".join(lines[begin:][:length]))} <= known


@given(st.sampled_from(CASES), st.lists(st.sampled_from(NOISE), max_size=30), st.randoms(use_true_random=False))
def test_whatever_stands_between_nothing_is_raised(case, noise, random):
    lines = log(case).splitlines()
    for text in noise:
        lines.insert(random.randrange(len(lines)), text)
    parser = Pytest()
    for number, text in enumerate(lines, 1):
        parser.read(Line(number, text))
    told = [(failure.place, failure.name) for failure in parser.finish()]
    assert len(told) == len(set(told))


@pytest.mark.parametrize(
    "text", ["a::" * 1_300, "[gw0] FAILED x" + " " * 4_000 + "y", "SUBFAILED[" + "x" * 4_000, "+" * 4_000]
)
def test_a_long_line_is_read_in_no_time(text):
    """Each is read a thousand times; an expression that looks back over and over would take minutes."""
    lines = "\n".join([text] * 1_000)
    assert parse(f"{BANNER}\ncollected 1 item\n\n{lines}\n{SUMMARY}\n{lines}") == []


@pytest.mark.parametrize(
    ("log", "name"),
    [
        ("ERROR: file or directory not found: tests/gone.py\n\n", "usage: file or directory not found"),
        ("usage: pytest [options]\npytest: error: unrecognized arguments: --cov\n", "usage: unrecognized arguments"),
        (
            "ERROR: usage: x\n__main__.py: error: unrecognized arguments: -n\n  inifile: None\n",
            "usage: unrecognized arguments",
        ),
    ],
)
def test_a_command_that_is_not_taken_is_told(log, name, read):
    (told,) = read(log)[0].failures
    assert (told.tool, told.kind, told.name) == ("pytest", "compile", name)


def test_what_has_no_name_is_run_whole():
    failures = [Failure(tool="pytest", kind="compile", name="INTERNALERROR")]
    assert Pytest.rerun(failures) == "pytest"


def test_a_command_of_another_program_is_not_pytests(read):
    assert not read("usage: __main__.py [-h]\n__main__.py: error: unrecognized arguments: -n\n")


def _read_summary(read, *lines):
    (told,) = read("\n".join((BANNER, "rootdir: /home/runner/work/app/app", "collected 9 items", *lines, "")))
    return told.failures


def test_before_5_1_nothing_is_left_beside_a_title_that_is_long(read):
    long, longer = "TestTokens.test_of_" + "x" * 59, "TestTokens.test_of_" + "x" * 80 + "[exp-start time]"
    body = ("E       assert 1 == 2", "", "tests/test_a.py:3: AssertionError")
    failures = _read_summary(
        read, FAILURES, f" {long} _", *body, f" {longer} ", *body, " 2 failed in 0.1 seconds ".center(80, "=")
    )
    assert [one.name.rpartition("test_of_")[2] for one in failures] == [
        name.rpartition("test_of_")[2] for name in (long, longer)
    ]


def test_what_stands_between_entries_of_a_traceback_may_have_lost_its_last_space(read):
    between = "_ " * 39 + "_"
    lines = (" test_x ".center(80, "_"), "tests/a.py:3: ", between, "E   KeyError: 'x'", "", "app/b.py:9: KeyError")
    summary = (SUMMARY, "FAILED tests/a.py::test_x - KeyError: 'x'", " 1 failed in 0.1s ".center(80, "="))
    assert [(one.message, one.file, one.confidence) for one in _read_summary(read, FAILURES, *lines, *summary)] == [
        ("KeyError: 'x'", "app/b.py", "high")
    ]


def test_a_whole_path_in_a_name_is_that_of_the_repository(read):
    name = "/home/runner/work/app/app/tests/a.py::test_x"
    failures = _read_summary(read, SUMMARY, f"FAILED {name} - assert 0", " 1 failed in 0.1s ".center(80, "="))
    assert [(one.name, one.selector) for one in failures] == [("tests/a.py::test_x", "tests/a.py::test_x")]


def test_what_cannot_be_parsed_is_told_by_why_first(read):
    error = (
        'E     File "/home/runner/work/app/app/app/b.py", line 4',
        "E       x = = 1",
        "E   SyntaxError: invalid syntax",
    )
    lines = ((" ERRORS ").center(80, "="), " ERROR collecting tests/a.py ".center(80, "_"), *error)
    (one,) = _read_summary(read, *lines, SUMMARY, "ERROR tests/a.py", " 1 error in 0.1s ".center(80, "="))
    assert one.message.startswith("SyntaxError: invalid syntax\n")
    assert (one.file, one.line) == ("app/b.py", 4)


SHARED = """\
self = <{module}.Auth testMethod=test_login>

    def setUp(self):
>       self.client = make()
E       NameError: name 'make' is not defined

tests/__init__.py:9: NameError
"""


def parse_shared_set_up(read, module, *, progress="tests/test_api.py F\ntests/test_web.py F\n"):
    """Parse a log of pytest before 5.4, without a summary, in which a test fails in set-up that files share."""
    head = f"{'=' * 26} test session starts {'=' * 26}\ncollected 2 items\n\n{progress}\n"
    block = f"{'=' * 33} FAILURES {'=' * 33}\n{'_' * 30} Auth.test_login {'_' * 30}\n\n{SHARED.format(module=module)}"
    told = read(f"{head}{block}{'=' * 27} 1 failed in 0.10 seconds {'=' * 27}\n")
    return [(one.name, one.file, one.line) for tale in told for one in tale.failures]


@pytest.mark.parametrize("module", ["tests.test_api", "test_api"])
def test_a_failure_in_shared_set_up_is_named_by_the_class_of_the_test(read, module):
    name = "tests/test_api.py::Auth::test_login"
    assert parse_shared_set_up(read, module) == [(name, "tests/__init__.py", 9)]


def test_of_a_function_whose_file_is_unknown_no_file_is_made_up(read):
    """The package that several files share is not the file of a test."""
    head = f"{'=' * 26} test session starts {'=' * 26}\ncollected 3 items\n\na/test_a.py F\nb/test_b.py FF\n"
    block = f"{'=' * 33} FAILURES {'=' * 33}\n{'_' * 32} test_login {'_' * 32}\n\nE   ValueError\n\nconftest.py:3: E\n"
    (tale,) = read(f"{head}{block}{'=' * 27} 1 failed in 0.10 seconds {'=' * 27}\n")
    assert [(one.name, one.selector) for one in tale.failures] == [("test_login", "")]


def test_a_total_that_a_test_prints_without_a_banner_is_none(read):
    """With -q, a printed "1 failed, 2 passed in 0.1s" ended the run, so that the rest had another total."""
    blocks = "".join(
        f"{f' test_{name} ':_^80}\n\n    def test_{name}():\n>       assert 0\nE       assert 0\n\n"
        f"t.py:{line}: AssertionError\n{out}"
        for name, line, out in (
            ("a", 2, ""),
            ("b", 4, f"{' Captured stdout call ':-^80}\n1 failed, 2 passed in 0.1s\n"),
            ("c", 6, ""),
        )
    )
    summary = "".join(f"FAILED t.py::test_{name} - assert 0\n" for name in "abc")
    begin = f"FFF{' ' * 68}[100%]\n{' FAILURES ':=^80}\n{blocks}"
    (told,) = read(f"{begin}{' short test summary info ':=^80}\n{summary}3 failed in 0.12s\n")
    assert [one.name for one in told.failures] == [f"t.py::test_{name}" for name in "abc"]
    assert told.counted == 3


def block(title, text):
    return f"{f' {title} ':_^80}\n\n{text}\n"


def test_the_file_of_a_class_within_a_class_is_that_of_its_module():
    text = "self = <test_odd.TestA.TestB object at 0x7f>\n\n>       assert 0\nE       assert 0\n\nlib/x.py:3: E"
    log = f"{BANNER}\nrootdir: /r\ncollected 1 item\n\ntests/test_odd.py .F\ntests/test_x.py F [100%]\n{FAILURES}\n"
    found = names(log + block("TestA.TestB.test_deep", text) + f"{' 1 failed in 0.10s ':=^80}\n")
    assert found == ["tests/test_odd.py::TestA::TestB::test_deep"]


def test_failed_subtests_without_letters_do_not_hide_the_files_of_tests():
    log = f"{BANNER}\nrootdir: /r\ncollected 2 items\n\na.py FF      [100%]\n\nb.py .      [100%]\n{FAILURES}\n"
    log += block("T.test_sub [x] (i=0)", "E   assert 0\n\na.py:3: AssertionError")
    log += block("T.test_one", "Unexpected success") + block("[doctest] mod.f", "DocTestFailure")
    found = names(log + f"{' 3 failed in 0.10s ':=^80}\n")
    assert found == ["a.py::T::test_sub", "a.py::T::test_one", "a.py::mod.f"]


@pytest.mark.parametrize("count", ["9 failed", "2 errors", "1 error"])
def test_counts_below_the_results_of_sugar_do_not_pass_in_a_log_without_its_head(count):
    """The line above them has no number, and was taken for a total without failures."""
    log = f"tail\nResults (0.56s):\n         5 passed\n         1 skipped\n         {count}\n"
    assert ci_failures.parse(log.encode()).status == "unknown"
    assert ci_failures.parse(log.replace(count, "1 xfailed").encode()).status == "passed"


def test_a_summary_and_a_total_that_a_test_which_passed_printed_are_its_output():
    printed = f"{SUMMARY}\nFAILED t.py::fake - no\n{' 1 failed in 0.10s ':=^80}\n"
    begin = f"{BANNER}\ncollected 1 item\n\na.py . [100%]\n\n{' PASSES ':=^80}\n{' test_a ':_^80}\n"
    end = f"{SUMMARY}\nPASSED a.py::test_a\n{' 1 passed in 0.10s ':=^80}\n"
    assert names(f"{begin}{' Captured stdout call ':-^80}\n{printed}{end}") == []


def test_of_a_session_that_breaks_off_within_its_blocks_the_progress_names_the_others(read):
    progress = "tests/a.py::test_x FAILED [ 33%]\ntests/a.py::test_y PASSED [ 66%]\ntests/b.py::test_z FAILED [100%]\n"
    log = f"{BANNER}\ncollected 3 items\n\n{progress}\n{FAILURES}\n{' test_x ':_^80}\n\n    def test_x():\n"
    (told,) = read(log)
    assert {one.name for one in told.failures} == {"tests/a.py::test_x", "tests/b.py::test_z"}

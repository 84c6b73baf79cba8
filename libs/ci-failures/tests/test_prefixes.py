"""What a system puts before each line is learned from the lines, and lines of a tool are not taken for it."""

import pytest
from wrapping import STAMP, WORDS, WRAPPINGS

import ci_failures
from ci_failures.logs.log_reader import LogReader
from ci_failures.logs.prefixes import SAMPLE

FAILED = """\
============================= test session starts ==============================
collected 1 item

tests/test_a.py F                                                        [100%]

=========================== short test summary info ============================
FAILED tests/test_a.py::test_a - assert 1 == 2
============================== 1 failed in 0.12s ===============================
"""


def names(tales):
    return [(one.tool, one.name) for tale in tales for one in tale.failures]


def before(text, words):
    return "".join(f"{words(number)}{line}\n" for number, line in enumerate(text.splitlines()))


def read_lines(literals, log):
    """Return the lines that parsers read."""
    reader, lines = LogReader(literals), []
    read = reader._read
    reader._read = lambda batch: (lines.extend(batch.texts), read(batch))
    reader.feed(log.encode())
    reader.finish()
    return lines


def test_what_gh_writes_before_each_line_is_removed(literals):
    log = f"unit (3.11)\tRun tests\t\ufeff{STAMP} one\nunit (3.11)\tRun tests\t{STAMP} a\tb\n"
    assert read_lines(literals, log) == ["one", "a\tb"]


def test_a_prefix_of_which_the_first_64_kb_tell_nothing_is_found_in_what_follows(read):
    noise = "".join(f"{'abcdefghijklm'[n % 13 :]} of {n} objects\n" for n in range(SAMPLE // 8))
    assert names(read(before(noise + FAILED, WORDS["Cloud Build"]))) == [("pytest", "tests/test_a.py::test_a")]


@pytest.mark.parametrize(("one", "two"), [("[unit] ", "[lint] "), ("unit  | ", "lint2 | "), ("unit-0: ", "lint-0: ")])
def test_lines_of_two_runs_that_are_told_by_their_prefix_are_kept_apart(one, two, read):
    other = FAILED.replace("test_a", "test_b")
    pairs = zip(FAILED.splitlines(), other.splitlines(), strict=True)
    log = "".join(f"{one}{near}\n{two}{far}\n" for near, far in pairs)
    assert names(read(log)) == [("pytest", "tests/test_a.py::test_a"), ("pytest", "tests/test_b.py::test_b")]


@pytest.mark.parametrize(
    "lines",
    [
        ["=== RUN   TestA", "--- PASS: TestA (0.00s)"],
        ["[INFO] Building app", "[INFO] "],
        ["[ RUN      ] A.B", "[       OK ] A.B (0 ms)"],
        ["tests/test_a.py::test_1 PASSED", "tests/test_a.py::test_2 PASSED"],
        ["    [junit] Testsuite: A", "    [junit] "],
        ["ok 1 - adds", "ok 2 - adds"],
        ["ok  \texample.com/a\t0.1s", "ok  \texample.com/b\t0.1s"],
        ["  ✔ adds", "", "  ✔ subtracts"],
        ["npm ERR! code 1", "npm ERR! path /a"],
        ["a.c:1:2: error: x", "a.c:2:2: error: y"],
    ],
)
def test_lines_of_a_tool_that_begin_alike_stay(lines, literals):
    assert read_lines(literals, "".join(f"{line}\n" for line in lines * 50)) == lines * 50


@pytest.mark.parametrize("step", [1, 7, 1000, 1 << 20])
def test_it_does_not_matter_in_which_portions_a_log_is_read(step, literals):
    log = before(FAILED.replace("1 item", "1 item\n" + "\n tests" * 10_000), WORDS["TeamCity"]).encode()
    reader = LogReader(literals)
    for begin in range(0, len(log), step):
        reader.feed(log[begin : begin + step])
    assert names(reader.finish()) == [("pytest", "tests/test_a.py::test_a")]


@pytest.mark.parametrize("bit", ["[", "a ", "0", "12:34:56 ", " ", "\t", "[a] ", "|", "Mar "])
def test_long_lines_of_prefixes_are_read(bit, read):
    assert names(read(f"{bit * 5_000}\n" * 50)) == []


@pytest.mark.parametrize("outer", ["GitHub", "Gitea"])
def test_the_lines_of_a_runner_do_not_hide_what_precedes_those_of_a_step(read, outer):
    """Containers run in a step: the lines that the runner adds have no name before them."""
    log = "".join(f"tests/test_a.py::test_{n} PASSED\n" for n in range(8))
    log += "=========================== short test summary info ============================\n"
    log += "FAILED tests/test_a.py::test_x - assert 1 == 2\n"
    log += "================= 1 failed, 8 passed in 0.10s ==================\n"
    wrapped = WRAPPINGS[outer](WRAPPINGS["Docker Compose"](log))
    assert [one.name for tale in read(wrapped) for one in tale.failures if one.tool == "pytest"] == [
        "tests/test_a.py::test_x"
    ]


@pytest.mark.parametrize(("job", "step"), [("build", "Debug the server"), ("debug", "Config"), ("info", "Error")])
def test_jobs_and_steps_of_github_may_have_the_names_of_levels(job, step):
    stamp = "2026-03-04T05:06:{:02}.1234567Z "
    begin = [f"{job}\tSet up job\t{stamp.format(at)}prepared {chr(97 + at)}" for at in range(40)]
    lines = ["##[group]Run ./a.sh", "##[endgroup]", "fatal: no key", "##[error]Process completed with exit code 1."]
    own = [f"{job}\t{step}\t{stamp.format(50)}{line}" for line in lines]
    (one,) = ci_failures.parse("\n".join([*begin, *own, ""]).encode()).failures
    assert one.message == "fatal: no key"


def test_a_stamp_with_a_bar_within_it_names_no_run(literals):
    log = before("=== RUN   TestA\n" + FAILED, lambda number: f"[08-03|14:10:{number:02}.817] ")
    reader = LogReader(literals)
    reader.feed(log.encode())
    assert [(one.name, one.place) for tale in reader.finish() for one in tale.failures] == [
        ("tests/test_a.py::test_a", "")
    ]


def test_a_prefix_is_removed_although_each_line_end_was_written_twice():
    stamp = "2026-03-04T05:06:{:02}.1234567Z "
    begin = [f"unit\tRun tests\t{stamp.format(at)}loading {chr(97 + at)}" for at in range(40)]
    end = f"unit\tRun tests\t{stamp.format(50)}##[error]The operation was canceled."
    (one,) = ci_failures.parse("\n\n".join([*begin, end, ""]).encode()).failures
    assert one.kind == "cancelled"


def test_lines_behind_a_prefix_may_have_bytes_that_are_no_text():
    lines = [f"2026-03-04 05:06:{at:02} loading \xe9{chr(97 + at)}".encode("latin-1") for at in range(40)]
    lines += [f"2026-03-04 05:07:00 {line}".encode() for line in ("fatal: no key", "exit", "Exited with code 1")]
    (one,) = ci_failures.parse(b"\n".join([*lines, b""])).failures
    assert one.message == "fatal: no key"

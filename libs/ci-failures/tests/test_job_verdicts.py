"""What the runner's report of a whole job decides, and which command of a job on Travis failed."""

import pytest

import ci_failures

LINT = "src/a.py:31:1: E302 expected 2 blank lines, found 1\n1\n"
TEST = "FAILED tests/a.py::test_x - assert 0\n=== 1 failed in 0.02s ===\n"
ENDS = ["Job succeeded", "Finished: SUCCESS", "Done. Your build exited with 0.", "Cleaning up orphan processes"]


def command(script, printed, code, phase=""):
    failed = f'The command "{script}" {phase and "failed and "}exited with {code}{phase}.\n'
    return f"travis_fold:start:x\rtravis_time:start:0a{code}\r$ {script}\n{printed}\n{failed}"


@pytest.mark.parametrize("end", ENDS)
def test_findings_of_a_linter_failed_no_job_that_passed(end):
    report = ci_failures.parse(f"$ flake8 --exit-zero\n{LINT}{end}\n".encode())
    assert (report.status, report.entries) == ("passed", ())


@pytest.mark.parametrize("end", ENDS)
def test_a_test_that_failed_in_a_job_that_passed_is_flaky(end):
    report = ci_failures.parse(f"$ pytest || pytest\n{TEST}=== 1 passed in 0.02s ===\n{end}\n".encode())
    assert (report.status, [one.name for one in report.flaky]) == ("passed", ["tests/a.py::test_x"])


def test_a_later_job_that_passed_does_not_excuse_one_that_failed():
    report = ci_failures.parse(f"{TEST}ERROR: Job failed: exit code 1\n$ make\nJob succeeded\n".encode())
    assert report.status == "failed"


def test_what_a_program_printed_about_a_job_is_no_report_of_the_runner():
    report = ci_failures.parse(b"Job succeeded\n" + b"worker: next\n" * 40 + TEST.encode())
    assert report.status == "failed"


def test_a_build_that_failed_after_travis_had_its_result_changes_nothing():
    log = command("mvn test", "[INFO] BUILD SUCCESS", 0) + "$ mvn site\n[INFO] BUILD FAILURE\n"
    assert ci_failures.parse(f"{log}Done. Your build exited with 0.\n".encode()).status == "passed"


def test_a_command_that_stopped_a_job_on_travis_is_no_pass():
    before = command("make deps", "Build succeeded", 0)
    log = before + command("psql -c 'create database x;'", "psql: no server", 2, " during ")
    report = ci_failures.parse(f"{log}\nYour build has been stopped.\n".encode())
    (one,) = report.failures
    assert (one.kind, one.confidence) == ("step", "low")
    assert one.name.startswith('The command "psql -c')


def test_the_first_error_of_the_command_that_failed_tells_why():
    log = command("sudo apt-get install x", "E: Error: not there", 0) + command("make", "fatal: no rule", 2)
    (one,) = ci_failures.parse(log.encode()).failures
    assert one.name == "fatal: no rule"


@pytest.mark.parametrize("report", ["exited with 127.", "x"])
def test_a_command_that_is_not_there_tells_why_rather_than_the_first_error(report):
    log = command(
        "cd py && nosetests", "Caused by: x.NumberFormatException: a\nrun.sh: line 5: nosetests: command not found", 0
    )
    (one,) = ci_failures.parse(
        log.replace("exited with 0.", report if "127" in report else "exited with 1.").encode()
    ).failures
    assert one.name.endswith("nosetests: command not found") == ("127" in report)


def test_a_job_whose_end_is_not_in_the_log_is_no_pass():
    begin, end = "Complete job name: test ({})\n$ ./run\n", "Cleaning up orphan processes\n"
    passed = "".join(begin.format(at) + end for at in range(3))
    assert ci_failures.parse(passed.encode()).status == "passed"
    cut = ci_failures.parse((begin.format(9) + passed).encode())
    assert cut.status == "unknown"
    assert "a job began in line 1, and its end is not in the log" in cut.gaps[0]


@pytest.mark.parametrize("mark", ["", "\ufeff", "∩╗┐", "锘?"])
def test_the_end_of_a_job_is_found_behind_a_mark_that_was_read_in_another_encoding(mark):
    """GBK takes the first digit of the year with it."""
    lines = ["Complete job name: b", *["linking"] * 12, "Cleaning up orphan processes"]
    year = "026" if mark == "锘?" else "2026"
    log = "".join(f"b\tRun\t2026-03-04T10:20:30.1234567Z {line}\n" for line in lines[:-1])
    log += f"b\tEnd\t{mark}{year}-03-04T10:20:30.1234567Z {lines[-1]}\n"
    assert ci_failures.parse(log.encode()).status == "passed"


@pytest.mark.parametrize("begin", ["[Pipeline] Start of Pipeline", "Running with gitlab-runner 16.1.0 (b72e108d)"])
def test_a_log_that_breaks_off_within_a_job_is_no_pass(begin):
    report = ci_failures.parse(f"{begin}\n=== 1 passed in 0.02s ===\ndocker push a/b:1\n".encode())
    assert report.status == "unknown"
    assert "a job began in line 1, and its end is not in the log" in report.gaps[0]


OWN = "no failure of its own was read in that step"
STEP = "##[group]Run {0}\n{0}\nshell: bash -e {{0}}\n##[endgroup]\n{1}##[error]Process completed with exit code 1.\n"


def test_a_command_that_failed_beside_cancelled_jobs_is_told():
    """The others are cancelled because of it."""
    cancelled = STEP.format("npm ci", "").replace("Process completed with exit code 1", "The operation was canceled")
    failed = STEP.format("npm test", "done\n")
    report = ci_failures.parse(f"{cancelled}{failed}".encode())
    assert [one.kind for one in report.failures] == ["cancelled"]
    assert [gap.partition(", and ")[2] for gap in report.gaps] == [OWN]


def test_steps_that_failed_without_a_failure_of_their_own_are_told_once():
    log = STEP.format("pytest", TEST) + STEP.format("./a", "a: no\n") + STEP.format("./b", "b: no\n")
    report = ci_failures.parse(log.encode())
    assert [one.name for one in report.failures] == ["tests/a.py::test_x"]
    assert [gap.partition(", and ")[2] for gap in report.gaps] == [f"{OWN}, nor in 1 more of the steps that failed"]


def test_a_step_that_repeats_the_failures_of_another_one_has_its_own():
    log = STEP.format("pytest", TEST) + STEP.format("pytest -p no:x", TEST)
    assert not ci_failures.parse(log.encode()).gaps


CONTAINER = """##[group]Run azure/static-web-apps-deploy@v1
##[endgroup]
##[command]/usr/bin/docker run --name b3_1c --label 0b --workdir /github/workspace --rm image
Looking for event info
{}Exiting
{}Post job cleanup.
Cleaning up orphan processes
"""
REJECTED = "The content server has rejected the request\n"


CRASHED = """##[group]Run android-actions/setup-android@v3
##[endgroup]
HTTPError: Unexpected HTTP response: 404
    at index.js:3527:25

Node.js v20.20.1
Post job cleanup.
Cleaning up orphan processes
"""


def test_an_action_that_crashed_is_no_pass():
    report = ci_failures.parse(CRASHED.encode())
    assert report.status == "unknown"
    assert "may have failed: 'HTTPError: Unexpected HTTP response: 404'" in report.gaps[0]


def test_a_script_that_crashed_in_a_step_that_passed_is_a_pass():
    assert (
        ci_failures.parse(CRASHED.replace("android-actions/setup-android@v3", "node a.js || true").encode()).status
        == "passed"
    )


@pytest.mark.parametrize("begin", ["Started by an SCM change", "Started by user Ann\n[Pipeline] Start of Pipeline"])
@pytest.mark.parametrize(("end", "status"), [("Finished: SUCCESS\n", "passed"), ("", "unknown")])
def test_a_build_of_jenkins_without_its_end_is_no_pass(begin, end, status):
    log = f"{begin}\nRan 5 tests in 0.1s\n\nOK\nSending email\n{end}"
    assert ci_failures.parse(log.encode()).status == status


def test_a_container_whose_failure_the_runner_does_not_print_is_no_pass():
    report = ci_failures.parse(CONTAINER.format(REJECTED, "").encode())
    assert report.status == "unknown"
    assert "may have failed: 'The content server has rejected the request'" in report.gaps[0]


@pytest.mark.parametrize("said", [("", ""), (REJECTED, "##[group]Run ./test.sh\n##[endgroup]\n")])
def test_a_container_that_tells_no_failure_or_behind_which_steps_ran_is_a_pass(said):
    assert ci_failures.parse(CONTAINER.format(*said).encode()).status == "passed"

"""Whole runs of other tools that a passing test prints do not count, unless they may be runs of their own."""

import pytest

import ci_failures

TAP = "TAP version 13\n# login\nnot ok 1 rejects\n  ---\n    operator: equal\n  ...\n1..1\n# tests 1\n# fail  1\n"
RSPEC = (
    "Failures:\n\n  1) Auth rejects\n     Failure/Error: expect(1).to eq(2)\n     # ./spec/a_spec.rb:5\n\n"
    "Finished in 0.08 seconds (files took 0.25 seconds to load)\n2 examples, 1 failure\n\n"
    "Failed examples:\n\nrspec ./spec/a_spec.rb:4 # Auth rejects\n"
)
AVA = "> x@1.0.0 test\n> ava\n\n", "\n  \u2714 prints\n  \u2500\n\n  1 test passed\n"
STEP = "##[group]Run make\n##[endgroup]\n"
PYTEST = "===== test session starts =====\ncollected 1 item\n\n", "\na.py .\n===== 1 passed in 0.02s =====\n"
VITEST = "\n RUN  v4.1.2 /app\n\n", "\n Test Files  1 passed (1)\n      Tests  1 passed (1)\n"


def names(log):
    report = ci_failures.parse(log.encode())
    return report.status, [(one.tool, one.name) for one in report.failures], report.gaps


@pytest.mark.parametrize("run", [AVA, PYTEST, VITEST], ids=["ava", "pytest", "vitest"])
@pytest.mark.parametrize("printed", [TAP, RSPEC], ids=["tap", "rspec"])
def test_a_run_without_failures_has_none_that_its_tests_print(run, printed):
    assert names(f"{run[0]}{printed}{run[1]}") == ("passed", [], ())


def test_a_run_whose_own_failures_are_read_has_none_that_its_tests_print():
    end = "\n  \u2718 [fail]: real\n  \u2500\n\n  real\n\n  a.js:3\n\n  no\n\n  \u2500\n\n  1 test failed\n"
    assert names(f"{AVA[0]}{TAP}{end}") == ("failed", [("ava", "real")], ())


@pytest.mark.parametrize(
    "log",
    [
        f"{AVA[0]}{RSPEC}{AVA[1]}Error: Process completed with exit code 1.\n",
        f"{AVA[0]}$ bundle exec rspec\n{RSPEC}{AVA[1]}",
        f"{AVA[0]}{RSPEC[:-60]}{AVA[1]}{RSPEC[-200:]}",
        f"{AVA[0]}{STEP}{RSPEC}##[error]Process completed with exit code 1.\n{STEP}{AVA[1]}",
        f"{AVA[0]}{AVA[1]}{RSPEC}{AVA[1]}",
    ],
    ids=["the job failed", "it was called", "it ends later", "a step of its own", "between two runs"],
)
def test_a_run_that_may_be_its_own_counts(log):
    assert ("rspec", "./spec/a_spec.rb:4") in names(log)[1]


def test_a_run_of_jasmine_ends_with_its_last_total():
    printed = "Failures:\n1) Cart\n  Message:\n    no\n  Stack:\n    x\n9 specs, 2 failures\nFinished in 0.01 seconds\n"
    assert names(f"Randomized with seed 4\nStarted\n{printed}.\n\n1 spec, 0 failures\nFinished in 0.1 seconds\n") == (
        "passed", [], ()
    )  # fmt: skip


def test_a_run_of_jest_that_breaks_off_counts_before_a_run_of_vitest():
    jest = "FAIL src/a.test.js\n  \u25cf adds\n\n    expected 1\n\n      at Object.<anonymous> (src/a.test.js:3:2)\n\n"
    assert ("jest", "src/a.test.js \u203a adds") in names(f"{jest}{VITEST[0]}{VITEST[1]}")[1]


MANAGERS = {
    "bundler": ("Could not find gem 'nothing (~> 1.0) ruby' in the gems available.\n", "9 examples, 0 failures\n"),
    "cargo": (
        "error: no matching package named `alloca` found\n",
        "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n",
    ),
    "pip": ("ERROR: No matching distribution found for nothing==9.9\n", "=== 3 passed in 0.1s ===\n"),
}


@pytest.mark.parametrize("tool", MANAGERS)
def test_packages_without_which_no_test_could_run_were_installed(tool):
    error, total = MANAGERS[tool]
    assert [one.tool for one in ci_failures.parse(error.encode()).failures] == [tool]
    assert ci_failures.parse(f"{error}{total}".encode()).status == "passed"
    assert [one.tool for one in ci_failures.parse(f"{total}{error}".encode()).failures] == [tool]


def test_an_error_of_packages_explains_a_job_that_failed_though_tests_passed():
    error, total = MANAGERS["pip"]
    report = ci_failures.parse(f"{error}{total}##[error]Process completed with exit code 1.\n".encode())
    assert [one.tool for one in report.failures] == ["pip"]

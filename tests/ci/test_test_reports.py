"""The test report of a run as a source: exact names where the forge has them, and never a proof that nothing failed."""

import pytest
from ci_play import ANVIL, PYTEST, ci_play, failing
from pull_request_ci import create_forge

from stithy_core.spi import TestCase, TestReport, TestStatus, Unavailable, Unknown, Unsupported, Verdict
from stithy_sandbox.capabilities.code_capabilities import SandboxChecks
from stithy_sandbox.world.ci_runs import Work

pytestmark = pytest.mark.anyio

SILENT = "no tool says what failed\n##[error]Process completed with exit code 1.\n"
LOGIN = "tests.test_auth.test_login"


def case(name="test_login", **fields):
    fields = {"class_name": "tests.test_auth", "status": TestStatus.FAILED, "message": "assert 401 == 200"} | fields
    return TestCase(name=name, **fields)


def report(*cases, **fields):
    return TestReport(cases=cases, **fields)


async def read(tmp_path, tests, forge=None, **jobs):
    """Return the result for a run with these jobs and this test report."""
    async with ci_play(tmp_path, **({"forge": forge} if forge else {})) as at:
        at.world.set_test_report(ANVIL, at.run(**jobs), tests)
        return await at.find()


def names(found):
    return [one["test_name"] for one in found["failures"]]


async def test_a_failed_test_has_its_exact_name_although_the_log_is_silent(tmp_path):
    found = await read(tmp_path, report(case(), case("test_logout", status=TestStatus.PASSED)), unit=SILENT)
    (entry,) = found["failures"]
    assert (entry["test_name"], entry["error_message"]) == (LOGIN, "assert 401 == 200")
    assert (entry["source"], entry["confidence"], entry["kind"]) == ("test_report", "high", "test")
    assert entry["check_name"] == "tests / unit"
    assert found["total_failures"] == 1


async def test_an_error_is_a_failure_and_a_skipped_test_is_not(tmp_path):
    cases = case("test_a", status=TestStatus.ERROR), case("test_b", status=TestStatus.SKIPPED)
    assert names(await read(tmp_path, report(*cases), unit=SILENT)) == ["tests.test_auth.test_a"]


async def test_a_log_of_the_same_test_adds_the_command(tmp_path):
    """The tool's own form of the same name is kept, since the command needs it."""
    (entry,) = (await read(tmp_path, report(case()), unit=PYTEST))["failures"]
    assert (entry["test_name"], entry["source"]) == ("tests/test_auth.py::test_login", "test_report")
    assert entry["rerun"] == "pytest tests/test_auth.py::test_login"


async def test_the_name_in_the_report_has_precedence_over_a_shorter_one_in_the_log(tmp_path):
    exact = case(class_name="services.auth.tests.test_auth")
    (entry,) = (await read(tmp_path, report(exact), unit=failing("test_auth.py::test_login")))["failures"]
    assert entry["test_name"] == "services.auth.tests.test_auth.test_login"
    assert entry["rerun"] == "pytest test_auth.py::test_login"


async def test_an_empty_report_does_not_mean_that_nothing_failed(tmp_path):
    found = await read(tmp_path, report(total=0, failed=0, errors=0), unit=PYTEST, lint=SILENT)
    assert found["status"] == "failed"
    assert names(found) == ["tests/test_auth.py::test_login", "tests / lint"]


async def test_a_report_of_passed_tests_does_not_hide_a_failed_job(tmp_path):
    passed = case(status=TestStatus.PASSED)
    found = await read(tmp_path, report(passed, total=1, passed=1, failed=0, errors=0), unit=SILENT)
    assert [(one["test_name"], one["source"]) for one in found["failures"]] == [("tests / unit", "check")]


@pytest.mark.parametrize(
    ("tests", "reason"),
    [
        (report(case(), cut="rspec.xml is not valid XML"), "rspec.xml is not valid XML"),
        (report(case(), failed=2, errors=1), "it counts 3 failures, and has 1"),
        (report(case(), case("test_x", status=Unknown("odd"))), "the status of 1 tests is unknown"),
    ],
)
async def test_a_partial_report_says_that_failures_may_be_missing(tmp_path, tests, reason):
    found = await read(tmp_path, tests, unit=SILENT)
    assert names(found) == [LOGIN]
    assert any(reason in gap for gap in found["incomplete"])
    assert "total_failures" not in found


async def test_a_partial_report_of_the_base_proves_no_new_failure(tmp_path):
    async with ci_play(tmp_path) as at:
        at.world.set_test_report(ANVIL, at.run("main", unit=SILENT), report(case("test_old"), cut="only the first"))
        at.world.set_test_report(ANVIL, at.run(unit=SILENT), report(case("test_old"), case("test_new")))
        found = await at.find(compare_base=True)
    assert {one["test_name"][16:]: one.get("pre_existing") for one in found["failures"]} == {
        "test_old": True,
        "test_new": None,
    }


async def test_a_suite_belongs_to_the_job_of_its_name(tmp_path):
    tests = report(case("test_a", suite="unit"), case("test_b", suite="slow"))
    found = await read(tmp_path, tests, unit=SILENT, slow=SILENT)
    assert {one["test_name"][16:]: one["check_name"] for one in found["failures"]} == {
        "test_a": "tests / unit",
        "test_b": "tests / slow",
    }


async def test_a_failed_test_of_a_job_that_passed_is_left_out(tmp_path):
    async with ci_play(tmp_path) as at:
        run = at.run(unit=SILENT, flaky="passed")
        jobs = {job.name: job.id for job in at.world.run(ANVIL, run).jobs.values()}
        tests = report(case("test_a", job=jobs["unit"]), case("test_b", job=jobs["flaky"]))
        at.world.set_test_report(ANVIL, run, tests)
        found = await at.find()
    assert [(one["test_name"], one["check_name"]) for one in found["failures"]] == [
        ("tests.test_auth.test_a", "tests / unit")
    ]


class BusyReports(SandboxChecks):
    async def test_report(self, repository, run):
        raise Unavailable("the reports are being computed")


class WithoutReports(SandboxChecks):
    async def test_report(self, repository, run):
        raise Unsupported("double does not support checks.test_report")


async def test_a_report_that_cannot_be_read_is_a_gap_and_the_log_is_read(tmp_path):
    found = await read(tmp_path, report(), create_forge(BusyReports), unit=PYTEST)
    assert names(found) == ["tests/test_auth.py::test_login"]
    assert any("could not be read: the reports are being computed" in gap for gap in found["incomplete"])


async def test_a_forge_without_test_reports_has_no_gap(tmp_path):
    found = await read(tmp_path, report(), create_forge(WithoutReports), unit=PYTEST)
    assert (found["total_failures"], found.get("incomplete")) == (1, None)


async def test_the_parameters_of_a_test_are_part_of_its_name(tmp_path):
    jobs = {"unit": Work(Verdict.FAILED, failing("tests/test_auth.py::test_role[a]"))}
    found = await read(tmp_path, report(case("test_role[a]"), case("test_role[b]")), **jobs)
    assert sorted(names(found)) == ["tests.test_auth.test_role[b]", "tests/test_auth.py::test_role[a]"]

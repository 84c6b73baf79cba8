"""Where failures are read: ends of logs, archives that are worth it, and what is kept."""

from datetime import UTC, datetime, timedelta

import pytest

from ci_failures.model import Failure
from ci_failures.source_reports import SourceReport
from stithy_ci.ci_settings import CiSettings
from stithy_ci.sources.artifact_owners import FailedRun, assign_job, list_candidate_jobs
from stithy_ci.sources.artifacts import choose_archives
from stithy_ci.sources.job_cache import MOST_JOBS, JobCache
from stithy_ci.sources.log_tail import Tail
from stithy_core.spi import Artifact, CommitCheck, Verdict, WorkflowRun

BEGUN = datetime(2026, 1, 5, 9, tzinfo=UTC)
STAMP = "2026-01-05T09:00:00.0000000Z "


def hint(text, size=7):
    tail, raw = Tail(), text.encode()
    for begin in range(0, len(raw), size):
        tail.feed(raw[begin : begin + size])
    return tail.hint()


def test_the_hint_is_the_last_error_with_the_lines_before_it():
    log = "one\nmake: *** [all] Error 2\n##[error]Process completed with exit code 2.\n##[group]Post job\ncleaning up\n"
    lines = "".join(f"{STAMP}{line}\n" for line in log.splitlines())
    assert hint(lines) == "one\nmake: *** [all] Error 2\nProcess completed with exit code 2."


def test_without_an_error_the_hint_is_how_the_log_ends():
    assert hint("".join(f"line {number}\n" for number in range(9_999))).splitlines() == [
        f"line {number}" for number in range(9_994, 9_999)
    ]


def test_an_empty_log_has_no_hint():
    assert hint("") == hint("\n\n") == ""


def minutes(number):
    return BEGUN + timedelta(minutes=number)


def check(name, begun=0, ended=10, job="1"):
    times = {"started_at": minutes(begun), "completed_at": minutes(ended)}
    return CommitCheck(name=name, verdict=Verdict.FAILED, run="9", job=job, id=job, **times)


def run_of(*checks, attempt=1, started=BEGUN):
    run = WorkflowRun(id="9", name="CI", number=1, verdict=Verdict.FAILED, attempt=attempt, started_at=started)
    return FailedRun(run=run, checks=checks)


def artifact(name="test-results", at=5, **fields):
    return Artifact(**{"id": name, "name": name, "size": 10, "created_at": minutes(at)} | fields)


def test_an_expired_archive_is_reported():
    chosen, gaps = choose_archives([artifact(expired=True)], run_of(check("unit")), CiSettings())
    assert (chosen, gaps) == ([], ["artifact test-results has expired"])


def test_artifacts_of_earlier_attempts_are_not_read():
    of = run_of(check("unit", 30, 40), attempt=2, started=minutes(30))
    assert choose_archives([artifact(at=5)], of, CiSettings()) == ([], [])


def test_artifacts_of_passed_jobs_are_not_read():
    assert choose_archives([artifact(at=25)], run_of(check("unit", 0, 10)), CiSettings()) == ([], [])


def test_an_archive_is_of_the_job_that_was_running_when_it_was_made():
    early, late = check("early", 0, 10, "1"), check("late", 20, 30, "2")
    assert list_candidate_jobs(artifact(at=25), run_of(early, late)) == [late]


@pytest.mark.parametrize(("name", "count"), [("results-windows", 1), ("results", 2)])
def test_an_artifacts_name_identifies_one_of_concurrent_jobs(name, count):
    jobs = check("unit (linux)", job="1"), check("unit (windows)", job="2")
    found = list_candidate_jobs(artifact(name), run_of(*jobs))
    assert found[-1].name == "unit (windows)"
    assert len(found) == count


def report(source, *names, **fields):
    failures = tuple(Failure(tool="pytest", name=name) for name in names)
    return SourceReport(source=source, check="CI", failures=failures, **fields)


def test_a_result_file_is_of_the_job_whose_log_tells_the_same():
    jobs, logs = (check("a", job="1"), check("b", job="2")), {"2": [report("log", "t.py::test_x")]}
    assert assign_job(report("artifact", "t.py::test_x"), jobs, logs).job == "2"


def test_a_result_file_that_no_log_tells_of_is_of_the_job_whose_log_tells_nothing():
    jobs, logs = (check("a", job="1"), check("b", job="2")), {"2": [report("log", "t.py::test_x")]}
    assert assign_job(report("artifact", "t.py::test_y"), jobs, logs).job == "1"


def test_an_ambiguous_result_file_belongs_to_the_run():
    jobs = check("a", job="1"), check("b", job="2")
    assert assign_job(report("artifact", "t.py::test_x"), jobs, {}).check == "CI"


def test_the_oldest_is_dropped():
    kept = JobCache()
    for number in range(MOST_JOBS + 1):
        kept.store(number, f"{number}", 1)
    assert (kept.get(0), kept.get(1), kept.get(MOST_JOBS)) == (None, "1", f"{MOST_JOBS}")


def test_too_large_results_are_not_cached():
    kept = JobCache()
    kept.store("key", "thing", 1_000_000)
    assert kept.get("key") is None

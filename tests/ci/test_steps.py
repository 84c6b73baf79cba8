"""A failure leads to its line on the job's page only where the remark of the runner and the log agree on one line."""

import pytest

from ci_failures.source_reports import LogPage
from stithy_ci.sources.failed_step import Exits, find_failed_step, find_page
from stithy_core.spi import Annotation, Step, Verdict, WorkflowJob

STAMP = "2026-01-05T09:00:00.1234567Z "
EXIT = "Process completed with exit code 1."
STEP = Step(
    number=3, name="Run pytest", verdict=Verdict.FAILED, url="https://h/j#step:3:1", lines="https://h/j#step:3:"
)


def exits(*lines, size=11):
    found, raw = Exits(), "".join(f"{STAMP}{line}\n" for line in lines).encode()
    for begin in range(0, len(raw), size):
        found.feed(raw[begin : begin + size])
    return found.finish()


def remark(line, message=EXIT):
    return Annotation(path=".github", start_line=line, end_line=line, level="failure", message=message)


@pytest.mark.parametrize("size", [1, 11, 999_999])
def test_the_line_of_the_exit_code_is_found_however_the_log_comes(size):
    assert exits("one", "two", f"##[error]{EXIT}", "Post job cleanup.", size=size) == (3,)


def test_a_line_that_only_quotes_it_is_not_it():
    assert exits(f"expected ##[error]{EXIT}", f"##[error]{EXIT} Or so", "x" * 999_999, f"##[error]{EXIT}") == (4,)


def test_a_line_without_a_stamp_or_an_end_counts():
    found = Exits()
    found.feed(f"one\n##[error]{EXIT}".encode())
    assert found.finish() == (2,)


def test_a_line_of_the_step_is_counted_back_from_where_it_ended():
    page = find_page(STEP, [40], [remark(12)])
    assert page == LogPage("https://h/j#step:3:", 29, 40)
    assert [page.address(line) for line in (28, 29, 37, 40, 41)] == [
        "", "https://h/j#step:3:1", "https://h/j#step:3:9", "https://h/j#step:3:12", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("step", "lines", "remarks"),
    [
        (None, [40], [remark(12)]),
        (Step(number=3, name="Run", verdict=Verdict.FAILED), [40], [remark(12)]),
        (STEP, [], [remark(12)]),
        (STEP, [9, 40], [remark(12)]),
        (STEP, [40], []),
        (STEP, [40], [remark(12), remark(3)]),
        (STEP, [40], [remark(12, "It took too long.")]),
        (STEP, [40], [remark(0)]),
        (STEP, [40], [remark(41)]),
    ],
    ids=["no step", "no address", "no line", "two lines", "no remark", "two", "another", "no number", "too late"],
)
def test_a_step_without_a_match_has_no_page(step, lines, remarks):
    assert find_page(step, lines, remarks) is None


def test_several_failed_steps_are_ambiguous():
    steps = STEP, Step(number=4, name="Upload", verdict=Verdict.FAILED)
    job = WorkflowJob(id="1", run="1", name="unit", verdict=Verdict.FAILED, steps=steps[:1])
    assert find_failed_step(job) is STEP
    assert find_failed_step(WorkflowJob(id="1", run="1", name="unit", verdict=Verdict.FAILED, steps=steps)) is None
    assert find_failed_step(None) is None

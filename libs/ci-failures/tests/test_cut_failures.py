"""A log that has lost the lines of a failure says so if its tool prints a total, or is not taken for complete."""

from pathlib import Path

import pytest

import ci_failures

LOGS = Path(__file__).parent / "logs"
LARGEST = 60_000
CUTS = 2
"""How many failures of a log are cut out, each by itself."""
COUNT_OTHERS = {
    "ava": "a file that cannot be loaded is counted apart, and only if it is read",
    "ctest": "a test program's own total is in its output, which is cut out with the failure",
    "exunit": "a failure of setup_all is counted once for each test of the module",
    "flake8": "it prints no total",
    "nodetest": "tests with subtests are counted, too, and their number is known only from the tree",
    "vitest": "files that cannot be loaded are counted among the files only, which tests may fail, too",
}
"""The folders of tools whose total tells less than the number of failures, and why; they are not tested."""
FOLDERS = sorted({folder.name for folder in LOGS.iterdir() if folder.is_dir()} - COUNT_OTHERS.keys())


def cut_out(raw, failures):
    """Iterate over failures, with the log without their lines and without all others that have their names."""
    lines = raw.split(b"\n")
    begins = sorted({one.log_line for one in failures})
    for one, end in zip(sorted(failures, key=lambda one: one.log_line)[:CUTS], begins[1:], strict=False):
        kept = [line for number, line in enumerate(lines, 1) if not one.log_line <= number < end]
        yield one, b"\n".join(line for line in kept if one.name.encode() not in line)


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_failure_whose_lines_are_missing_is_a_gap(folder, read):
    silent = []
    for log in sorted((LOGS / folder).rglob("*.log")):
        raw = log.read_bytes()
        for tale in read(raw) if len(raw) <= LARGEST else ():
            failures = [one for one in tale.failures if not one.flaky]
            if tale.counted != len(failures):  # the tool prints no total, or one that its log does not explain
                continue
            for one, left in cut_out(raw, failures):
                report = ci_failures.parse(left)
                read_now = [other for other in report.failures if other.tool == one.tool]
                if len(read_now) < len(failures) and report.status == "failed" and not report.gaps:
                    silent.append((log.name, one.name, len(failures), len(read_now)))
    assert not silent

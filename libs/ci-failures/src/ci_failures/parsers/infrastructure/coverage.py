"""Too little coverage, which fails a job without a failed test: coverage.py, pytest-cov, Jest, nyc, c8 and Vitest.

FAIL Required test coverage of 95% not reached. Total coverage: 79.17%
Coverage failure: total of 79 is less than fail-under=95
Jest: "global" coverage threshold for branches (90%) not met: 66.66%
ERROR: Coverage for lines (79.17%) does not meet global threshold (90%)
"""

from typing import ClassVar

from ci_failures.parsers.single_line_parser import AFTER, Sign, SignParser, literals

SHARE = r"(?P<what>\d{1,3}(?:\.\d{0,5}[1-9])?)(?:\.?0{0,6})"
"""A percentage without the zeros at its end."""
PYTHON = (
    Sign(
        wakes="Required test coverage of ",
        kind="lint",
        tool="coverage",
        rule="coverage below",
        form=rf"^(?:FAIL |ERROR: )?Required test coverage of {SHARE}% not reached\.",
    ),
    Sign(
        wakes="overage failure: total of ",
        kind="lint",
        tool="coverage",
        rule="coverage below",
        form=rf"^(?:ERROR: )?Coverage failure: total of [\d.]{{1,9}} is less than fail[-_]under={SHARE}",
    ),
)
JAVASCRIPT = (
    Sign(
        wakes=" coverage threshold for ",
        kind="lint",
        tool="coverage",
        rule="missed:",
        form=r"^Jest: (?P<what>\"[^\"]{1,300}\" coverage threshold for \w{1,20} \([\d.]{1,9}%\)) not met: ",
    ),
    Sign(
        wakes="does not meet ",
        kind="lint",
        tool="coverage",
        rule="missed: coverage threshold for",
        form=AFTER
        + r"(?:ERROR: )?Coverage for (?P<what>\w{1,20}) \([\d.]{1,9}%\) does not meet .{1,300}\([\d.]{1,9}%?\)",
    ),
)


class Coverage(SignParser):
    """Parser of messages that coverage is below its threshold."""

    tool: ClassVar[str] = "coverage"
    signs = (*PYTHON, *JAVASCRIPT)
    wakes: ClassVar[tuple[str, ...]] = literals(signs)

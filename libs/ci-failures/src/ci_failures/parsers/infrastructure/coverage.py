"""Too little coverage, which fails a job without a failed test: coverage.py, pytest-cov, Jest, nyc, c8 and Vitest.

FAIL Required test coverage of 95% not reached. Total coverage: 79.17%
Coverage failure: total of 79 is less than fail-under=95
Jest: "global" coverage threshold for branches (90%) not met: 66.66%
ERROR: Coverage for lines (79.17%) does not meet global threshold (90%)
"""

from typing import ClassVar

from ci_failures.parsers.single_line_parser import AFTER, Sign, SignParser, literals

PYTHON = (
    Sign(
        wakes="Required test coverage of ",
        kind="lint",
        tool="coverage",
        rule="coverage below",
        form=r"^(?:FAIL |ERROR: )?Required test coverage of (?P<what>[\d.]{1,9})% not reached\.",
    ),
    Sign(
        wakes="overage failure: total of ",
        kind="lint",
        tool="coverage",
        rule="coverage below",
        form=r"^(?:ERROR: )?Coverage failure: total of [\d.]{1,9} is less than fail[-_]under=(?P<what>[\d.]{1,9})",
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

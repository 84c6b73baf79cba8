"""What ends a run of Playwright outside of its tests: a server that does not start, and an exceeded time limit.

Error: Timed out waiting 60000ms from config.webServer.
Error: Process from config.webServer was not able to start. Exit code: 1
Timed out waiting 3600s for the test suite to run
"""

from typing import ClassVar

from ci_failures.parsers.single_line_parser import AFTER, Sign, SignParser, literals


class PlaywrightErrors(SignParser):
    """Parser of these errors, which Playwright prints beside its tests."""

    tool: ClassVar[str] = "playwright"
    signs = (
        Sign(
            wakes=" from config.webServer.",
            kind="timeout",
            tool="playwright",
            rule="webServer",
            form=AFTER + r"Timed out waiting \d+ms from config\.webServer\.",
        ),
        Sign(
            wakes="Process from config.webServer ",
            kind="compile",
            tool="playwright",
            rule="webServer",
            form=AFTER + r"Process from config\.webServer (?:was not able to start|exited early)",
        ),
        Sign(
            wakes=" for the test suite to run",
            kind="timeout",
            tool="playwright",
            rule="globalTimeout",
            form=AFTER + r"\s*Timed out waiting [\d.]+s for the (?:entire )?test suite to run",
        ),
    )
    wakes: ClassVar[tuple[str, ...]] = literals(signs)

"""The command `stithy wait`: waits for the CI of a pull request, and says by its exit code how that ended."""

from collections.abc import Awaitable, Sequence

import click
from anyio import current_time, move_on_at

from stithy_core.spi import Scope, StithyError, ToolAnswer

PASSED, FAILED, UNKNOWN, UNFINISHED = 0, 1, 4, 5
"""Exit codes; 2 is a wrong command line, and 3 belongs to `--strict-plugins`."""
CODES = {"passed": PASSED, "failed": FAILED, "unknown": UNKNOWN}
MINUTES = 60
EPILOG = """\b
Exit codes:
  0  all checks passed
  1  a check failed
  2  the command line or the settings are wrong
  4  it is unknown whether anything failed, or the forge could not be asked
  5  the time is over, and CI still runs
"""


@click.command(epilog=EPILOG)
@click.argument("pr")
@click.option("--all", "whole", is_flag=True, help="Wait until all checks have ended, also after a failure.")
@click.option(
    "--timeout", type=click.FloatRange(min=0), default=30.0, show_default=True, help="Minutes to wait at most."
)
def wait(pr: str, timeout: float, *, whole: bool) -> None:
    """Wait until the CI of a pull request ends, or its first check fails, and write what failed.

    PR is owner/repo#123, its URL, or #123 in a clone.
    """


def run(scope: Scope, words: Sequence[str]) -> Awaitable[int]:
    """Read the options, and return the coroutine that waits and returns the exit code."""
    options = wait.make_context("stithy wait", list(words)).params
    return _wait(scope, options["pr"], options["timeout"] * MINUTES, whole=options["whole"])


async def _wait(scope: Scope, pr: str, seconds: float, *, whole: bool) -> int:
    arguments = {"pr": pr, "wait": True, "bail_on_first": not whole}
    ends = current_time() + seconds
    answer: ToolAnswer | None = None
    while current_time() < ends and (answer is None or _is_unfinished(answer)):  # a call may end before CI does
        with move_on_at(ends):
            try:
                answer = await scope.call_tool("get_failing_tests", arguments)
            except StithyError as error:  # a setting disables the tool
                click.echo(f"{error.message}\n{error.suggestion}", err=True)
                return UNKNOWN
    if answer is None or _is_unfinished(answer):
        click.echo(f"CI of {pr} still runs after {seconds / MINUTES:g} minutes", err=True)
        return UNFINISHED
    click.echo(answer.text, err=answer.is_error)
    return UNKNOWN if answer.is_error else CODES[answer.structured["status"]]


def _is_unfinished(answer: ToolAnswer) -> bool:
    return not answer.is_error and answer.structured["status"] not in CODES

"""The command `stithy report`."""

from collections.abc import Awaitable, Sequence

import click

from stithy_core.spi import Scope
from stithy_view.pull_request_answers import read_answers
from stithy_view.report_page import create_report_page

SECONDS = 300.0
"""The time limit of each tool: a fetch of a large repository may take minutes."""


@click.command()
@click.argument("pr")
@click.option("-o", "--output", default="report.html", show_default=True, help="The file to write; - for the output.")
@click.option("--open", "opens", is_flag=True, help="Show the file in the browser.")
def report(pr: str, output: str, *, opens: bool) -> None:
    """Write a pull request's report: one HTML file that loads nothing.

    PR is owner/repo#123, its URL, or #123 in a clone. The file has the pull request's readiness, failing tests, open
    threads, conflicts, stack, and files by risk. The exit code is 1 if no tool answered.
    """


def run(scope: Scope, words: Sequence[str]) -> Awaitable[int]:
    """Read the options, and return the coroutine that writes the report and returns the exit code."""
    options = report.make_context("stithy report", list(words)).params
    return _write_report(scope, options["pr"], options["output"], opens=options["opens"])


async def _write_report(scope: Scope, pr: str, output: str, *, opens: bool) -> int:
    answers = await read_answers(scope, pr, SECONDS)
    if failure := answers.failure:
        click.echo(failure.text, err=True)
        return 1
    with click.open_file(output, "w", encoding="utf-8", errors="replace") as file:
        file.write(create_report_page(answers))
    if output != "-":
        click.echo(output)
        if opens:
            click.launch(output)
    return 0

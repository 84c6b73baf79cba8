"""The command `stithy status`: readiness, failing tests and open threads of a pull request on one screen."""

import shutil
import sys
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import click
from attrs import frozen

from stithy_core.spi import Scope, ToolAnswer
from stithy_view.pull_request_answers import read_answers

SECONDS = 300.0
"""The time limit of each tool."""
READINESS, FAILURES, COMMENTS = "check_merge_readiness", "get_failing_tests", "find_unresolved_comments"
COLOURS = {
    **dict.fromkeys(("ready", "merged", "passed"), "green"),
    **dict.fromkeys(("blocked", "failed", "closed"), "red"),
}
"""Of a verdict; every other one is yellow."""
SECTIONS = 3
LEAST_ROWS = 2
"""Rows of a section, however small the screen is."""
PIPED_ROWS = 100
"""Rows of a section that is not written to a terminal."""


@frozen
class StatusSection:
    """One part of the screen.

    Args:
        title: What it is about.
        verdict: Its result in a word or a number; empty without one.
        rows: One line each.
        more: Entries that are on later pages of the answer.
    """

    title: str
    verdict: str
    rows: Sequence[str]
    more: int = 0


@click.command()
@click.argument("pr")
def status(pr: str) -> None:
    """Show a pull request on one screen: whether it can be merged and who must act, failing tests, open threads.

    PR is owner/repo#123, its URL, or #123 in a clone. The exit code is 1 if no tool answered.
    """


def run(scope: Scope, words: Sequence[str]) -> Awaitable[int]:
    """Read the options, and return the coroutine that shows the screen and returns the exit code."""
    return _show_status(scope, status.make_context("stithy status", list(words)).params["pr"])


async def _show_status(scope: Scope, pr: str) -> int:
    answers = await read_answers(scope, pr, SECONDS, (READINESS, FAILURES, COMMENTS))
    if failure := answers.failure:
        click.echo(failure.text, err=True)
        return 1
    # The package `stithy` requires rich, the core does not: without it, a terminal gets what a pipe gets.
    size = shutil.get_terminal_size() if sys.stdout.isatty() and find_spec("rich") is not None else None
    sections = list(build_sections(answers.answers))
    for line in format_screen(pr, sections, None if size is None else (size.columns, size.lines)):
        click.echo(line)
    return 0


def build_sections(answers: Mapping[str, ToolAnswer]) -> Iterator[StatusSection]:
    """Yield the sections; that of a tool that failed has its error."""
    for tool, title, build in (
        (READINESS, "Merge", _build_readiness),
        (FAILURES, "CI", _build_failures),
        (COMMENTS, "Open threads and comments", _build_comments),
    ):
        answer = answers[tool]
        yield StatusSection(title, "not known", [answer.text]) if answer.is_error else build(title, answer.structured)


def _build_readiness(title: str, found: Mapping[str, Any]) -> StatusSection:
    rows = [
        f"{', '.join(issue.get('who', ())) or issue['actor']}: {issue['description']} {issue['action_required']}"
        for issue in found.get("blocking_issues", ())
    ]
    rows += [f"unproven: {', '.join(one['questions'])} ({one['reason']})" for one in found.get("unproven", ())]
    return StatusSection(title, found["verdict"], rows)


def _build_failures(title: str, found: Mapping[str, Any]) -> StatusSection:
    rows = [f"{_format_place(row)}{row['test_name']}: {row['error_message']}" for row in found["failures"]]
    total = found.get("total_failures", len(rows))
    rows += [f"incomplete: {text}" for text in found.get("incomplete", ())]
    return StatusSection(title, found["status"], rows, max(0, total - len(found["failures"])))


def _build_comments(title: str, found: Mapping[str, Any]) -> StatusSection:
    rows = [f"{_format_place(row)}{row['author']}: {row['body']}" for row in found["comments"]]
    total = found["total_unresolved"]
    return StatusSection(title, str(total), rows, max(0, total - len(rows)))


def _format_place(row: Mapping[str, Any]) -> str:
    path, line = row.get("file_path"), row.get("line_number")
    return "" if not path else f"{path}: " if line is None else f"{path}:{line}: "


def format_screen(pr: str, sections: Sequence[StatusSection], size: tuple[int, int] | None) -> Iterator[str]:
    """Yield the lines of the screen.

    Args:
        pr: The pull request as the caller named it.
        sections: The sections.
        size: Columns and lines of the terminal, which the screen fills at most; None outside of a terminal.
    """
    # The title, a heading and an empty line for each section, a line for what is left out, and the next prompt.
    most = PIPED_ROWS if size is None else max(LEAST_ROWS, (size[1] - 2 - 3 * SECTIONS) // SECTIONS)
    yield click.style(pr, bold=True)
    for section in sections:
        yield ""
        colour = COLOURS.get(section.verdict) or ("green" if section.verdict == "0" else "yellow")
        yield f"{click.style(section.title, bold=True)}: {click.style(section.verdict, fg=colour)}"
        for row in section.rows[:most]:
            yield _shorten_line(f"  {' '.join(row.split())}", size)
        if left := max(0, len(section.rows) - most) + section.more:
            yield click.style(f"  … {left} more", dim=True)


def _shorten_line(line: str, size: tuple[int, int] | None) -> str:
    """Return a line that fits; wide letters take two columns of the terminal."""
    if size is None:
        return line
    from rich.text import Text

    text = Text(line)
    text.truncate(size[0], overflow="ellipsis")
    return text.plain

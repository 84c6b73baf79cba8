"""Answers and progress on a terminal, by rich: tables, colours and bars.

The package `stithy` requires rich, the core does not: without it, a terminal gets what a pipe gets.
"""

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING, Any

from attrs import define, field

from stithy_core.tools.executor import ignore_progress

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID
    from rich.table import Table
    from rich.text import Text

    from stithy_core.tools.context import Report

LONG = 32
"""Columns of the terminal from which a text may take several lines in its column."""
LEAST_WIDTH = 24
"""Columns of the terminal that a column with long texts has at least."""
GAP = 3
"""Columns of the terminal between two columns of a table."""
LEAST_SPACES = 2
"""Spaces of a text that is a sentence: what a row is about, unlike names and states."""
MOST_LINES = 6
"""Lines of a text in a cell."""
ALL = "--json has all"
LINKS = ("html_url", "url", "log_url")
COLOURS = {
    **dict.fromkeys(("failed", "blocked", "error", "conflict", "conflicts", "changes_requested", "timed_out"), "red"),
    **dict.fromkeys(("passed", "ready", "approved", "merged", "success", "loaded"), "green"),
    **dict.fromkeys(("pending", "running", "queued", "unknown", "unproven", "low", "draft"), "yellow"),
}


def has_terminal(stream: IO[str]) -> bool:
    """Return whether a stream is a terminal on which rich, which is an extra, can write."""
    return stream.isatty() and os.environ.get("TERM") != "dumb" and find_spec("rich") is not None


def create_console(stream: IO[str]) -> "Console":
    """Return a console that changes nothing of texts: no markup, no emoji names, no colours by pattern."""
    from rich.console import Console

    return Console(file=stream, markup=False, emoji=False, highlight=False)


def show_answer(console: "Console", text: str, structured: Mapping[str, Any]) -> None:
    """Write the answer to a call: the first line of its text, its values, and a table for each list of objects.

    Args:
        console: The terminal.
        text: The answer's text.
        structured: The answer's object. What is nested more than two levels deep is named, not shown.
    """
    from rich.table import Table
    from rich.text import Text

    parts = split_answer(structured)
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="cyan", no_wrap=True)
    for name, value in parts.values.items():
        grid.add_row(Text(name), _build_cell(value))
    console.print(Text(text.partition("\n")[0].rstrip(":"), style="bold"))
    if parts.values:
        console.print(grid)
    for name, rows in parts.tables.items():
        console.print(_build_table(name, rows, console.width))
    if parts.hidden:
        console.print(Text(f"not shown: {', '.join(parts.hidden)} ({ALL})", style="dim"))


@define
class AnswerSections:
    """What a terminal shows of an answer's object, by dotted names.

    Args:
        values: Values, lists of values, and objects whose values are such.
        tables: Lists of objects.
        hidden: The names of what is nested deeper.
    """

    values: dict[str, Any] = field(factory=dict)
    tables: dict[str, Sequence[Mapping[str, Any]]] = field(factory=dict)
    hidden: list[str] = field(factory=list)


def split_answer(structured: Mapping[str, Any]) -> AnswerSections:
    """Sort the parts of an answer's object by how they are shown; empty ones are left out."""
    parts = AnswerSections()
    for name, value in structured.items():
        _add_part(parts, name, value, can_open=True)
    return parts


def _add_part(parts: AnswerSections, name: str, value: Any, *, can_open: bool) -> None:
    if _is_empty(value):
        return
    if isinstance(value, list) and all(isinstance(row, dict) for row in value):
        parts.tables[name] = value
    elif not _is_nested(value):
        parts.values[name] = value
    elif can_open and isinstance(value, dict):
        for key, inner in value.items():
            _add_part(parts, f"{name}.{key}", inner, can_open=False)
    else:
        parts.hidden.append(name)


def _is_empty(value: object) -> bool:
    return value is None or value in ("", [], {})


def _is_nested(value: object) -> bool:
    """Return whether a value has objects or lists of lists in it."""
    if isinstance(value, dict):
        return any(isinstance(one, dict) or _is_nested(one) for one in value.values())
    return isinstance(value, list) and any(isinstance(one, dict | list) for one in value)


def _build_cell(value: Any) -> "Text":
    """Return a value as text: a link if it is a URL, with the colour of the state that it names."""
    from rich.style import Style
    from rich.text import Text

    lines = format_value(value).splitlines()
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], f"… {len(lines) - MOST_LINES} more lines"]
    shown = "\n".join(lines)
    return Text(shown, style=Style(link=shown) if _is_url(shown) else COLOURS.get(shown, ""), overflow="fold")


def format_value(value: Any) -> str:
    """Return a value in words: booleans as yes and no, lists and objects by commas."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(format_value, value))
    if isinstance(value, dict):
        return ", ".join(f"{name}: {format_value(one)}" for name, one in value.items() if not _is_empty(one))
    return str(value)


def _build_table(name: str, rows: Sequence[Mapping[str, Any]], width: int) -> "Table":
    """Return a table of objects; columns that do not fit are named below it."""
    from rich import box
    from rich.style import Style
    from rich.table import Table
    from rich.text import Text

    shown, hidden = choose_columns(rows, width)
    table = Table(title=f"{name} ({len(rows)})", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    if hidden:
        table.caption, table.caption_justify = f"not shown: {', '.join(hidden)} ({ALL})", "left"
    for column, length in shown.items():
        table.add_column(Text(column), no_wrap=length <= LONG, min_width=min(length, LEAST_WIDTH), overflow="fold")
    for row in rows:
        cells = [Text() if _is_empty(row.get(column)) else _build_cell(row[column]) for column in shown]
        if link := next((row[key] for key in LINKS if _is_url(row.get(key))), None):
            cells[0].stylize(Style(link=link))
        table.add_row(*cells)
    return table


def _is_url(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"https?://\S+", value) is not None


def choose_columns(rows: Sequence[Mapping[str, Any]], width: int) -> tuple[Mapping[str, int], Sequence[str]]:
    """Return the columns that fit, with their widths, and the names of the others.

    Sentences and long texts come first, and times last. The page of a row becomes the link of its first cell. A wide
    letter, such as of Chinese, and most emoji take two columns of the terminal.

    Args:
        rows: The objects of the table.
        width: Columns of the terminal.
    """
    from rich.cells import cell_len

    lengths: dict[str, int] = {}
    prose: set[str] = set()
    for row in rows:
        for name, value in row.items():
            if not _is_empty(value):
                text = format_value(value)
                lengths[name] = max(lengths.get(name, cell_len(name)), cell_len(text))
                if lengths[name] > LONG or (isinstance(value, str) and text.count(" ") >= LEAST_SPACES):
                    prose.add(name)
    columns = [name for name in lengths if name not in LINKS] or list(lengths)
    chosen: set[str] = set()
    left = width
    for name in sorted(columns, key=lambda name: (name.endswith("_at"), name not in prose)):
        needed = GAP + (lengths[name] if lengths[name] <= LONG else LEAST_WIDTH)
        if needed <= left or not chosen:
            chosen.add(name)
            left -= needed
    return (
        {name: lengths[name] for name in columns if name in chosen},
        [name for name in columns if name not in chosen],
    )


class ProgressBars:
    """The progress of calls on standard error, if that is a terminal: a bar for each call that has reported any.

    A bar appears at the first report of its call, and disappears when the call ends.
    """

    def __init__(self) -> None:
        self._progress: Progress | None = None

    @contextmanager
    def show(self) -> Iterator["Report"]:
        """Yield the receiver of the reports of one call."""
        if not has_terminal(sys.stderr):
            yield ignore_progress
            return
        task: TaskID | None = None

        async def report(done: float, total: float | None, message: str) -> None:
            nonlocal task
            progress = self._start()
            if task is None:
                task = progress.add_task(message, completed=int(done), total=total)
            else:
                progress.update(task, completed=int(done), total=total, description=message)

        try:
            yield report
        finally:
            if task is not None:
                self._remove(task)

    def _start(self) -> "Progress":
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        if self._progress is None:
            self._progress = Progress(
                *(SpinnerColumn(), BarColumn(20), MofNCompleteColumn(), TimeElapsedColumn()),
                TextColumn("{task.description}", markup=False),
                console=create_console(sys.stderr),
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._progress.start()
        return self._progress

    def _remove(self, task: "TaskID") -> None:
        progress = self._start()
        progress.remove_task(task)
        if not progress.tasks:
            progress.stop()
            self._progress = None

"""What a terminal shows of answers and of progress."""

import io
import os
import pty
import re
import subprocess

import anyio
import pytest
from rich.cells import cell_len

from stithy_core.cli.terminal import ProgressBars, choose_columns, create_console, show_answer

ROWS = [
    {"id": 1, "state": "failed", "body": "x" * 50, "created_at": "2026-01-05T09:03:00Z", "url": "https://f.invalid/1"},
    {"id": 2, "state": "passed", "body": "[red]no[/red]\n" * 9, "created_at": "2026-01-05T09:03:00Z", "note": "n"},
]


@pytest.fixture
def draw(monkeypatch):
    """Return what a terminal of a width is sent for an answer, without its control sequences unless `raw`."""

    def render(structured, *, width=100, raw=False, **environ):
        for name, value in {"TERM": "xterm-256color", "COLUMNS": str(width), "NO_COLOR": "", **environ}.items():
            monkeypatch.setenv(name, value)
        stream = io.StringIO()
        stream.isatty = lambda: True
        show_answer(create_console(stream), "1 of 1 things:\n- more", structured)
        return stream.getvalue() if raw else re.sub(r"\x1b\][^\x1b]*\x1b\\|\x1b\[[\d;]*m", "", stream.getvalue())

    return render


def test_a_list_of_objects_is_a_table(draw):
    lines = draw({"total": 2, "rows": ROWS}).splitlines()
    assert lines[0] == "1 of 1 things"
    assert "rows (2)" in [line.strip() for line in lines]
    assert next(line.split() for line in lines if "state" in line) == ["id", "state", "body", "created_at", "note"]


def test_what_does_not_fit_is_named(draw):
    shown = draw({"rows": ROWS, "deep": {"deeper": {"deepest": {"x": 1}}}}, width=50)
    assert "not shown: created_at" in shown
    assert "not shown: deep.deeper (--json has all)" in shown


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_no_line_is_wider_than_the_terminal(draw, width):
    assert max(map(len, draw({"rows": ROWS}, width=width).splitlines())) <= width


def test_long_texts_are_chosen_before_other_columns():
    shown, hidden = choose_columns(ROWS, 42)
    assert list(shown) == ["id", "state", "body"]
    assert hidden == ["created_at", "note"]


def test_a_sentence_is_chosen_before_other_columns_however_short():
    """It is what the row is about, such as a comment."""
    row = {"id": 8, "type": "review_comment", "author": "smith", "body": "Rockwell or Shore here?"}
    assert list(choose_columns([row], 36)[0]) == ["id", "body"]


@pytest.mark.parametrize("text", ["鍛冶屋の鉄床" * 4, "🔨" * 20, "한글 검토 의견" * 3])
@pytest.mark.parametrize("width", [20, 60])
def test_wide_letters_take_two_columns(draw, text, width):
    """A column that they do not fit in is a long one, and no line is wider than the terminal."""
    rows = [{"id": 1, "body": text}, {"id": 2, "body": "hot"}]
    lines = draw({"name": text, "rows": rows}, width=width).splitlines()
    assert max(map(cell_len, lines)) <= width
    assert choose_columns(rows, 200)[0]["body"] == cell_len(text)
    assert "".join(re.findall(r"[^\x00-\xff]", text)) in "".join(re.findall(r"[^\x00-\xff─…]", "".join(lines)))


def test_texts_of_others_are_shown_as_they_are(draw):
    """Neither markup nor names of emoji mean anything in them, and a long one is cut."""
    shown = draw({"rows": ROWS, "text": ":smile: [bold]"})
    assert ":smile: [bold]" in shown
    assert shown.count("[red]no[/red]") == 6
    assert "… 3 more lines" in shown


def test_the_first_cell_links_to_the_page(draw):
    assert ";https://f.invalid/1\x1b\\1" in draw({"rows": ROWS}, raw=True)


def test_states_have_colours_unless_no_color_is_set(draw):
    red = re.compile(r"\x1b\[[\d;]*31m")
    assert red.search(draw({"rows": ROWS}, raw=True))
    assert not re.search(r"\x1b\[(?:\d+;)*3\d", draw({"rows": ROWS}, raw=True, NO_COLOR="1"))


def test_progress_is_drawn_from_the_first_report_and_removed_at_the_end(monkeypatch):
    stream = io.StringIO()
    stream.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    bars = ProgressBars()
    with bars.show() as report, bars.show() as other:
        assert not stream.getvalue()
        anyio.run(report, 3, 7, "git: receiving [objects]")
        anyio.run(other, 1, None, "reading")
    assert re.search(r"3/7.*git: receiving \[objects\]", stream.getvalue())
    assert re.search(r"1/\?.*reading", stream.getvalue())
    end = stream.getvalue().rpartition("reading")[2]
    assert "\x1b[2K" in end
    assert not re.sub(r"\x1b\[[?\d;]*[A-Za-z]|\s", "", end)


@pytest.mark.usefixtures("parrot")
def test_a_terminal_gets_a_table_and_a_pipe_the_text(stithy_process):
    words, environ, modules = stithy_process
    command = [*words, "call", "parrot", "text=heard"]
    environ = {name: value for name, value in environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"}
    piped = subprocess.run(command, env=environ, capture_output=True, timeout=60, check=True)
    assert piped.stdout == b"heard\n"
    assert not [name for name in modules() if name.startswith("rich")]
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, env=environ, stdout=theirs, stderr=theirs) as process:
        assert process.wait(timeout=60) == 0
    os.close(theirs)
    assert os.read(ours, 10_000).startswith(b"\x1b[1mheard\x1b[0m\r\n\x1b[36msaid")
    os.close(ours)


@pytest.mark.usefixtures("parrot")
@pytest.mark.parametrize(("value", "code"), [("1", b""), ("", b"\x1b[31m")])
def test_no_color_is_honoured_by_errors(run, monkeypatch, value, code):
    monkeypatch.setenv("NO_COLOR", value)
    result = run("tools", "nothing", color=True)
    assert result.stderr_bytes.startswith(code + b"Error: unknown tool")

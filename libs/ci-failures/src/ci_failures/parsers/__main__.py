"""Write `literals` and `first_lines` from the classes of the built-in parsers."""

from collections.abc import Iterable
from pathlib import Path
from textwrap import wrap

from ci_failures.model import LazyParser
from ci_failures.parsers import list_paths

HEAD = '''"""What is needed of built-in parsers before they are imported, as `python -m ci_failures.parsers` writes it.

Each has its module and class, its tool, the module and class of the parser that reads for it and has the literals of
both, or its own literals.
"""

# fmt: off
# Quoted as by `repr`; the signs are those that the tools print.
# ruff: noqa: E501, Q000, RUF001

LITERALS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
'''
PATTERNS_HEAD = '''"""The `first_line` of built-in parsers that have one, as `python -m ci_failures.parsers` writes it.

A parser that another one reads for has none here.
"""

# fmt: off
# Quoted as by `repr`; the signs are those that the tools print.
# ruff: noqa: Q000, RUF001

FIRST_LINES: dict[str, str] = {
'''
WIDTH = 120
PIECE = 100
"""Characters of a quoted pattern in a line at most."""


def format_literals() -> str:
    """Return the content of the file."""
    return HEAD + "".join(map(_format_parser, list_paths())) + ")\n"


def _format_parser(path: str) -> str:
    parser = LazyParser(f"ci_failures.parsers.{path}").load()
    reader = parser.reads_with
    reads_with = f"{reader.__module__}:{reader.__name__}".removeprefix("ci_failures.parsers.") if reader else ""
    begin = f'    ("{path}", "{parser.tool}", "{reads_with}", '
    wakes = () if reads_with else parser.wakes
    if len(line := f"{begin}{wakes!r}),") <= WIDTH:
        return f"{line}\n"
    end = ",)),\n" if len(wakes) == 1 else ")),\n"
    return f"{_wrap_items(wakes, f'{begin}(')}{end}"


def format_first_lines() -> str:
    """Return the content of the file with the patterns."""
    return PATTERNS_HEAD + "".join(map(_format_first_line, list_paths())) + "}\n"


def _format_first_line(path: str) -> str:
    parser = LazyParser(f"ci_failures.parsers.{path}").load()
    rest = "" if parser.reads_with else parser.first_line
    pieces = []
    while rest:
        size = next(size for size in range(PIECE, 0, -1) if len(repr(rest[:size])) <= PIECE)
        pieces.append(repr(rest[:size]))
        rest = rest[size:]
    return "\n        ".join((f'    "{path}":', *pieces)) + ",\n" if pieces else ""


def _wrap_items(words: Iterable[str], begin: str) -> str:
    """Return the lines of a tuple's items behind its begin, with space for its end; no item is broken."""
    items = " ".join(f"{word!r},".replace(" ", "\x00") for word in words)
    lines = wrap(
        items,
        WIDTH - len(")),,"),
        initial_indent=begin,
        subsequent_indent=" " * 5,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines).removesuffix(",").replace("\x00", " ")


if __name__ == "__main__":
    contents = {"literals.py": format_literals(), "first_lines.py": format_first_lines()}
    for name, content in contents.items():
        Path(__file__).with_name(name).write_text(content, encoding="utf-8")

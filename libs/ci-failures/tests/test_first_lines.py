"""What precedes the first line that a parser has to read changes nothing, so that it need not be read."""

from pathlib import Path

import pytest

from ci_failures.logs.log_reader import Literals, LogReader
from ci_failures.model import LazyParser
from ci_failures.parsers.literals import LITERALS

LOGS = sorted((Path(__file__).parent / "logs").rglob("*.log"))
STEPS = (0, 101)
"""How far apart the logs are that follow each other; 0 for logs alone."""


@pytest.fixture(scope="module")
def reading_all():
    """Return the literals of parsers that read every line that wakes them."""
    parsers = {}
    for path, tool, reads_with, wakes in LITERALS:
        parsers[path] = LazyParser(f"ci_failures.parsers.{path}", tool, wakes, parsers.get(reads_with))
    return Literals(list(parsers.values()))


def read(literals, log):
    reader = LogReader(literals)
    reader.feed(log)
    return reader.finish(), reader.outcome


@pytest.mark.parametrize("step", STEPS)
def test_lines_of_other_tools_before_a_parser_begins_change_nothing(step, literals, reading_all):
    wrong = []
    for at, path in enumerate(LOGS):
        log = path.read_bytes() + (LOGS[(at + step) % len(LOGS)].read_bytes() if step else b"")
        if read(literals, log) != read(reading_all, log):
            wrong.append(path.name)
    assert wrong == []

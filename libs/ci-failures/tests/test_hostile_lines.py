"""Lines that were made to take time: parsers read them to their end, and none of them fails at it."""

import pytest

from ci_failures.logs.cleaning import LONGEST
from ci_failures.logs.log_reader import Literals, LogReader
from ci_failures.parsers import load_built_in

BETWEEN = ("", " ", "1", ".a", ":1:1: ", "()", "\t/", " - ")
"""What stands between the words of a line: regular expressions go back over such runs."""
PARSERS = [pytest.param(parser, id=parser.__qualname__) for parser in load_built_in()]


def read(parser, lines):
    """Read lines with a parser as it is, and with one that reads each line with its words."""
    for one in (parser, type(parser.__name__, (parser,), {"first_line": ""})):
        reader = LogReader(Literals([one]))
        reader.feed("\n".join(lines).encode())
        reader.finish()


@pytest.mark.parametrize("parser", PARSERS)
def test_long_lines_of_its_own_words_do_no_harm(parser, caplog):
    words = [literal.strip("\n") for literal in parser.wakes]
    # All that may stand between for the first words, and for each of the others one: golangci-lint has a hundred.
    pairs = [(word, between) for at, word in enumerate(words) for between in (BETWEEN if at < 8 else [BETWEEN[at % 8]])]
    lines = [(word + between) * (LONGEST // len(word + between)) for word, between in pairs]
    read(parser, lines)
    assert not caplog.records


@pytest.mark.parametrize("parser", PARSERS)
def test_long_runs_behind_its_own_words_do_no_harm(parser, caplog):
    words = [literal.strip("\n") for literal in parser.wakes]
    read(parser, [(f"{word}{run * LONGEST}")[:LONGEST] for word in words for run in (" ", "1", "a", ".", ":", "x ")])
    assert not caplog.records


@pytest.mark.parametrize("parser", PARSERS)
def test_its_own_words_again_and_again_do_no_harm(parser, caplog):
    words = [literal.strip("\n") for literal in parser.wakes]
    read(parser, [f"{word}{number}" for number in range(2_000 // len(words) + 1) for word in words])
    assert not caplog.records


def test_runs_within_runs_do_no_harm(caplog, read):
    read(f"{' test session starts ':=^80}\n" * 3_000)
    assert not caplog.records

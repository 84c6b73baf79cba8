"""Result files that are lines as a tool prints them: TAP, and the events of `go test -json`; log parsers read them."""

from functools import cache

from attrs import evolve

from ci_failures.logs.reading import Literals, LogReader
from ci_failures.parsers import built_in
from ci_failures.results.tally import Tally
from ci_failures.results.text import Text


@cache
def _literals() -> Literals:
    return Literals(built_in())


def read(text: Text, tally: Tally) -> None:
    """Read a file."""
    reader = LogReader(_literals())
    for piece in text.pieces():
        reader.feed(piece)
    tales = reader.finish()
    for told in tales:
        for one in told.failures:
            tally.failed(evolve(one, log_line=0))
        if told.counted is not None:
            tally.counts(told.counted)
    if reader.outcome.doubt and not tally.found:  # it was cut off, or counts what it does not name
        tally.lacks(reader.outcome.doubt)

"""Result files that consist of a tool's output, TAP and the events of `go test -json`; log parsers read them."""

from functools import cache

from attrs import evolve

from ci_failures.logs.literal_search import Literals
from ci_failures.logs.log_reader import LogReader
from ci_failures.parsers import list_built_in
from ci_failures.results.tally import Tally
from ci_failures.results.text import Text


@cache
def _literals() -> Literals:
    return Literals(list_built_in())


def read(text: Text, tally: Tally) -> None:
    """Read a file."""
    reader = LogReader(_literals())
    for piece in text.pieces():
        reader.feed(piece)
    results = reader.finish()
    for result in results:
        for one in result.failures:
            tally.record_failed(evolve(one, log_line=0))
        if result.gap:
            tally.add_gap(result.gap)
        if result.counted is not None:
            tally.add_count(result.counted)
    if reader.outcome.unknown and not tally.found:  # it was cut off, counts failures without names, or is none
        tally.add_gap(reader.outcome.unknown)

"""The events of cargo's and nextest's `libtest-json` and of libtest's `--format json`, one on each line."""

import re
from collections.abc import Mapping
from typing import Any

from ci_failures.model import Failure
from ci_failures.parsers.text_helpers import relative
from ci_failures.results.json_document import iterate_lines
from ci_failures.results.tally import Tally
from ci_failures.results.text import Text, strip_colours

PANICKED = re.compile(r"panicked at (?:'.{0,1000}?', )?([^\s:]{1,300}\.rs):(\d{1,7})")
MARK = "$"
"""nextest writes `crate::binary$test`; libtest only `test`."""


def read(text: Text, tally: Tally) -> None:
    """Read a file; other lines are skipped."""
    for event in iterate_lines(text):
        _event(event, tally)


def _event(event: Mapping[str, Any], tally: Tally) -> None:
    kind, what = event.get("type"), event.get("event")
    if kind == "suite" and what in {"ok", "failed"} and isinstance(event.get("failed"), int):
        tally.add_count(event["failed"])
    elif kind == "test" and what in {"failed", "timeout"}:
        tally.record_failed(_failure(event))
    elif kind == "test" and what in {"ok", "ignored"}:
        tally.ran += 1


def _failure(event: Mapping[str, Any]) -> Failure:
    binary, mark, test = str(event.get("name", "")).partition(MARK)
    said = strip_colours(str(event.get("stdout") or event.get("message") or event.get("reason") or "")).strip()
    found = PANICKED.search(said)
    return Failure(
        tool="nextest" if mark else "cargo",
        name=f"{binary} {test.partition('#')[0]}" if mark else binary,
        message=said,
        file=relative(found[1]) if found else "",
        line=int(found[2]) if found else None,
    )

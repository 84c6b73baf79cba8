"""CTRF, the Common Test Report Format: one JSON document."""

import json
from collections.abc import Mapping
from typing import Any

from ci_failures.model import Failure
from ci_failures.parsers.text_helpers import relative
from ci_failures.results.tally import Tally, UnreadableFile
from ci_failures.results.text import Text, strip_colours

LARGEST = 16 << 20
"""Bytes at most, since a JSON document is in memory as a whole."""
MOST_RETRIES = 1_000
TOOLS = {"node-test": "node:test", "nodejs": "node:test", "go-test": "go", "gotest": "go", "xunit": "dotnet"}


def read(text: Text, tally: Tally) -> None:
    """Read a file.

    Raises:
        UnreadableFile: It is not JSON, or not CTRF.
    """
    results = _results(text)
    said = str(_mapping(results.get("tool")).get("name", "")).lower()
    tool = TOOLS.get(said, said) or "ctrf"
    failed = _mapping(results.get("summary")).get("failed")
    if isinstance(failed, int):
        tally.add_count(failed)
    tests = results.get("tests")
    for test in tests if isinstance(tests, list) else ():
        if isinstance(test, Mapping):
            _test(tool, test, tally)


def _results(text: Text) -> Mapping[str, Any]:
    text.limited(LARGEST)
    pieces = []
    while piece := text.read():
        pieces.append(piece)
    try:
        return _mapping(_mapping(json.loads("".join(pieces))).get("results"))
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"its JSON is damaged: {error}") from error


def _test(tool: str, test: Mapping[str, Any], tally: Tally) -> None:
    flaky = test.get("flaky") is True
    if test.get("status") != "failed" and not flaky:
        tally.ran += 1
        return
    file = relative(_text(test.get("filePath")))
    line, retries = test.get("line"), test.get("retries")
    tally.record_failed(
        Failure(
            tool=tool,
            name=_name(test, file),
            message=strip_colours(_text(test.get("message")) or _text(test.get("trace"))).strip(),
            file=file,
            line=line if isinstance(line, int) and line > 0 else None,
            attempts=1 + (retries if isinstance(retries, int) and 0 < retries < MOST_RETRIES else 0),
            flaky=flaky and test.get("status") != "failed",
        )
    )


def _name(test: Mapping[str, Any], file: str) -> str:
    """Return a name of the file, the suites and the test, whose own name may begin with theirs."""
    suite = test.get("suite")
    suites = [_text(one) for one in suite] if isinstance(suite, list) else _text(suite).split(" > ")
    name = _text(test.get("name"))
    kept = [one for one in suites if one and one not in {file, file.rpartition("/")[2]}]
    whole = next((at for at in range(len(kept)) if name.startswith(f"{' '.join(kept[at:])} ")), len(kept))
    parts = [file, *kept[:whole], name]
    return " > ".join(strip_colours(part) for part in parts if part) or "a test without a name"


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""

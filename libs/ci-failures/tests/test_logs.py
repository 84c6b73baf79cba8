"""Every kept log is read as its tool's own result says: nothing is missed, and nothing is made up.

Beside each log, `NAME.log`, stands `NAME.json` with the truth: `failures`, a list of `{tool, kind, name}` and of `file`
and `line` where the result has them, and `from`, what it was taken from.
"""

import json
from pathlib import Path

import pytest

from ci_failures.logs.log_reader import LogReader

LOGS = Path(__file__).parent / "logs"
CASES = sorted(path.relative_to(LOGS).with_suffix("") for path in LOGS.rglob("*.log"))


def first_line(failure):
    return failure["tool"], failure.get("kind", "test"), failure["name"]


@pytest.fixture(scope="module", params=CASES, ids=str)
def pair(request, literals):
    """Return what a log tells, and what its tool's own result does."""
    reader = LogReader(literals)
    reader.feed((LOGS / f"{request.param}.log").read_bytes())
    truth = json.loads((LOGS / f"{request.param}.json").read_text(encoding="utf-8"))["failures"]
    return [one for tale in reader.finish() for one in tale.failures], truth


def test_a_log_tells_what_failed(pair):
    told, truth = pair
    names = sorted((one.tool, one.kind, one.name) for one in told if not one.flaky)
    assert names == sorted(map(first_line, truth))


def test_places_are_those_of_the_result(pair):
    told, truth = pair
    found = {(one.tool, one.kind, one.name): one for one in told}
    wrong = []
    for row in truth:
        one = found.get(first_line(row))
        expected = row.get("file"), row.get("line")
        if one and expected not in ((None, None), (one.file, one.line)):
            wrong.append((row["name"], expected, (one.file, one.line)))
    assert not wrong


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_does_not_matter_how_a_log_comes_in(case, read):
    raw = (LOGS / f"{case}.log").read_bytes()[:50_000]
    assert read(raw, 997) == read(raw)

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
TOOLS = {tool: [case for case in CASES if case.parts[0] == tool] for tool in sorted({case.parts[0] for case in CASES})}
"""The logs by the folder of their tool: a test for each log would take more time than reading it."""


def first_line(failure):
    return failure["tool"], failure.get("kind", "test"), failure["name"]


@pytest.fixture(scope="module", params=TOOLS)
def pairs(request, literals):
    """Return what the logs of a tool tell, and what its own result does, by log."""
    found = {}
    for case in TOOLS[request.param]:
        reader = LogReader(literals)
        reader.feed((LOGS / f"{case}.log").read_bytes())
        truth = json.loads((LOGS / f"{case}.json").read_text(encoding="utf-8"))["failures"]
        found[str(case)] = [one for tale in reader.finish() for one in tale.failures], truth
    return found


def test_a_log_tells_what_failed(pairs):
    wrong = {}
    for case, (told, truth) in pairs.items():
        names = sorted((one.tool, one.kind, one.name) for one in told if not one.flaky)
        if names != (expected := sorted(map(first_line, truth))):
            wrong[case] = (names, expected)
    assert not wrong


def test_places_are_those_of_the_result(pairs):
    wrong = []
    for case, (told, truth) in pairs.items():
        found = {(one.tool, one.kind, one.name): one for one in told}
        for row in truth:
            one = found.get(first_line(row))
            expected = row.get("file"), row.get("line")
            if one and expected not in ((None, None), (one.file, one.line)):
                wrong.append((case, row["name"], expected, (one.file, one.line)))
    assert not wrong


@pytest.mark.parametrize("tool", TOOLS)
def test_it_does_not_matter_how_a_log_comes_in(tool, read):
    logs = {str(case): (LOGS / f"{case}.log").read_bytes()[:50_000] for case in TOOLS[tool]}
    assert [case for case, raw in logs.items() if read(raw, 997) != read(raw)] == []

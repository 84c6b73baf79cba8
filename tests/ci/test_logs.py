"""Every kept log is read as its tool's own result says: nothing is missed, and nothing is made up.

Beside each log, `NAME.log`, stands `NAME.json` with the truth: `failures`, a list of `{tool, kind, name}` and of `file`
and `line` where the result has them, and `from`, what it was taken from.
"""

import json
from pathlib import Path

import pytest

LOGS = Path(__file__).parent / "logs"
CASES = sorted(path.relative_to(LOGS).with_suffix("") for path in LOGS.rglob("*.log"))


def said(failure):
    return failure["tool"], failure.get("kind", "test"), failure["name"]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_log_tells_what_failed(case, read):
    truth = json.loads((LOGS / f"{case}.json").read_text(encoding="utf-8"))
    told = read((LOGS / f"{case}.log").read_bytes())
    found = [one for tale in told for one in tale.failures if not one.flaky]
    names = sorted((one.tool, one.kind, one.name) for one in found)
    assert names == sorted(map(said, truth["failures"]))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_places_are_those_of_the_result(case, read):
    truth = json.loads((LOGS / f"{case}.json").read_text(encoding="utf-8"))
    told = read((LOGS / f"{case}.log").read_bytes())
    found = {(one.tool, one.kind, one.name): one for tale in told for one in tale.failures}
    wrong = []
    for row in truth["failures"]:
        one = found.get(said(row))
        expected = row.get("file"), row.get("line")
        if one and expected not in ((None, None), (one.file, one.line)):
            wrong.append((row["name"], expected, (one.file, one.line)))
    assert not wrong


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_does_not_matter_how_a_log_comes_in(case, read):
    raw = (LOGS / f"{case}.log").read_bytes()[:50_000]
    assert read(raw, 997) == read(raw)

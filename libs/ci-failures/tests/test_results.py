"""Result files of real tools are read as other sources of the same tools have it; untrusted ones do no harm."""

import json
from pathlib import Path

import pytest

from ci_failures.failure_merging import merge
from ci_failures.model import Failure
from ci_failures.results.files import read_file
from ci_failures.source_reports import SourceReport

RESULTS = Path(__file__).parent / "results"
CASES = sorted(path.relative_to(RESULTS) for path in RESULTS.rglob("*.*") if not path.name.endswith(".truth.json"))
OTHERWISE = {"catch2", "jest", "vitest", "node", "playwright"}
"""Tools whose files have less or more than canonical names: no file, no folder, no suites around a hook, a section."""


def truth_of(case):
    return json.loads((RESULTS / case).with_suffix(".truth.json").read_text(encoding="utf-8"))["failures"]


def results_of(case):
    with (RESULTS / case).open("rb") as raw:
        return read_file(str(case), raw)


@pytest.mark.parametrize("case", [case for case in CASES if case.parts[0] not in OTHERWISE], ids=str)
def test_a_result_file_tells_what_failed(case):
    found = [(one.tool, one.kind, one.name) for one in results_of(case).failures if not one.flaky]
    assert sorted(found) == sorted((row["tool"], row["kind"], row["name"]) for row in truth_of(case))


@pytest.mark.parametrize("case", [case for case in CASES if case.parts[0] not in {"node", "playwright"}], ids=str)
def test_places_are_those_of_the_tool(case):
    truth = {row["name"]: (row.get("file"), row.get("line")) for row in truth_of(case) if row.get("line")}
    found = {one.name: (one.file, one.line) for one in results_of(case).failures if one.file and one.line}
    wrong = {name: (found[name], truth[name]) for name in found.keys() & truth.keys() if found[name] != truth[name]}
    assert not wrong


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_failure_of_a_file_and_the_same_of_a_log_are_one(case):
    rows = [Failure(**row | {"line": row.get("line")}, message="said", log_line=1) for row in truth_of(case)]
    log = SourceReport(source="log", check="unit", failures=tuple(rows))
    artifact = SourceReport(source="artifact", check="unit", failures=results_of(case).failures)
    merged = [one for one in merge([artifact, log]) if not one.failure.flaky]
    assert sorted(one.failure.name for one in merged) == sorted(row.name for row in rows)
    told = [one for one in merged if artifact in one.reports]
    assert {one.sources for one in told} == {("artifact", "log")}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_agrees_with_its_own_counts(case):
    assert results_of(case).gap == ""

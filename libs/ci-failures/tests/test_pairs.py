"""What a tool prints and the result file of the same run tell of the same tests: together they tell nothing twice."""

import io
from itertools import combinations
from pathlib import Path

import pytest

from ci_failures.failure_merging import merge
from ci_failures.results.files import read_file
from ci_failures.source_reports import SourceReport

PAIRS = Path(__file__).parent / "pairs"
CASES = sorted(path.name for path in PAIRS.iterdir())


@pytest.fixture(params=CASES)
def pair(request, read):
    """Return the reports of a log, and those of the result files of the same run."""
    log, *files = sorted((PAIRS / request.param).iterdir(), key=lambda path: path.name != "log.txt")
    told = [SourceReport(source="log", check="unit", job="1", failures=one.failures) for one in read(log.read_bytes())]
    found = [read_file(file.name, io.BytesIO(file.read_bytes())) for file in files]
    return told, [SourceReport(source="artifact", check="CI", failures=one.failures) for one in found]


def names(*reports):
    return sorted((one.failure.tool, one.failure.name) for one in merge(reports))


def test_together_they_tell_what_the_log_tells(pair):
    log, files = pair
    assert names(*files, *log) == names(*log, *files) == names(*log)


def test_any_of_the_files_may_be_missing(pair):
    log, files = pair
    for count in {1, len(files) - 1} - {0}:  # all subsets of thirteen files would take a minute
        assert all(names(*some, *log) == names(*log) for some in combinations(files, count))


def test_all_of_a_file_is_found_in_the_log(pair):
    log, files = pair
    merged = merge([*files, *log])
    assert sum("artifact" in one.sources for one in merged) >= len(merge(files)) > 0
    assert not [one.failure.name for one in merged if "log" not in one.sources]


def test_each_keeps_the_message_of_its_own(pair):
    """Names with the same words are not mixed up: no result file's message stands at another test."""
    log, files = pair
    alone = {(one.failure.tool, one.failure.name): one.failure.message for one in merge(files)}
    for one in merge([*files, *log]):
        key = one.failure.tool, one.failure.name
        if key in alone and alone[key] not in {"", "Failed"}:
            assert one.failure.message == alone[key]


@pytest.mark.parametrize("pair", ["spock", "zio"], indirect=True)
def test_a_file_alone_has_the_names_of_the_log(pair):
    log, files = pair
    assert names(*files) == names(*log)

"""Too little coverage is reported, and not as a test."""

import pytest


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("FAIL Required test coverage of 95% not reached. Total coverage: 79.17%", "coverage below 95"),
        ("ERROR: Coverage failure: total of 79 is less than fail-under=95", "coverage below 95"),
        ("Coverage failure: total of 79.1 is less than fail-under=95.5", "coverage below 95.5"),
        (
            'Jest: "global" coverage threshold for branches (90%) not met: 66.66%',
            'missed: "global" coverage threshold for branches (90%)',
        ),
        (
            "ERROR: Coverage for lines (79.17%) does not meet global threshold (90%)",
            "missed: coverage threshold for lines",
        ),
    ],
)
def test_a_threshold_that_is_missed(line, name, read):
    (tale,) = read(f"all files | 79.17 |\n{line}\n")
    (told,) = tale.failures
    assert (told.tool, told.kind, told.name) == ("coverage", "lint", name)
    assert told.message == line


def test_a_threshold_that_is_reached_is_none(read):
    assert not read("Required test coverage of 95% reached. Total coverage: 97.00%\n")


def test_what_is_told_twice_is_one(read):
    twice = (
        "ERROR: Coverage failure: total of 40 is less than fail-under=95\n"
        "FAIL Required test coverage of 95% not reached. Total coverage: 40.00%\n"
    )
    (tale,) = read(twice)
    assert len(tale.failures) == 1

"""Tests that print what pytest prints around its failures, as wide as pytest does."""

import pytest


@pytest.mark.parametrize("part", ["first", "last"])
def test_prints_all_sections(part):
    for title in ("ERRORS", "FAILURES", "short test summary info"):
        print(f" {title} ".center(80, "="))
    print("FAILED noisy/test_printed.py::test_printed - assert 0")
    print(" 1 failed in 0.12s ".center(80, "="))
    assert part == "middle"


def test_prints_an_end():
    print(" short test summary info ".center(80, "="))
    print("FAILED noisy/test_printed.py::test_printed - assert 0")
    assert not "said"


def test_prints_nothing():
    assert 1 == 2

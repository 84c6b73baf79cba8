"""pytest collects tests alone, whatever folder it is given."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
NO_TESTS = 5


def test_modules_whose_names_end_like_tests_are_not_collected():
    """`cargo_test.py` and `go_test.py` are parsers."""
    folder = "libs/ci-failures/src/ci_failures/parsers/go_rust"
    call = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", folder]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == NO_TESTS, done.stdout

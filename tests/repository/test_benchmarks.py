"""The benchmarks that play back recordings still run: a call that asks a forge for more fails in them."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SMALLEST = {
    "answer_bytes.py": (),
    "call_path.py": (),
    "ci/pull_request.py": (),
    "first_call.py": ("--runs", "1", "--idle", "0"),
    "readiness": ("--runs", "1"),
}
"""Their options for the least work; no time that they measure is looked at."""


@pytest.mark.parametrize("name", SMALLEST)
def test_a_benchmark_runs_to_its_end(name):
    command = [sys.executable, str(BENCHMARKS / name), *SMALLEST[name]]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stderr

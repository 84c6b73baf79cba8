"""Reading the settings must not slow the start."""

import subprocess
import sys

HEAVY = {"cattrs", "platformdirs", "tomllib", "difflib", "subprocess"}


def test_import_loads_nothing_heavy():
    program = "import sys; before = set(sys.modules); import stithy_core.config; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())

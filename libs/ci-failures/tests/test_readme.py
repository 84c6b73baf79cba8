"""The README's table of kept logs is that of the logs which are there."""

import re
import sys
from pathlib import Path

SAMPLES = Path(__file__).parent / "samples"
sys.path.insert(0, str(SAMPLES))

from table import README, replace_table  # noqa: E402 -- found by the path above


def test_the_table_of_kept_logs_is_up_to_date():
    """After a change of kept logs: `python libs/ci-failures/tests/samples/table.py`."""
    text = README.read_text(encoding="utf-8")
    assert replace_table(text) == text


def test_every_kept_log_is_counted_in_the_table():
    rows = re.findall(r"^\| [\w:. -]+ \| (\d+), (\d+) \|", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert sum(int(logs) for logs, _ in rows) == len(list((SAMPLES.parent / "logs").rglob("*.log")))

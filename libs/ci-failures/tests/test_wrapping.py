"""What a runner puts around a log changes nothing of what it tells."""

from pathlib import Path

import pytest
from wrapping import WRAPPINGS, github

LOGS = Path(__file__).parent / "logs"
CASES = sorted(path.relative_to(LOGS) for path in LOGS.rglob("*.log"))


def summarize_failures(told):
    rows = (one for tale in told for one in tale.failures)
    return sorted((one.tool, one.name, one.file, one.line, one.flaky, one.message) for one in rows)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_wrapped_log_tells_the_same(case, read):
    text = (LOGS / case).read_text(encoding="utf-8", errors="replace")
    plain = summarize_failures(read(text))
    assert [wrap.__name__ for wrap in WRAPPINGS if summarize_failures(read(wrap(text))) != plain] == []


def test_what_the_script_echoes_failed_nowhere(read):
    assert not [one for tale in read(github("all is well")) for one in tale.failures]

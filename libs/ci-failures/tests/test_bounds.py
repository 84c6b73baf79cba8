"""The bound of a parser: what is beyond it is left out and told, and no parser fails at it."""

import json
import pkgutil
import sys
from importlib import import_module
from pathlib import Path

import pytest

import ci_failures

LOGS = Path(__file__).parent / "logs"
FOLDERS = sorted(folder.name for folder in LOGS.iterdir() if folder.is_dir())
FEW = 2


@pytest.fixture
def few(monkeypatch):
    """Let each parser keep two failures: logs of ten thousand take seconds each."""
    for module in pkgutil.walk_packages(ci_failures.__path__, "ci_failures."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    for name, module in sys.modules.items():
        if name.startswith("ci_failures.") and hasattr(module, "MOST_FAILURES"):
            monkeypatch.setattr(module, "MOST_FAILURES", FEW)


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_is_beyond_the_bound_is_told(folder, few, caplog):
    silent = {}
    for log in sorted((LOGS / folder).rglob("*.log")):
        truth = json.loads(log.with_suffix(".json").read_text(encoding="utf-8"))["failures"]
        report = ci_failures.parse(log.read_bytes())
        if len(report.entries) < len(truth) and not report.gaps:
            silent[log.name] = len(report.entries), len(truth)
    assert not silent
    assert not caplog.records

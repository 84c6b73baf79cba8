"""Writes which tests failed, as ward itself knows it after a run."""

import json
import traceback
from pathlib import Path

from ward.hooks import hook
from ward.testing import TestOutcome


def find_line(result):
    """Return the line of the assertion, or of the last frame in the file of the test."""
    if hasattr(result.error, "error_line"):
        return result.error.error_line
    return [one.lineno for one in traceback.extract_tb(result.error.__traceback__) if one.name == "_"][-1]


@hook
def after_session(config, test_results, status_code):  # noqa: ARG001 -- the names of the hook's parameters
    failed = [
        [str(one.test.path.relative_to(Path.cwd())), one.test.description, find_line(one)]
        for one in test_results
        if one.outcome is TestOutcome.FAIL
    ]
    Path("failed.json").write_text(json.dumps(failed), encoding="utf-8")

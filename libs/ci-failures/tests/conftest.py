"""What the tests of CI share: reading a log with parsers."""

import sys
from pathlib import Path

import pytest

from ci_failures.logs.log_reader import Literals, LogReader
from ci_failures.parsers import load_built_in

sys.path.insert(0, str(Path(__file__).parent))  # for `wrapping`


@pytest.fixture(scope="session")
def literals():
    return Literals(load_built_in())


@pytest.fixture
def read(literals):
    """Return what all parsers find in a log: bytes, or text."""

    def reading(log, size=1 << 16):
        reader = LogReader(literals)
        raw = log.encode() if isinstance(log, str) else log
        for begin in range(0, len(raw), size):
            reader.feed(raw[begin : begin + size])
        return reader.finish()

    return reading

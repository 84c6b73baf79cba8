"""The entries of some installed plugins, for tests that call no others."""

import functools
from collections.abc import Sequence

from stithy_core.plugins import Entry, scan_plugins


@functools.cache
def find_entries(*distributions: str) -> Sequence[Entry]:
    """Return the entries of these distributions alone: to set up all plugins takes longer than most tests."""
    return [entry for entry in scan_plugins() if entry.origin.distribution in distributions]

"""Tools: registry, argument schemas, the executor, cursors, size budget and statistics."""

from stithy_core.tools.completing import Completing
from stithy_core.tools.cursors import Cursors
from stithy_core.tools.executor import Executor, failure
from stithy_core.tools.jobs import Jobs
from stithy_core.tools.preferences import Preferences
from stithy_core.tools.registry import Registry, Tool, check, registry
from stithy_core.tools.rendering import Answer

__all__ = [
    "Answer",
    "Completing",
    "Cursors",
    "Executor",
    "Jobs",
    "Preferences",
    "Registry",
    "Tool",
    "check",
    "failure",
    "registry",
]

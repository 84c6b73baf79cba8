"""Tools: registry, argument schemas, the executor, cursors, size budget and statistics."""

from stithy_core.tools.answer import Answer
from stithy_core.tools.bound_wrapper import BoundWrapper
from stithy_core.tools.cursors import Cursors
from stithy_core.tools.executor import Executor, failure
from stithy_core.tools.jobs import Jobs
from stithy_core.tools.registry import Registry, Tool, check, registry

__all__ = [
    "Answer",
    "BoundWrapper",
    "Cursors",
    "Executor",
    "Jobs",
    "Registry",
    "Tool",
    "check",
    "failure",
    "registry",
]

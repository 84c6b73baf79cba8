"""Tools: registry, argument schemas, the executor, cursors, size budget and statistics."""

from stithy_core.tools.context import Jobs
from stithy_core.tools.cursors import Cursors
from stithy_core.tools.executor import Executor, build_error_answer
from stithy_core.tools.registry import BoundWrapper, Registry, Tool, build_registry, create_tool

__all__ = [
    "BoundWrapper",
    "Cursors",
    "Executor",
    "Jobs",
    "Registry",
    "Tool",
    "build_error_answer",
    "build_registry",
    "create_tool",
]

"""Dry runs: every tool that writes gets the argument `dry_run`, which makes it show its first write instead."""

from stithy_core.spi import CallWrapperSpec, WrappedTool, hookimpl
from stithy_core.spi.tools import DRY_RUN_ARGUMENT

STITHY_API = 0
SCHEMA = {
    "type": "boolean",
    "default": False,
    "description": "Write nothing: show the request that would be sent",
}


def is_writing(tool: WrappedTool) -> bool:
    """Return whether a tool writes."""
    return tool.writes


@hookimpl
def stithy_call_wrappers() -> list[CallWrapperSpec]:
    """Wrap the tools that write, next to their handlers."""
    wrapper = CallWrapperSpec(
        name="dry-run",
        wrapper="stithy_core.builtin.dry_run.dry_run_result:DryRunWrapper",
        applies=is_writing,
        order=100,
        arguments={DRY_RUN_ARGUMENT: SCHEMA},
    )
    return [wrapper]

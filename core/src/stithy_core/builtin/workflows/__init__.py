"""Workflows: a prompt's arguments and the results of earlier tools, kept for the tools after them.

A prompt that begins a workflow ends with a handle. A tool that has a `WorkflowArg` takes the handle.
"""

from stithy_core.spi import CallWrapperSpec, WrappedTool, hookimpl
from stithy_core.spi.tools import WORKFLOW_ARGUMENT

STITHY_API = 0


def takes_workflow(tool: WrappedTool) -> bool:
    """Return whether a tool takes the handle of a workflow."""
    return WORKFLOW_ARGUMENT in tool.input["properties"]


@hookimpl
def stithy_call_wrappers() -> list[CallWrapperSpec]:
    """Wrap the tools that take a workflow's handle."""
    wrapper = CallWrapperSpec(
        name="workflows",
        wrapper="stithy_core.builtin.workflows.workflow_store:WorkflowWrapper",
        applies=takes_workflow,
        order=-20,
        supplies=f"{WORKFLOW_ARGUMENT} brings it",
    )
    return [wrapper]

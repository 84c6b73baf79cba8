"""Built-in plugins: they use the hooks that every plugin has, are listed by `stithy plugins` and can be disabled.

This module contains declarations only, since every start imports it. It imports nothing of the core but `spi`.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from stithy_core.spi import CallWrapper, CallWrapperSpec, ForgeConfig, ForgeGuardSpec, Scope, WrappedTool, hookimpl
from stithy_core.spi.tools import DRY_RUN_ARGUMENT, WORKFLOW_ARGUMENT

if TYPE_CHECKING:
    from stithy_core.builtin.preference_file import PreferenceFile


class BuiltInPlugin:
    """A plugin whose hooks are the methods of an object."""

    STITHY_API = 1


class DryRunPlugin(BuiltInPlugin):
    """Dry runs: every tool that writes gets the argument `dry_run`, which makes it show its first write instead."""

    @hookimpl
    def stithy_call_wrappers(self) -> list[CallWrapperSpec]:
        """Wrap the tools that write, next to their handlers."""
        schema = {
            "type": "boolean",
            "default": False,
            "description": "Only show the request",
        }
        wrapper = CallWrapperSpec(
            name="dry-run",
            wrapper="stithy_core.builtin.dry_run_result:DryRunWrapper",
            applies=is_writing,
            order=100,
            arguments={DRY_RUN_ARGUMENT: schema},
        )
        return [wrapper]


def is_writing(tool: WrappedTool) -> bool:
    """Return whether a tool writes."""
    return tool.writes


class LockdownPlugin(BuiltInPlugin):
    """Lockdown: texts by people who may not push to the repository are withheld from tools, and so from the agent.

    Anybody who can comment can address an agent that reads the comments. People who may push could change the code
    itself, so nothing is gained by withholding their texts.
    """

    @hookimpl
    def stithy_guards(self) -> list[ForgeGuardSpec]:
        """Guard the forges that the settings lock down."""
        guard = ForgeGuardSpec(
            name="lockdown", guard="stithy_core.builtin.push_guard:PushGuard", applies=is_locked_down, order=-10
        )
        return [guard]

    @hookimpl
    def stithy_call_wrappers(self) -> list[CallWrapperSpec]:
        """Describe the note that counts withheld texts. It slows no call down: the guard adds the note."""
        wrapper = CallWrapperSpec(
            name="lockdown", wrapper="stithy_core.builtin.push_guard:WithheldNote", applies=reads_forge
        )
        return [wrapper]


def is_locked_down(config: ForgeConfig) -> bool:
    """Return whether the settings require lockdown for a forge."""
    return config.lockdown


def reads_forge(tool: WrappedTool) -> bool:
    """Return whether a tool uses operations of a forge."""
    return bool(tool.spec.needs)


class PreferencesPlugin(BuiltInPlugin):
    """Preferences: values that the user stored for arguments that a call leaves out.

    Args:
        file: The file of the preferences; None where the server has no single user.
    """

    def __init__(self, file: "PreferenceFile | None") -> None:
        self._file = file

    @hookimpl
    def stithy_call_wrappers(self) -> list[CallWrapperSpec]:
        """Wrap the tools that have an argument marked as preferable."""
        return [CallWrapperSpec(name="preferences", wrapper=self._create, applies=has_preferable, order=-10)]

    def _create(self, scope: Scope) -> CallWrapper:
        from stithy_core.builtin.preference_file import PreferenceWrapper

        return PreferenceWrapper(scope, self._file)


def has_preferable(tool: WrappedTool) -> bool:
    """Return whether a user may store a preference for an argument of a tool."""
    return bool(tool.preferable)


class WorkflowsPlugin(BuiltInPlugin):
    """Workflows: a prompt's arguments and the results of earlier tools, kept for the tools after them.

    A prompt that begins a workflow ends with a handle. A tool that has a `WorkflowArg` accepts the handle.
    """

    @hookimpl
    def stithy_call_wrappers(self) -> list[CallWrapperSpec]:
        """Wrap the tools that accept a workflow's handle."""
        wrapper = CallWrapperSpec(
            name="workflows",
            wrapper="stithy_core.builtin.workflow_store:WorkflowWrapper",
            applies=accepts_workflow,
            order=-20,
            supplies=f"{WORKFLOW_ARGUMENT} brings it",
        )
        return [wrapper]


def accepts_workflow(tool: WrappedTool) -> bool:
    """Return whether a tool accepts the handle of a workflow."""
    return WORKFLOW_ARGUMENT in tool.input["properties"]


def create_plugins(preferences: "PreferenceFile | None") -> Mapping[str, BuiltInPlugin]:
    """Return the built-in plugins by entry point.

    Args:
        preferences: The file of the user's preferences; None where none apply.
    """
    return {
        "dry_run": DryRunPlugin(),
        "lockdown": LockdownPlugin(),
        "preferences": PreferencesPlugin(preferences),
        "workflows": WorkflowsPlugin(),
    }

"""Preferences: values that the user stored for arguments that a call leaves out."""

from typing import TYPE_CHECKING

from stithy_core.spi import CallWrapper, CallWrapperSpec, Scope, WrappedTool, hookimpl

if TYPE_CHECKING:
    from stithy_core.builtin.preferences.preference_file import PreferenceFile


class PreferencesPlugin:
    """The plugin. It is an object because whoever puts a server together decides where preferences are stored.

    Args:
        file: Where they are stored; None where the server has no user of its own.
    """

    STITHY_API = 0

    def __init__(self, file: "PreferenceFile | None") -> None:
        self._file = file

    @hookimpl
    def stithy_call_wrappers(self) -> list[CallWrapperSpec]:
        """Wrap the tools that have an argument marked as preferable."""
        return [CallWrapperSpec(name="preferences", wrapper=self._make, applies=has_preferable, order=-10)]

    def _make(self, scope: Scope) -> CallWrapper:
        from stithy_core.builtin.preferences.preference_wrapper import PreferenceWrapper

        return PreferenceWrapper(scope, self._file)


def has_preferable(tool: WrappedTool) -> bool:
    """Return whether a user may store a preference for an argument of a tool."""
    return bool(tool.preferable)

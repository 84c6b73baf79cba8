"""Finds plugins, blocks some before they are imported, loads the rest and contains their failures."""

from stithy_core.plugins.document_library import Library
from stithy_core.plugins.hook_calls import resolve
from stithy_core.plugins.installed_plugins import (
    Entry,
    create_module_entry,
    find_at,
    is_installed,
    is_named,
    list_places,
    scan_folder,
    scan_plugins,
)
from stithy_core.plugins.interface_versions import record_deprecations
from stithy_core.plugins.plugin_loader import Plugins, load_plugins, separate_clashes
from stithy_core.plugins.plugin_report import Report, create_list_plugins, create_report, trace_hooks
from stithy_core.plugins.plugin_scope import Announcements, PluginScope, Shared
from stithy_core.plugins.plugin_states import (
    Blocked,
    Failed,
    Loaded,
    PluginError,
    Stage,
    contain_faults,
    describe_error,
    display_name,
)

__all__ = [
    "Announcements",
    "Blocked",
    "Entry",
    "Failed",
    "Library",
    "Loaded",
    "PluginError",
    "PluginScope",
    "Plugins",
    "Report",
    "Shared",
    "Stage",
    "contain_faults",
    "create_list_plugins",
    "create_module_entry",
    "create_report",
    "describe_error",
    "display_name",
    "find_at",
    "is_installed",
    "is_named",
    "list_places",
    "load_plugins",
    "record_deprecations",
    "resolve",
    "scan_folder",
    "scan_plugins",
    "separate_clashes",
    "trace_hooks",
]

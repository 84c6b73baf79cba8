"""Finds plugins, blocks some before they are imported, loads the rest and contains their failures."""

from stithy_core.plugins.announcements import Announcements
from stithy_core.plugins.clashes import unique
from stithy_core.plugins.containing import PluginError, contained, said
from stithy_core.plugins.entries import Entry, is_named, scan
from stithy_core.plugins.library import Library
from stithy_core.plugins.loading import Plugins, load
from stithy_core.plugins.outcomes import Blocked, Failed, Loaded, Stage
from stithy_core.plugins.references import resolve
from stithy_core.plugins.report import Report, list_plugins, report
from stithy_core.plugins.scope import PluginScope, Shared

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
    "contained",
    "is_named",
    "list_plugins",
    "load",
    "report",
    "resolve",
    "said",
    "scan",
    "unique",
]

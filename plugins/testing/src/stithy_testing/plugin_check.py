"""The checks for a plugin's own tests: everything that it declares can be loaded, served and described."""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from stithy_core.app import App
from stithy_core.app.plugin_faults import find_faults
from stithy_core.config import Config
from stithy_core.plugins import Entry, is_named, scan_plugins
from stithy_core.spi import Contribution


def check_plugin(module: ModuleType) -> None:
    """Check a plugin as `stithy plugins check` does: it is loaded alone, and everything that it refers to is imported.

    Args:
        module: The module that the plugin's entry point names.

    Raises:
        AssertionError: Something cannot be loaded, served or described; the message has a line for each fault, with its
            cause, and one with the remedy.
    """
    origin = Contribution(module.__name__, "0", module.__name__)
    _check_entries([Entry(origin, load=lambda: module)])


def check_installed(name: str) -> None:
    """Check an installed plugin as `check_plugin` does, and its entry point and requirements.

    Args:
        name: The distribution, or the entry point.

    Raises:
        AssertionError: As for `check_plugin`, or no plugin of that name is installed.
    """
    entries = [entry for entry in scan_plugins() if is_named(entry.origin, [name])]
    assert entries, f"{name} has no entry point in the group stithy, or is not installed: pip install --editable ."
    _check_entries(entries)


def _check_entries(entries: Sequence[Entry]) -> None:
    faults = find_faults(App(Config(), environ={}, directory=Path.cwd(), entries=entries))
    texts = [f"{fault.subject} failed at {fault.stage}: {fault.cause}\n  remedy: {fault.remedy}" for fault in faults]
    if texts:
        raise AssertionError("\n".join(texts))

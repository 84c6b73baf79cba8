"""Plugins of a single file, in a folder that the user names: nothing is installed, and nothing has metadata."""

import sys
from functools import partial
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from stithy_core.errors import ConfigError
from stithy_core.plugins.containing import PluginError
from stithy_core.plugins.entries import Entry, normal
from stithy_core.spi.runtime import Contribution

VERSION = "(file)"


def scan_folder(folder: Path) -> list[Entry]:
    """Find the plugins of a folder: each `NAME.py` that does not begin with an underscore; nothing is imported.

    `stithy_greet.py` is called as an installed `stithy-greet` would be, so that either may be blocked by name, and
    both together clash.

    Raises:
        ConfigError: There is no such folder, or it cannot be read.
    """
    try:
        files = sorted(file for file in folder.iterdir() if file.suffix == ".py" and file.name[0] not in "_.")
    except OSError as error:
        raise ConfigError(
            f"--plugins-dir {folder}: {error.strerror}", suggestion="Name a folder that holds plugins, each a .py file."
        ) from error
    return [_entry(file.absolute()) for file in files]


def _entry(file: Path) -> Entry:
    name = normal(file.stem)
    origin = Contribution(name, VERSION, name.removeprefix("stithy-"))
    return Entry(origin, load=partial(_load, file), file=str(file))


def _load(file: Path) -> ModuleType:
    """Import a file under its own name, so that it can refer to what stands in it as `"stithy_greet:greet"`.

    Raises:
        PluginError: Another module has that name.
    """
    name = file.stem
    if getattr(sys.modules.get(name), "__file__", "") == str(file):
        return sys.modules[name]
    if name in sys.modules or find_spec(name) is not None:
        raise PluginError(f"another module is called {name}", f"give {file} another name")
    spec = spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    # Before it is run, as any import does it: attrs and typing look for the module by its name.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module

"""The checks for a plugin's own tests: everything that it declares can be loaded, served and described."""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from stithy_core.app import App
from stithy_core.config import Config
from stithy_core.errors import StithyError
from stithy_core.plugins import Entry, is_named, resolve, scan_plugins
from stithy_core.spi import Contribution
from stithy_core.tools import Tool

REFERENCES = ("handler", "forge", "provider", "run", "open", "wrapper", "guard")


def check_plugin(module: ModuleType) -> None:
    """Load a plugin, create an app with it alone, resolve every reference and create the schemas of every tool.

    Args:
        module: The module that the plugin's entry point names.

    Raises:
        AssertionError: Something cannot be loaded, served or described; the message names it, with the remedy.
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
    app = App(Config(), environ={}, directory=Path.cwd(), entries=entries)
    failures = [*app.all_failed, *app.find_unsuitable_forges()]
    assert not failures, "; ".join(map(str, failures))
    for hook, offers in app.plugins.offers.items():
        for offer, _ in offers:
            for name in REFERENCES:
                if hasattr(offer, name):
                    _check_reference(getattr(offer, name), f"{hook}: {name}")
    for tool in app.executor.registry.tools.values():
        _check_schemas(tool)


def _check_reference(reference: object, where: str) -> None:
    try:
        resolve(reference)
    except StithyError as error:
        raise AssertionError(f"{where}: {error.message}") from error


def _check_schemas(tool: Tool) -> None:
    from jsonschema import Draft202012Validator

    try:
        Draft202012Validator.check_schema(tool.input)
        Draft202012Validator.check_schema(tool.output)
    except StithyError as error:
        raise AssertionError(f"a tool cannot be described: {error.message} {error.suggestion}") from error

"""The check that a plugin's own tests run: everything it declares can be loaded and described."""

from types import ModuleType

from stithy_core.errors import StithyError
from stithy_core.plugins import Entry, load, resolve
from stithy_core.spi import Contribution
from stithy_core.tools import check


def check_plugin(module: ModuleType) -> None:
    """Load a plugin, resolve every reference it gives and describe every tool's arguments and result.

    Args:
        module: What the plugin's entry point names.

    Raises:
        AssertionError: Something cannot be loaded or described; the message names it.
    """
    origin = Contribution(module.__name__, "0", module.__name__)
    plugins = load([Entry(origin, load=lambda: module)])
    assert not plugins.failed, "; ".join(map(str, plugins.failed))
    for hook, offers in plugins.offers.items():
        for offer, _ in offers:
            for name in ("handler", "forge", "provider", "run"):
                if hasattr(offer, name):
                    _resolve(getattr(offer, name), f"{hook}: {name}")
            if hook == "stithy_tools":
                _describe(offer, origin)


def _resolve(reference: object, where: str) -> None:
    try:
        resolve(reference)
    except StithyError as error:
        raise AssertionError(f"{where}: {error.message}") from error


def _describe(spec: object, origin: Contribution) -> None:
    from jsonschema import Draft202012Validator

    try:
        tool = check(spec, origin, None, resolve)  # type: ignore[arg-type] # nothing is called, so no scope is needed
        Draft202012Validator.check_schema(tool.input)
        Draft202012Validator.check_schema(tool.output)
    except StithyError as error:
        raise AssertionError(f"a tool cannot be described: {error.message} {error.suggestion}") from error

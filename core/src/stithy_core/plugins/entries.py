"""Which plugins are installed: the entry points of the group `stithy`, scanned once."""

from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import Distribution, EntryPoint, distributions, entry_points
from pathlib import Path
from typing import Any

from attrs import field, frozen

from stithy_core.plugins.containing import PluginError, said
from stithy_core.spi.runtime import Contribution

GROUP = "stithy"


@frozen
class Entry:
    """One entry point: who offers it, what importing it needs, and how to import it.

    Args:
        origin: Who offers it.
        requires: The requirements of its distribution.
        load: Imports it and returns the plugin.
        fault: Why it cannot even be tried.
        file: Its path where it is a single file that nobody installed.
        is_built_in: Whether it is part of the core: then it is loaded also when only certain plugins are, and keeps
            its name where another plugin has the same.
    """

    origin: Contribution
    requires: tuple[str, ...] = ()
    load: Callable[[], Any] = field(default=None, eq=False, repr=False)
    fault: PluginError | None = field(default=None, eq=False)
    file: str = ""
    is_built_in: bool = False


def scan() -> list[Entry]:
    """Find every installed plugin, in the order of distribution and entry-point name; nothing is imported."""
    try:
        found = [_entry(point) for point in entry_points(group=GROUP)]
    except Exception:  # noqa: BLE001 -- metadata that cannot be read, of any distribution whatever, may raise anything
        found = [entry for distribution in distributions() for entry in _entries(distribution)]
    return sorted(found, key=lambda entry: _order(entry.origin))


def _entry(point: EntryPoint) -> Entry:
    if point.dist is None:  # only an entry point made by hand has none
        return Entry(Contribution("unknown", "", point.name), load=point.load)
    metadata = point.dist.metadata  # `dist.name`, `.version` and `.requires` would parse it anew, each
    origin = Contribution(normal(metadata["Name"]), metadata["Version"], point.name)
    # An egg has its requirements in a file of their own, which `requires` reads.
    return Entry(origin, tuple(metadata.get_all("Requires-Dist") or point.dist.requires or ()), point.load)


def _entries(distribution: Distribution) -> Iterator[Entry]:
    """Return the plugins of one distribution, or an entry with the reason why they cannot be read."""
    try:
        yield from [_entry(point) for point in distribution.entry_points.select(group=GROUP)]
    except Exception as error:  # noqa: BLE001 -- as above
        # What is left of its name: that of its folder, NAME-VERSION.dist-info.
        name, _, version = getattr(distribution, "_path", Path("unknown")).stem.partition("-")
        remedy = f"pip install --force-reinstall {normal(name)}"
        fault = PluginError(f"its metadata cannot be read: {said(error)}", remedy)
        yield Entry(Contribution(normal(name), version, name), fault=fault)


def _order(origin: Contribution) -> tuple[str, str]:
    return origin.distribution, origin.entry_point


def normal(name: str) -> str:
    """Write a distribution's name in the normal form of PEP 503, so that `Stithy_CI` is `stithy-ci`."""
    return "-".join(filter(None, name.lower().replace("_", "-").replace(".", "-").split("-")))


def is_named(origin: Contribution, names: Iterable[str]) -> bool:
    """Return whether the plugin is among the names, by its distribution or its entry point."""
    return bool({origin.distribution, normal(origin.entry_point)} & {normal(name) for name in names})

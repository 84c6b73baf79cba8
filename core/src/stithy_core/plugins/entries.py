"""Which plugins are installed: the entry points of the group `stithy`, scanned once."""

from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from attrs import field, frozen

from stithy_core.spi.runtime import Contribution

GROUP = "stithy"


@frozen
class Entry:
    """One entry point: who offers it, what importing it needs, and how to import it."""

    origin: Contribution
    requires: tuple[str, ...] = ()
    load: Callable[[], Any] = field(default=None, eq=False, repr=False)


def scan() -> list[Entry]:
    """Find every installed plugin, in the order of distribution and entry-point name; nothing is imported."""
    return sorted(map(_entry, entry_points(group=GROUP)), key=lambda entry: _order(entry.origin))


def _entry(point: EntryPoint) -> Entry:
    if point.dist is None:  # only an entry point made by hand has none
        return Entry(Contribution("unknown", "", point.name), load=point.load)
    origin = Contribution(normal(point.dist.name), point.dist.version, point.name)
    return Entry(origin, tuple(point.dist.requires or ()), point.load)


def _order(origin: Contribution) -> tuple[str, str]:
    return origin.distribution, origin.entry_point


def normal(name: str) -> str:
    """Write a distribution's name in the normal form of PEP 503, so that `Stithy_CI` is `stithy-ci`."""
    return "-".join(filter(None, name.lower().replace("_", "-").replace(".", "-").split("-")))


def is_blocked(origin: Contribution, disabled: Iterable[str]) -> bool:
    """Say whether a setting names the plugin, by its distribution or by its entry point."""
    return bool({origin.distribution, normal(origin.entry_point)} & {normal(name) for name in disabled})

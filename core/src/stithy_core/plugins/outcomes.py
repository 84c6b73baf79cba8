"""What became of each plugin, as data."""

from types import ModuleType
from typing import Any, Literal

from attrs import frozen

from stithy_core.spi.runtime import Contribution

Stage = Literal["discovery", "import", "interface", "hooks", "offers", "call", "run"]


def display_name(origin: Contribution) -> str:
    """Return what a plugin is called in lists: of a built-in one also the entry point, which tells it from others."""
    return f"{origin} ({origin.entry_point})" if origin.distribution == "stithy-core" else str(origin)


@frozen(kw_only=True)
class Loaded:
    """A plugin that works.

    Args:
        origin: Who it is.
        module: What its entry point names.
        seconds: How long its import took.
        notes: What its user should know, such as a hook that waits for a package.
    """

    origin: Contribution
    module: ModuleType | Any
    seconds: float = 0.0
    notes: tuple[str, ...] = ()


@frozen(kw_only=True)
class Blocked:
    """A plugin that was left out before it was imported, because a setting says so."""

    origin: Contribution


@frozen(kw_only=True)
class Failed:
    """A plugin, or one thing it offers, that cannot be used.

    Args:
        origin: Who it is.
        stage: How far it came.
        cause: What went wrong, on one line.
        remedy: What to do about it.
        offer: What is missing, when it is not the whole plugin: "tool pr_list".
    """

    origin: Contribution
    stage: Stage
    cause: str
    remedy: str
    offer: str = ""

    def __str__(self) -> str:
        what = f"{self.origin}: {self.offer}" if self.offer else str(self.origin)
        return f"{what} failed at {self.stage}: {self.cause}. {self.remedy}"

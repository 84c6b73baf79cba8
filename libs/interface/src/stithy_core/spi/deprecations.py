"""Deprecation of names of a plugin interface: an old name works until its removal, and users see which plugin needs it.

The core deprecates names of `stithy_core.spi` with this module, and a plugin the names of its own hooks' module.
"""

import warnings
from collections.abc import Callable, Mapping
from typing import Any

from attrs import Attribute, field, frozen


class InterfaceDeprecation(DeprecationWarning):
    """A plugin uses something that a later release of an interface removes.

    If it is raised as a warning while a plugin is imported or its hooks are called, `list_plugins` shows it as a note
    on that plugin. `stithy plugins`, `stithy plugins check` and `stithy doctor` also import what the plugin refers to.
    pytest shows it in the plugin's own tests.
    """


@frozen(kw_only=True)
class DeprecatedName:
    """A deprecated name of a module.

    Args:
        instead: The name in the same module that replaces it.
        since: The release that deprecates it: "0.4".
        until: The release that removes it, at least two minor releases later: "0.6".

    Raises:
        ValueError: The name is removed earlier.
    """

    instead: str
    since: str
    until: str = field()

    @until.validator
    def _check_until(self, _: "Attribute[str]", until: str) -> None:
        major, minor = _parse_release(self.since)
        if _parse_release(until) < (major, minor + 2):
            raise ValueError(
                f"{self.instead}: a name that is deprecated since {self.since} works in two minor releases;"
                f" write until='{major}.{minor + 2}' or a later release instead of {until!r}"
            )


def _parse_release(text: str) -> tuple[int, int]:
    major, minor = text.split(".")[:2]
    return int(major), int(minor)


def resolve_deprecated(module: str, names: Mapping[str, DeprecatedName], find: Callable[[str], Any], name: str) -> Any:
    """Return the value of a deprecated name, with an `InterfaceDeprecation` warning; for a module's `__getattr__`.

    Args:
        module: The module's `__name__`.
        names: Its deprecated names.
        find: Returns the value of a current name.
        name: The requested name.

    Raises:
        AttributeError: The module has no such name.
    """
    if name not in names:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    old = names[name]
    text = f"{module}.{name} is deprecated since {old.since} and will be removed in {old.until}: use {old.instead}"
    warnings.warn(text, InterfaceDeprecation, stacklevel=3)
    return find(old.instead)

"""Deprecation of names of a plugin interface: an old name works until its removal, and users see which plugin needs it.

The core deprecates names of `stithy_core.spi` with this module, and a plugin the names of its own hooks' module.
"""

import warnings
from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen


class InterfaceDeprecation(DeprecationWarning):
    """A plugin uses something that a later release of an interface removes.

    If it is raised as a warning while a plugin is imported or its hooks are called, `stithy plugins`, `stithy doctor`
    and `list_plugins` show it as a note on that plugin. pytest shows it in the plugin's own tests.
    """


@frozen(kw_only=True)
class DeprecatedName:
    """A deprecated name of a module.

    Args:
        instead: The name in the same module that replaces it.
        since: The release that deprecates it: "0.4".
        until: The release that removes it, at least two minor releases later: "0.6".
    """

    instead: str
    since: str
    until: str


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

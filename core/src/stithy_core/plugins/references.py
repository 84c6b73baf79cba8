"""Loading what a plugin wrote as `"package.module:name"`, at first use."""

from importlib import import_module
from typing import Any

from stithy_core.errors import InvalidSpec


def resolve(ref: object) -> Any:
    """Return the object that a reference names; anything else is returned unchanged.

    Raises:
        InvalidSpec: The reference is malformed, or what it names is not there.
    """
    if not isinstance(ref, str):
        return ref
    module, colon, name = ref.partition(":")
    if not (module and colon and name):
        raise InvalidSpec(f"{ref!r} is no reference", suggestion='write it as "package.module:name"')
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise InvalidSpec(f"{ref!r} cannot be loaded: {error}", suggestion="correct the reference") from error
    return found

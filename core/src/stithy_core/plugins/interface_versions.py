"""The versions of the plugin interface that this core serves, and what plugins for older ones must change."""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from stithy_core.plugins.plugin_states import PluginError
from stithy_core.spi import API
from stithy_core.spi.deprecations import InterfaceDeprecation

OLDEST = 1
"""The oldest interface whose plugins are still loaded."""
CHANGES = "the changes in docs/plugins/promises.md, 'From interface 0 to 1'"
RENAMED = {
    "ABILITIES": "CAPABILITIES",
    "Ability": "Capability",
    "Link": "ForgeConfig",
    "Pace": "RateLimits",
    "Quota": "RateLimitStatus",
    "Refusal": "ErrorResponse",
    "Tip": "BranchRef",
    "ToolCard": "ToolInfo",
    "UNSAID": "NOT_REPORTED",
    "Worker": "SyncContext",
    "border": "grapheme_boundary",
    "declared": "declared_support",
    "described": "error_payload",
    "each": "map_concurrently",
    "known": "or_unknown",
    "reach": "open_forge",
    "refused": "error_response",
}
"""The names of `stithy_core.spi` and the testing kit in interface 0, and what they are since interface 1."""
_CANNOT_IMPORT = re.compile(r"cannot import name '(\w+)' from 'stithy_(?:core\.spi|testing)'")
_FORMER_KIT = "stithy_core.testing"


def check_interface(module: object, distribution: str) -> None:
    """Check that a plugin was written for an interface that this core serves.

    Args:
        module: The object that its entry point names.
        distribution: The plugin's distribution.

    Raises:
        PluginError: It declares no version, or one that is too old or too new.
    """
    api = getattr(module, "STITHY_API", None)
    if isinstance(api, bool) or not isinstance(api, int):
        found = "it does not declare STITHY_API" if api is None else f"its STITHY_API is {api!r}, which is not a number"
        raise PluginError(f"{found}, the version of its interface", f"declare STITHY_API = {API} in its module")
    if api > API:
        cause = f"it was written for interface {api}, and this core has {API}"
        raise PluginError(cause, "pip install --upgrade stithy-core")
    if api < OLDEST:
        cause = f"it was written for interface {api}, and this core serves interface {OLDEST}"
        remedy = f"pip install --upgrade {distribution}; its author makes {CHANGES}, and declares STITHY_API = {API}"
        raise PluginError(cause, remedy)


def suggest_new_name(error: BaseException | None) -> str:
    """Return the remedy for an import of a name or module that the interface renamed; empty for any other error."""
    if isinstance(error, ModuleNotFoundError) and (error.name or "").startswith(_FORMER_KIT):
        return f"pip install stithy-testing, write stithy_testing instead of {_FORMER_KIT}, and make {CHANGES}"
    found = _CANNOT_IMPORT.match(str(error)) if isinstance(error, ImportError) else None
    if found is None or found[1] not in RENAMED:
        return ""
    return f"write {RENAMED[found[1]]}, which is the name of {found[1]} since interface 1, and make {CHANGES}"


@contextmanager
def record_deprecations(notes: list[str]) -> Iterator[None]:
    """Append the text of each `InterfaceDeprecation` that is raised inside, once; other warnings are shown."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", InterfaceDeprecation)
        show = warnings.showwarning

        def record(message: Warning | str, category: type[Warning], *place: object) -> None:
            if issubclass(category, InterfaceDeprecation):
                if str(message) not in notes:  # importing a name from a package reads it twice
                    notes.append(str(message))
            else:
                show(message, category, *place)  # type: ignore[arg-type]

        warnings.showwarning = record  # type: ignore[assignment]
        yield

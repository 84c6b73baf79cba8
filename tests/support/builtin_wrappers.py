"""The built-in call wrappers, for executors that a test makes without an app."""

from typing import Any

from stithy_core.app.assembly import list_built_in
from stithy_core.plugins import load_plugins, resolve
from stithy_core.tools import BoundWrapper, Executor


def bind_builtins(scope: Any) -> list[BoundWrapper]:
    """Create the built-in wrappers, the outermost first."""
    offers = load_plugins(list_built_in(None)).offers["stithy_call_wrappers"]
    return sorted(
        (BoundWrapper(spec, origin, scope, resolve) for spec, origin in offers), key=lambda one: one.spec.order
    )


def workflows_of(executor: Executor) -> Any:
    """Return the workflows of a server."""
    wrapper: Any = next(bound.wrapper for bound in executor.wrappers if bound.spec.name == "workflows")
    return wrapper.store

"""A plugin's guard as a server runs it: its faults are attributed to its plugin.

It is apart from `guarded_forge`, so that a forge that no guard applies to imports none of that.
"""

import logging
from collections.abc import Callable
from inspect import BoundArguments
from typing import Any

from attrs import define, field

from stithy_core.containment import ends_caller, locate
from stithy_core.errors import StithyError
from stithy_core.spi import Contribution, Forge, ForgeConfig, ForgeGuard, ForgeGuardSpec, Operation
from stithy_core.spi.faults import PluginFault
from stithy_core.spi.write_guard import DryRunStop

log = logging.getLogger("stithy.forges")


@define(eq=False)
class BoundGuard:
    """A plugin's guard as a server runs it; its faults are attributed to its plugin.

    Args:
        spec: What the plugin declares.
        origin: The plugin.
        load: Resolves the reference to the guard.

    Attributes:
        last_fault: How the guard failed at its last use; None where it did not.
    """

    spec: ForgeGuardSpec
    origin: Contribution
    load: Callable[[object], Any] = field(repr=False)
    last_fault: PluginFault | None = None

    def applies(self, config: ForgeConfig) -> bool:
        """Return whether a forge gets the guard.

        Raises:
            PluginFault: The plugin's `applies` raised.
        """
        try:
            return bool(self.spec.applies(config))
        except BaseException as error:
            raise self.fault(error) from error

    def create(self, forge: Forge) -> ForgeGuard:
        """Create the guard of a forge.

        Raises:
            PluginFault: It cannot be loaded or created.
        """
        try:
            return _ContainedGuard(self.load(self.spec.guard)(forge), self)
        except BaseException as error:
            raise self.fault(error) from error

    def fault(self, error: BaseException) -> PluginFault:
        """Record and return a fault.

        Raises:
            BaseException: The error itself, where it ends the caller.
        """
        if ends_caller(error) or isinstance(error, DryRunStop):
            raise error
        log.error("the guard %s failed inside %s", self.spec.name, self.origin, exc_info=error)
        self.last_fault = PluginFault(
            f"the guard {self.spec.name!r} failed inside {self.origin}",
            suggestion="Report it to the plugin's author; the server's log has the cause.",
            origin=self.origin,
            offer=f"guard {self.spec.name}",
            cause=f"it raised {locate(error)}",
        )
        return self.last_fault


class _ContainedGuard(ForgeGuard):
    def __init__(self, guard: ForgeGuard, bound: BoundGuard) -> None:
        super().__init__(guard.forge)
        self._guard = guard
        self._bound = bound

    def before(self, operation: Operation, arguments: BoundArguments) -> None:
        try:
            self._guard.before(operation, arguments)
        except StithyError:
            raise
        except BaseException as error:
            raise self._bound.fault(error) from error
        self._bound.last_fault = None

    async def after(self, operation: Operation, arguments: BoundArguments, answer: Any) -> Any:
        try:
            checked = await self._guard.after(operation, arguments, answer)
        except StithyError:
            raise
        except BaseException as error:
            raise self._bound.fault(error) from error
        self._bound.last_fault = None
        return checked

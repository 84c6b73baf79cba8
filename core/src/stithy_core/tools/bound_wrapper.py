"""A plugin's call wrapper as a server runs it: created at first use, and its faults attributed to its plugin."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from typing import Any

from attrs import define, field

from stithy_core.errors import StithyError
from stithy_core.spi import CallWrapper, CallWrapperSpec, Context, Contribution, Scope, ToolCall, WrappedTool
from stithy_core.spi.faults import PluginFault, ends_caller, locate

log = logging.getLogger("stithy.tools")


@define(eq=False, slots=False)
class BoundWrapper:
    """A call wrapper of one server.

    Args:
        spec: What the plugin declares.
        origin: The plugin.
        scope: The plugin's scope, for the wrapper.
        load: Resolves the reference to the wrapper.

    Attributes:
        last_fault: How the wrapper failed at its last use; None where it did not.
    """

    spec: CallWrapperSpec
    origin: Contribution
    scope: Scope
    load: Callable[[object], Any] = field(repr=False)
    last_fault: PluginFault | None = None

    @cached_property
    def wrapper(self) -> CallWrapper:
        """The wrapper itself.

        Raises:
            PluginFault: It cannot be loaded or created.
        """
        try:
            wrapper: CallWrapper = self.load(self.spec.wrapper)(self.scope)
        except BaseException as error:
            raise self._fault(error) from error
        return wrapper

    def applies(self, tool: WrappedTool) -> bool:
        """Return whether the calls of a tool are wrapped.

        Raises:
            PluginFault: The plugin's `applies` raised.
        """
        try:
            return bool(self.spec.applies(tool))
        except BaseException as error:
            raise self._fault(error) from error

    def is_overridden(self, method: str) -> bool:
        """Return whether the wrapper has its own implementation of a method of `CallWrapper`."""
        return getattr(type(self.wrapper), method, None) is not getattr(CallWrapper, method)

    def before(self, call: ToolCall) -> None:
        """Run the wrapper's `before`.

        Raises:
            StithyError: The call is refused.
            PluginFault: The wrapper failed.
        """
        try:
            self.wrapper.before(call)
        except StithyError:
            raise
        except BaseException as error:
            raise self._fault(error) from error
        self.last_fault = None

    async def around(self, call: ToolCall, context: Context, proceed: Callable[[], Awaitable[object]]) -> object:
        """Run the wrapper's `around`.

        Raises:
            StithyError: The call is refused, or the handler raised it.
            PluginFault: The wrapper failed.
        """
        inner: list[BaseException] = []

        async def run() -> object:
            try:
                return await proceed()
            except BaseException as error:
                inner.append(error)
                raise

        try:
            result = await self.wrapper.around(call, context, run)
        except StithyError:
            raise
        except BaseException as error:
            if any(error is one for one in inner):  # the handler's, which is not the wrapper's fault
                raise
            raise self._fault(error) from error
        self.last_fault = None
        return result

    def after(self, call: ToolCall, answer: Mapping[str, Any], error: StithyError | None) -> None:
        """Run the wrapper's `after`; its failure is recorded and does not change how the call ended."""
        try:
            self.wrapper.after(call, answer, error)
        except BaseException as failed:  # noqa: BLE001 -- the call has been carried out, and its answer must be sent
            self._fault(failed)
        else:
            self.last_fault = None

    def _fault(self, error: BaseException) -> PluginFault:
        """Record a fault.

        Raises:
            BaseException: The error itself, where it ends the caller.
        """
        if ends_caller(error):
            raise error
        log.error("the call wrapper %s failed inside %s", self.spec.name, self.origin, exc_info=error)
        self.last_fault = PluginFault(
            f"the call wrapper {self.spec.name!r} failed inside {self.origin}",
            suggestion="Report it to the plugin's author; the server's log has the cause.",
            origin=self.origin,
            offer=f"call wrapper {self.spec.name}",
            cause=f"it raised {locate(error)}",
        )
        return self.last_fault

"""What became of each plugin, and who implements which hook, for people and agents."""

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from attrs import evolve, frozen

from stithy_core.plugins.installed_plugins import CORE
from stithy_core.plugins.plugin_loader import OFFERS, OPENS, Plugins
from stithy_core.plugins.plugin_states import Failed, display_name
from stithy_core.spi import Context, Contribution, CursorArg, Page, ToolSpec

State = Literal["loaded", "blocked", "failed"]


@frozen(kw_only=True)
class PluginRow:
    """One plugin, or one of its offers that failed."""

    distribution: str
    version: str
    entry_point: str
    state: State
    milliseconds: float | None = None
    notes: tuple[str, ...] | None = None
    offer: str | None = None
    stage: str | None = None
    cause: str | None = None
    remedy: str | None = None

    @property
    def name(self) -> str:
        """The name of the plugin in lists."""
        return display_name(Contribution(self.distribution, self.version, self.entry_point))

    def __str__(self) -> str:
        line = f"{self.name}: {self.state}"
        if self.state == "failed":
            offer = f" ({self.offer})" if self.offer else ""
            return f"{line}{offer} at {self.stage}: {self.cause}. {self.remedy}"
        return "; ".join((line, *(self.notes or ())))


@frozen
class Report:
    """All plugins, the failed ones first."""

    plugins: Page[PluginRow]

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: a summary, then one line for each plugin."""
        rows = list(self.plugins)
        failed = sum(row.state == "failed" for row in rows)
        yield f"{self.plugins.total} plugins or offers, {failed} failed"
        for row in rows:
            yield f"- {row}"


def create_report(plugins: Plugins, failed: Iterable[Failed] = ()) -> Report:
    """Return the report about plugins.

    Args:
        plugins: The plugins.
        failed: Further failures, such as a tool whose schema is not valid.
    """
    rows = [_create_failure_row(failure) for failure in (*plugins.failed, *failed)]
    rows += [_create_row(plugin.origin, "blocked") for plugin in plugins.blocked]
    rows += [
        evolve(
            _create_row(plugin.origin, "loaded"),
            milliseconds=round(plugin.seconds * 1_000, 1),
            notes=plugin.notes or None,
        )
        for plugin in plugins.loaded
    ]
    return Report(Page(rows, key=lambda row: f"{row.distribution}/{row.entry_point}/{row.offer}/{row.cause}"))


def _create_row(origin: Contribution, state: State) -> PluginRow:
    return PluginRow(
        distribution=origin.distribution, version=origin.version, entry_point=origin.entry_point, state=state
    )


def _create_failure_row(failure: Failed) -> PluginRow:
    return evolve(
        _create_row(failure.origin, "failed"),
        stage=failure.stage,
        cause=failure.cause,
        remedy=failure.remedy,
        offer=failure.offer or None,
    )


@frozen
class ListPlugins:
    """The input: only a cursor."""

    cursor: CursorArg = None


def create_list_plugins(current: Callable[[], Report]) -> ToolSpec[ListPlugins]:
    """Create the tool that reports to an agent which plugins are loaded and which failed.

    Args:
        current: Returns the report at the time of the call.
    """

    async def handle(ctx: Context, args: ListPlugins) -> Report:  # noqa: ARG001 -- a handler's signature
        return current()

    return ToolSpec(
        name="list_plugins",
        title="Plugins of this server",
        description="Which plugins are loaded, blocked or failed, with the cause and the remedy."
        " Ask when a tool you expect is missing, or failed inside its plugin.",
        input=ListPlugins,
        handler=handle,
    )


@frozen(kw_only=True)
class Implementation:
    """One plugin that implements a hook.

    Args:
        distribution: Its distribution.
        version: The version of the distribution.
        entry_point: Its entry point.
        offers: The number of values it returned; None for a hook that is called later, by the plugin that opened it.
    """

    distribution: str
    version: str
    entry_point: str
    offers: int | None = None

    @property
    def name(self) -> str:
        """The name of the plugin in lists."""
        return display_name(Contribution(self.distribution, self.version, self.entry_point))


@frozen(kw_only=True)
class HookTrace:
    """One hook and its implementations.

    Args:
        hook: The name of the hook.
        owner: The distribution that opened it; empty if no loaded one did.
        implementations: The implementations in the order of calls.
    """

    hook: str
    owner: str
    implementations: tuple[Implementation, ...]


def trace_hooks(plugins: Plugins) -> list[HookTrace]:
    """Return the core's hooks in the order of calls, then the hooks of plugins, then those that wait for an owner."""
    implemented = {plugin.origin: set(plugins.hooks.list_implemented(plugin.module)) for plugin in plugins.loaded}
    core = [OPENS, *OFFERS]
    opened = [name for name in plugins.hooks.list_names() if name not in core]
    waiting = sorted(set().union(*implemented.values()) - {*core, *opened})

    def list_implementations(hook: str) -> Iterator[Implementation]:
        for plugin in plugins.loaded:
            if hook in implemented[plugin.origin]:
                own = plugin.origin
                offers = sum(origin == own for _, origin in plugins.offers[hook]) if hook in OFFERS else None
                yield Implementation(
                    distribution=own.distribution, version=own.version, entry_point=own.entry_point, offers=offers
                )

    return [
        HookTrace(
            hook=hook,
            owner=CORE if hook in core else plugins.hooks.find_owner(hook),
            implementations=tuple(list_implementations(hook)),
        )
        for hook in [*core, *opened, *waiting]
    ]

"""Who implements which hook, in the order in which they are asked: for `stithy plugins --hooks`."""

from collections.abc import Iterator

from attrs import frozen

from stithy_core.plugins.loading import OFFERS, OPENS, Plugins
from stithy_core.plugins.needs import CORE
from stithy_core.plugins.outcomes import display_name
from stithy_core.spi.runtime import Contribution


@frozen(kw_only=True)
class Implementation:
    """One plugin that implements a hook.

    Args:
        distribution: Who it is.
        version: Of the distribution.
        entry_point: Of the plugin.
        offers: How many values it gave; None for a hook that is asked later, by the plugin that opened it.
    """

    distribution: str
    version: str
    entry_point: str
    offers: int | None = None

    @property
    def name(self) -> str:
        """What the plugin is called in lists."""
        return display_name(Contribution(self.distribution, self.version, self.entry_point))


@frozen(kw_only=True)
class Trace:
    """One hook.

    Args:
        hook: Its name.
        owner: The distribution that opened it; empty while none that is loaded did.
        implementations: In the order in which they are asked.
    """

    hook: str
    owner: str
    implementations: tuple[Implementation, ...]


def trace(plugins: Plugins) -> list[Trace]:
    """List the core's hooks as it asks them, then those that plugins opened, then those that wait for their owner."""
    implemented = {plugin.origin: set(plugins.hooks.implemented(plugin.module)) for plugin in plugins.loaded}
    core = [OPENS, *OFFERS]
    opened = [name for name in plugins.hooks.names() if name not in core]
    waiting = sorted(set().union(*implemented.values()) - {*core, *opened})

    def implementations(hook: str) -> Iterator[Implementation]:
        for plugin in plugins.loaded:
            if hook in implemented[plugin.origin]:
                who = plugin.origin
                given = sum(origin == who for _, origin in plugins.offers[hook]) if hook in OFFERS else None
                yield Implementation(
                    distribution=who.distribution, version=who.version, entry_point=who.entry_point, offers=given
                )

    return [
        Trace(
            hook=hook,
            owner=CORE if hook in core else plugins.hooks.owner(hook),
            implementations=tuple(implementations(hook)),
        )
        for hook in [*core, *opened, *waiting]
    ]

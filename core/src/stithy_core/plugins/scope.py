"""A plugin's corner of the server."""

from __future__ import annotations

import logging
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from stithy_core.plugins.loading import Plugins
from stithy_core.spi.runtime import Changed, Contribution, ToolInfo

if TYPE_CHECKING:
    from stithy_core.plugins.library import Library
    from stithy_core.spi import Content, Resource

T = TypeVar("T")


class PluginScope:
    """What one plugin is handed for the life of the server; implements `stithy_core.spi.Scope`.

    Args:
        origin: Whose corner it is.
        plugins: Whom `collect` asks.
        settings: Reads one class of the plugin's settings.
        publish: Tells clients what changed.
        shared: The objects of this server, by the factory that made them.
        tool: Gives a tool that is served.
        library: Gives the documents of all plugins.
    """

    def __init__(
        self,
        origin: Contribution,
        *,
        plugins: Plugins,
        settings: Callable[[type], Any],
        publish: Callable[[Sequence[Changed]], Awaitable[None]],
        shared: Shared,
        tool: Callable[[str], ToolInfo | None],
        library: Callable[[], Library],
    ) -> None:
        self.origin = origin
        self.log = logging.getLogger(f"stithy.plugins.{origin.distribution}")
        self._plugins = plugins
        self._settings = settings
        self._publish = publish
        self._shared = shared
        self._tool = tool
        self._library = library

    def settings(self, cls: type[T], /) -> T:
        """Return the plugin's table of stithy.toml."""
        return cast("T", self._settings(cls))

    def shared(self, factory: Callable[[Any], T], /) -> T:
        """Return the server's one object made by `factory`."""
        return cast("T", self._shared.get(factory, lambda: factory(self)))

    def collect(self, hook: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Sequence[tuple[Any, Contribution]]:
        """Ask every plugin that implements `hook`."""
        return cast("Sequence[tuple[Any, Contribution]]", self._plugins.collect(hook, args, kwargs))

    def tool(self, name: str, /) -> ToolInfo | None:
        """Return a tool as it is served."""
        return self._tool(name)

    async def resources(self, prefix: str, /) -> Sequence[Resource]:
        """List the documents whose URIs begin so."""
        return await self._library().under(prefix)

    async def resource(self, uri: str, /) -> Content:
        """Read a document."""
        return await self._library().read(uri)

    async def changed(self, *changes: Changed) -> None:
        """Notify every client of changes."""
        await self._publish(changes)


class Shared:
    """One object for each factory, made once however many threads ask."""

    def __init__(self) -> None:
        self._objects: dict[Callable[[Any], Any], Any] = {}
        # Reentrant, since a factory may ask for what another factory makes.
        self._lock = threading.RLock()

    def get(self, factory: Callable[[Any], Any], make: Callable[[], Any]) -> Any:
        """Return the object of `factory`; the first call creates it by `make`."""
        with self._lock:
            if factory not in self._objects:
                self._objects[factory] = make()
            return self._objects[factory]

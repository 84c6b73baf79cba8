"""The scope of a plugin: its access to the server, and the notification of clients."""

from __future__ import annotations

import logging
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from stithy_core.plugins.plugin_loader import Plugins
from stithy_core.spi.runtime import CallTool, Changed, Contribution, ToolAnswer, ToolInfo

if TYPE_CHECKING:
    from stithy_core.plugins.document_library import Library
    from stithy_core.spi import Content, Resource

Listener = Callable[[Sequence[Changed]], Awaitable[None]]


class Announcements:
    """Passes changes from the plugins of one server to its listeners."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Add a listener; the returned function removes it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def publish(self, changes: Sequence[Changed]) -> None:
        """Call every listener with changes."""
        for listener in list(self._listeners):
            await listener(changes)


T = TypeVar("T")


class PluginScope:
    """The access of one plugin to the server, for the life of the server; implements `stithy_core.spi.Scope`.

    Args:
        origin: The plugin.
        plugins: The plugins that `collect` calls.
        settings: Reads one class of the plugin's settings.
        publish: Notifies clients of changes.
        shared: The objects of this server, by their factories.
        tool: Returns a served tool by name.
        call_tool: Calls a tool that only reads, for the user of the server.
        library: Returns the documents of all plugins.
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
        call_tool: CallTool,
        library: Callable[[], Library],
    ) -> None:
        self.origin = origin
        self.log = logging.getLogger(f"stithy.plugins.{origin.distribution}")
        self._plugins = plugins
        self._settings = settings
        self._publish = publish
        self._shared = shared
        self._tool = tool
        self._call_tool = call_tool
        self._library = library

    def settings(self, cls: type[T], /) -> T:
        """Return the plugin's table of stithy.toml."""
        return cast("T", self._settings(cls))

    def shared(self, factory: Callable[[Any], T], /) -> T:
        """Return the server's one object of a factory."""
        return cast("T", self._shared.get(factory, lambda: factory(self)))

    def collect(self, hook: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Sequence[tuple[Any, Contribution]]:
        """Call a hook of every plugin that implements it, and return each value with its plugin."""
        return cast("Sequence[tuple[Any, Contribution]]", self._plugins.collect(hook, args, kwargs))

    def tool(self, name: str, /) -> ToolInfo | None:
        """Return a tool as it is served; None if no tool has that name."""
        return self._tool(name)

    async def call_tool(self, name: str, arguments: Mapping[str, Any], /) -> ToolAnswer:
        """Call a tool that only reads, for the user of the server."""
        return await self._call_tool(name, arguments)

    async def resources(self, prefix: str, /) -> Sequence[Resource]:
        """Return the documents whose URIs begin with a prefix."""
        return await self._library().list_resources(prefix)

    async def resource(self, uri: str, /) -> Content:
        """Read a document by its URI."""
        return await self._library().read(uri)

    async def changed(self, *changes: Changed) -> None:
        """Notify every client of changes."""
        await self._publish(changes)


class Shared:
    """One object for each factory, created once however many threads need it."""

    def __init__(self) -> None:
        self._objects: dict[Callable[[Any], Any], Any] = {}
        # Reentrant, since a factory may use the object of another factory.
        self._lock = threading.RLock()

    def get(self, factory: Callable[[Any], Any], create: Callable[[], Any]) -> Any:
        """Return the object of `factory`; the first call creates it by `create`."""
        with self._lock:
            if factory not in self._objects:
                self._objects[factory] = create()
            return self._objects[factory]

"""The hooks a plugin can implement: synchronous, called once at start, each returning an iterable of specs.

A plugin is a module with an entry point in the group `stithy`. Every implementation is marked with `@hookimpl` and
has the name of its hook. Plugins are called in the order of their distributions' names. If an implementation raises, or
returns something else than its hook requires, the whole plugin is left out and named by `stithy plugins`,
`stithy doctor` and the tool `list_plugins`; the others keep working. Each hook's docstring adds its own rules.
"""

from collections.abc import Callable, Iterable
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar, overload

import pluggy

if TYPE_CHECKING:
    from stithy_core.spi.call_wrappers import CallWrapperSpec, ForgeGuardSpec
    from stithy_core.spi.contributions import (
        Check,
        Command,
        Prompts,
        Resources,
        Route,
        Service,
        Settings,
        StoreKind,
        View,
    )
    from stithy_core.spi.forge import ForgeKind
    from stithy_core.spi.tools import ToolSpec

F = TypeVar("F", bound=Callable[..., Any])

PROJECT = "stithy"
OWNER_ATTRIBUTE = "stithy_owner"

hookspec = pluggy.HookspecMarker(PROJECT)
"""Marks a hook that a plugin provides; `stithy_hookspecs` returns the modules with such hooks."""

_implementation = pluggy.HookimplMarker(PROJECT)


@overload
def hookimpl(function: F, /) -> F: ...
@overload
def hookimpl(*, owner: str) -> Callable[[F], F]: ...
def hookimpl(function: F | None = None, /, *, owner: str = "") -> F | Callable[[F], F]:
    """Mark a function as the implementation of the hook of its name.

    Args:
        function: The implementation, if the decorator is used without parentheses.
        owner: The distribution that provides the hook. While it is not installed, the implementation is not called, and
            `stithy plugins` names the package to install.
    """

    def mark(marked: F) -> F:
        setattr(marked, OWNER_ATTRIBUTE, owner)
        return _implementation(marked)

    return mark if function is None else mark(function)


@hookspec
def stithy_forges() -> "Iterable[ForgeKind]":  # type: ignore[empty-body]
    """Provide kinds of forges.

    Order: by distribution name; if two plugins provide the same kind, neither is used.
    Failure: the kind is missing, and the error of a forge of that kind lists which plugins provide which kinds.

    Example::

        from stithy_core.spi import Forge, ForgeKind, Version, hookimpl

        STITHY_API = 1

        class Pond(Forge):
            async def identify(self) -> Version:
                return Version("pond", "2.1")

        @hookimpl
        def stithy_forges():
            return [ForgeKind(name="pond", title="Pond", hosts=("pond.example",), forge=Pond)]
    """


@hookspec
def stithy_tools() -> "Iterable[ToolSpec[Any]]":  # type: ignore[empty-body]
    """Provide tools.

    Order: tools are listed by name.
    Failure: a tool whose name or schema is not valid is left out and the plugin's others stay; of two tools with the
    same name neither is served until one plugin is blocked or `[plugins.tools]` chooses.

    Example::

        from collections.abc import Iterator
        from typing import Annotated

        from attrs import frozen
        from stithy_core.spi import Context, Meta, ToolSpec, hookimpl

        STITHY_API = 1

        @frozen
        class Name:
            name: Annotated[str, Meta("Whom to greet", max_length=80)] = "world"

        @frozen
        class Greeting:
            text: str

            def render(self) -> Iterator[str]:
                yield self.text

        async def greet(ctx: Context, args: Name) -> Greeting:
            return Greeting(f"Hello, {args.name}!")

        @hookimpl
        def stithy_tools():
            return [ToolSpec(name="greet", title="Greet", description="Says hello.", input=Name, handler=greet)]
    """


@hookspec
def stithy_resources() -> "Iterable[Resources]":  # type: ignore[empty-body]
    """Provide resources.

    Order: providers are listed by prefix; a URI is read by the provider with the longest prefix that fits.
    Failure: a provider that raises while it lists is left out of that answer and named in the log.

    Example::

        from stithy_core.spi import Resource, ResourceProvider, Resources, hookimpl

        STITHY_API = 1

        class Mottos(ResourceProvider):
            async def list(self):
                return [Resource(uri="motto://today", name="today")]

            async def read(self, uri):
                return "Strike while the iron is hot."

        @hookimpl
        def stithy_resources():
            return [Resources(prefix="motto://", provider=Mottos)]
    """


@hookspec
def stithy_prompts() -> "Iterable[Prompts]":  # type: ignore[empty-body]
    """Provide prompts.

    Order: prompts are listed by name; of two with the same name the first distribution's is served.
    Failure: a provider that raises while it lists is left out of that answer and named in the log.

    Example::

        from stithy_core.spi import Prompt, PromptMessage, PromptProvider, Prompts, hookimpl

        STITHY_API = 1

        class Reviews(PromptProvider):
            async def list(self):
                return [Prompt(name="review", description="Review a change")]

            async def get(self, name, arguments):
                return [PromptMessage("Review the change in the working directory.")]

        @hookimpl
        def stithy_prompts():
            return [Prompts(provider=Reviews)]
    """


@hookspec
def stithy_routes() -> "Iterable[Route]":  # type: ignore[empty-body]
    """Provide HTTP routes; they are mounted if the server serves over HTTP.

    Order: paths with fewer variables first, then by path and method.
    Failure: of two routes for the same method and path neither is mounted, nor is a route that is reserved or invalid;
    the plugin's others stay.

    Example::

        from stithy_core.spi import Response, Route, hookimpl

        STITHY_API = 1

        async def hello(context, request):
            return Response.of_json({"hello": request.parameters["name"]})

        @hookimpl
        def stithy_routes():
            return [Route(method="GET", path="/hello/{name}", handler=hello)]
    """


@hookspec
def stithy_settings() -> "Iterable[Settings]":  # type: ignore[empty-body]
    """Declare the plugin's own table of stithy.toml.

    Order: does not matter; a table belongs to one plugin.
    Failure: a table that does not fit is an error of `scope.settings`, with file, line and key; nothing else stops.

    Example::

        from attrs import frozen
        from stithy_core.spi import Settings, hookimpl

        STITHY_API = 1

        @frozen
        class NotesSettings:
            root: str = "notes"

        @hookimpl
        def stithy_settings():
            return [Settings(table="notes", cls=NotesSettings)]
    """


@hookspec
def stithy_commands() -> "Iterable[Command]":  # type: ignore[empty-body]
    """Add subcommands to `stithy`.

    Order: listed by name, after the core's own, which cannot be replaced.
    Failure: a command whose name is taken is left out.

    Example::

        from stithy_core.spi import Command, hookimpl

        STITHY_API = 1

        def shout(scope, words):
            print(" ".join(words).upper())
            return 0

        @hookimpl
        def stithy_commands():
            return [Command(name="shout", help="Say it louder", run=shout)]
    """


@hookspec
def stithy_checks() -> "Iterable[Check]":  # type: ignore[empty-body]
    """Add checks to `stithy doctor`.

    Order: by distribution name, then as given.
    Failure: a check that raises is an error line of its own.

    Example::

        from stithy_core.spi import Check, Finding, hookimpl

        STITHY_API = 1

        async def fire(scope):
            return [Finding("warning", "the fire is low", "put coal on")]

        @hookimpl
        def stithy_checks():
            return [Check(name="fire", run=fire)]
    """


@hookspec
def stithy_services() -> "Iterable[Service]":  # type: ignore[empty-body]
    """Run background work while the server runs.

    Order: all are started together, when the server starts; they are cancelled when it stops.
    Failure: a service that raises is named in the log, `/readyz`, `list_plugins` and `doctor`, and starts again after a
    pause of 1 s to 60 s; the server and the other services go on. One that returns has ended.

    Example::

        import anyio
        from stithy_core.spi import Service, hookimpl

        STITHY_API = 1

        async def tick(scope):
            while True:
                scope.log.info("tick")
                await anyio.sleep(60)

        @hookimpl
        def stithy_services():
            return [Service(name="clock", run=tick)]
    """


@hookspec
def stithy_stores() -> "Iterable[StoreKind]":  # type: ignore[empty-body]
    """Provide stores that several servers share, by the scheme of their URLs.

    Order: does not matter; a scheme belongs to one plugin, and `memory:` and `sqlite:` to the core.
    Failure: of two plugins that provide one scheme neither is used. A store that cannot be opened is an error of every
    call that needs a forge, and of `stithy doctor`.

    Example::

        from stithy_core.spi import StoreKind, hookimpl

        STITHY_API = 1

        def open_vault(url, local):
            # A real one returns an object with the methods of `stithy_core.spi.Store`.
            return local

        @hookimpl
        def stithy_stores():
            return [StoreKind(scheme="vault", open=open_vault)]
    """


@hookspec
def stithy_call_wrappers() -> "Iterable[CallWrapperSpec]":  # type: ignore[empty-body]
    """Wrap the calls of tools: see or change arguments, result and error of each call.

    Order: by `order`, then by distribution name, the first outermost. The built-in wrappers `workflows` (-20) and
    `preferences` (-10) fill in arguments before others see them; `dry-run` (100) is next to the handler.
    Failure: a call fails when `before` or `around` of a wrapper raises, or when the wrapper cannot be created: nothing
    runs without its wrappers. A prompt fails when `extend_prompt` raises. The error, `list_plugins` and `doctor` name
    the wrapper's plugin, not the tool's. A `StithyError` is answered as it is. When `after` raises, the answer is sent
    all the same.

    Example::

        from stithy_core.spi import CallWrapper, CallWrapperSpec, hookimpl

        STITHY_API = 1

        class Audit(CallWrapper):
            def after(self, call, answer, error):
                self.scope.log.info("%s for %s: %s", call.tool.spec.name, call.caller, error or "ok")

        @hookimpl
        def stithy_call_wrappers():
            return [CallWrapperSpec(name="audit", wrapper=Audit, applies=lambda tool: tool.writes)]
    """


@hookspec
def stithy_guards() -> "Iterable[ForgeGuardSpec]":  # type: ignore[empty-body]
    """Guard the access of tools to forges: check operations before they run, and change their answers.

    Where a guard applies, tools have no `Forge.http`, which leads past it.

    Order: by `order`, then by distribution name, after the allow-list of repositories. The built-in `lockdown` has -10.
    Failure: an operation fails when a guard of its forge raises, or when the guard cannot be created: nothing is asked
    or answered without its guards. The error, `list_plugins` and `doctor` name the guard's plugin. A `StithyError` is
    answered as it is.

    Example::

        from stithy_core.spi import Checks, ForgeGuard, ForgeGuardSpec, Refused, hookimpl

        STITHY_API = 1

        class NoLogs(ForgeGuard):
            def before(self, operation, arguments):
                if operation is Checks.log:
                    raise Refused("logs may hold secrets", suggestion="Read the log in the browser.")

        @hookimpl
        def stithy_guards():
            return [ForgeGuardSpec(name="no-logs", guard=NoLogs, applies=lambda config: config.alias == "work")]
    """


@hookspec
def stithy_views() -> "Iterable[View]":  # type: ignore[empty-body]
    """Provide pages that show the answers of tools, in hosts that support them.

    Order: does not matter; a tool has one view.
    Failure: of two plugins with a view of one tool neither is used.

    Example::

        from stithy_core.spi import Content, ResourceProvider, Resources, View, hookimpl

        STITHY_API = 1

        class Pages(ResourceProvider):
            async def read(self, uri):
                return Content("<!doctype html><title>Plugins</title>", "text/html;profile=mcp-app")

        @hookimpl
        def stithy_resources():
            return [Resources(prefix="ui://pond/", provider=Pages)]

        @hookimpl
        def stithy_views():
            return [View(tool="list_plugins", uri="ui://pond/plugins")]
    """


@hookspec
def stithy_hookspecs() -> Iterable[ModuleType]:  # type: ignore[empty-body]
    """Provide hooks for other plugins: modules whose functions are marked with `@hookspec`.

    Order: called before every other hook, so that the order in which plugins are loaded does not matter.
    Failure: implementations of a hook whose owner is not installed are not called; `stithy plugins` names the package.

    Example::

        import sys
        from collections.abc import Iterable
        from stithy_core.spi import hookimpl, hookspec

        STITHY_API = 1

        @hookspec
        def stithy_example_words() -> Iterable[str]:
            ...  # a line of documentation belongs here

        @hookimpl
        def stithy_hookspecs():
            return [sys.modules[__name__]]
    """

"""The composition root: from settings to plugins, forges and tools."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext
from functools import cached_property, lru_cache, partial
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import evolve

from stithy_core.app.background_tasks import LoopWatchdog, SupervisedService, run_app
from stithy_core.app.connections import Connections, prepare_client
from stithy_core.app.server_statistics import write_statistics
from stithy_core.builtin import create_plugins
from stithy_core.config import (
    Config,
    CursorKey,
    ForgeSettings,
    check_names,
    explain_configuration,
    find_class_fault,
    read_table,
    user_state_folder,
)
from stithy_core.errors import ConfigError, InternalError, InvalidSpec
from stithy_core.forges import ConfiguredForge, Forges
from stithy_core.plugins import (
    Announcements,
    Entry,
    Failed,
    Library,
    Loaded,
    PluginError,
    PluginScope,
    Report,
    Shared,
    Stage,
    contain_faults,
    create_list_plugins,
    create_report,
    describe_error,
    load_plugins,
    resolve,
    scan_plugins,
    separate_clashes,
)
from stithy_core.redaction import remember, remember_environment
from stithy_core.spi import Contribution, Effects, ForgeConfig, ForgeKind, ForgeNames, ToolAnswer, ToolInfo
from stithy_core.tools import BoundWrapper, Cursors, Executor, Jobs, Registry, Tool, build_registry, create_tool
from stithy_core.tools.context import Report as ProgressReport
from stithy_core.tools.executor import ignore_progress
from stithy_core.version import __version__

if TYPE_CHECKING:
    from stithy_core.builtin.preference_file import PreferenceFile
    from stithy_core.server import ServerContents
    from stithy_core.spi import Command, Settings, StoreKind, View
    from stithy_core.tools.route_executor import MountedRoute

T = TypeVar("T")
R = TypeVar("R")

BUILT_IN = "stithy-core"
"""The distribution of the core and of the built-in plugins."""
CORE = Contribution(BUILT_IN, __version__, "core")
INSTRUCTIONS = 600
REST = 150
"""Characters of the instructions for what failed, and for plugins and forges."""
PURPOSE = 210
"""Characters of what the server is for: hosts that search for tools show their model the first 240 of all."""
WRAPPERS = "stithy_call_wrappers"
USED_BY_CALLS = ("stithy_core.app.forge_tokens", "stithy_core.tools.answer")
"""Modules that calls import, and a start does not."""
CORE_COMMANDS = frozenset(
    {"call", "completion", "dev", "doctor", "explain", "init", "plugins", "preferences", "serve", "tools"}
)
"""The commands of the core, whose names plugins cannot use."""


class App:
    """One server, created but not yet serving. No forge is asked before the first call.

    Args:
        config: The settings.
        environ: The environment, for tokens.
        directory: The working directory, whose remotes determine the forge of a bare repository name.
        entries: The installed plugins; by default they are scanned.
        only: The plugins to load, and no others; empty loads all that the settings do not disable.
        preferences: The preferences of the single user behind the server; by default none.
        state: Returns the folder of the record of writes.
    """

    def __init__(
        self,
        config: Config,
        *,
        environ: Mapping[str, str],
        directory: Path,
        entries: Iterable[Entry] | None = None,
        only: Iterable[str] = (),
        preferences: PreferenceFile | None = None,
        state: Callable[[], Path] = user_state_folder,
    ) -> None:
        self.config = config
        self.environ = environ
        remember_environment(environ)
        installed = scan_plugins() if entries is None else entries
        self.plugins = load_plugins([*list_built_in(preferences), *installed], config.plugins.disabled, only)
        self.failed: list[Failed] = []
        self.deprecated: dict[Contribution, list[str]] = defaultdict(list)
        self.connections = Connections(config, environ, state, self._select_stores())
        self.announcements = Announcements()
        self.jobs = Jobs()
        self.services: list[SupervisedService] = []
        self.progress: Callable[[], AbstractContextManager[ProgressReport]] = lambda: nullcontext(ignore_progress)
        self._shared = Shared()
        remember(config.cursor_key)
        self._scopes: dict[Contribution, PluginScope] = {}
        self.settings_tables = self._select_settings()
        self._tables = {offer.cls: (offer, origin) for offer, origin in self.settings_tables}
        self.forges = self._create_forges(directory)
        cursors = Cursors(CursorKey(config.cursor_key))
        self.wrappers = self._create_wrappers()
        self.executor = Executor(self._create_registry(), self.forges, self.jobs, cursors, self.wrappers)
        self.commands = self._select_commands()
        self.routes = self._mount_routes()
        views: list[tuple[View, Contribution]] = list(self.plugins.offers["stithy_views"])
        self.views = {view.tool: view.uri for view, _ in self._select_unique(views, "view", lambda view: view.tool)}

    def scope(self, origin: Contribution) -> PluginScope:
        """Return the scope of a plugin."""
        if origin not in self._scopes:
            self._scopes[origin] = PluginScope(
                origin,
                plugins=self.plugins,
                settings=partial(self._read_settings, origin),
                publish=self.announcements.publish,
                shared=self._shared,
                tool=self._find_tool,
                call_tool=self._call_tool,
                library=lambda: self.library,
            )
        return self._scopes[origin]

    @cached_property
    def library(self) -> Library:
        """The documents of all plugins."""
        return Library(self._add_scopes("stithy_resources"), lambda: write_statistics(self))

    def _add_scopes(self, hook: str) -> list[tuple[Any, Contribution, PluginScope]]:
        return [(offer, origin, self.scope(origin)) for offer, origin in self.plugins.offers[hook]]

    def _find_tool(self, name: str) -> ToolInfo | None:
        """Return a served tool as plugins see it; None if no tool has that name."""
        tool = self.executor.registry.tools.get(name)
        return ToolInfo(name=name, description=tool.spec.description, input=tool.input) if tool else None

    async def _call_tool(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        with self.progress() as report:
            return await self.executor.call_for_plugin(name, arguments, report=report)

    @property
    def tools(self) -> Sequence[Tool]:
        """All valid tools, including those that a setting switches off."""
        return self._tools

    @property
    def toolsets(self) -> Sequence[str]:
        """The sets that tools belong to, by name."""
        return sorted({tool.spec.toolset for tool in self._tools if tool.spec.toolset})

    @property
    def all_failed(self) -> tuple[Failed, ...]:
        """Everything that failed: whole plugins, and single offers."""
        return (*self.plugins.failed, *self.failed)

    def report(self, more: Iterable[Failed] = ()) -> Report:
        """Return the state of each plugin, the faults of the last calls, and the services that do not run.

        Args:
            more: Further failures.
        """
        called = [
            _create_failure(fault.origin, "call", PluginError(fault.cause, fault.remedy), f"tool {fault.tool}")
            for fault in self.executor.faults.values()
        ]
        called += [
            _create_failure(fault.origin, "call", PluginError(fault.cause, fault.suggestion), fault.offer)
            for fault in (*self.forges.faults, *(one.last_fault for one in self.wrappers if one.last_fault))
        ]
        waiting = [failed for service in self.services if (failed := service.report())]
        loaded = tuple(
            evolve(
                plugin,
                notes=(
                    *self.list_load_notes(plugin),
                    *self.watchdog.notes(plugin.origin),
                    *self._note_keywords(plugin),
                ),
            )
            for plugin in self.plugins.loaded
        )
        rows = dict.fromkeys((*self.failed, *self._list_unsuitable(), *called, *waiting, *more))
        return create_report(evolve(self.plugins, loaded=loaded), rows)

    def list_load_notes(self, plugin: Loaded) -> Sequence[str]:
        """Return the notes of a plugin's load, and on what it refers to as far as that was imported to be checked."""
        return tuple(dict.fromkeys((*plugin.notes, *self.deprecated.get(plugin.origin, ()))))

    def _list_unsuitable(self) -> Iterator[Failed]:
        """Iterate over the faults of the forges' classes that were loaded."""
        for boundary in self.forges.boundaries:
            for fault in boundary.unsuitable:
                error, offer = PluginError(fault.cause, fault.remedy), f"forge kind {boundary.kind}"
                yield _create_failure(boundary.origin, "interface", error, offer)

    def _note_keywords(self, plugin: Loaded) -> Iterator[str]:
        """Iterate over notes on the keywords that operations of a plugin's forges do not take."""
        for boundary in self.forges.boundaries:
            if boundary.origin == plugin.origin:
                yield from boundary.notes

    def check_names(self) -> ConfigError | None:
        """Return the error for unknown names in the settings; None while a missing plugin may own them."""
        if self.plugins.failed or self.plugins.blocked:
            return None
        return check_names(self.config, [settings.table for settings, _ in self._tables.values()], self.toolsets)

    def running(self) -> AbstractAsyncContextManager[None]:
        """Run the services and keep jobs and connections open within the block."""
        self.services = self.make_services()
        return run_app(self.services, self.jobs, self.connections, self.watchdog)

    @cached_property
    def watchdog(self) -> LoopWatchdog:
        """Detects which plugin blocks the event loop."""
        return LoopWatchdog(plugin for plugin in self.plugins.loaded if plugin.origin.distribution != BUILT_IN)

    def make_services(self) -> list[SupervisedService]:
        """Create the services of plugins without starting them."""
        return [SupervisedService(*offer) for offer in self._add_scopes("stithy_services")]

    def contents(self) -> ServerContents:
        """Return what a server serves."""
        from stithy_core.server import ServerContents

        return ServerContents(
            executor=self.executor,
            library=self.library,
            prompts=self._add_scopes("stithy_prompts"),
            places=self.forges,
            check_forge=self.forges.check_alias,
            jobs=self.jobs,
            routes=self.routes,
            views=self.views,
            announcements=self.announcements,
            upstreams=self.connections.list_statistics,
            shares=self.connections.is_store_reachable,
            running=self.running,
            failed_services=lambda: [each.service.name for each in self.services if each.waits],
            instructions=write_instructions(self),
            output_schemas=self.config.serve.output_schemas,
            answers=self.config.serve.answers,
            preparations=self._list_preparations,
            token_hint=self._format_token_hint,
        )

    def _list_preparations(self) -> Iterator[Callable[[], object]]:
        """Iterate over what first calls need beyond later ones, in steps that ask no forge and read no token."""
        yield from (partial(import_module, name) for name in USED_BY_CALLS)
        yield prepare_client
        yield from self.forges.list_preparations()
        tools = self.executor.registry.tools.values()
        likely = [tool for tool in tools if tool.spec.likely_first]
        yield from (tool.prepare for tool in likely)
        yield from (partial(_prepare_further, tool) for tool in likely if tool.spec.prepare is not None)

    def _format_token_hint(self, client: str) -> str:
        """Return why the server has no token, if the client is a host that does not pass on variables."""
        from stithy_core.app.doctor import format_token_hint, list_missing_variables

        lacking = self.connections.list_without_token()
        return format_token_hint(client, list_missing_variables(self.config, self.environ, lacking, self.forges.kinds))

    def _select_unique(
        self, offers: Iterable[tuple[T, Contribution]], noun: str, name: Callable[[T], str], **chosen: Mapping[str, str]
    ) -> list[tuple[T, Contribution]]:
        served, failed = separate_clashes(offers, noun=noun, name=name, **chosen)
        self.failed += failed
        return served

    def _select_settings(self) -> list[tuple[Settings, Contribution]]:
        noun = "settings table"
        served = []
        for offer, origin in self._select_unique(
            self.plugins.offers["stithy_settings"], noun, lambda offer: offer.table
        ):
            if (fault := find_class_fault(offer.table, offer.cls)) is None:
                served.append((offer, origin))
            else:
                self.failed.append(_create_failure(origin, "offers", PluginError(*fault), f"{noun} {offer.table}"))
        return served

    def _select_commands(self) -> list[tuple[Command, Contribution]]:
        """Return the commands of plugins, by name."""
        served = self._select_unique(self.plugins.offers["stithy_commands"], "command", lambda command: command.name)
        fault = PluginError("the name belongs to a command of the core", "choose another name")
        taken = [(command, origin) for command, origin in served if command.name in CORE_COMMANDS]
        self.failed += [_create_failure(origin, "offers", fault, f"command {one.name}") for one, origin in taken]
        return [offer for offer in served if offer not in taken]

    def _select_stores(self) -> dict[str, tuple[StoreKind, Contribution]]:
        """Return the plugins' stores by scheme, each with its plugin."""
        served = self._select_unique(self.plugins.offers["stithy_stores"], "store scheme", lambda kind: kind.scheme)
        return {kind.scheme: (kind, origin) for kind, origin in served}

    def _read_settings(self, origin: Contribution, cls: type) -> Any:
        settings, owner = self._tables.get(cls, (None, None))
        if settings is None or owner != origin:
            raise InternalError(
                f"{origin} reads the settings {cls.__name__}, which its stithy_settings does not declare"
            )
        return self._shared.get(cls, lambda: read_table(self.config, settings.table, cls))

    def _create_forges(self, directory: Path) -> Forges:
        offers: list[tuple[ForgeKind, Contribution]] = list(self.plugins.offers["stithy_forges"])
        served = {
            kind.name: (kind, origin)
            for kind, origin in self._select_unique(offers, "forge kind", lambda kind: kind.name)
        }
        kinds = {name: kind for name, (kind, _) in served.items()}
        configured = [
            ConfiguredForge(
                config=ForgeConfig(
                    alias=forge.alias,
                    kind=forge.kind,
                    url=self._find_address(forge, *served.get(forge.kind, (None, CORE))),
                    read_only=forge.read_only or self.config.serve.read_only,
                    lockdown=forge.lockdown or self.config.serve.lockdown,
                    names=kinds[forge.kind].names if forge.kind in kinds else ForgeNames(),
                ),
                repositories=forge.repositories,
            )
            for forge in self.config.forges.values()
            # A variable such as GITHUB_TOKEN may be set for other programs: without a plugin it configures no forge.
            if self.config.path is not None or forge.kind in kinds
        ]
        return Forges(
            configured,
            kinds,
            resolve=resolve,
            connect=self.connections.connect,
            directory=directory,
            read_only=self.config.serve.read_only,
            lockdown=self.config.serve.lockdown,
            origins={name: origin for name, (_, origin) in served.items()},
            result_check=_create_result_check,
            guards=self.plugins.offers["stithy_guards"],
            configure=explain_configuration(kinds),
        )

    def _find_address(self, forge: ForgeSettings, kind: ForgeKind | None, origin: Contribution) -> str:
        """Return the address of a forge for people; its settings may have the address of its API."""
        if kind is None or forge.url is None:
            return forge.url or (kind.url if kind else "")
        try:
            with contain_faults(f"the address of forge {forge.alias}:", "correct the kind's address"):
                return kind.address(forge.url)
        except PluginError as fault:
            self.failed.append(_create_failure(origin, "offers", fault, f"forge kind {kind.name}"))
            return forge.url

    def _create_wrappers(self) -> list[BoundWrapper]:
        """Create the call wrappers, the outermost first; `sorted` keeps plugins of one order in theirs."""
        bound = [BoundWrapper(spec, origin, scope, resolve) for spec, origin, scope in self._add_scopes(WRAPPERS)]
        return sorted(bound, key=lambda wrapper: wrapper.spec.order)

    def _create_registry(self) -> Registry:
        own = create_list_plugins(self.report)
        offers = [(own, CORE), *self.plugins.offers["stithy_tools"]]
        # Only the settings can replace the tool that reports failures.
        chosen = {own.name: CORE.distribution, **self.config.plugins.tools}
        served = self._select_unique(offers, "tool", lambda spec: spec.name, chosen=chosen)
        self._tools = self._check_offers(
            partial(create_tool, wrappers=self.wrappers), served, "tool", lambda spec: spec.name
        )
        return build_registry(self._tools, self._find_refusal)

    def _mount_routes(self) -> Sequence[MountedRoute]:
        """Return the routes of plugins; those with fewer variables come first."""
        if not (offers := self.plugins.offers["stithy_routes"]):
            return ()
        from stithy_core.tools.route_executor import mount_route, route_key

        served = self._check_offers(mount_route, self._select_unique(offers, "route", route_key), "route", route_key)
        return sorted(served, key=lambda mounted: mounted.variables)

    def _check_offers(
        self,
        check: Callable[[T, Contribution, PluginScope, Callable[[object], Any]], R],
        offers: Iterable[tuple[T, Contribution]],
        noun: str,
        name: Callable[[T], str],
    ) -> list[R]:
        """Return the offers that pass their check, and record the others as failed."""
        served = []
        for offer, origin in offers:
            try:
                served.append(check(offer, origin, self.scope(origin), resolve))
                continue
            except InvalidSpec as error:
                fault = PluginError(error.message, error.suggestion)
            except Exception as error:  # noqa: BLE001 -- a third-party declaration may raise any error
                fault = PluginError(describe_error(error), f"correct the declaration of the {noun}")
            self.failed.append(_create_failure(origin, "offers", fault, f"{noun} {name(offer)}"))
        return served

    def _find_refusal(self, tool: Tool) -> str:
        """Return the setting that switches a tool off; empty where none does."""
        serve = self.config.serve
        if serve.read_only and tool.spec.effects is not Effects.READ:
            return "this server is read-only"
        name, limited = tool.spec.toolset, bool(serve.toolsets) or tool.spec.opt_in
        if limited and name and name not in serve.toolsets:
            return f"the toolset {name} is not switched on"
        return ""


def list_built_in(preferences: PreferenceFile | None) -> list[Entry]:
    """Return the built-in plugins.

    Args:
        preferences: The file of the user's preferences; None where none apply.
    """
    plugins = create_plugins(preferences)
    return [
        Entry(evolve(CORE, entry_point=name), load=partial(plugins.get, name), is_built_in=True) for name in plugins
    ]


@lru_cache(maxsize=64)
def _create_result_check(method: Callable[..., Any]) -> Callable[[Any], str]:
    """Create the check of what a method returns, once: `stithy dev` and tests create many apps in a process."""
    from stithy_core.plugins.hook_calls import find_return_type
    from stithy_core.tools.validation import build_result_check

    return build_result_check(find_return_type(method))


def _prepare_further(tool: Tool) -> None:
    """Do what a plugin wants done for its tool beside the import of the handler."""
    tool.load(tool.spec.prepare)()


def _create_failure(origin: Contribution, stage: Stage, fault: PluginError, offer: str) -> Failed:
    return Failed(origin=origin, stage=stage, cause=fault.cause, remedy=fault.remedy, offer=offer)


def write_instructions(app: App) -> str:
    """Return the instructions for agents, in at most 600 characters; plugins and forges that do not fit are counted."""
    topics = Counter(tool.spec.keywords[0] for tool in app.executor.registry.tools.values() if tool.spec.keywords)
    text = f"Use for {_join_words([topic for topic, _ in topics.most_common()], PURPOSE)}. " if topics else ""
    text += "Write a repository as owner/repo, alias:owner/repo or its URL."
    text += " Leave out preferable arguments that nobody asked for: the user's preferences count."
    known = list(app.forges.configured.values()) or app.forges.list_defaults()
    forges = [f"{forge.config.alias} ({forge.config.url})" for forge in known]
    end = "" if forges else f" No forge is configured. {app.forges.configure}"
    for kind, forms in {one.config.kind: one.config.names for one in app.forges.configured.values()}.items():
        note = f" A {forms.pull_request} of {kind} is {forms.form}{forms.mark}7; #7 is an issue."
        if forms.numbers_apart and len(text) + len(note) <= INSTRUCTIONS - REST:
            text += note
    if app.all_failed:
        text += f" {len(app.all_failed)} failed: list_plugins says why."
    names = [plugin.origin.distribution for plugin in app.plugins.loaded]
    plugins = [name.removeprefix("stithy-") for name in names if name != BUILT_IN]
    text += f" Plugins: {_join_words(plugins, (INSTRUCTIONS - len(text) - len(end)) // 3) or 'none'}."
    return text + (end or f" Forges: {_join_words(forges, INSTRUCTIONS - len(text) - 30)}.")


def _join_words(words: Sequence[str], most: int) -> str:
    """Join words with commas, as many as fit, and count the rest."""
    lengths = accumulate(len(word) + 2 for word in words)
    fit = sum(length <= most for length in lengths)
    rest = len(words) - fit
    if rest and not fit:
        return f"{rest} in all"
    return ", ".join(words[:fit]) + (f" and {rest} more" if rest else "")

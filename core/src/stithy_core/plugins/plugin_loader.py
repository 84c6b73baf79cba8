"""From entry points to working plugins: block, import, check, register, ask; every failure becomes a value."""

import contextlib
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from attrs import evolve, frozen

from stithy_core.plugins.hook_calls import Hooks, bind_arguments
from stithy_core.plugins.installed_plugins import Entry, check_core, is_named, suggest_remedy
from stithy_core.plugins.interface_versions import check_interface, record_deprecations
from stithy_core.plugins.plugin_states import Blocked, Failed, Loaded, PluginError, Stage, contain_faults
from stithy_core.spi.faults import python_interrupts
from stithy_core.spi.runtime import Contribution

SLOW = 1.0
REPAIR = "repair the plugin, or uninstall or disable it"
OPENS = "stithy_hookspecs"
OFFERS = (
    "stithy_forges",
    "stithy_tools",
    "stithy_resources",
    "stithy_prompts",
    "stithy_routes",
    "stithy_settings",
    "stithy_commands",
    "stithy_checks",
    "stithy_services",
    "stithy_stores",
    "stithy_call_wrappers",
    "stithy_guards",
    "stithy_views",
)


@frozen(eq=False)
class Plugins:
    """The plugins by state, and the offers of the loaded ones.

    `offers` maps each of the core's hooks to its values, each with its plugin, in the order of the distributions.
    """

    loaded: tuple[Loaded, ...]
    blocked: tuple[Blocked, ...]
    failed: tuple[Failed, ...]
    offers: Mapping[str, Sequence[tuple[Any, Contribution]]]
    hooks: Hooks

    def collect(self, hook: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a hook that a plugin opened, of every loaded plugin; return each value with its plugin.

        Raises:
            PluginError: An implementation raised an error, or returned a value of the wrong type.
        """
        arguments = bind_arguments(hook, args, kwargs)
        return [
            (value, plugin.origin)
            for plugin in self.loaded
            for value in self.hooks.call(plugin.module, hook.__name__, arguments)
        ]


def load_plugins(entries: Iterable[Entry], disabled: Iterable[str] = (), only: Iterable[str] = ()) -> Plugins:
    """Load plugins, except disabled ones. It raises no error, whatever a plugin does.

    Args:
        entries: The plugins, from `scan_plugins`.
        disabled: The distributions or entry points to exclude; they are not imported.
        only: The distributions or entry points to load, and no others; empty loads all.
    """
    # Output of a plugin must not reach the wire, which is standard output.
    with contextlib.redirect_stdout(sys.stderr), python_interrupts():
        return _PluginLoader(list(entries), frozenset(disabled), frozenset(only)).run()


class _PluginLoader:
    """One pass over the plugins; each step removes those that fail in it."""

    def __init__(self, entries: list[Entry], disabled: frozenset[str], only: frozenset[str]) -> None:
        def is_blocked(entry: Entry) -> bool:
            is_excluded = bool(only) and not entry.is_built_in and not is_named(entry.origin, only)
            return is_excluded or is_named(entry.origin, disabled)

        self.hooks = Hooks()
        self.failed: list[Failed] = []
        self.blocked = [Blocked(origin=entry.origin) for entry in entries if is_blocked(entry)]
        self.entries = [entry for entry in entries if not is_blocked(entry)]
        self.offers: dict[str, list[tuple[Any, Contribution]]] = defaultdict(list)

    def run(self) -> Plugins:
        plugins = [self._import(entry) for entry in self._drop_duplicates()]
        steps: list[tuple[Stage, Callable[[Loaded], Loaded]]] = [
            ("interface", self._open),
            ("hooks", self._register),
            ("offers", self._collect_offers),
        ]
        for stage, step in steps:
            plugins = [self._try(stage, step, plugin) for plugin in plugins if plugin is not None]
        loaded = tuple(plugin for plugin in plugins if plugin is not None)
        return Plugins(loaded, tuple(self.blocked), tuple(self.failed), self.offers, self.hooks)

    def _drop_duplicates(self) -> list[Entry]:
        """Return the entries without those that share a name, which are ambiguous; a built-in plugin stays."""
        by_name: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            by_name[entry.origin.entry_point].append(entry)
        dropped = []
        for same in by_name.values():
            if len(same) > 1:
                names = " and ".join(sorted({str(entry.origin) for entry in same}))
                error = PluginError(f"{names} share an entry-point name", "uninstall or disable one of them")
                duplicates = [entry for entry in same if not entry.is_built_in]
                self.failed += [_create_failure(entry.origin, "discovery", error) for entry in duplicates]
                dropped += duplicates
        return [entry for entry in self.entries if entry not in dropped]

    def _import(self, entry: Entry) -> Loaded | None:
        stage: Stage = "discovery"
        began, threads = time.perf_counter(), set(threading.enumerate())
        deprecated: list[str] = []
        try:
            with contain_faults("", "reinstall the plugin, or uninstall or disable it"):
                if entry.fault is not None:
                    raise entry.fault
                check_core(entry)
            stage = "import"
            with contain_faults("", REPAIR), record_deprecations(deprecated):
                module = entry.load()
        except PluginError as error:
            remedy = suggest_remedy(entry, error.__cause__) or error.remedy
            self.failed.append(_create_failure(entry.origin, stage, PluginError(error.cause, remedy)))
            return None
        seconds = time.perf_counter() - began
        return Loaded(
            origin=entry.origin, module=module, seconds=seconds, notes=(*_notes(seconds, threads), *deprecated)
        )

    def _try(self, stage: Stage, step: Callable[[Loaded], Loaded], plugin: Loaded) -> Loaded | None:
        deprecated: list[str] = []
        try:
            with contain_faults("", REPAIR), record_deprecations(deprecated):
                plugin = step(plugin)
            return evolve(plugin, notes=(*plugin.notes, *deprecated))
        except PluginError as error:
            self.failed.append(_create_failure(plugin.origin, stage, error))
            return None

    def _open(self, plugin: Loaded) -> Loaded:
        check_interface(plugin.module, plugin.origin.distribution)
        if self.hooks.is_implemented(plugin.module, OPENS):
            # Hooks of owners that open later, or of the plugin itself, do not exist yet; `_register` checks them.
            self.hooks.register(plugin.module, plugin.origin.entry_point, lambda owner: f"{owner} opens it later")
            opened = self.hooks.call(plugin.module, OPENS, {})
            self.hooks.unregister(plugin.module)
            for module in opened:
                self.hooks.open(module, plugin.origin.distribution)
        return plugin

    def _register(self, plugin: Loaded) -> Loaded:
        notes = self.hooks.register(plugin.module, plugin.origin.entry_point, self._suggest_owner)
        return evolve(plugin, notes=(*plugin.notes, *notes))

    def _collect_offers(self, plugin: Loaded) -> Loaded:
        began = time.perf_counter()
        try:
            values_by_hook = {hook: self.hooks.call(plugin.module, hook, {}) for hook in OFFERS}
        except PluginError:
            self.hooks.unregister(plugin.module)
            raise
        for hook, values in values_by_hook.items():
            self.offers[hook] += [(value, plugin.origin) for value in values]
        if (seconds := time.perf_counter() - began) <= SLOW:
            return plugin
        note = (
            f"its hooks took {seconds:.1f} s of the start: hooks must only declare; move slow work into what they name"
        )
        return evolve(plugin, notes=(*plugin.notes, note))

    def _suggest_owner(self, owner: str) -> str:
        """Return the remedy for an owner of hooks that is not loaded; empty for one that is."""
        if owner in {blocked.origin.distribution for blocked in self.blocked}:
            return "it is disabled"
        if owner in {failed.origin.distribution for failed in self.failed}:
            return "it failed itself"
        return "" if owner in {entry.origin.distribution for entry in self.entries} else f"pip install {owner}"


def _create_failure(origin: Contribution, stage: Stage, error: PluginError) -> Failed:
    return Failed(origin=origin, stage=stage, cause=error.cause, remedy=error.remedy)


def _notes(seconds: float, threads: set[threading.Thread]) -> Iterator[str]:
    """Return notes on a successful import that has a cost for users."""
    if seconds > SLOW:
        yield f'its import took {seconds:.1f} s of the start: refer to slow modules as "package.module:name"'
    for thread in set(threading.enumerate()) - threads:
        yield f"its import started the thread {thread.name!r}, which may outlive the server; use a service instead"


T = TypeVar("T")


def separate_clashes(
    offers: Iterable[tuple[T, Contribution]],
    *,
    noun: str,
    name: Callable[[T], Hashable],
    chosen: Mapping[str, str] | None = None,
) -> tuple[list[tuple[T, Contribution]], list[Failed]]:
    """Separate offers with unique names from those that clash.

    Args:
        offers: The offers, each with its plugin.
        noun: The word for such an offer in failures: "tool".
        name: Returns the name of an offer.
        chosen: The distribution whose offer is served, by the name of the offer, where several have it.

    Returns:
        The offers to serve, in the order of their names, and a failure for each of the others.
    """
    by_name: dict[str, list[tuple[T, Contribution]]] = defaultdict(list)
    for value, origin in offers:
        by_name[str(name(value))].append((value, origin))
    served: list[tuple[T, Contribution]] = []
    failed: list[Failed] = []
    for key, same in sorted(by_name.items()):
        winners = _choose_offers(same, (chosen or {}).get(key, ""))
        served += winners
        losers = dict.fromkeys(origin for value, origin in same if (value, origin) not in winners)
        failed += [_describe_clash(origin, [other for _, other in same], noun, key) for origin in losers]
    return served, failed


def _describe_clash(origin: Contribution, owners: Sequence[Contribution], noun: str, key: str) -> Failed:
    names = sorted({str(owner) for owner in owners})
    if len(names) > 1:
        cause = f"{' and '.join(names)} have a {noun} with the name {key}"
        remedy = f"disable one of them{_suggest_choice(noun, key, origin)}"
    else:
        cause, remedy = f"it has the {noun} {key} {len(owners)} times", "make the names unique"
    return Failed(origin=origin, stage="offers", cause=cause, remedy=remedy, offer=f"{noun} {key}")


def _choose_offers(same: list[tuple[T, Contribution]], distribution: str) -> list[tuple[T, Contribution]]:
    if len(same) == 1:
        return same
    matching = [offer for offer in same if offer[1].distribution == distribution]
    return matching if len(matching) == 1 else []


def _suggest_choice(noun: str, key: str, origin: Contribution) -> str:
    if noun != "tool":
        return ""
    return f', or choose in stithy.toml: [plugins.tools] {key} = "{origin.distribution}"'

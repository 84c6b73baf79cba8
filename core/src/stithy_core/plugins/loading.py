"""From entry points to working plugins: block, import, check, register, ask; every failure becomes a value."""

import contextlib
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from stithy_core.plugins.containing import PluginError, contained
from stithy_core.plugins.entries import Entry, is_named
from stithy_core.plugins.hookcalls import Hooks, bind
from stithy_core.plugins.needs import CORE, check_core, import_remedy
from stithy_core.plugins.outcomes import Blocked, Failed, Loaded, Stage
from stithy_core.spi import API
from stithy_core.spi.faults import python_interrupts
from stithy_core.spi.runtime import Contribution

SLOW = 1.0
MEND = "mend the plugin, or uninstall or disable it"
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
)


@frozen(eq=False)
class Plugins:
    """What was loaded, what was not and why, and what the loaded ones offer.

    `offers` has, for each of the core's hooks, every value with who gave it, by distribution name.
    """

    loaded: tuple[Loaded, ...]
    blocked: tuple[Blocked, ...]
    failed: tuple[Failed, ...]
    offers: Mapping[str, Sequence[tuple[Any, Contribution]]]
    hooks: Hooks

    def collect(self, hook: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Ask every loaded plugin for a hook that a plugin opened.

        Raises:
            PluginError: An implementation raised, or gave a value of another type.
        """
        arguments = bind(hook, args, kwargs)
        return [
            (value, plugin.origin)
            for plugin in self.loaded
            for value in self.hooks.ask(plugin.module, hook.__name__, arguments)
        ]


def load(entries: Iterable[Entry], disabled: Iterable[str] = (), only: Iterable[str] = ()) -> Plugins:
    """Load what is installed, except what is disabled. Nothing that a plugin does makes this raise.

    Args:
        entries: What `scan` found.
        disabled: Distributions or entry points to leave out; they are not imported.
        only: Likewise, those to load and no other; empty loads all.
    """
    # What a plugin prints must not reach the wire, which is standard output.
    with contextlib.redirect_stdout(sys.stderr), python_interrupts():
        return _Loading(list(entries), frozenset(disabled), frozenset(only)).run()


class _Loading:
    """One pass over the plugins; each step takes out those that fail in it."""

    def __init__(self, entries: list[Entry], disabled: frozenset[str], only: frozenset[str]) -> None:
        def is_blocked(entry: Entry) -> bool:
            is_left_out = bool(only) and not entry.is_built_in and not is_named(entry.origin, only)
            return is_left_out or is_named(entry.origin, disabled)

        self.hooks = Hooks()
        self.failed: list[Failed] = []
        self.blocked = [Blocked(origin=entry.origin) for entry in entries if is_blocked(entry)]
        self.entries = [entry for entry in entries if not is_blocked(entry)]
        self.offers: dict[str, list[tuple[Any, Contribution]]] = defaultdict(list)

    def run(self) -> Plugins:
        plugins = [self._import(entry) for entry in self._without_doubles()]
        steps: list[tuple[Stage, Callable[[Loaded], Loaded]]] = [
            ("interface", self._open),
            ("hooks", self._register),
            ("offers", self._ask),
        ]
        for stage, step in steps:
            plugins = [self._try(stage, step, plugin) for plugin in plugins if plugin is not None]
        loaded = tuple(plugin for plugin in plugins if plugin is not None)
        return Plugins(loaded, tuple(self.blocked), tuple(self.failed), self.offers, self.hooks)

    def _without_doubles(self) -> list[Entry]:
        """Return the entries whose name is unique; others cannot be told apart, and only a built-in plugin stays."""
        by_name: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            by_name[entry.origin.entry_point].append(entry)
        left_out = []
        for same in by_name.values():
            if len(same) > 1:
                who = " and ".join(sorted({str(entry.origin) for entry in same}))
                error = PluginError(f"{who} share an entry-point name", "uninstall or disable one of them")
                doubles = [entry for entry in same if not entry.is_built_in]
                self.failed += [_failed(entry.origin, "discovery", error) for entry in doubles]
                left_out += doubles
        return [entry for entry in self.entries if entry not in left_out]

    def _import(self, entry: Entry) -> Loaded | None:
        stage: Stage = "discovery"
        began, threads = time.perf_counter(), set(threading.enumerate())
        try:
            with contained("", "reinstall the plugin, or uninstall or disable it"):
                if entry.fault is not None:
                    raise entry.fault
                check_core(entry)
            stage = "import"
            with contained("", MEND):
                module = entry.load()
        except PluginError as error:
            remedy = import_remedy(entry, error.__cause__) or error.remedy
            self.failed.append(_failed(entry.origin, stage, PluginError(error.cause, remedy)))
            return None
        seconds = time.perf_counter() - began
        return Loaded(origin=entry.origin, module=module, seconds=seconds, notes=tuple(_notes(seconds, threads)))

    def _try(self, stage: Stage, step: Callable[[Loaded], Loaded], plugin: Loaded) -> Loaded | None:
        try:
            with contained("", MEND):
                return step(plugin)
        except PluginError as error:
            self.failed.append(_failed(plugin.origin, stage, error))
            return None

    def _open(self, plugin: Loaded) -> Loaded:
        _check_interface(plugin.module)
        if self.hooks.is_implemented(plugin.module, OPENS):
            self.hooks.register(plugin.module, plugin.origin.entry_point, self._lacking)
            opened = self.hooks.ask(plugin.module, OPENS, {})
            self.hooks.unregister(plugin.module)
            for module in opened:
                self.hooks.open(module, plugin.origin.distribution)
        return plugin

    def _register(self, plugin: Loaded) -> Loaded:
        notes = self.hooks.register(plugin.module, plugin.origin.entry_point, self._lacking)
        return evolve(plugin, notes=(*plugin.notes, *notes))

    def _ask(self, plugin: Loaded) -> Loaded:
        began = time.perf_counter()
        try:
            given = {hook: self.hooks.ask(plugin.module, hook, {}) for hook in OFFERS}
        except PluginError:
            self.hooks.unregister(plugin.module)
            raise
        for hook, values in given.items():
            self.offers[hook] += [(value, plugin.origin) for value in values]
        if (seconds := time.perf_counter() - began) <= SLOW:
            return plugin
        note = (
            f"its hooks took {seconds:.1f} s of the start: they only declare, and what takes long belongs behind them"
        )
        return evolve(plugin, notes=(*plugin.notes, note))

    def _lacking(self, owner: str) -> str:
        """Return the remedy for a missing owner of a hook."""
        if owner in {blocked.origin.distribution for blocked in self.blocked}:
            return "it is disabled"
        if owner in {failed.origin.distribution for failed in self.failed}:
            return "it failed itself"
        return "" if owner in {entry.origin.distribution for entry in self.entries} else f"pip install {owner}"


def _failed(origin: Contribution, stage: Stage, error: PluginError) -> Failed:
    return Failed(origin=origin, stage=stage, cause=error.cause, remedy=error.remedy)


def _notes(seconds: float, threads: set[threading.Thread]) -> Iterator[str]:
    """Return notes on a successful import that has a cost for users."""
    if seconds > SLOW:
        yield f'its import took {seconds:.1f} s of the start: what is heavy belongs behind a "package.module:name"'
    for thread in set(threading.enumerate()) - threads:
        yield f"its import started the thread {thread.name!r}, which may outlive the server: a service ends with it"


def _check_interface(module: object) -> None:
    api = getattr(module, "STITHY_API", None)
    if not isinstance(api, int):
        raise PluginError("it does not say for which interface it was written", f"declare STITHY_API = {API}")
    if api > API:
        cause = f"it was written for interface {api}, and this core has {API}"
        raise PluginError(cause, f"pip install --upgrade {CORE}")

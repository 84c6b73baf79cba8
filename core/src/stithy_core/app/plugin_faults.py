"""What of plugins cannot work, found without a server: for `stithy plugins check`, `doctor` and the testing kit."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from attrs import asdict, frozen

from stithy_core.app.offer_check import find_handler_faults, find_name_faults, find_offer_faults, find_wrapper_faults
from stithy_core.config import Config, read_table
from stithy_core.errors import ConfigError, InvalidSpec
from stithy_core.forges.forge_inspection import describe_lacking_keywords
from stithy_core.plugins import (
    Entry,
    Failed,
    PluginError,
    Stage,
    contain_faults,
    create_module_entry,
    display_name,
    find_at,
    is_installed,
    is_named,
    record_deprecations,
    resolve,
    scan_folder,
)
from stithy_core.redaction import redact
from stithy_core.spi import Contribution, ForgeKind
from stithy_core.spi.faults import PluginFault
from stithy_core.spi.overrides import OverrideFault

if TYPE_CHECKING:
    from stithy_core.app.assembly import App

NOUNS = {
    "stithy_resources": ("resources", "prefix"),
    "stithy_prompts": ("prompts", ""),
    "stithy_routes": ("route", "path"),
    "stithy_commands": ("command", "name"),
    "stithy_checks": ("check", "name"),
    "stithy_services": ("service", "name"),
    "stithy_stores": ("store scheme", "scheme"),
    "stithy_call_wrappers": ("call wrapper", "name"),
    "stithy_guards": ("guard", "name"),
    "stithy_forges": ("forge kind", "name"),
}
"""The hooks whose offers refer to code, each with the noun of an offer and the field that names it."""


def find_faults(app: App) -> list[Failed]:
    """Return everything of an app's plugins that cannot work; each reference is imported, and no server is asked.

    Args:
        app: The app, whose plugins were loaded.
    """
    # Output of a plugin must not reach standard output, which is for answers.
    with redirect_stdout(sys.stderr):
        found = [*_find_offers(app), *_find_tools(app), *_find_settings(app)]
    return list(dict.fromkeys((*app.all_failed, *found)))


def list_notes(app: App) -> list[tuple[Contribution, str]]:
    """Return the notes on an app's plugins, after `find_faults`: of their load, and on keywords that forges lack."""
    notes = [(plugin.origin, note) for plugin in app.plugins.loaded for note in app.list_load_notes(plugin)]
    for kind, origin in app.plugins.offers["stithy_forges"]:
        try:
            with redirect_stdout(sys.stderr), contain_faults("", ""):
                notes += [(origin, note) for note in describe_lacking_keywords(resolve(kind.forge))]
        except PluginError:  # reported by `find_faults`
            continue
    return notes


def _find_offers(app: App) -> Iterator[Failed]:
    for hook, (noun, name) in NOUNS.items():
        for offer, origin in app.plugins.offers[hook]:
            label = f"{noun} {getattr(offer, name)}" if name else noun
            if isinstance(offer, ForgeKind):
                yield from _contain(app, origin, "interface", f"{label}, names", find_name_faults(offer.names))
            yield from _contain(app, origin, "interface", label, find_offer_faults(offer))


def _contain(
    app: App, origin: Contribution, stage: Stage, offer: str, faults: Iterable[OverrideFault]
) -> Iterator[Failed]:
    """Iterate over the failures of one offer; an error of the plugin's code is one of them."""
    found: list[OverrideFault] = []
    try:
        with contain_faults("", f"correct the {offer}"), record_deprecations(app.deprecated[origin]):
            found.extend(faults)
    except PluginError as error:
        ours = error.__cause__
        if isinstance(ours, PluginFault):  # of a call wrapper, which is an offer of its own
            return
        known = (ours.message, ours.suggestion) if isinstance(ours, InvalidSpec) else (error.cause, error.remedy)
        found.append(OverrideFault(*known))
    for fault in found:
        yield Failed(origin=origin, stage=stage, cause=redact(fault.cause), remedy=fault.remedy, offer=offer)


def _find_tools(app: App) -> Iterator[Failed]:
    for tool in app.tools:
        yield from _contain(app, tool.origin, "call", f"tool {tool.spec.name}", find_handler_faults(tool))
    for wrapper in app.wrappers:
        faults = find_wrapper_faults(wrapper, app.tools)
        yield from _contain(app, wrapper.origin, "interface", f"call wrapper {wrapper.spec.name}", faults)


def _find_settings(app: App) -> Iterator[Failed]:
    """Iterate over the tables whose class cannot be read, although each of its fields has a default."""
    for offer, origin in app.settings_tables:
        try:
            with contain_faults("", "correct the class of the settings"):
                _read_defaults(offer.table, offer.cls)
        except PluginError as error:
            label = f"settings table {offer.table}"
            yield Failed(origin=origin, stage="offers", cause=error.cause, remedy=error.remedy, offer=label)


def _read_defaults(table: str, cls: type) -> None:
    try:
        read_table(Config(), table, cls)
    except ConfigError as error:
        raise PluginError(error.message, "correct the types and defaults of its fields") from error


@frozen(kw_only=True)
class PluginFinding:
    """One line of `stithy plugins check`.

    Args:
        origin: The plugin.
        level: `error`: it cannot work; `note`: something its author should know; `ok`: nothing else was found.
        stage: The stage at which it fails; empty for anything but an error.
        offer: What of it fails: "tool pr_list"; empty where the whole plugin does.
        cause: What is wrong, on one line.
        remedy: What to do.
    """

    origin: Contribution
    level: Literal["ok", "note", "error"]
    stage: str = ""
    offer: str = ""
    cause: str = ""
    remedy: str = ""

    def __str__(self) -> str:
        offer = f": {self.offer}" if self.offer else ""
        cause = f": {self.cause}" if self.cause else ""
        return f"{display_name(self.origin)}{offer}{cause}" + (f"; remedy: {self.remedy}" if self.remedy else "")

    def as_dict(self) -> dict[str, str]:
        """Return its fields, those of the plugin by their names in `stithy plugins --json`."""
        fields: dict[str, str] = asdict(self, filter=lambda attribute, _: attribute.name != "origin")
        return asdict(self.origin) | fields


@frozen
class CheckedEntries:
    """Plugins to load together, and the names of those to report."""

    entries: Sequence[Entry]
    checked: frozenset[Contribution]


def select_entries(names: Iterable[str], installed: Sequence[Entry]) -> CheckedEntries:
    """Return what to load to check some plugins: these, and beside them the installed ones with hooks and names.

    Args:
        names: Distributions, entry points, modules or files; empty for all that are installed.
        installed: The plugins that are installed, or in folders of plugins.

    Raises:
        ConfigError: Nothing has one of the names.
    """
    chosen = [entry for name in names for entry in _find_entries(name, installed)] or list(installed)
    taken = {entry.origin.entry_point for entry in chosen if entry not in installed}
    others = [entry for entry in installed if entry not in chosen and entry.origin.entry_point not in taken]
    return CheckedEntries([*others, *dict.fromkeys(chosen)], frozenset(entry.origin for entry in chosen))


def _find_entries(name: str, installed: Sequence[Entry]) -> Sequence[Entry]:
    """Return the plugins that a word of the command line names.

    Raises:
        ConfigError: There is none.
    """
    if found := [entry for entry in installed if is_named(entry.origin, [name]) or entry.module == name]:
        return found
    path = Path(name)
    if path.suffix == ".py" or path.is_dir():
        return _find_files(path, installed)
    try:
        entry = create_module_entry(name)
    except PluginError as error:
        raise ConfigError(error.cause, suggestion=error.remedy) from error
    if entry is None and is_installed(name):
        raise ConfigError(
            f"{name}: no plugin, since it has no entry point in the group stithy",
            suggestion="Declare it in pyproject.toml; a parser of CI logs needs none, and is checked by its own tests.",
        )
    if entry is None:
        available = ", ".join(dict.fromkeys(entry.origin.distribution for entry in installed)) or "none"
        raise ConfigError(f"{name}: no such plugin, module or file", suggestion=f"Available: {available}.")
    return [entry]


def _find_files(path: Path, installed: Sequence[Entry]) -> Sequence[Entry]:
    """Return the installed plugins of a file or folder, or else the plugins of a single file.

    Raises:
        ConfigError: There is none.
    """
    if not path.exists():
        raise ConfigError(f"{path}: no such file", suggestion="Name an existing file, or a folder of such files.")
    if found := find_at(path, [entry for entry in installed if not entry.file]) or scan_folder(path):
        return found
    raise ConfigError(f"{path}: no plugin in this folder", suggestion="Name a folder with a distribution or .py files.")


def check_plugins(selected: CheckedEntries) -> list[PluginFinding]:
    """Load plugins with the default settings, and return what was found about those to report.

    Args:
        selected: From `select_entries`.
    """
    from stithy_core.app.assembly import App

    app = App(Config(), environ={}, directory=Path.cwd(), entries=selected.entries)
    found = [
        PluginFinding(
            origin=one.origin, level="error", stage=one.stage, offer=one.offer, cause=one.cause, remedy=one.remedy
        )
        for one in find_faults(app)
    ]
    found += [PluginFinding(origin=origin, level="note", cause=note) for origin, note in list_notes(app)]
    found = [one for one in found if one.origin in selected.checked]
    sound = selected.checked - {one.origin for one in found if one.level == "error"}
    found += [PluginFinding(origin=origin, level="ok") for origin in sound]
    return sorted(found, key=lambda one: (one.origin.distribution, one.origin.entry_point, one.level))

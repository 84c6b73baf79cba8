"""The plugins that are installed, as entry points of the group `stithy` or as single files, and their requirements."""

import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from email import message_from_string
from functools import partial
from importlib.metadata import Distribution, PackageNotFoundError, distributions, version
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from stithy_core.errors import ConfigError
from stithy_core.plugins.interface_versions import suggest_new_name
from stithy_core.plugins.plugin_states import PluginError, contain_faults, describe_error
from stithy_core.spi.runtime import Contribution
from stithy_core.version import __version__

if TYPE_CHECKING:
    from packaging.requirements import Requirement

GROUP = "stithy"


@frozen
class Entry:
    """One entry point.

    Args:
        origin: The plugin.
        requires: The requirements of its distribution.
        load: Imports and returns the plugin.
        fault: Why it cannot be imported; None if that has to be tried.
        file: Its path if it is a single file that is not installed; else empty.
        is_built_in: Whether it is part of the core. Then it is loaded also when only certain plugins are, and keeps its
            name where another plugin has the same.
        module: The module that its entry point names.
    """

    origin: Contribution
    requires: tuple[str, ...] = ()
    load: Callable[[], Any] = field(default=None, eq=False, repr=False)
    fault: PluginError | None = field(default=None, eq=False)
    file: str = ""
    is_built_in: bool = False
    module: str = ""


def scan_plugins() -> list[Entry]:
    """Return every installed plugin, in the order of distribution and entry-point name; nothing is imported.

    Of several distributions with one name, the first one counts, as in an import.
    """
    found: dict[str, list[Entry]] = {}
    for distribution in distributions():
        if entries := list(_list_entries(distribution)):
            found.setdefault(entries[0].origin.distribution, entries)
    entries = [entry for entries in found.values() for entry in entries]
    return sorted(entries, key=lambda entry: (entry.origin.distribution, entry.origin.entry_point))


def _create_entries(distribution: Distribution) -> list[Entry]:
    # `importlib.metadata.entry_points` parses those of all groups of all distributions, which takes thrice as long.
    if f"[{GROUP}]" not in (distribution.read_text("entry_points.txt") or ""):
        return []
    points = distribution.entry_points.select(group=GROUP)
    metadata = _read_headers(distribution)  # `dist.name`, `.version` and `.requires` would parse it again, each
    distribution_name, version = normalize_name(metadata["Name"]), metadata["Version"]
    # An egg has its requirements in a separate file, which `requires` reads.
    requires = tuple(metadata.get_all("Requires-Dist") or distribution.requires or ())
    return [
        Entry(
            Contribution(distribution_name, version, point.name),
            requires,
            point.load,
            module=point.value.partition(":")[0],
        )
        for point in points
    ]


def _read_headers(distribution: Distribution) -> Any:
    """Return the headers of a distribution's metadata, without the description, which takes longest to parse."""
    text = distribution.read_text("METADATA")
    return message_from_string(text.partition("\n\n")[0]) if text else distribution.metadata


def _list_entries(distribution: Distribution) -> Iterator[Entry]:
    """Iterate over the plugins of one distribution; if they cannot be read, over one entry with the reason."""
    try:
        yield from _create_entries(distribution)
    except Exception as error:  # noqa: BLE001 -- unreadable metadata may raise anything
        # The only readable name is that of the folder, NAME-VERSION.dist-info.
        name, _, version = getattr(distribution, "_path", Path("unknown")).stem.partition("-")
        remedy = f"pip install --force-reinstall {normalize_name(name)}"
        fault = PluginError(f"its metadata cannot be read: {describe_error(error)}", remedy)
        yield Entry(Contribution(normalize_name(name), version, name), fault=fault)


def normalize_name(name: str) -> str:
    """Return a distribution's name in the normal form of PEP 503, so that `Stithy_CI` is `stithy-ci`."""
    return "-".join(filter(None, name.lower().replace("_", "-").replace(".", "-").split("-")))


def is_named(origin: Contribution, names: Iterable[str]) -> bool:
    """Return whether a plugin is among the names, by its distribution or its entry point."""
    return bool({origin.distribution, normalize_name(origin.entry_point)} & {normalize_name(name) for name in names})


def is_installed(name: str) -> bool:
    """Return whether a distribution of this name is installed."""
    try:
        version(name)
    except (PackageNotFoundError, ValueError):  # ValueError: an empty name
        return False
    return True


def list_places(entry: Entry) -> tuple[Path, ...]:
    """Return the files and folders of an installed plugin's package; it is not imported."""
    from importlib.util import find_spec

    try:
        spec = find_spec(entry.module.partition(".")[0])
    except (ImportError, ValueError):  # a module without a spec, or no name
        spec = None
    if spec is None:
        return ()
    return tuple(Path(place).resolve() for place in spec.submodule_search_locations or [spec.origin or ""])


def find_at(path: Path, entries: Iterable[Entry]) -> list[Entry]:
    """Return the installed plugins that are in a folder, or that a file or folder belongs to.

    Raises:
        ConfigError: It belongs to a distribution of which no plugin is installed.
    """
    path = path.resolve()
    if found := [entry for entry in entries if any(_is_at(place, path) for place in list_places(entry))]:
        return found
    project = next((folder for folder in (path, *path.parents) if (folder / "pyproject.toml").is_file()), None)
    if project is not None and not _is_loose(path):
        raise ConfigError(
            f"no plugin of '{project}' is installed",
            suggestion=f"Run: {shlex.quote(sys.executable)} -m pip install --editable {shlex.quote(str(project))}",
        )
    return []


def _is_loose(path: Path) -> bool:
    """Return whether a file, or each file of a folder, may be a plugin of a single file, since no package has it."""
    if path.is_file():
        return not (path.parent / "__init__.py").exists()
    return any(path.glob("*.py")) and not any((path / name).exists() for name in ("__init__.py", "pyproject.toml"))


def _is_at(place: Path, path: Path) -> bool:
    """Return whether a file or folder is in a plugin's place, or the place in a folder but not in a venv within it."""
    return path.is_relative_to(place) or (
        place.is_relative_to(path) and "site-packages" not in place.relative_to(path).parts
    )


FILE_VERSION = "(file)"
MODULE_VERSION = "(module)"


def scan_folder(folder: Path) -> list[Entry]:
    """Return the plugins of a folder: each `NAME.py` that does not begin with an underscore; nothing is imported.

    A file `NAME.py` instead of a folder is the only plugin.

    `stithy_greet.py` has the name of an installed `stithy-greet`, so that either can be blocked by name, and both
    together clash.

    Raises:
        ConfigError: The folder does not exist or cannot be read.
    """
    if folder.suffix == ".py" and folder.is_file():
        return [_describe_file(folder.absolute())]
    try:
        files = sorted(file for file in folder.iterdir() if file.suffix == ".py" and file.name[0] not in "_.")
    except OSError as error:
        raise ConfigError(
            f"--plugins-dir {folder}: {error.strerror}", suggestion="Name a folder with plugins, each a .py file."
        ) from error
    return [_describe_file(file.absolute()) for file in files]


def create_module_entry(module: str) -> Entry | None:
    """Return a plugin that is a module which can be imported; None if there is no such module.

    Raises:
        PluginError: A package that contains the module cannot be imported.
    """
    from importlib import import_module
    from importlib.util import find_spec

    with contain_faults(f"{module} cannot be found:", "correct the name, or repair the package"):
        try:
            found = find_spec(module)
        except ModuleNotFoundError:  # the package that would contain it
            found = None
    name = normalize_name(module)
    origin = Contribution(name, MODULE_VERSION, name.removeprefix("stithy-"))
    return Entry(origin, load=partial(import_module, module), module=module) if found is not None else None


def _describe_file(file: Path) -> Entry:
    name = normalize_name(file.stem)
    origin = Contribution(name, FILE_VERSION, name.removeprefix("stithy-"))
    return Entry(origin, load=partial(_import_file, file), file=str(file))


def _import_file(file: Path) -> ModuleType:
    """Import a file under its own name, so that it can refer to its functions as `"stithy_greet:greet"`.

    Raises:
        PluginError: Another module has that name.
    """
    from importlib.util import find_spec, module_from_spec, spec_from_file_location

    name = file.stem
    if getattr(sys.modules.get(name), "__file__", "") == str(file):
        return sys.modules[name]
    if name in sys.modules or find_spec(name) is not None:
        raise PluginError(f"another module has the name {name}", f"rename {file}")
    spec = spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    # Before it is run, as in any import: attrs and typing find the module by its name.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


CORE, INTERFACE = "stithy-core", "stithy-interface"
# The ranges in which distributions of this repository require these (tests/repository/test_distributions.py).
COMPATIBLE = {f"{name}~={__version__.rpartition('.')[0]}.0" for name in (CORE, INTERFACE)}
MINIMUM = re.compile(rf"(?:{CORE}|{INTERFACE}) ?>= ?(\d+(?:\.\d+){{0,2}})")
RELEASE = tuple(int(number) for number in re.findall(r"\d+", __version__)[:3])


def check_core(entry: Entry) -> None:
    """Check that a distribution accepts this core and its interface, before it is imported.

    Raises:
        PluginError: It requires another one.
        InvalidRequirement: Its requirements cannot be read.
    """
    names = (CORE, INTERFACE)
    relevant = [text for text in entry.requires if normalize_name(text).startswith(names) and not _is_met(text)]
    for requirement in _list_applicable(relevant) if relevant else ():
        name = normalize_name(requirement.name)
        if name in names and not requirement.specifier.contains(__version__, prereleases=True):
            cause = f"it requires {requirement}, and this is {name} {__version__}"
            raise PluginError(cause, f'pip install --upgrade "{requirement}" {entry.origin.distribution}')


def _is_met(text: str) -> bool:
    """Return whether a requirement has a usual form and this core meets it: parsing takes 15 ms of a start."""
    minimum = MINIMUM.fullmatch(text)
    return text in COMPATIBLE or bool(minimum and tuple(map(int, minimum[1].split("."))) <= RELEASE)


def suggest_remedy(entry: Entry, error: BaseException | None) -> str:
    """Return the remedy for a failed import; empty if the error does not reveal it."""
    if renamed := suggest_new_name(error):
        return renamed
    missing: list[Requirement] = []
    if isinstance(error, ImportError):
        # Unreadable metadata, of this distribution or of a requirement, does not help here.
        with suppress(Exception):
            missing = list(_list_missing(entry))
    if missing:
        return " ".join(["pip install", *(f'"{one}"' for one in missing)])
    if isinstance(error, ModuleNotFoundError) and error.name:
        removal = f"remove {entry.file}" if entry.file else "uninstall the plugin"
        return f"install the package that provides the module {error.name!r}, or {removal}"
    return f"repair {entry.file}, or remove it" if entry.file and error is not None else ""


def _list_missing(entry: Entry) -> Iterator["Requirement"]:
    for requirement in _list_applicable(entry.requires):
        try:
            if not requirement.specifier.contains(version(requirement.name), prereleases=True):
                yield requirement
        except PackageNotFoundError:
            yield requirement


def _list_applicable(texts: Iterable[str]) -> Iterator["Requirement"]:
    """Iterate over requirements, without those for other machines or for extras."""
    from packaging.requirements import Requirement

    for requirement in map(Requirement, texts):
        if requirement.marker is None or requirement.marker.evaluate():
            yield requirement

"""What a distribution requires, held against what is installed."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from stithy_core import __version__
from stithy_core.plugins.containing import PluginError
from stithy_core.plugins.entries import Entry, normal

if TYPE_CHECKING:
    from packaging.requirements import Requirement

CORE = "stithy-core"


def check_core(entry: Entry) -> None:
    """Compare what the distribution requires with this core, before anything of it is imported.

    Raises:
        PluginError: It requires another core.
        InvalidRequirement: What it requires cannot be read.
    """
    # What distributions released together with this core say fits it; reading anything else takes 15 ms of start-up.
    asked = [text for text in entry.requires if normal(text).startswith(CORE) and text != f"{CORE}~={__version__}"]
    for requirement in _applying(asked) if asked else ():
        if normal(requirement.name) == CORE and not requirement.specifier.contains(__version__, prereleases=True):
            cause = f"it requires {requirement}, and this is {CORE} {__version__}"
            raise PluginError(cause, f'pip install --upgrade "{requirement}" {entry.origin.distribution}')


def import_remedy(entry: Entry, error: BaseException | None) -> str:
    """Return the remedy for a failed import, if the error reveals it."""
    lacking: list[Requirement] = []
    if isinstance(error, ImportError):
        # What cannot be read, of this distribution or of one that it requires, is no help here.
        with suppress(Exception):
            lacking = list(_lacking(entry))
    if lacking:
        return " ".join(["pip install", *(f'"{one}"' for one in lacking)])
    if isinstance(error, ModuleNotFoundError) and error.name:
        leave = f"take {entry.file} away" if entry.file else "uninstall the plugin"
        return f"pip install what brings the module {error.name!r}, or {leave}"
    return f"mend {entry.file}, or take it away" if entry.file and error is not None else ""


def _lacking(entry: Entry) -> Iterator["Requirement"]:
    for requirement in _applying(entry.requires):
        try:
            if not requirement.specifier.contains(version(requirement.name), prereleases=True):
                yield requirement
        except PackageNotFoundError:
            yield requirement


def _applying(texts: Iterable[str]) -> Iterator["Requirement"]:
    """Read requirements, and leave out those that are for other machines, or for an extra that nobody asked for."""
    from packaging.requirements import Requirement

    for requirement in map(Requirement, texts):
        if requirement.marker is None or requirement.marker.evaluate():
            yield requirement

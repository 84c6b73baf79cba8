"""What plugins give the settings their meaning: tables read into their classes, and names that nothing answers to."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from attrs import evolve, fields

from stithy_core.config.reading import CoreTables
from stithy_core.config.records import Config
from stithy_core.config.source import Mistake
from stithy_core.config.strict import settings_of, structure
from stithy_core.config.wording import nearest
from stithy_core.errors import ConfigError

T = TypeVar("T")


def read_table(config: Config, table: str, cls: type[T]) -> T:
    """Read a plugin's table into its attrs class; a missing table has nothing in it.

    Args:
        config: The settings.
        table: The name of the table.
        cls: The class, whose fields are the only keys allowed.

    Raises:
        ConfigError: The table does not fit the class.
    """
    settings = structure(config.tables.get(table, {}), cls, config.source, at=(table,))
    return _with_default_paths(settings, config.source.folder) if config.is_above else settings


def _with_default_paths(settings: Any, folder: Path) -> Any:
    """Let relative paths start at the project's folder where nothing was written, too."""
    values = ((item.name, getattr(settings, item.name)) for item in fields(type(settings)) if item.init)
    moved = {name: folder / value for name, value in values if isinstance(value, Path) and not value.is_absolute()}
    return evolve(settings, **moved) if moved else settings


def unanswered(config: Config, tables: Iterable[str], toolsets: Iterable[str] | None = None) -> ConfigError | None:
    """Return the error for unknown names, if there are any: tables that no plugin reads, unknown toolsets.

    Args:
        config: The settings.
        tables: The tables that plugins read.
        toolsets: The toolsets that tools belong to; None leaves them unchecked.
    """
    plugins = set(tables)
    words = [*settings_of(CoreTables), *sorted(plugins)]
    mistakes = [
        Mistake((name,), f"is a table that nothing reads; {_meant(name, words)}")
        for name in config.tables
        if name not in plugins
    ]
    if toolsets is not None:
        sets = sorted(toolsets)
        mistakes += [
            Mistake(("serve", "toolsets"), f"names {name!r}, which no tool belongs to; {_meant(name, sets)}")
            for name in config.serve.toolsets
            if name not in sets
        ]
    if not mistakes:
        return None
    return config.source.error(mistakes, "Correct the name, or install the plugin that it belongs to.")


def _meant(name: str, words: Sequence[str]) -> str:
    near = nearest(name, words)
    return f"did you mean {near}?" if near else f"there are {', '.join(words) or 'none'}"

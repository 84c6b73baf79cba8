"""The tables of plugins: each read into its class, and those that nobody reads."""

from collections.abc import Iterable
from typing import TypeVar

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
    return structure(config.tables.get(table, {}), cls, config.source, at=(table,))


def leftover_tables(config: Config, known: Iterable[str]) -> ConfigError | None:
    """Give the error for tables that nobody reads, if there are any.

    Args:
        config: The settings.
        known: The tables that plugins read.
    """
    plugins = set(known)
    words = [*settings_of(CoreTables), *sorted(plugins)]
    mistakes = [Mistake((name,), _unread(name, words)) for name in config.tables if name not in plugins]
    if not mistakes:
        return None
    return config.source.error(mistakes, "Correct the name of the table, or install the plugin that reads it.")


def _unread(name: str, words: list[str]) -> str:
    near = nearest(name, words)
    return "is a table that nothing reads; " + (f"did you mean {near}?" if near else f"there are {', '.join(words)}")

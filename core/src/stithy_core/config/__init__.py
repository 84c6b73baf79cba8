"""stithy.toml and the environment, read once and strictly into frozen records."""

from stithy_core.config.reading import load
from stithy_core.config.records import Config, ForgeSettings, PluginSettings, ServeSettings, TokenSource
from stithy_core.config.tables import read_table, unanswered
from stithy_core.config.tokens import token_of

__all__ = [
    "Config",
    "ForgeSettings",
    "PluginSettings",
    "ServeSettings",
    "TokenSource",
    "load",
    "read_table",
    "token_of",
    "unanswered",
]

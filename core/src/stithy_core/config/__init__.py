"""stithy.toml and the environment, read once and strictly into frozen records."""

from stithy_core.config.environment import usual_variables
from stithy_core.config.files import user_file
from stithy_core.config.project_file import NAME
from stithy_core.config.reading import load
from stithy_core.config.records import (
    Config,
    ForgeSettings,
    HttpSettings,
    PluginSettings,
    ServeSettings,
    TokenSource,
)
from stithy_core.config.tables import read_table, unanswered
from stithy_core.config.tokens import private_key_of, token_of, usable

__all__ = [
    "NAME",
    "Config",
    "ForgeSettings",
    "HttpSettings",
    "PluginSettings",
    "ServeSettings",
    "TokenSource",
    "load",
    "private_key_of",
    "read_table",
    "token_of",
    "unanswered",
    "usable",
    "user_file",
    "usual_variables",
]

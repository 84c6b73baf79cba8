"""stithy.toml and the environment, read once and strictly into frozen records."""

from stithy_core.config.secret_sources import CursorKey, check_token, read_private_key, read_token
from stithy_core.config.settings_reader import check_names, find_class_fault, load_config, read_table
from stithy_core.config.settings_records import (
    AnswerParts,
    Config,
    ForgeSettings,
    HttpSettings,
    PluginSettings,
    ServeSettings,
    TokenSource,
)
from stithy_core.config.settings_sources import (
    SETTINGS_FILE,
    explain_configuration,
    list_forge_variables,
    list_set_variables,
    list_usual_variables,
    user_file,
    user_state_folder,
)

__all__ = [
    "SETTINGS_FILE",
    "AnswerParts",
    "Config",
    "CursorKey",
    "ForgeSettings",
    "HttpSettings",
    "PluginSettings",
    "ServeSettings",
    "TokenSource",
    "check_names",
    "check_token",
    "explain_configuration",
    "find_class_fault",
    "list_forge_variables",
    "list_set_variables",
    "list_usual_variables",
    "load_config",
    "read_private_key",
    "read_table",
    "read_token",
    "user_file",
    "user_state_folder",
]

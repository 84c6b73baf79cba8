"""Read stithy.toml, or else the environment, into a Config, and the tables of plugins into their classes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import NOTHING, Attribute, Factory, evolve, fields, frozen, has

from stithy_core.config.field_readers import read_alias
from stithy_core.config.settings_errors import (
    REFERENCE_HINT,
    InvalidSetting,
    KeyPath,
    Mistake,
    Source,
    find_similar,
    format_key,
    format_unknown_key,
    is_secret,
)
from stithy_core.config.settings_records import (
    Config,
    ForgeSettings,
    HttpSettings,
    PluginSettings,
    ServeSettings,
    TokenSource,
)
from stithy_core.config.settings_sources import (
    find_project_file,
    find_source,
    parse_toml,
    read_cursor_key,
    read_disabled_plugins,
    read_forges,
    read_shared_store,
)
from stithy_core.config.transports import read_http_environment
from stithy_core.errors import ConfigError

if TYPE_CHECKING:
    from cattrs.errors import AttributeValidationNote, IterableValidationNote

T = TypeVar("T")


@frozen(kw_only=True)
class CoreTables:
    """The tables that the core itself reads."""

    forges: Mapping[str, ForgeSettings] = Factory(dict)
    plugins: PluginSettings = Factory(PluginSettings)
    serve: ServeSettings = Factory(ServeSettings)
    http: HttpSettings = Factory(HttpSettings)


def load_config(environ: Mapping[str, str], cwd: Path) -> Config:
    """Read the settings: the file STITHY_CONFIG names, else the project's or the user's, else the usual variables.

    Args:
        environ: The environment.
        cwd: The working directory.

    Raises:
        ConfigError: The settings have mistakes; all are listed, with file, line and key.
    """
    project = find_project_file(environ, cwd)
    source = find_source(environ, cwd, project)
    config = Config(forges=read_forges(environ)) if source is None else _read_file(source)
    disabled = dict.fromkeys((*config.plugins.disabled, *read_disabled_plugins(environ)))
    http = HttpSettings(store=store) if (store := read_shared_store(environ)) else config.http
    plugins = evolve(config.plugins, disabled=tuple(disabled))
    serve = evolve(config.serve, http=read_http_environment(environ, config.serve.http))
    return evolve(config, plugins=plugins, serve=serve, http=http, cursor_key=read_cursor_key(environ), project=project)


def _read_file(source: Source) -> Config:
    whole = parse_toml(source)
    names = list_settings(CoreTables)
    core = {name: whole[name] for name in names if name in whole}
    tables = {name: table for name, table in whole.items() if name not in names}
    mistakes = [*_check_tables(tables), *_check_aliases(core.get("forges"))]
    settings = structure_table(_add_aliases(core), CoreTables, source, others=mistakes)
    return Config(
        path=source.path,
        forges=settings.forges,
        plugins=settings.plugins,
        serve=settings.serve,
        http=settings.http,
        tables=tables,
        source=source,
    )


def _check_tables(tables: Mapping[str, Any]) -> Iterator[Mistake]:
    """Iterate over the mistakes at the top of the file: values that are not tables."""
    for name, value in tables.items():
        if not isinstance(value, dict):
            text = "must stand in a table: [forges.ALIAS], [plugins], [serve], [http] or a plugin's own"
            yield Mistake((name,), f"{text}; {REFERENCE_HINT}" if is_secret((name,)) else text)


def _check_aliases(forges: object) -> Iterator[Mistake]:
    for alias, table in forges.items() if isinstance(forges, dict) else ():
        at = ("forges", alias)
        try:
            read_alias(alias)
        except InvalidSetting as error:
            yield Mistake(at, error.format_message(at))
        if isinstance(table, dict) and "alias" in table:
            key = (*at, "alias")
            yield Mistake(key, format_unknown_key(key, describe_table(ForgeSettings, at), list_settings(ForgeSettings)))


def _add_aliases(core: Mapping[str, Any]) -> dict[str, Any]:
    """Add to each forge its alias, which is the name of its table."""
    forges = core.get("forges")
    if not isinstance(forges, dict):
        return dict(core)
    tables = {name: {**table, "alias": name} if isinstance(table, dict) else table for name, table in forges.items()}
    return {**core, "forges": tables}


def read_table(config: Config, table: str, cls: type[T]) -> T:
    """Read a plugin's table into its attrs class; a missing table is read as an empty one.

    Args:
        config: The settings.
        table: The name of the table.
        cls: The class, whose fields are the only keys allowed.

    Raises:
        ConfigError: The table has mistakes; all are listed.
    """
    settings = structure_table(config.tables.get(table, {}), cls, config.source, at=(table,))
    return _resolve_paths(settings, config.source.folder) if config.is_above_directory else settings


def find_class_fault(table: str, cls: object) -> tuple[str, str] | None:
    """Return cause and remedy of a plugin's table that cannot be read; None where it can.

    Args:
        table: The name of the table.
        cls: The class of its values.
    """
    if table in (reserved := list_settings(CoreTables)):
        return f"the table {table!r} belongs to the core", f"choose another name than {', '.join(reserved)}"
    if not isinstance(cls, type) or not has(cls):
        return f"{getattr(cls, '__name__', cls)} is not an attrs class", "declare it with attrs.frozen"
    if lacking := [item.name for item in fields(cls) if item.init and item.default is NOTHING]:
        names = ", ".join(map(repr, lacking))
        return f"{cls.__name__} has no default for {names}", f"declare one for {names}: the table may be missing"
    return None


def _resolve_paths(settings: Any, folder: Path) -> Any:
    """Make relative default paths start at the project's folder, as relative paths of the file do."""
    values = ((item.name, getattr(settings, item.name)) for item in fields(type(settings)) if item.init)
    changes = {name: folder / value for name, value in values if isinstance(value, Path) and not value.is_absolute()}
    return evolve(settings, **changes) if changes else settings


def check_names(config: Config, tables: Iterable[str], toolsets: Iterable[str] | None = None) -> ConfigError | None:
    """Return the error for unknown tables and toolsets; None if all are known.

    Args:
        config: The settings.
        tables: The tables that plugins read.
        toolsets: The toolsets that tools belong to; None leaves them unchecked.
    """
    plugins = set(tables)
    words = [*list_settings(CoreTables), *sorted(plugins)]
    mistakes = [
        Mistake((name,), f"is an unknown table; {_suggest(name, words)}")
        for name in config.tables
        if name not in plugins
    ]
    if toolsets is not None:
        available = sorted(toolsets)
        mistakes += [
            Mistake(("serve", "toolsets"), f"contains the unknown toolset {name!r}; {_suggest(name, available)}")
            for name in config.serve.toolsets
            if name not in available
        ]
    if not mistakes:
        return None
    return config.source.create_error(mistakes, "Correct the name, or install the plugin that it belongs to.")


def _suggest(name: str, words: Sequence[str]) -> str:
    similar = find_similar(name, words)
    return f"did you mean {similar}?" if similar else f"available: {', '.join(words) or 'none'}"


def structure_table(
    value: object, cls: type[T], source: Source, *, at: KeyPath = (), others: Iterable[Mistake] = ()
) -> T:
    """Read a table into an attrs class.

    Args:
        value: The table as parsed by tomllib.
        cls: The class.
        source: The source of the table.
        at: The key of the table.
        others: Mistakes that are reported together with those of the table.

    Raises:
        ConfigError: The table has mistakes; all are listed.
    """
    result = _try_structure(value, cls, source.folder, at)
    mistakes = [*others, *(result if isinstance(result, list) else ())]
    if isinstance(result, list) or mistakes:
        # Raised outside of the handler: the errors of cattrs contain the values, and a token may be among them.
        raise source.create_error(mistakes)
    return result


def _try_structure(value: object, cls: type[T], folder: Path, at: KeyPath) -> T | list[Mistake]:
    from cattrs.errors import BaseValidationError, StructureHandlerNotFoundError

    from stithy_core.config.settings_converter import structure_value

    try:
        return structure_value(value, cls, folder)
    except (BaseValidationError, StructureHandlerNotFoundError, InvalidSetting) as error:
        return list(_list_mistakes(error, at))


def list_settings(cls: type) -> list[str]:
    """Return the names of the settings that a table of this class may have."""
    return [item.name for item in fields(cls) if item.init and item.metadata.get("written", True)]


def describe_table(cls: type, at: KeyPath) -> str:
    """Return the words for a table of this class in messages."""
    return {ForgeSettings: "a forge", TokenSource: "a token"}.get(cls, f"[{format_key(at)}]")


def _list_mistakes(error: Exception, at: KeyPath) -> Iterator[Mistake]:
    """Iterate over the mistakes in an error of cattrs, whose notes name the key of each part."""
    from cattrs.errors import ClassValidationError, ForbiddenExtraKeysError, IterableValidationError

    if isinstance(error, ClassValidationError | IterableValidationError):
        parts, others = error.group_exceptions()
        for part, note in parts:
            yield from _list_mistakes(part, (*at, _read_note(note)))
        for part in others:
            yield from _list_mistakes(part, at)
    elif isinstance(error, ForbiddenExtraKeysError):
        for key in sorted(error.extra_fields):
            text = format_unknown_key((*at, key), describe_table(error.cl, at), list_settings(error.cl))
            yield Mistake((*at, key), text)
    elif isinstance(error, InvalidSetting):
        yield Mistake(at, error.format_message(at))
    elif isinstance(error, KeyError) and error.args == at[-1:]:
        yield Mistake(at, "is missing")
    else:
        yield _describe_refusal(error, at)


def _read_note(note: "AttributeValidationNote | IterableValidationNote") -> str | int:
    from cattrs.errors import AttributeValidationNote

    return note.name if isinstance(note, AttributeValidationNote) else note.index


def _describe_refusal(error: Exception, at: KeyPath) -> Mistake:
    """Return the message of the class's validator or constructor, the most specific one."""
    # The validators of attrs name the field as a second argument, and quote its value in the first.
    at = (*at, *(argument.name for argument in error.args[1:2] if isinstance(argument, Attribute)))
    if is_secret(at) or not error.args:
        return Mistake(at, f"is invalid ({type(error).__name__})")
    return Mistake(at, f"is invalid: {error.args[0]}")

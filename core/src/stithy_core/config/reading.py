"""The one way in: the file, or else the environment, becomes a `Config`."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import Factory, evolve, frozen

from stithy_core.config.environment import cursor_key, disabled_plugins, forges_of, shared_store
from stithy_core.config.fields import alias as check_alias
from stithy_core.config.files import find, parse
from stithy_core.config.project_file import find_project_file
from stithy_core.config.records import Config, ForgeSettings, HttpSettings, PluginSettings, ServeSettings
from stithy_core.config.source import Mistake, Source
from stithy_core.config.strict import settings_of, structure, subject
from stithy_core.config.transports import read_http_environment
from stithy_core.config.wording import ELSEWHERE, Misfit, is_secret, unknown


@frozen(kw_only=True)
class CoreTables:
    """The tables that the core itself reads."""

    forges: Mapping[str, ForgeSettings] = Factory(dict)
    plugins: PluginSettings = Factory(PluginSettings)
    serve: ServeSettings = Factory(ServeSettings)
    http: HttpSettings = Factory(HttpSettings)


def load(environ: Mapping[str, str], cwd: Path) -> Config:
    """Read the settings: the file STITHY_CONFIG names, else the project's or the user's, else the usual variables.

    Args:
        environ: The environment.
        cwd: The working directory.

    Raises:
        ConfigError: Something is wrong; every mistake is named, with file, line and key.
    """
    project = find_project_file(environ, cwd)
    source = find(environ, cwd, project)
    config = Config(forges=forges_of(environ)) if source is None else _from_file(source)
    disabled = dict.fromkeys((*config.plugins.disabled, *disabled_plugins(environ)))
    http = HttpSettings(store=store) if (store := shared_store(environ)) else config.http
    plugins = evolve(config.plugins, disabled=tuple(disabled))
    serve = evolve(config.serve, http=read_http_environment(environ, config.serve.http))
    return evolve(config, plugins=plugins, serve=serve, http=http, cursor_key=cursor_key(environ), project=project)


def _from_file(source: Source) -> Config:
    whole = parse(source)
    names = settings_of(CoreTables)
    core = {name: whole[name] for name in names if name in whole}
    tables = {name: table for name, table in whole.items() if name not in names}
    mistakes = [*_loose(tables), *_aliases(core.get("forges"))]
    read = structure(_with_aliases(core), CoreTables, source, others=mistakes)
    return Config(
        path=source.path,
        forges=read.forges,
        plugins=read.plugins,
        serve=read.serve,
        http=read.http,
        tables=tables,
        source=source,
    )


def _loose(tables: Mapping[str, Any]) -> Iterator[Mistake]:
    """Find what stands at the top of the file and is no table."""
    for name, value in tables.items():
        if not isinstance(value, dict):
            said = "must stand in a table: [forges.ALIAS], [plugins], [serve], [http] or a plugin's own"
            yield Mistake((name,), f"{said}; {ELSEWHERE}" if is_secret((name,)) else said)


def _aliases(forges: object) -> Iterator[Mistake]:
    for alias, table in forges.items() if isinstance(forges, dict) else ():
        at = ("forges", alias)
        try:
            check_alias(alias)
        except Misfit as error:
            yield Mistake(at, error.at(at))
        if isinstance(table, dict) and "alias" in table:
            key = (*at, "alias")
            yield Mistake(key, unknown(key, subject(ForgeSettings, at), settings_of(ForgeSettings)))


def _with_aliases(core: Mapping[str, Any]) -> dict[str, Any]:
    """Add to each forge its alias, which is the name of its table."""
    forges = core.get("forges")
    if not isinstance(forges, dict):
        return dict(core)
    told = {name: {**table, "alias": name} if isinstance(table, dict) else table for name, table in forges.items()}
    return {**core, "forges": told}

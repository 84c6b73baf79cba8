"""The variables that stand for settings: a forge each where there is no file, and blocked plugins."""

import re
from collections.abc import Mapping

from stithy_core.config.fields import address
from stithy_core.config.records import ForgeSettings, TokenSource
from stithy_core.config.source import Mistake, Source
from stithy_core.config.wording import Misfit

_HOST = re.compile(r"[A-Za-z0-9.-]+(:[0-9]+)?")
# Alias, kind, the variables of its token, the variables of its address: the first that is set counts.
_FORGES = (
    ("github", "github", ("GITHUB_TOKEN", "GH_TOKEN"), ("GITHUB_API_URL", "GH_HOST")),
    ("gitea", "gitea", ("GITEA_TOKEN",), ("GITEA_URL",)),
    ("forgejo", "gitea", ("FORGEJO_TOKEN",), ("FORGEJO_URL",)),
)
_WITH_A_HOME = ("github",)
"""The kinds that have a place of their own, so that a token alone makes a forge."""


def forges_of(environ: Mapping[str, str]) -> dict[str, ForgeSettings]:
    """Make the forges that the usual variables mean, by alias.

    Raises:
        ConfigError: An address does not fit; all of them are named.
    """
    forges, mistakes = {}, []
    for alias, kind, tokens, addresses in _FORGES:
        token, place = _first(environ, tokens), _first(environ, addresses)
        if place is None and (token is None or kind not in _WITH_A_HOME):
            continue
        try:
            url = _url(place, environ[place]) if place else None
        except Misfit as error:
            mistakes.append(Mistake((str(place),), error.at((str(place),))))
            continue
        source = TokenSource(env=token) if token else None
        forges[alias] = ForgeSettings(alias=alias, kind=kind, url=url, token=source)
    if mistakes:
        raise Source().error(mistakes)
    return forges


def _first(environ: Mapping[str, str], names: tuple[str, ...]) -> str | None:
    return next((name for name in names if environ.get(name)), None)


def _url(variable: str, value: str) -> str:
    if variable != "GH_HOST":
        return address(value)
    if not _HOST.fullmatch(value):
        raise Misfit("must be the name of a host, such as git.example", value)
    return address(f"https://{value}")


def disabled_plugins(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Name the plugins that STITHY_DISABLED_PLUGINS blocks."""
    names = (name.strip() for name in environ.get("STITHY_DISABLED_PLUGINS", "").split(","))
    return tuple(name for name in names if name)

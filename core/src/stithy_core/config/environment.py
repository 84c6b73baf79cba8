"""The variables that stand for settings: a forge each where there is no file, blocked plugins, what is shared."""

import os
import re
from collections.abc import Mapping

from stithy_core.config import fields
from stithy_core.config.records import ForgeSettings
from stithy_core.config.source import Mistake, Source
from stithy_core.config.wording import Misfit

_HOST = re.compile(r"[A-Za-z0-9.-]+(:[0-9]+)?")
_REDIS = "STITHY_REDIS_URL"
_CURSOR_KEY = "STITHY_CURSOR_KEY"
_SHORTEST_KEY = 16
# Alias, kind, the variables of its token, the variables of its address: the first that is set counts. A token of
# Gitea or Forgejo needs an address beside it. The kind itself finds the token again, for its own host only.
_FORGES = (
    ("github", "github", ("GITHUB_TOKEN_FILE", "GITHUB_TOKEN", "GH_TOKEN"), ("GITHUB_API_URL", "GH_HOST")),
    ("gitea", "gitea", ("GITEA_TOKEN",), ("GITEA_URL",)),
    ("forgejo", "gitea", ("FORGEJO_TOKEN",), ("FORGEJO_URL",)),
)
_WITH_A_HOME = {"github": "/var/run/github/token"}
"""The kinds that have a place of their own, so that a token alone makes a forge, or a file of it at this path."""


def forges_of(environ: Mapping[str, str]) -> dict[str, ForgeSettings]:
    """Make the forges that the usual variables mean, by alias.

    Raises:
        ConfigError: An address does not fit; all of them are named.
    """
    forges, mistakes = {}, []
    for alias, kind, tokens, addresses in _FORGES:
        place = _first(environ, addresses)
        if place is None and not (kind in _WITH_A_HOME and (_first(environ, tokens) or _is_file(_WITH_A_HOME[kind]))):
            continue
        try:
            url = _url(place, environ[place]) if place else None
        except Misfit as error:
            mistakes.append(Mistake((str(place),), error.at((str(place),))))
            continue
        forges[alias] = ForgeSettings(alias=alias, kind=kind, url=url)
    if mistakes:
        raise Source().error(mistakes)
    return forges


def usual_variables(alias: str, kind: str) -> list[str]:
    """Return the variable in which people usually keep the token of a forge; none for a kind that has no usual one."""
    fitting = [(name, tokens) for name, of, tokens, _ in _FORGES if of == kind]
    best = next((tokens for name, tokens in fitting if name == alias), fitting[0][1] if fitting else ())
    return [name for name in best if not name.endswith("_FILE")][:1]


def _first(environ: Mapping[str, str], names: tuple[str, ...]) -> str | None:
    return next((name for name in names if environ.get(name)), None)


def _is_file(path: str) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 - this one never raises


def _url(variable: str, value: str) -> str:
    if variable != "GH_HOST":
        return fields.address(value)
    if not _HOST.fullmatch(value):
        raise Misfit("must be the name of a host, such as git.example", value)
    return fields.address(f"https://{value}")


def disabled_plugins(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Name the plugins that STITHY_DISABLED_PLUGINS blocks."""
    names = (name.strip() for name in environ.get("STITHY_DISABLED_PLUGINS", "").split(","))
    return tuple(name for name in names if name)


def shared_store(environ: Mapping[str, str]) -> str:
    """Return the URL of the store in STITHY_REDIS_URL, or an empty mapping.

    Raises:
        ConfigError: It is none. It is not shown.
    """
    given = environ.get(_REDIS)
    if not given:
        return ""
    try:
        return fields.shared_store(given)
    except Misfit:
        text = 'must be an address such as "redis://host:6379/0"'
    # Raised outside of the handler, so that no traceback leads to a password.
    raise Source().error([Mistake((_REDIS,), text)])


def cursor_key(environ: Mapping[str, str]) -> str:
    """Return the key in STITHY_CURSOR_KEY, or an empty mapping.

    Raises:
        ConfigError: It is short enough to be guessed. It is not shown.
    """
    given = environ.get(_CURSOR_KEY, "").strip()
    if given and len(given) < _SHORTEST_KEY:
        text = f"must have at least {_SHORTEST_KEY} characters; openssl rand -hex 32 makes one"
        raise Source().error([Mistake((_CURSOR_KEY,), text)])
    return given

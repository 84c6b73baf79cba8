"""Find the source of the settings: the stithy.toml of the project or the user, or else environment variables."""

import os
import re
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Any

from stithy_core.config.field_readers import read_address, read_path, read_store_url
from stithy_core.config.settings_errors import InvalidSetting, Mistake, Source
from stithy_core.config.settings_records import ForgeSettings, ProjectFile

SETTINGS_FILE = "stithy.toml"
_PROJECT_OF_CLAUDE_CODE = "CLAUDE_PROJECT_DIR"


def find_project_file(environ: Mapping[str, str], cwd: Path) -> ProjectFile:
    """Find the stithy.toml of a project. Hosts often start a server in a sub-folder of the project.

    A file above the working directory is used only within the repository, and only if it and the repository belong to
    this user or to root, as git requires of a repository: the file may name commands, and anybody can create a `.git`
    and a stithy.toml in a folder that is writable by all.

    Args:
        environ: May name the project's folder by CLAUDE_PROJECT_DIR, which Claude Code sets.
        cwd: The working directory.
    """
    folders: list[Path] = []
    refused: list[Path] = []
    for folder, trusted in _candidates(environ, cwd):
        folders.append(folder)
        path = folder / SETTINGS_FILE
        if not os.path.isfile(path):  # noqa: PTH113 - this one never raises
            continue
        if trusted and (folder == cwd or _is_own(folder, path)):
            return ProjectFile(path, tuple(folders), tuple(refused))
        refused.append(path)
    return ProjectFile(None, tuple(folders), tuple(refused))


def _candidates(environ: Mapping[str, str], cwd: Path) -> Iterator[tuple[Path, bool]]:
    """Iterate over the folders to search, each with whether its repository is trusted."""
    seen = set()
    starts = [cwd]
    if (named := Path(environ.get(_PROJECT_OF_CLAUDE_CODE, ""))).is_absolute() and "\0" not in str(named):
        starts.append(named)
    for start in starts:
        root = _find_repository(start)
        trusted = root is not None and _is_own(root, root / ".git")
        for folder in (start, *(start.parents if root else ())):
            if folder not in seen:
                seen.add(folder)
                yield folder, trusted or folder == start
            if folder == root:
                break


def _find_repository(folder: Path) -> Path | None:
    """Return the root of the innermost repository, worktree or submodule that contains a folder."""
    return next((one for one in (folder, *folder.parents) if _has_repository(one / ".git")), None)


def _has_repository(path: Path) -> bool:
    # A worktree and a submodule have a file there. Git ignores an empty folder of that name as well.
    return os.path.isfile(path) or os.path.isfile(path / "HEAD")  # noqa: PTH113 - these never raise


def _is_own(*paths: Path) -> bool:
    """Return whether files belong to this user or to root; True on Windows, which has no such owners."""
    if not hasattr(os, "geteuid"):
        return True
    try:
        return all(path.stat().st_uid in (0, os.geteuid()) for path in paths)
    except OSError:
        return False


_CONFIG_VARIABLE = "STITHY_CONFIG"
_POSITION = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")


def find_source(environ: Mapping[str, str], cwd: Path, project: ProjectFile) -> Source | None:
    """Find the settings file and read its text; return None without a file.

    Args:
        environ: May name the file by STITHY_CONFIG; then it must exist.
        cwd: The working directory.
        project: The file of the project, if it has one.

    Raises:
        ConfigError: The file cannot be read, or is named and does not exist.
    """
    if named := environ.get(_CONFIG_VARIABLE):
        return _read_file(_resolve_named_file(named, cwd), cwd)
    if project.path is not None:
        return _read_file(project.path, cwd)
    user = user_file()
    return _read_file(user, cwd) if os.path.isfile(user) else None  # noqa: PTH113 - this one never raises


def user_file() -> Path:
    """Return the path of the user's own stithy.toml, which need not exist."""
    from platformdirs import user_config_dir

    return Path(user_config_dir("stithy")) / SETTINGS_FILE


def _resolve_named_file(named: str, cwd: Path) -> Path:
    try:
        return read_path(named, cwd)
    except InvalidSetting as error:
        raise Source().create_error([Mistake((_CONFIG_VARIABLE,), error.format_message(()))]) from None


def _read_file(path: Path, cwd: Path) -> Source:
    name = path.name if path.parent == cwd else str(path)
    source = Source(path=path, name=name)
    try:
        raw = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise source.create_error([Mistake((), f"cannot be read: {reason}")]) from None
    try:
        # Some editors write a byte order mark, which tomllib does not accept.
        return Source(path=path, name=name, text=raw.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
    raise source.create_error([Mistake((), "this is not UTF-8, as TOML must be", line)])


def parse_toml(source: Source) -> dict[str, Any]:
    """Parse the text of a file.

    Raises:
        ConfigError: The text is not TOML; the error names the line.
    """
    import tomllib

    try:
        return tomllib.loads(source.text)
    except RecursionError:
        mistake = Mistake((), "lists or tables are nested too deeply")
    except ValueError as error:
        mistake = _locate_syntax_error(str(error), source.text)
    # Raised outside of the handler: from Python 3.14 on, tomllib's error contains the whole text.
    raise Source(path=source.path, name=source.name).create_error([mistake])


def _locate_syntax_error(message: str, text: str) -> Mistake:
    position = _POSITION.search(message)
    reason = f"this is not TOML: {_POSITION.sub('', message)}"
    if position is None:
        return Mistake((), reason)
    if position[1] is None:
        return Mistake((), f"{reason} at the end of the file", text.rstrip("\n").count("\n") + 1)
    return Mistake((), f"{reason} at column {position[2]}", int(position[1]))


_HOST = re.compile(r"[A-Za-z0-9.-]+(:[0-9]+)?")
_REDIS = "STITHY_REDIS_URL"
_CURSOR_KEY = "STITHY_CURSOR_KEY"
_SHORTEST_KEY = 16
# Alias, kind, variables of the token, variables of the address: the first that is set is used. A token of Gitea,
# Forgejo or GitLab needs an address as well. The credentials of the kind read the token, for its own host only.
_FORGES = (
    ("github", "github", ("GITHUB_TOKEN_FILE", "GITHUB_TOKEN", "GH_TOKEN"), ("GITHUB_API_URL", "GH_HOST")),
    ("gitea", "gitea", ("GITEA_TOKEN",), ("GITEA_URL",)),
    ("forgejo", "gitea", ("FORGEJO_TOKEN",), ("FORGEJO_URL",)),
    ("gitlab", "gitlab", ("GITLAB_TOKEN",), ("GITLAB_URL",)),
)
_DEFAULT_TOKEN_FILES = {"github": "/var/run/github/token"}
"""The kinds that have a default address, so that a token alone configures a forge; each with a file of a token."""


def read_forges(environ: Mapping[str, str]) -> dict[str, ForgeSettings]:
    """Read the forges that the usual variables configure, by alias.

    Raises:
        ConfigError: An address is not valid; the error lists all of them.
    """
    forges, mistakes = {}, []
    for alias, kind, tokens, addresses in _FORGES:
        variable = _find_set(environ, addresses)
        if variable is None and not _has_token(environ, kind, tokens):
            continue
        try:
            url = _read_url(variable, environ[variable]) if variable else None
        except InvalidSetting as error:
            mistakes.append(Mistake((str(variable),), error.format_message((str(variable),))))
            continue
        forges[alias] = ForgeSettings(alias=alias, kind=kind, url=url)
    if mistakes:
        raise Source().create_error(mistakes)
    return forges


def list_usual_variables(alias: str, kind: str) -> list[str]:
    """Return the variable that usually contains the token of a forge; empty for a kind that has no usual one."""
    by_alias = {name: tokens for name, usual_kind, tokens, _ in _FORGES if usual_kind == kind}
    variables = by_alias.get(alias) or next(iter(by_alias.values()), ())
    return [name for name in variables if not name.endswith("_FILE")][:1]


def list_forge_variables(kinds: Container[str]) -> list[tuple[str, ...]]:
    """Return the variables that configure a forge of each of some kinds: that of the address, and that of the token.

    The token alone configures a forge of a kind that has a default address. A kind without usual variables is left out.
    """
    found: dict[str, tuple[str, ...]] = {}
    for alias, kind, _, addresses in _FORGES:
        if kind in kinds and kind not in found:
            tokens = list_usual_variables(alias, kind)
            found[kind] = tuple(tokens if kind in _DEFAULT_TOKEN_FILES else [addresses[0], *tokens])
    return list(found.values())


def explain_configuration(kinds: Container[str]) -> str:
    """Return how to configure a forge of the installed kinds, if there is none."""
    ways = [" and ".join(names) for names in list_forge_variables(kinds)]
    return "Run `stithy init --forge URL`, to write stithy.toml" + "".join(f", or set {way}" for way in ways) + "."


def list_set_variables(environ: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Return the usual variables of forges that are set: those of tokens, and those of addresses."""
    tokens, addresses = zip(*((tokens, addresses) for _, _, tokens, addresses in _FORGES), strict=True)
    return [name for names in tokens for name in names if environ.get(name)], [
        name for names in addresses for name in names if environ.get(name)
    ]


def _find_set(environ: Mapping[str, str], names: tuple[str, ...]) -> str | None:
    return next((name for name in names if environ.get(name)), None)


def _has_token(environ: Mapping[str, str], kind: str, variables: tuple[str, ...]) -> bool:
    """Return whether a kind that has a default address has a token."""
    if (path := _DEFAULT_TOKEN_FILES.get(kind)) is None:
        return False
    return _find_set(environ, variables) is not None or os.path.isfile(path)  # noqa: PTH113 - this one never raises


def _read_url(variable: str, value: str) -> str:
    if variable != "GH_HOST":
        return read_address(value)
    if not _HOST.fullmatch(value):
        raise InvalidSetting("must be the name of a host, such as git.example", value)
    return read_address(f"https://{value}")


def read_disabled_plugins(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the plugins that STITHY_DISABLED_PLUGINS blocks."""
    names = (name.strip() for name in environ.get("STITHY_DISABLED_PLUGINS", "").split(","))
    return tuple(name for name in names if name)


def read_shared_store(environ: Mapping[str, str]) -> str:
    """Return the URL of the store in STITHY_REDIS_URL; empty where it is not set.

    Raises:
        ConfigError: The URL is not valid. It is not shown.
    """
    url = environ.get(_REDIS)
    if not url:
        return ""
    try:
        return read_store_url(url)
    except InvalidSetting:
        text = 'must be an address such as "redis://host:6379/0"'
    # Raised outside of the handler, so that no traceback contains a password.
    raise Source().create_error([Mistake((_REDIS,), text)])


def read_cursor_key(environ: Mapping[str, str]) -> str:
    """Return the key in STITHY_CURSOR_KEY; empty where it is not set.

    Raises:
        ConfigError: The key is short enough to be guessed. It is not shown.
    """
    key = environ.get(_CURSOR_KEY, "").strip()
    if key and len(key) < _SHORTEST_KEY:
        text = f"must have at least {_SHORTEST_KEY} characters; openssl rand -hex 32 creates one"
        raise Source().create_error([Mistake((_CURSOR_KEY,), text)])
    return key


def user_state_folder() -> Path:
    """Return the user's folder for the key of cursors and the record of writes, which need not exist."""
    from platformdirs import user_state_dir

    return Path(user_state_dir("stithy"))

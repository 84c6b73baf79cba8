"""Finding stithy.toml and parsing it."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stithy_core.config.fields import path as path_of
from stithy_core.config.project_file import NAME, ProjectFile
from stithy_core.config.source import Mistake, Source
from stithy_core.config.wording import Misfit

_NAMED_BY = "STITHY_CONFIG"
_POSITION = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")


def find(environ: Mapping[str, str], cwd: Path, project: ProjectFile) -> Source | None:
    """Find the file and read its text, or give None where there is no file.

    Args:
        environ: May name it by STITHY_CONFIG; then it must be there.
        cwd: The working directory.
        project: The file of the project, if it has one.

    Raises:
        ConfigError: It cannot be read, or is not there though it was named.
    """
    if named := environ.get(_NAMED_BY):
        return _read(_named(named, cwd), cwd)
    if project.path is not None:
        return _read(project.path, cwd)
    user = user_file()
    return _read(user, cwd) if os.path.isfile(user) else None  # noqa: PTH113 - this one never raises


def user_file() -> Path:
    """Return where the user's own file would be."""
    from platformdirs import user_config_dir

    return Path(user_config_dir("stithy")) / NAME


def _named(named: str, cwd: Path) -> Path:
    try:
        return path_of(named, cwd)
    except Misfit as error:
        raise Source().error([Mistake((_NAMED_BY,), error.at(()))]) from None


def _read(path: Path, cwd: Path) -> Source:
    name = path.name if path.parent == cwd else str(path)
    source = Source(path=path, name=name)
    try:
        raw = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise source.error([Mistake((), f"cannot be read: {reason}")]) from None
    try:
        # An editor may have put a byte order mark before it, which tomllib does not take.
        return Source(path=path, name=name, text=raw.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
    raise source.error([Mistake((), "this is not UTF-8, as TOML must be", line)])


def parse(source: Source) -> dict[str, Any]:
    """Parse the text of a file.

    Raises:
        ConfigError: It is not TOML; the line is named.
    """
    import tomllib

    try:
        return tomllib.loads(source.text)
    except RecursionError:
        mistake = Mistake((), "lists or tables are nested too deeply")
    except ValueError as error:
        mistake = _malformed(str(error), source.text)
    # Raised outside of the handler: from Python 3.14 on, tomllib's error holds the whole text.
    raise Source(path=source.path, name=source.name).error([mistake])


def _malformed(said: str, text: str) -> Mistake:
    position = _POSITION.search(said)
    reason = f"this is not TOML: {_POSITION.sub('', said)}"
    if position is None:
        return Mistake((), reason)
    if position[1] is None:
        return Mistake((), f"{reason} at the end of the file", text.rstrip("\n").count("\n") + 1)
    return Mistake((), f"{reason} at column {position[2]}", int(position[1]))

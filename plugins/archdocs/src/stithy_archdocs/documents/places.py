"""Where documents are looked for."""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from attrs import frozen

from stithy_archdocs.globs import pattern
from stithy_archdocs.records import Kind
from stithy_archdocs.settings import ArchdocsSettings

SUFFIXES = (".md", ".markdown", ".rst")
_WILD = re.compile(r"[*?\[{]")


@frozen
class Place:
    """A folder, and which of its files are meant.

    Args:
        kind: What the files are.
        folder: Relative to the project; empty for the project itself.
        fits: What the path below the folder must match.
        deep: Whether folders below it are looked through.
    """

    kind: Kind
    folder: str
    fits: re.Pattern[str]
    deep: bool


def places(settings: ArchdocsSettings, root: Path) -> tuple[Place, ...]:
    """Give all places; of two that have the same file the first wins.

    What would lead out of the project is no place; the checks tell of it.
    """
    named = [(Kind.ADR, text) for text in (*settings.adr, *_adr_dir(root))]
    named += [(Kind.GUIDELINE, text) for text in settings.guidelines]
    named += [(Kind.PATTERN, text) for text in settings.patterns]
    return tuple(place for kind, text in named if (place := _place(kind, text)) is not None)


def _adr_dir(root: Path) -> Iterator[str]:
    """Read the setting of adr-tools, `.adr-dir` (https://github.com/npryce/adr-tools)."""
    file_name = root / ".adr-dir"
    try:
        if not file_name.is_file():  # a FIFO may never give anything
            return
        with file_name.open(encoding="utf-8", errors="replace") as file:
            named = file.readline(4096).strip()
    except OSError:
        return
    if named:
        yield named


def _place(kind: Kind, text: str) -> Place | None:
    parts = [part for part in text.replace("\\", "/").split("/") if part not in ("", ".")]
    if ".." in parts or PurePosixPath(text).is_absolute() or "\0" in text:
        return None
    wild = next((index for index, part in enumerate(parts) if _WILD.search(part)), len(parts))
    single = wild == len(parts) and text.lower().endswith(SUFFIXES)
    fixed, rest = (parts[:-1], parts[-1:]) if single else (parts[:wild], parts[wild:])
    fits = pattern("/".join(rest) or "**")
    return Place(kind, "/".join(fixed), fits, deep=not rest or len(rest) > 1 or "**" in rest[0])

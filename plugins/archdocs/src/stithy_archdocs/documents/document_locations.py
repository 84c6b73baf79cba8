"""Locations of documents, from the settings."""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Literal, TypeAlias

from attrs import frozen

from stithy_archdocs.archdocs_settings import ArchdocsSettings
from stithy_archdocs.document_models import DocumentKind
from stithy_archdocs.globs import compile_glob

SUFFIXES = (".md", ".markdown", ".rst", ".adoc", ".asciidoc")
Markup: TypeAlias = Literal["markdown", "rst", "asciidoc"]
_WILD = re.compile(r"[*?\[{]")


def get_markup(path: str) -> Markup:
    """Return the markup language of a document, by the suffix of its path."""
    lower = path.lower()
    return "rst" if lower.endswith(".rst") else "asciidoc" if lower.endswith((".adoc", ".asciidoc")) else "markdown"


@frozen
class DocumentLocation:
    """A folder, and which of its files are documents.

    Args:
        kind: Kind of the files.
        folder: Path relative to the project; empty for the project itself.
        fits: Expression that the path below the folder must match.
        deep: Whether folders below it are searched.
    """

    kind: DocumentKind
    folder: str
    fits: re.Pattern[str]
    deep: bool


def list_locations(settings: ArchdocsSettings, root: Path) -> tuple[DocumentLocation, ...]:
    """Return all locations; a file that several match belongs to the first.

    Locations outside of the project are skipped.
    """
    named = [(DocumentKind.ADR, text) for text in (*settings.adr, *_read_adr_dir(root))]
    named += [(DocumentKind.GUIDELINE, text) for text in settings.guidelines]
    named += [(DocumentKind.PATTERN, text) for text in settings.patterns]
    return tuple(place for kind, text in named if (place := _parse_location(kind, text)) is not None)


def _read_adr_dir(root: Path) -> Iterator[str]:
    """Read the location in adr-tools' file `.adr-dir` (https://github.com/npryce/adr-tools)."""
    file_name = root / ".adr-dir"
    try:
        if not file_name.is_file():  # reading a FIFO may block forever
            return
        with file_name.open(encoding="utf-8", errors="replace") as file:
            named = file.readline(4096).strip()
    except OSError:
        return
    if named:
        yield named


def _parse_location(kind: DocumentKind, text: str) -> DocumentLocation | None:
    parts = [part for part in text.replace("\\", "/").split("/") if part not in ("", ".")]
    if ".." in parts or PurePosixPath(text).is_absolute() or "\0" in text:
        return None
    wild = next((index for index, part in enumerate(parts) if _WILD.search(part)), len(parts))
    single = wild == len(parts) and text.lower().endswith(SUFFIXES)
    fixed, rest = (parts[:-1], parts[-1:]) if single else (parts[:wild], parts[wild:])
    fits = compile_glob("/".join(rest) or "**")
    return DocumentLocation(kind, "/".join(fixed), fits, deep=not rest or len(rest) > 1 or "**" in rest[0])

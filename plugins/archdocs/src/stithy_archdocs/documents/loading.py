"""One file read once: its document as it stands, before its links are pointed anywhere."""

from pathlib import Path

from attrs import evolve, frozen

from stithy_archdocs.documents.finding import Found
from stithy_archdocs.documents.parsing import parse
from stithy_archdocs.documents.reading import NoText
from stithy_archdocs.records import Document, Problem
from stithy_archdocs.settings import MEGABYTE


@frozen
class Loaded:
    """A document as it was read; None where it could not be read."""

    found: Found
    document: Document | None
    problem: Problem | None = None


def load(root: Path, found: Found, before: Loaded | None, *, largest: int, default: bool) -> Loaded:
    """Read a file; what cannot be read keeps its last good version.

    Args:
        root: The project.
        found: The file.
        before: What was read of it last.
        largest: How many bytes it may have.
        default: Whether a decision without a status is accepted.
    """
    try:
        data = _bytes(root / found.path, largest)
        side = _bytes(root / found.side, MEGABYTE) if found.side else b""
        return Loaded(found, parse(found, data, side=side, default=default))
    except FileNotFoundError:
        return Loaded(evolve(found, stamp=()), None)
    except (OSError, NoText) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        kept = before.document if before else None
        text = f"it could not be read: {said}" + ("; its last good version is shown" if kept else "")
        return Loaded(found, kept, Problem(rule="unreadable", path=found.path, message=text, severity="error"))


def _bytes(path: Path, most: int) -> bytes:
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise NoText(f"it is larger than {most} bytes")
    return data

"""The style of a folder of decision records: names and numbers of its files, found from the records in it."""

import datetime as dt
import posixpath
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from attrs import frozen

from stithy_archdocs.authoring.record_titles import make_slug
from stithy_archdocs.document_models import Document, DocumentKind, DocumentSnapshot
from stithy_archdocs.documents.document_locations import SUFFIXES, Markup, get_markup
from stithy_archdocs.documents.document_names import parse_file_number

MOST_SAMPLES = 5
"""The newest records, whose sections and fields a new record has."""

_DATED = re.compile(r"^(?P<date>(?:19|20)\d\d(?P<dash>-?)\d\d-?\d\d)(?P<gap>[-_ .])(?P<slug>.+)$")
_NUMBERED = re.compile(r"^(?P<prefix>\D*?)(?P<number>\d{1,8})(?:(?P<gap>[-_ .]+)(?P<slug>.*))?$")
_HEADS = ("readme", "index")


@frozen(kw_only=True)
class FolderStyle:
    """How the records of a folder are named and numbered.

    Args:
        folder: Path of the folder, relative to the project.
        suffix: Suffix of the files.
        prefix: What precedes the number.
        width: Digits of a number; 0 if the records have no numbers in their names.
        dated: Format of the date that begins the names; empty without one.
        gap: What stands between number or date and the words of the title.
        joint: What stands between two words.
        slug: Whether the words of the title are part of the name.
        lower: Whether they are in lower case.
        head: Name of the file if each record has a folder of its own.
        samples: Its newest records, the newest first.
    """

    folder: str
    suffix: str = ".md"
    prefix: str = ""
    width: int = 4
    dated: str = ""
    gap: str = "-"
    joint: str = "-"
    slug: bool = True
    lower: bool = True
    head: str = ""
    samples: Sequence[Document] = ()

    @property
    def markup(self) -> Markup:
        """The markup language of its records."""
        return get_markup(self.suffix)

    def make_path(self, title: str, number: int, today: dt.date) -> str:
        """Return the path of a new record."""
        words = make_slug(title, joint=self.joint, lower=self.lower)
        lead = (
            today.strftime(self.dated) if self.dated else f"{self.prefix}{number:0{self.width}}" if self.width else ""
        )
        stem = self.gap.join(part for part in (lead, words if self.slug or not lead else "") if part)
        return posixpath.join(self.folder, stem, self.head) if self.head else f"{self.folder}/{stem}{self.suffix}"


def find_style(snapshot: DocumentSnapshot, folder: str) -> FolderStyle:
    """Return the style of a folder; without records the common one, `0001-title.md`."""
    records = list_records(snapshot, folder)
    if not records:
        return FolderStyle(folder=folder)
    newest = sorted(records, key=_get_age, reverse=True)
    names = [_get_name(one, folder) for one in newest]
    head = posixpath.basename(newest[0].path) if _is_headed(newest[0], folder) else ""
    suffix = posixpath.splitext(newest[0].path)[1]
    style = _parse_name(folder, suffix, names)
    made = {"head": head, "samples": tuple(newest[:MOST_SAMPLES])}
    return FolderStyle(folder=folder, suffix=suffix, **{**style, **made})  # type: ignore[arg-type]


def list_records(snapshot: DocumentSnapshot, folder: str) -> list[Document]:
    """Return the records of a folder, also those with a folder of their own in it."""
    return [one for one in snapshot.list_kind(DocumentKind.ADR) if get_folder(one) == folder]


def list_folders(snapshot: DocumentSnapshot) -> dict[str, int]:
    """Return the folders that hold records, each with their number."""
    found: dict[str, int] = {}
    for one in snapshot.list_kind(DocumentKind.ADR):
        found[get_folder(one)] = found.get(get_folder(one), 0) + 1
    return found


def find_next_number(root: Path, snapshot: DocumentSnapshot, folder: str) -> int:
    """Return the next free number: behind all files of the folder, and all records if several folders share numbers."""
    paths = [f"{folder}/{name}" for name in _list_names(root / folder)]
    everywhere = [one.path for one in snapshot.list_kind(DocumentKind.ADR)]
    numbers = [number for path in everywhere if (number := parse_file_number(path))]
    if len(list_folders(snapshot)) > 1 and len(set(numbers)) == len(numbers):
        paths += everywhere
    found = [int(number) for path in paths if (number := parse_file_number(path))]
    titled = [int(number) for one in list_records(snapshot, folder) if one.decision for number in one.decision.numbers]
    return max([*found, *titled], default=0) + 1


def _list_names(folder: Path) -> Iterable[str]:
    try:
        return [one.name for one in folder.iterdir() if one.suffix.lower() in SUFFIXES or one.is_dir()]
    except OSError:
        return ()


def get_folder(document: Document) -> str:
    """Return the folder of a record, above the one that it may have for itself."""
    folder = posixpath.dirname(document.path)
    headed = posixpath.splitext(posixpath.basename(document.path))[0].lower() in _HEADS
    return posixpath.dirname(folder) if headed else folder


def _is_headed(document: Document, folder: str) -> bool:
    return posixpath.dirname(document.path) != folder


def _get_name(document: Document, folder: str) -> str:
    below = posixpath.relpath(document.path, folder)
    return below.partition("/")[0] if "/" in below else posixpath.splitext(below)[0]


def _get_age(document: Document) -> tuple[int, str, str]:
    number = parse_file_number(document.path)
    when = document.decision.date.isoformat() if document.decision and document.decision.date else ""
    return int(number or 0), when, document.path


def _parse_name(folder: str, suffix: str, names: Sequence[str]) -> dict[str, object]:
    """Return the fields of a style that names show, the newest first."""
    newest = names[0]
    if found := _DATED.match(newest):
        dash = found["dash"]
        own: dict[str, object] = {"width": 0, "dated": f"%Y{dash}%m{dash}%d", "gap": found["gap"]}
        slugs = [one["slug"] for name in names if (one := _DATED.match(name))]
    elif (found := _NUMBERED.match(newest)) and parse_file_number(f"{folder}/{newest}{suffix}"):
        slugs = [one["slug"] for name in names if (one := _NUMBERED.match(name)) and one["slug"]]
        own = {"prefix": found["prefix"], "width": len(found["number"]), "slug": bool(found["slug"])}
        own["gap"] = found["gap"] or "-"
    else:
        own, slugs = {"width": 0}, list(names)
    joint = next((sign for sign in "-_ " if any(sign in one for one in slugs[:MOST_SAMPLES])), "-")
    return {**own, "joint": joint, "lower": not slugs or any(one == one.lower() for one in slugs[:MOST_SAMPLES])}

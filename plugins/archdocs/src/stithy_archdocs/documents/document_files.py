"""Locate document files: one walk, with limits for links, depth and number."""

import os
import re
import stat
import struct
from collections.abc import Iterator
from pathlib import Path

from attrs import evolve, field, frozen

from stithy_archdocs.document_models import DocumentKind, DocumentProblem
from stithy_archdocs.documents.document_locations import SUFFIXES, DocumentLocation
from stithy_archdocs.documents.path_characters import UNSAFE_NAME, escape_path, is_safe_path

DEEPEST = 24
"""Most levels of folders below a location that are searched."""

_PASSED_OVER = frozenset({"node_modules", "__pycache__"})
_NO_RECORD = re.compile(
    r"^(?:(?:readme|index)(?:[._-][a-z]{2}(?:[-_][a-z]{2,4})?)?|agents|claude|gemini|toc|summary|contents"
    r"|table[-_ ]of[-_ ]contents|contributing|changelog|glossary|about|usage|licen[cs]e.*|security|code_of_conduct)$"
    r"|^(?:n{3,}|x{3,})[-_]|^_"
)
_TEMPLATE = re.compile(r"(?:^|[-_. ])templates?(?:$|[-_. ])")
_ABOUT_TEMPLATES = re.compile(
    r"^(?:[a-z]+[-_ ])*?(?:0*[1-9]\d*)[-_. ](?!(?:[a-z]+[-_. ])?templates?(?:[-_. ]\w+)?$)(?=.*templates?)"
)
"""Matches a number other than 0 before a longer title with the word "template"."""
_FOLDER_OF_RECORD = re.compile(r"^(?:adr|rfc|kep|pep|oep)?[-_ ]?\d", re.IGNORECASE)
_HEADS = ("readme", "index")
_SIDE = "kep.yaml"
_STAMP = struct.Struct("=4Q")
_LIMIT = 1 << 64
"""Times before 1970 are negative, and some file systems have longer inodes."""
_LINKS_TO = "the symbolic link leads out of the project; copy the file, or change [archdocs] root"


@frozen
class DocumentFile:
    """A file that is a document.

    Args:
        path: Path relative to the project, with slashes.
        kind: Kind of the document.
        below: Path relative to its location.
        stamp: Times, size and inode, packed; differs if the file changed.
        side: Path of the file beside it that holds its front matter (`kep.yaml`), relative to the project.
        link: Whether it is a symbolic link, whose target may change without an event.
    """

    path: str
    kind: DocumentKind
    below: str
    stamp: bytes
    side: str = ""
    link: bool = False


@frozen
class WalkResult:
    """The result of a walk.

    Args:
        found: The document files, by path.
        left_out: Files that are not read, each with the reason.
        renamed: What the URI of a document contains if another document has the same path below its location; by path.
    """

    found: dict[str, DocumentFile] = field(factory=dict)
    left_out: list[DocumentProblem] = field(factory=list)
    renamed: dict[str, str] = field(factory=dict)


def find_document_files(
    root: Path, places: tuple[DocumentLocation, ...], seen: WalkResult, *, most: int, largest: int
) -> WalkResult:
    """Search all locations, and return `seen`.

    Args:
        root: The project.
        places: The locations.
        seen: The result to fill; another thread may count what was found so far.
        most: Maximum number of documents.
        largest: Maximum size of a file in bytes.
    """
    taken: set[tuple[DocumentKind, str]] = set()
    base = Path(os.path.realpath(root))
    for place in places:
        folder = base / place.folder
        if not _is_inside(folder, base):
            seen.left_out.append(_make_problem("link-out", place.folder, _LINKS_TO))
            continue
        for found in _iterate_files(base, place, seen.left_out, largest):
            if found.path in seen.found:
                continue
            if len(seen.found) >= most:
                text = f"more than {most} documents; the remaining ones are not read; raise [archdocs] most_documents"
                seen.left_out.append(_make_problem("too-many", found.path, text))
                return seen
            seen.found[found.path] = found
            if (below := _make_unique(found, taken)) != found.below:
                seen.renamed[found.path] = below
    return seen


def _make_unique(found: DocumentFile, taken: set[tuple[DocumentKind, str]]) -> str:
    """Return the unique path for a document's URI: its path below its location, else its whole path."""
    below, longer = found.below, found.path
    while (found.kind, below) in taken:
        below, longer = longer, "./" + longer
    taken.add((found.kind, below))
    return below


def update_walk(root: Path, seen: WalkResult, paths: frozenset[str], *, largest: int) -> WalkResult | None:
    """Update a walk for files that are known to have changed.

    Args:
        root: The project.
        seen: The last walk.
        paths: Absolute paths of the changed files.
        largest: Maximum size of a file in bytes.

    Returns:
        The result of a new walk; None if only a walk can tell: a file is new, deleted, a symbolic link, or has a file
        beside it.
    """
    found = dict(seen.found)
    if any(one.link for one in found.values()):
        return None
    for path in paths:
        name = path.removeprefix(f"{root}{os.sep}").replace(os.sep, "/")
        known = found.get(name)
        try:
            state = os.lstat(path)
        except (OSError, ValueError):
            return None
        if known is None or known.side or not stat.S_ISREG(state.st_mode) or state.st_size > largest:
            return None
        found[name] = evolve(known, stamp=_get_stamp(state))
    return evolve(seen, found=found)


def _iterate_files(
    base: Path, place: DocumentLocation, left: list[DocumentProblem], largest: int
) -> Iterator[DocumentFile]:
    waiting = [""]
    while waiting:
        below = waiting.pop()
        entries = _list_entries(base / place.folder / below)
        folders = [entry.name for entry in entries if _is_folder(entry)]
        if place.deep:
            inner = [below + name + "/" for name in folders if name[0] != "." and name not in _PASSED_OVER]
            deep = below.count("/") >= DEEPEST
            left += [
                _make_problem("too-deep", place.folder + "/" + name, f"more than {DEEPEST} levels of folders; not read")
                for name in inner
                if deep
            ]
            waiting += [] if deep else reversed(inner)
        side = any(entry.name == _SIDE for entry in entries)
        for entry in _select_documents(entries, below, place):
            found = _make_file(base, place, below + entry.name, entry, left=left, largest=largest)
            if found is not None:
                yield _add_side_file(base, found, _SIDE) if side else found


def _select_documents(entries: list[os.DirEntry[str]], below: str, place: DocumentLocation) -> list[os.DirEntry[str]]:
    """Return the documents of a folder: index files do not count, except in a folder that holds one record."""
    files = [entry for entry in entries if entry.name.lower().endswith(SUFFIXES) and entry.name[0] != "."]
    files = [entry for entry in files if place.fits.fullmatch(below + entry.name)]
    if place.kind is not DocumentKind.ADR:
        return files
    heads = [entry for entry in files if _get_stem(entry.name) in _HEADS]
    alone = len(files) == 1 and not any(_is_folder(entry) for entry in entries)
    folder = below.rstrip("/").rpartition("/")[2]
    if heads and below and (alone or _FOLDER_OF_RECORD.match(folder) or any(entry.name == _SIDE for entry in entries)):
        return heads[:1]
    return [entry for entry in files if is_record_name(entry.name)]


def is_record_name(below: str) -> bool:
    """Return whether a file of a location of records is one, by its name or by that of the folder that it is alone in.

    A template may have a number, as in `0000-template.md`; a record may be about templates: `0012-mail-templates.md`.
    """
    folder, _, name = below.rpartition("/")
    stem = _get_stem(name)
    stem = folder.rpartition("/")[2].lower() if folder and stem in _HEADS else stem
    if "template" in stem:  # few names, and each walk asks about all
        return bool(_ABOUT_TEMPLATES.match(stem)) or not (_TEMPLATE.search(stem) or _NO_RECORD.match(stem))
    return not _NO_RECORD.match(stem)


def _make_file(
    base: Path,
    place: DocumentLocation,
    below: str,
    entry: os.DirEntry[str],
    *,
    left: list[DocumentProblem],
    largest: int,
) -> DocumentFile | None:
    path = "/".join(part for part in (place.folder, below) if part)
    if not is_safe_path(path):
        left.append(_make_problem("file-name", escape_path(path), UNSAFE_NAME))
        return None
    try:
        link = entry.is_symlink()
        if link and not _is_inside(Path(entry.path), base):
            left.append(_make_problem("link-out", path, _LINKS_TO))
            return None
        state = entry.stat()
    except OSError:
        left.append(_make_problem("unreadable", path, "cannot read the file's metadata"))
        return None
    if not stat.S_ISREG(state.st_mode):
        return None
    if state.st_size > largest:
        text = f"{state.st_size} bytes, more than {largest}; not read; raise [archdocs] most_file_mb"
        left.append(_make_problem("too-large", path, text))
        return None
    return DocumentFile(path, place.kind, below, _get_stamp(state), link=link)


def _add_side_file(base: Path, found: DocumentFile, name: str) -> DocumentFile:
    side = found.path.rpartition("/")[0] + "/" + name
    try:
        state = (base / side).stat(follow_symlinks=False)
    except OSError:
        return found
    if not stat.S_ISREG(state.st_mode):
        return found
    return evolve(found, stamp=found.stamp + _get_stamp(state), side=side)


def _list_entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except (OSError, ValueError):
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Return whether to descend; symbolic links to folders are not followed, which rules out cycles."""
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_inside(path: Path, base: Path) -> bool:
    try:
        real = Path(os.path.realpath(path))
    except (OSError, ValueError):
        return False
    return real == base or base in real.parents


def _get_stamp(state: os.stat_result) -> bytes:
    """Return what differs if a file changed, as bytes: integers would take three times the memory."""
    return _STAMP.pack(
        state.st_mtime_ns % _LIMIT, state.st_ctime_ns % _LIMIT, state.st_size % _LIMIT, state.st_ino % _LIMIT
    )


def _get_stem(name: str) -> str:
    return name.rpartition(".")[0].lower()


def _make_problem(rule: str, path: str, message: str) -> DocumentProblem:
    return DocumentProblem(rule=rule, path=path, message=message)

"""Which files are there: one walk, safe against links, depth and number."""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from attrs import evolve, field, frozen

from stithy_archdocs.documents.places import SUFFIXES, Place
from stithy_archdocs.records import Kind, Problem

DEEPEST = 24
"""How many folders below its place a document may lie."""

_PASSED_OVER = frozenset({"node_modules", "__pycache__"})
_NO_RECORD = re.compile(
    r"^(?:(?:readme|index)(?:[._-][a-z]{2}(?:[-_][a-z]{2,4})?)?|agents|claude|gemini|toc|summary|contents"
    r"|table[-_ ]of[-_ ]contents|contributing|changelog|glossary|about|usage|licen[cs]e.*|security|code_of_conduct)$"
    r"|(?:^|[-_. ])templates?(?:$|[-_. ])|^(?:n{3,}|x{3,})[-_]|^_"
)
_FOLDER_OF_RECORD = re.compile(r"^(?:adr|rfc|kep|pep|oep)?[-_ ]?\d", re.IGNORECASE)
_HEADS = ("readme", "index")
_SIDE = "kep.yaml"
_LINKS_TO = "the link leads out of the project; copy the file, or set [archdocs] root"


@frozen
class Found:
    """A file that is a document.

    Args:
        path: Relative to the project, with slashes.
        kind: What it is.
        below: The path below its place.
        stamp: What changes when the file does.
        side: The file beside it that holds its front matter (a KEP's), relative to the project.
        link: Whether it is a link to a file, which may change elsewhere.
    """

    path: str
    kind: Kind
    below: str
    stamp: tuple[int, ...]
    side: str = ""
    link: bool = False


@frozen
class Walk:
    """What a walk found.

    Args:
        found: The documents, by path.
        left_out: What is no document, and why.
        renamed: What stands in the URIs of documents whose path below their place is also that of one before them.
    """

    found: dict[str, Found] = field(factory=dict)
    left_out: list[Problem] = field(factory=list)
    renamed: dict[str, str] = field(factory=dict)


def walk(root: Path, places: tuple[Place, ...], *, most: int, largest: int) -> Walk:
    """Look through all places.

    Args:
        root: The project.
        places: Where to look.
        most: How many documents are taken.
        largest: How many bytes a file may have.
    """
    seen = Walk()
    taken: set[tuple[Kind, str]] = set()
    base = Path(os.path.realpath(root))
    for place in places:
        folder = base / place.folder
        if not _inside(folder, base):
            seen.left_out.append(_left("link-out", place.folder, _LINKS_TO))
            continue
        for found in _files(base, place, seen.left_out, largest):
            if found.path in seen.found:
                continue
            if len(seen.found) >= most:
                text = f"more than {most} documents: what follows is not read; raise [archdocs] most_documents"
                seen.left_out.append(_left("too-many", found.path, text))
                return seen
            seen.found[found.path] = found
            if (below := _free(found, taken)) != found.below:
                seen.renamed[found.path] = below
    return seen


def _free(found: Found, taken: set[tuple[Kind, str]]) -> str:
    """Choose what stands in a document's URI: its path below its place, or where another has that, its whole path."""
    below, longer = found.below, found.path
    while (found.kind, below) in taken:
        below, longer = longer, "./" + longer
    taken.add((found.kind, below))
    return below


def looked_again(root: Path, seen: Walk, paths: frozenset[str], *, largest: int) -> Walk | None:
    """Look at single files again, of which somebody told that they changed.

    Args:
        root: The project.
        seen: What the last walk found.
        paths: Whole paths of the files.
        largest: How many bytes a file may have.

    Returns:
        What a walk would find; None where only a walk can tell: a file is new, gone or a link, or has one beside it.
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
        found[name] = evolve(known, stamp=_stamp(state))
    return evolve(seen, found=found)


def _files(base: Path, place: Place, left: list[Problem], largest: int) -> Iterator[Found]:
    waiting = [""]
    while waiting:
        below = waiting.pop()
        entries = _entries(base / place.folder / below)
        folders = [entry.name for entry in entries if _folder(entry)]
        if place.deep:
            inner = [below + name + "/" for name in folders if name[0] != "." and name not in _PASSED_OVER]
            deep = below.count("/") >= DEEPEST
            left += [
                _left("too-deep", place.folder + "/" + name, "folders are nested too deeply") for name in inner if deep
            ]
            waiting += [] if deep else reversed(inner)
        side = any(entry.name == _SIDE for entry in entries)
        for entry in _records(entries, below, place):
            found = _found(base, place, below + entry.name, entry, left=left, largest=largest)
            if found is not None:
                yield _beside(base, found, _SIDE) if side else found


def _records(entries: list[os.DirEntry[str]], below: str, place: Place) -> list[os.DirEntry[str]]:
    """Choose a folder's documents: an index is none, but in a folder of one record only the index is."""
    files = [entry for entry in entries if entry.name.lower().endswith(SUFFIXES) and entry.name[0] != "."]
    files = [entry for entry in files if place.fits.fullmatch(below + entry.name)]
    if place.kind is not Kind.ADR:
        return files
    heads = [entry for entry in files if _stem(entry.name) in _HEADS]
    alone = len(files) == 1 and not any(_folder(entry) for entry in entries)
    folder = below.rstrip("/").rpartition("/")[2]
    if heads and below and (alone or _FOLDER_OF_RECORD.match(folder) or any(entry.name == _SIDE for entry in entries)):
        return heads[:1]
    return [entry for entry in files if not _NO_RECORD.search(_stem(entry.name))]


def _found(
    base: Path, place: Place, below: str, entry: os.DirEntry[str], *, left: list[Problem], largest: int
) -> Found | None:
    path = "/".join(part for part in (place.folder, below) if part)
    try:
        path.encode()
        link = entry.is_symlink()
        if link and not _inside(Path(entry.path), base):
            left.append(_left("link-out", path, _LINKS_TO))
            return None
        state = entry.stat()
    except (OSError, UnicodeEncodeError):
        left.append(_left("unreadable", path.encode(errors="replace").decode(), "the file cannot be looked at"))
        return None
    if not stat.S_ISREG(state.st_mode):
        return None
    if state.st_size > largest:
        text = f"{state.st_size} bytes are more than {largest}: it is not read; raise [archdocs] most_file_mb"
        left.append(_left("too-large", path, text))
        return None
    return Found(path, place.kind, below, _stamp(state), link=link)


def _beside(base: Path, found: Found, name: str) -> Found:
    side = found.path.rpartition("/")[0] + "/" + name
    try:
        state = (base / side).stat(follow_symlinks=False)
    except OSError:
        return found
    if not stat.S_ISREG(state.st_mode):
        return found
    return evolve(found, stamp=found.stamp + _stamp(state), side=side)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except (OSError, ValueError):
        return []


def _folder(entry: os.DirEntry[str]) -> bool:
    """Tell whether to go in; a linked folder is not gone into, so that there are no circles."""
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _inside(path: Path, base: Path) -> bool:
    try:
        real = Path(os.path.realpath(path))
    except (OSError, ValueError):
        return False
    return real == base or base in real.parents


def _stamp(state: os.stat_result) -> tuple[int, ...]:
    return (state.st_mtime_ns, state.st_ctime_ns, state.st_size, state.st_ino)


def _stem(name: str) -> str:
    return name.rpartition(".")[0].lower()


def _left(rule: str, path: str, message: str) -> Problem:
    return Problem(rule=rule, path=path, message=message)

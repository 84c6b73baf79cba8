"""From what a caller names to code: pasted, of files of the project, or of a diff."""

import os
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

from stithy_archdocs.documents.reading import NoText, decode
from stithy_archdocs.globs import fits
from stithy_archdocs.validation.diffs import Hunk
from stithy_core.spi import InvalidArguments

LARGEST = 1_000_000
"""Bytes of one file."""
MOST = 1_000
"""Files of one call."""
_PASSED_OVER = frozenset({"node_modules", "__pycache__", "venv", "target", "build", "dist"})


@frozen(kw_only=True)
class Source:
    """Code to judge.

    Args:
        path: Where it stands, relative to the project; empty where that is not known.
        code: The code.
        before: How many lines stand above it.
        indent: How many columns were taken away from its left.
        lines: The lines of which it is judged; None for all.
        whole: Whether it is all of its file; what cannot be parsed around new lines of a part does not count.
        fault: Why it cannot be judged.
    """

    path: str = ""
    code: str = ""
    before: int = 0
    indent: int = 0
    lines: frozenset[int] | None = None
    whole: bool = True
    fault: str = ""


def of_files(root: Path, named: Sequence[str]) -> list[Source]:
    """Read files of the project.

    Args:
        root: The project; nothing outside of it is read.
        named: Paths and globs, relative to it.

    Raises:
        InvalidArguments: A path leads out of the project, or nothing is there.
    """
    base = Path(os.path.realpath(root))
    found: dict[str, Source] = {}
    for name in named:
        paths = sorted(_matching(base, name)) if any(sign in name for sign in "*?[{") else [_plain(base, name)]
        if not paths:
            raise InvalidArguments(f"no file fits {name!r}", suggestion="Globs are relative to the project's root.")
        for path in paths:
            if len(found) >= MOST:
                raise InvalidArguments(f"more than {MOST} files are meant", suggestion="Name fewer of them.")
            found.setdefault(path, _read(base, path))
    return list(found.values())


def _plain(base: Path, name: str) -> str:
    if "\0" in name:
        raise InvalidArguments("a path has a zero byte", suggestion="Give paths relative to the project's root.")
    try:
        path = Path(os.path.realpath(base / name))
        there = path.is_file()
    except (OSError, ValueError):
        there, path = False, base
    if not path.is_relative_to(base):
        raise InvalidArguments(f"{name!r} leads out of the project", suggestion="Give paths relative to its root.")
    if not there:
        raise InvalidArguments(f"no file {name!r}", suggestion="Give paths relative to the project's root.")
    return (
        Path(os.path.normpath(base / name)).relative_to(base).as_posix()
        if ".." not in Path(name).parts
        else path.relative_to(base).as_posix()
    )


def _matching(base: Path, glob: str) -> Iterator[str]:
    """Look through the project, without hidden folders, links to folders, and what others made."""
    for folder, folders, files in os.walk(base):
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in _PASSED_OVER)
        below = Path(folder).relative_to(base)
        for name in files:
            path = (below / name).as_posix()
            if (
                fits(path, [glob])
                and _is_regular(base / path)
                and Path(os.path.realpath(base / path)).is_relative_to(base)
            ):
                yield path


def _is_regular(path: Path) -> bool:
    """Return whether reading a path ends: a FIFO or a device may never give anything."""
    try:
        return path.is_file()
    except OSError:
        return False


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting for a writer, should a FIFO have taken its place."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _read(base: Path, path: str) -> Source:
    try:
        with open(base / path, "rb", opener=_open_at_once) as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            return Source(path=path, fault=f"it has more than {LARGEST:,} bytes")
        return Source(path=path, code=decode(data, path)[0])
    except (OSError, NoText) as error:
        return Source(path=path, fault=str(error)[:200])


def of_hunks(root: Path | None, path: str, hunks: Sequence[Hunk]) -> list[Source]:
    """Return the new lines of one file to judge: in the file of the project where that has them, else each hunk alone.

    Args:
        root: The project; None where none of its files may be read.
        path: The file.
        hunks: What is new in it.
    """
    if root is None:
        return [_of_hunk(path, hunk) for hunk in hunks]
    added = frozenset(line for hunk in hunks for line in hunk.added)
    try:
        here = _read(Path(os.path.realpath(root)), _plain(Path(os.path.realpath(root)), path))
    except InvalidArguments:
        here = Source(fault="it is not there")
    lines = here.code.split("\n")
    if not here.fault and all(lines[hunk.first - 1 :][: len(hunk.lines)] == hunk.lines for hunk in hunks):
        return [Source(path=path, code=here.code, lines=added)]
    return [_of_hunk(path, hunk) for hunk in hunks]


def _of_hunk(path: str, hunk: Hunk) -> Source:
    text = "\n".join(hunk.lines)
    code = textwrap.dedent(text)
    first = next(line for line in hunk.lines if line.strip()) if text.strip() else ""
    indent = len(first) - len(next((line for line in code.split("\n") if line.strip()), ""))
    lines = frozenset(hunk.added)
    return Source(path=path, code=code, before=hunk.first - 1, indent=indent, lines=lines, whole=False)

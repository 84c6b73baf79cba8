"""Collect the code to check: pasted, from files of the project, or from a diff."""

import os
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

from stithy_archdocs.documents.path_characters import UNSAFE_NAME, escape_path, is_safe_path
from stithy_archdocs.documents.text_decoding import NotText, decode_text
from stithy_archdocs.globs import matches_any
from stithy_archdocs.rules.project_files import iterate_paths, read_whole_file
from stithy_archdocs.validation.added_lines import DiffHunk
from stithy_core.spi import InvalidArguments

MOST = 1_000
"""Maximum files of a call."""


@frozen(kw_only=True)
class CodeSource:
    """Code to check.

    Args:
        path: Path relative to the project; empty if unknown.
        code: The code.
        before: Number of lines above the code in its file.
        indent: Number of columns that were removed on the left.
        lines: Line numbers to check; None for all.
        whole: Whether it is the whole file; parse errors around the added lines of a part are ignored.
        fault: Why it cannot be checked.
    """

    path: str = ""
    code: str = ""
    before: int = 0
    indent: int = 0
    lines: frozenset[int] | None = None
    whole: bool = True
    fault: str = ""


def read_files(root: Path, named: Sequence[str], *, most: int = MOST) -> list[CodeSource]:
    """Read files of the project.

    Args:
        root: The project; nothing outside of it is read.
        named: Paths and globs relative to the project.
        most: Maximum number of files.

    Raises:
        InvalidArguments: A path leads out of the project, or a file does not exist.
    """
    base = Path(os.path.realpath(root))
    found: dict[str, CodeSource] = {}
    for name in named:
        paths = (
            sorted(_match_files(base, name)) if any(sign in name for sign in "*?[{") else [_resolve_path(base, name)]
        )
        if not paths:
            raise InvalidArguments(f"no file matches {name!r}", suggestion="Globs are relative to the project root.")
        for path in paths:
            if len(found) >= most:
                raise InvalidArguments(f"more than {most} files match", suggestion="Use narrower globs.")
            found.setdefault(path, _read_source(base, path))
    return list(found.values())


def _resolve_path(base: Path, name: str) -> str:
    if "\0" in name:
        raise InvalidArguments("path contains a zero byte", suggestion="Pass paths relative to the project root.")
    try:
        path = Path(os.path.realpath(base / name))
        there = path.is_file()
    except (OSError, ValueError):
        there, path = False, base
    if not path.is_relative_to(base):
        raise InvalidArguments(
            f"path {name!r} is outside of the project", suggestion="Pass paths relative to its root."
        )
    if not there:
        raise InvalidArguments(f"file {name!r} does not exist", suggestion="Pass paths relative to the project root.")
    return (
        Path(os.path.normpath(base / name)).relative_to(base).as_posix()
        if ".." not in Path(name).parts
        else path.relative_to(base).as_posix()
    )


def _match_files(base: Path, glob: str) -> Iterator[str]:
    """Iterate over matching files, without hidden folders, linked folders, and folders of dependencies or builds."""
    return (path for path in iterate_paths(base) if matches_any(path, [glob]))


def _read_source(base: Path, path: str) -> CodeSource:
    if not is_safe_path(path):
        return CodeSource(path=escape_path(path), fault=UNSAFE_NAME)
    try:
        return CodeSource(path=path, code=decode_text(read_whole_file(base / path), path)[0])
    except (OSError, NotText) as error:
        return CodeSource(path=path, fault=str(error)[:200])


def select_hunks(root: Path | None, path: str, hunks: Sequence[DiffHunk]) -> list[CodeSource]:
    """Return the added lines of one file: in the project's file if it contains the hunks, else each hunk alone.

    Args:
        root: The project; None if its files must not be read.
        path: Path of the file.
        hunks: The hunks.
    """
    if root is None:
        return [_make_hunk_source(path, hunk) for hunk in hunks]
    added = frozenset(line for hunk in hunks for line in hunk.added)
    try:
        here = _read_source(Path(os.path.realpath(root)), _resolve_path(Path(os.path.realpath(root)), path))
    except InvalidArguments:
        here = CodeSource(fault="the file does not exist")
    lines = here.code.split("\n")
    if not here.fault and all(lines[hunk.first - 1 :][: len(hunk.lines)] == hunk.lines for hunk in hunks):
        return [CodeSource(path=path, code=here.code, lines=added)]
    return [_make_hunk_source(path, hunk) for hunk in hunks]


def _make_hunk_source(path: str, hunk: DiffHunk) -> CodeSource:
    text = "\n".join(hunk.lines)
    code = textwrap.dedent(text)
    first = next(line for line in hunk.lines if line.strip()) if text.strip() else ""
    indent = len(first) - len(next((line for line in code.split("\n") if line.strip()), ""))
    lines = frozenset(hunk.added)
    return CodeSource(path=path, code=code, before=hunk.first - 1, indent=indent, lines=lines, whole=False)

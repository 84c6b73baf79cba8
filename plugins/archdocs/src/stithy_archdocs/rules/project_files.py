"""The files of a project as rules about the whole project see them: on disk, or those of a sample."""

import os
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from stithy_archdocs.documents.path_characters import UNSAFE_NAME, escape_path, is_safe_path
from stithy_archdocs.documents.text_decoding import BinaryFile, NotText, decode_text, read_regular_file
from stithy_archdocs.globs import matches_any

LARGEST = 1_000_000
"""Maximum bytes of a file."""
MOST = 100_000
"""Maximum number of files."""
_WILDCARD = re.compile(r"[*?{\[]")
_INSTALLED = frozenset({"node_modules", "__pycache__", "venv"})
_GRADLE = {"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"}
_PYTHON = {"pyproject.toml", "setup.py", "setup.cfg"}
_BUILT: Mapping[str, frozenset[str]] = {
    "target": frozenset({"Cargo.toml", "pom.xml", "build.sbt", "project.clj"}),
    "build": frozenset({*_GRADLE, *_PYTHON, "package.json", "CMakeLists.txt", "Makefile", "meson.build", "pom.xml"}),
    "dist": frozenset({*_PYTHON, "package.json", "Makefile"}),
}
"""Folders of builds, with the files beside them by which they are made; elsewhere they are folders like others."""


def iterate_paths(base: Path) -> Iterator[str]:
    """Iterate over the regular files of a project, without hidden folders, and folders of dependencies or builds.

    Linked folders are not followed, and links out of the project are left out.
    """
    for folder, folders, files in os.walk(base):
        here = frozenset(files)
        folders[:] = sorted(name for name in folders if not _is_passed_over(name, here))
        below = Path(folder).relative_to(base)
        for name in sorted(files):
            path = base / below / name
            if _is_regular(path) and Path(os.path.realpath(path)).is_relative_to(base):
                yield (below / name).as_posix()


def _is_hidden(folder: str) -> bool:
    return any(part.startswith(".") for part in folder.split("/"))


def _find_hidden_folder(glob: str) -> str:
    """Return the hidden folder that a glob names before its first `*`, such as `.github`; empty without one."""
    parts = glob.removeprefix("./").removeprefix("/").split("/")[:-1]
    for count, part in enumerate(parts, 1):
        if _WILDCARD.search(part):
            return ""
        if part.startswith(".") and part != "..":
            return "/".join(parts[:count])
    return ""


def _is_passed_over(folder: str, beside: frozenset[str]) -> bool:
    return folder[0] == "." or folder in _INSTALLED or not beside.isdisjoint(_BUILT.get(folder, ()))


def _is_regular(path: Path) -> bool:
    """Return whether a path is a regular file: reading a FIFO or a device may block forever."""
    try:
        return path.is_file()
    except OSError:
        return False


class ProjectFiles:
    """Files by path; each text is read once at most."""

    def __init__(self, texts: Mapping[str, str] | None = None, root: Path | None = None) -> None:
        self._texts = dict(texts or {})
        self._root = Path(os.path.realpath(root)) if root else None
        self._hidden: dict[str, list[str]] = {}
        self.unread: dict[str, str] = {}
        """Reasons for files that could not be read, by path."""
        self.binary: set[str] = set()
        """Those of them that are not text."""
        self.incomplete = ""
        """Why `paths` does not have all files; empty if it has."""

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """All paths, sorted."""
        if self._root is None:
            return tuple(sorted(self._texts))
        found: list[str] = []
        for path in iterate_paths(self._root):
            if len(found) >= MOST:
                self.incomplete = f"the project has more than {MOST:,} files"
                break
            if is_safe_path(path):
                found.append(path)
            else:
                self.unread[escape_path(path)] = UNSAFE_NAME
        return tuple(sorted(found))

    def iterate_matching(self, globs: Collection[str]) -> Iterator[str]:
        """Iterate over the paths that match a glob, with those in hidden folders that a glob names; sorted."""
        hidden = self.find_hidden(globs)
        paths = sorted({*self.paths, *hidden}) if hidden else self.paths
        return (path for path in paths if matches_any(path, globs))

    def find_hidden(self, globs: Collection[str]) -> set[str]:
        """Return the paths that match a glob in the hidden folders that a glob names, which `paths` has not."""
        folders = {folder for folder in map(_find_hidden_folder, globs) if folder}
        return {path for folder in folders for path in self.list_folder(folder) if matches_any(path, globs)}

    def list_folder(self, folder: str) -> list[str]:
        """Return the paths below a folder, which may be hidden, such as `.semgrep`; sorted."""
        if self._root is None or not _is_hidden(folder):
            lead = "" if folder == "." else f"{folder}/"
            return [path for path in self.paths if path.startswith(lead)]
        if folder not in self._hidden:
            base = Path(os.path.realpath(self._root / folder))
            found = iterate_paths(base) if base.is_relative_to(self._root) else ()
            self._hidden[folder] = [f"{folder}/{path}" for path in found if is_safe_path(path)]
        return self._hidden[folder]

    def read(self, path: str) -> str:
        """Return the text of a file; empty, and recorded in `unread`, if it cannot be read."""
        if self._root is None:
            return self._texts.get(path, "")
        try:
            return decode_text(_read_bytes(self._root, path), path)[0]
        except (OSError, ValueError, NotText) as error:
            self.unread[path] = str(error)[:200]
            if isinstance(error, BinaryFile):
                self.binary.add(path)
            return ""

    def read_exact(self, path: str) -> str:
        """Return the text of a file in UTF-8 with its line ends and byte order mark; of others, as `read` does."""
        text = self.read(path)
        try:
            return text if self._root is None or path in self.unread else _read_bytes(self._root, path).decode()
        except (OSError, ValueError, NotText):
            return text


def _read_bytes(root: Path, path: str) -> bytes:
    if not Path(os.path.realpath(root / path)).is_relative_to(root):
        raise NotText("the file is outside of the project")
    return read_whole_file(root / path)


def read_whole_file(path: Path) -> bytes:
    """Read a file of the project.

    Raises:
        NotText: It has more than `LARGEST` bytes, or is not a regular file.
        OSError: It cannot be read.
    """
    return read_regular_file(path, LARGEST)

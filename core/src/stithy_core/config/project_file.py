"""Where the stithy.toml of a project may be: from the working directory up to the root of its repository."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

NAME = "stithy.toml"
_PROJECT_OF_CLAUDE_CODE = "CLAUDE_PROJECT_DIR"


@frozen
class ProjectFile:
    """The search for the file of a project.

    Args:
        path: The file that counts; None where there is none.
        folders: Where it was looked for, in this order.
        refused: Files that were found and not read, since they may be somebody else's.
    """

    path: Path | None = None
    folders: tuple[Path, ...] = ()
    refused: tuple[Path, ...] = ()


def find_project_file(environ: Mapping[str, str], cwd: Path) -> ProjectFile:
    """Search for stithy.toml; hosts start a server wherever their user is, often in a sub-folder of the project.

    Above the working directory a file counts only within the repository, and only if it and the repository belong to
    this user or to root, as git demands of a repository: the file may name commands, and anybody can put a `.git` and a
    stithy.toml into a folder that all may write to.

    Args:
        environ: May name the project's folder by CLAUDE_PROJECT_DIR, which Claude Code sets.
        cwd: The working directory.
    """
    folders: list[Path] = []
    refused: list[Path] = []
    for folder, trusted in _candidates(environ, cwd):
        folders.append(folder)
        path = folder / NAME
        if not os.path.isfile(path):  # noqa: PTH113 - this one never raises
            continue
        if trusted and (folder == cwd or _is_own(folder, path)):
            return ProjectFile(path, tuple(folders), tuple(refused))
        refused.append(path)
    return ProjectFile(None, tuple(folders), tuple(refused))


def _candidates(environ: Mapping[str, str], cwd: Path) -> Iterator[tuple[Path, bool]]:
    """Iterate over the folders to look in, each with whether it is trusted, as far as the repository decides that."""
    seen = set()
    starts = [cwd]
    if (named := Path(environ.get(_PROJECT_OF_CLAUDE_CODE, ""))).is_absolute() and "\0" not in str(named):
        starts.append(named)
    for start in starts:
        root = _repository_of(start)
        trusted = root is not None and _is_own(root, root / ".git")
        for folder in (start, *(start.parents if root else ())):
            if folder not in seen:
                seen.add(folder)
                yield folder, trusted or folder == start
            if folder == root:
                break


def _repository_of(folder: Path) -> Path | None:
    """Return the root of the innermost repository, worktree or submodule that a folder lies in."""
    return next((one for one in (folder, *folder.parents) if _has_repository(one / ".git")), None)


def _has_repository(path: Path) -> bool:
    # A worktree and a submodule have a file there. An empty folder of that name is no repository for git either.
    return os.path.isfile(path) or os.path.isfile(path / "HEAD")  # noqa: PTH113 - these never raise


def _is_own(*paths: Path) -> bool:
    """Return whether files belong to this user or to root. Windows has no such owners: there all do."""
    if not hasattr(os, "geteuid"):
        return True
    try:
        return all(path.stat().st_uid in (0, os.geteuid()) for path in paths)
    except OSError:
        return False

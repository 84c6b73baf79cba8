"""Commits that are written into a cached repository without a process of git: a replay needs three for each commit.

The format is that of loose objects: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects, "Object Storage".
"""

import hashlib
import zlib
from pathlib import Path
from tempfile import NamedTemporaryFile

from stithy_pulls.git.git_errors import GitError

WHO = "stithy <stithy@localhost>"
SHA_1_DIGITS = 40


def write_commit(folder: Path, tree: str, *parents: str, seconds: int = 0) -> str:
    """Write an unreferenced commit, and return its SHA.

    Args:
        folder: The bare repository.
        tree: The id of its tree.
        parents: The SHAs of its parents.
        seconds: Its time since 1970. By default the same trees and parents are one commit in all calls. A commit on
            those of people must be younger than they are: git finds merge bases by time, and would read all history.

    Raises:
        GitError: There is no tree, since git refused a merge, or the file cannot be written.
    """
    if not tree:
        raise GitError("a commit cannot be written to the cache: it has no tree")
    who = f"{WHO} {seconds} +0000"
    rows = (f"tree {tree}", *(f"parent {parent}" for parent in parents), f"author {who}", f"committer {who}", "", "-")
    body = "".join(f"{row}\n" for row in rows).encode()
    content = b"commit %d\0" % len(body) + body
    algorithm = "sha1" if len(tree) == SHA_1_DIGITS else "sha256"
    sha = hashlib.new(algorithm, content, usedforsecurity=False).hexdigest()
    file = folder / "objects" / sha[:2] / sha[2:]
    try:
        if not file.exists():
            _write_file(file, zlib.compress(content))
    except OSError as error:
        raise GitError(f"a commit cannot be written to the cache: {error.strerror}") from error
    return sha


def _write_file(file: Path, content: bytes) -> None:
    """Write a file at once: other processes read the same cache."""
    file.parent.mkdir(exist_ok=True)
    # A file of this name that a killed process left behind is removed by `git gc`.
    with NamedTemporaryFile(prefix="tmp_obj_", dir=file.parent, delete=False) as temporary:
        temporary.write(content)
    written = Path(temporary.name)
    written.chmod(0o444)
    written.replace(file)

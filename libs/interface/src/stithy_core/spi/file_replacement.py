"""Replace a file as a whole: a reader sees the old bytes or the new ones, also after a crash."""

import os
import tempfile
from pathlib import Path


def replace_file(path: Path, data: bytes, *, new_mode: int = 0o600, keep_mode: bool = True) -> None:
    """Write a file atomically. Links are followed, and the owner of a file that exists is kept.

    Args:
        path: The file; its folder exists.
        data: All of its bytes.
        new_mode: The permissions of a file that does not exist yet.
        keep_mode: Whether a file that exists keeps its permissions, and is not replaced if it is write-protected.

    Raises:
        OSError: It cannot be written, or may not be.
    """
    target = Path(os.path.realpath(path))
    try:
        before = target.stat()
    except FileNotFoundError:
        before = None
    if before is not None and keep_mode and not os.access(target, os.W_OK):
        raise PermissionError(13, "the file is write-protected", str(target))
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")  # mode 600
    try:
        with open(handle, "wb") as file:  # noqa: PTH123 -- it is a descriptor
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(before.st_mode & 0o7777 if before is not None and keep_mode else new_mode)
        if before is not None and hasattr(os, "chown") and before.st_uid != os.geteuid():
            os.chown(temporary, before.st_uid, before.st_gid)  # root edits the file of a user
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise

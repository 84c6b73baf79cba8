"""The key that cursors are sealed with: the user's to give, else kept in a file that is made at its first use."""

import logging
import os
from collections.abc import Callable
from pathlib import Path

from attrs import field, frozen

from stithy_core.config.folders import user_state_folder

log = logging.getLogger("stithy.config")

NAME = "cursor-key"
LENGTH = 32


@frozen
class CursorKey:
    """Gives the key when it is first needed, so that a start reads no file for it.

    Args:
        given: What STITHY_CURSOR_KEY says; empty where it says nothing.
        folder: Where the file is kept; by default the user's folder for state.
    """

    given: str = field(default="", repr=False)
    folder: Callable[[], Path] = user_state_folder

    def __call__(self) -> bytes:
        """Return the key; if it cannot be stored, one for this process only."""
        if self.given:
            return self.given.encode(errors="surrogateescape")
        path = Path(NAME)
        try:
            path = self.folder() / NAME
            return _kept(path)
        except (OSError, ValueError, RuntimeError) as error:
            reason = getattr(error, "strerror", None) or error
            log.warning("cursors end with this process: %s holds no key (%s); set STITHY_CURSOR_KEY", path, reason)
            return os.urandom(LENGTH)


def _kept(path: Path) -> bytes:
    """Read the key of a file, which is made if it is not there.

    Raises:
        OSError: It can be neither read nor made.
        ValueError: It is there, and holds something else.
    """
    try:
        return _read(path)
    except FileNotFoundError:
        _make(path)
    return _read(path)


def _read(path: Path) -> bytes:
    key = bytes.fromhex(path.read_text("ascii"))
    if len(key) != LENGTH:
        raise ValueError("it has another length")
    return key


def _make(path: Path) -> None:
    """Make the file whole and only once, however many processes begin at the same time."""
    import tempfile

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, made = tempfile.mkstemp(dir=path.parent, prefix=f".{NAME}.")  # mode 600
    try:
        with open(handle, "w", encoding="ascii") as file:  # noqa: PTH123 -- it is a descriptor
            file.write(os.urandom(LENGTH).hex())
            file.flush()
            os.fsync(file.fileno())
        _put(made, path)
    finally:
        Path(made).unlink(missing_ok=True)


def _put(made: str, path: Path) -> None:
    try:
        os.link(made, path)  # never in the place of another's
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        if not path.exists():
            Path(made).replace(path)

"""Folders of the user that hold what outlives a process."""

from pathlib import Path


def user_state_folder() -> Path:
    """Return the folder for the key of cursors and the record of writes; it need not exist yet."""
    from platformdirs import user_state_dir

    return Path(user_state_dir("stithy"))

"""Running a command on a terminal of its own, as some tools print differently there."""

import os
import pty
import subprocess


def on_a_terminal(command, folder, env, *, columns=0, seconds=900):
    """Give what a command writes to a terminal, of so many columns if that matters."""
    ours, theirs = pty.openpty()
    if columns:
        subprocess.run(["stty", "cols", str(columns), "rows", "50"], stdin=theirs, check=True)
    words = [str(word) for word in command]
    process = subprocess.Popen(words, cwd=folder, env=env, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    parts = []
    while True:
        try:
            parts.append(os.read(ours, 65_536))
        except OSError:  # what a terminal answers when nobody writes to it any more
            break
    process.wait(timeout=seconds)
    os.close(ours)
    return b"".join(parts).decode("utf-8", "replace")

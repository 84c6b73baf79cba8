"""Programs that stand in for `gh`, `git` and others, at the edge of what stithy runs."""

import os


def stand_in(folder, name, script):
    """Write a shell script under a program's name, and give the PATH on which it comes first."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin"

"""Programs that stand in for `gh`, `git` and others, at the edge of what stithy runs."""

import os
from pathlib import Path


def stand_in(folder: Path, name: str, script: str) -> str:
    """Write a shell script under a program's name, and return a PATH that finds it first."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin"

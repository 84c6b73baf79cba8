"""The folders of the distributions, for the tests that build or read all of them."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROJECTS = [ROOT, ROOT / "core", *sorted((ROOT / "libs").iterdir()), *sorted((ROOT / "plugins").iterdir())]
UV = (str(Path(sys.executable).with_name("uv")), "--quiet")
"""The command `uv` of this environment."""

"""Plugins on disk, with real distribution metadata, as pip would have left them."""

import textwrap
from collections.abc import Sequence
from pathlib import Path


def write_plugin(
    folder: Path,
    name: str,
    source: str,
    *,
    version: str = "1.0",
    requires: Sequence[str] = (),
    entry_point: str = "",
) -> Path:
    """Write a plugin as an installed distribution, and give the folder to put on `sys.path`.

    Args:
        folder: Where it is written.
        name: The distribution's name, such as `stithy-pond`; its module is the same with underscores.
        source: The module's text; common indentation is taken away.
        version: The distribution's version.
        requires: What it requires, as in `Requires-Dist`.
        entry_point: The entry point's name; by default the distribution's name without `stithy-`.
    """
    module = name.replace("-", "_")
    (folder / f"{module}.py").write_text(textwrap.dedent(source), encoding="utf-8")
    metadata = folder / f"{module}-{version}.dist-info"
    metadata.mkdir(parents=True)
    needs = "".join(f"Requires-Dist: {requirement}\n" for requirement in requires)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}")
    point = entry_point or name.removeprefix("stithy-")
    (metadata / "entry_points.txt").write_text(f"[stithy]\n{point} = {module}\n")
    return folder

"""How a conflict is resolved, where that takes no judgement."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from stithy_pulls.conflicts.grouping import ConflictGroup
from stithy_pulls.conflicts.previews import ConflictPreview, ConflictSides

LOCK_FILES: Mapping[str, str] = {
    "package-lock.json": "npm install --package-lock-only",
    "npm-shrinkwrap.json": "npm install --package-lock-only",
    "yarn.lock": "yarn install",
    "pnpm-lock.yaml": "pnpm install --lockfile-only",
    "Cargo.lock": "cargo update --workspace",
    "poetry.lock": "poetry lock",
    "uv.lock": "uv lock",
    "pdm.lock": "pdm lock",
    "Pipfile.lock": "pipenv lock",
    "Gemfile.lock": "bundle lock",
    "composer.lock": "composer update --lock",
    "go.sum": "go mod tidy",
    "mix.lock": "mix deps.get",
    "flake.lock": "nix flake lock",
    "Podfile.lock": "pod install",
    "pubspec.lock": "dart pub get",
    "packages.lock.json": "dotnet restore --force-evaluate",
}


def suggest_resolution(group: ConflictGroup, sides: ConflictSides, shown: ConflictPreview, blobs: Mapping[str, bytes]) -> str | None:
    """Say how to resolve a conflict mechanically; None where somebody must decide.

    Args:
        group: The conflict.
        sides: Its versions.
        shown: The places of it.
        blobs: What the versions hold.
    """
    path = group.paths[0] if group.paths else ""
    if (command := LOCK_FILES.get(PurePosixPath(path).name)) and sides.ours and sides.theirs:
        return f"A lock file is generated: take the base's, then run `{command}` and add the file."
    if sides.mixed is not None:  # to take a side would take what git put in its place
        return None
    if shown.regions and all(_unspaced(ours.lines) == _unspaced(theirs.lines) for ours, theirs in shown.regions):
        return "Both sides say the same but for white space: take either."
    if not shown.regions and _same_but_for_space(sides, blobs):
        choice = "keep one of the names" if group.conflict_type == "rename" else "take either"
        return f"Both sides hold the same but for white space: {choice}."
    return _moved(group, sides)


def _moved(group: ConflictGroup, sides: ConflictSides) -> str | None:
    """Say what to do where one side did nothing but move a file."""
    if group.git_type == "directory rename" and sides.ancestor is None and group.paths:
        return (
            "One side moved the folder, the other added a file to it: keep the file in the folder's new place, "
            "where git put it."
        )
    kept = sides.ours or sides.theirs
    if group.git_type == "rename/delete" and kept and sides.ancestor and kept.oid == sides.ancestor.oid:
        return (
            "One side deleted the file, the other only moved it and changed nothing in it: nothing is lost by `git rm`."
        )
    return None


def _same_but_for_space(sides: ConflictSides, blobs: Mapping[str, bytes]) -> bool:
    if not (sides.ours and sides.theirs) or sides.ours.mode != sides.theirs.mode:
        return False
    ours, theirs = blobs.get(sides.ours.oid), blobs.get(sides.theirs.oid)
    if ours is None or theirs is None or b"\0" in ours or sides.ours.mode not in {"100644", "100755"}:
        return False
    return b"".join(ours.split()) == b"".join(theirs.split())


def _unspaced(lines: tuple[bytes, ...]) -> bytes:
    return b"".join(b"".join(lines).split())

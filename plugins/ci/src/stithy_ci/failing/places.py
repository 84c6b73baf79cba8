"""Where in the repository the files are that logs and result files name otherwise: by its list of files.

A path of another machine, or that of a class in its package, is no path that an agent can open. The list is one request
for a commit, kept, and only asked for where such a file is told; without it all stays as it was told.
"""

import re
from collections.abc import Iterable, Sequence
from typing import cast

from attrs import evolve

from ci_failures.results.paths import Tree
from stithy_ci.failing.entries import Entry
from stithy_ci.sources.memory import memory_of
from stithy_core.spi import Context, Forge, ForgeError, RepositoryRef, Unsupported

ELSEWHERE = re.compile(r"^(?:[/~]|[A-Za-z]:[\\/]|\.\./)|\.(?:java|kt|kts|scala|groovy)$|^[^/]+\.(?:cs|fs|vb|swift)$")
"""Paths that are not those of the repository: absolute ones, and those that tools for the JVM and .NET give."""
HEAVY = 50
"""Files that weigh as much in memory as one failure."""


def is_elsewhere(file: str) -> bool:
    """Return whether a path is none of the repository's."""
    return bool(ELSEWHERE.search(file))


async def located(
    ctx: Context, forge: Forge, repository: RepositoryRef, commit: str, entries: Sequence[Entry]
) -> list[Entry]:
    """Return entries with their files as the repository has them, where it is clear which these are.

    Args:
        ctx: The call.
        forge: Where they are.
        repository: Likewise.
        commit: Of which the files are.
        entries: What failed.
    """
    if not any(is_elsewhere(entry.file_path or "") for entry in entries):
        return list(entries)
    files = await _files(ctx, forge, repository, commit)
    if not files:
        return list(entries)
    return await ctx.thread(_mapped, Tree(files), entries)


def _mapped(tree: Tree, entries: Iterable[Entry]) -> list[Entry]:
    return [evolve(entry, file_path=_path(tree, entry) or entry.file_path) for entry in entries]


def _path(tree: Tree, entry: Entry) -> str:
    """Return the only file that is meant; of several the one in the module that the failure belongs to."""
    found = tree.matching(entry.file_path or "")
    if len(found) > 1 and entry.place:
        module = entry.place.rstrip("/").split("/")[-1].strip(":").split(":")
        found = [file for file in found if any(part in file.split("/") for part in module)]
    return found[0] if len(found) == 1 else ""


async def _files(ctx: Context, forge: Forge, repository: RepositoryRef, commit: str) -> Sequence[str]:
    key, kept = (repository, "tree", commit), await memory_of(ctx, forge)
    if (before := kept.get(key)) is not None:
        return cast("Sequence[str]", before)
    try:
        listed = await forge.changes.tree(repository, commit)
    except (ForgeError, Unsupported):
        return ()
    files = () if listed.cut else tuple(listed)  # of some, the only one that fits may not be the only one
    kept.put(key, files, len(files) // HEAVY)
    return files

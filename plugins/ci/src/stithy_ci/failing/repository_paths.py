"""Map the files of failures to those of the repository, by its list of files.

A path of another machine, or of a class in its package, is not a path that an agent can open. The list is one request
for a commit, is cached, and is only requested for such files. Without it, the files stay as they are.
"""

import re
from collections.abc import Iterable, Sequence
from typing import cast

from attrs import evolve

from ci_failures.results.paths import Tree
from stithy_ci.failing.failure_entry import Entry
from stithy_ci.sources.job_cache import get_token_cache
from stithy_core.spi import Context, Forge, ForgeError, RepositoryRef, Unsupported

ELSEWHERE = re.compile(r"^(?:[/~]|[A-Za-z]:[\\/]|\.\./)|\.(?:java|kt|kts|scala|groovy)$|^[^/]+\.(?:cs|fs|vb|swift)$")
"""Paths that are not the repository's: absolute ones, and those that tools for the JVM and .NET print."""
HEAVY = 50
"""Files that weigh as much in the cache as one failure."""


def is_elsewhere(file: str) -> bool:
    """Check whether a path is not one of the repository."""
    return bool(ELSEWHERE.search(file))


async def map_files(
    ctx: Context, forge: Forge, repository: RepositoryRef, commit: str, entries: Sequence[Entry]
) -> list[Entry]:
    """Return entries with the paths of the repository, where these are unambiguous.

    Args:
        ctx: The call.
        forge: The forge of the repository.
        repository: The repository.
        commit: The commit of the files.
        entries: What failed.
    """
    if not any(is_elsewhere(entry.file_path or "") for entry in entries):
        return list(entries)
    files = await _list_files(ctx, forge, repository, commit)
    if not files:
        return list(entries)
    return await ctx.thread(_replace_paths, Tree(files), entries)


def _replace_paths(tree: Tree, entries: Iterable[Entry]) -> list[Entry]:
    return [evolve(entry, file_path=_find_path(tree, entry) or entry.file_path) for entry in entries]


def _find_path(tree: Tree, entry: Entry) -> str:
    """Return the matching file of the repository; of several, the one in the failure's module."""
    found = tree.matching(entry.file_path or "")
    if len(found) > 1 and entry.place:
        module = entry.place.rstrip("/").split("/")[-1].strip(":").split(":")
        found = [file for file in found if any(part in file.split("/") for part in module)]
    return found[0] if len(found) == 1 else ""


async def _list_files(ctx: Context, forge: Forge, repository: RepositoryRef, commit: str) -> Sequence[str]:
    key, kept = (repository, "tree", commit), await get_token_cache(ctx, forge)
    if (before := kept.get(key)) is not None:
        return cast("Sequence[str]", before)
    try:
        listed = await forge.changes.tree(repository, commit)
    except (ForgeError, Unsupported):
        return ()
    files = () if listed.cut else tuple(listed)  # in a part of the list, the only match may not be the only one
    kept.store(key, files, len(files) // HEAVY)
    return files

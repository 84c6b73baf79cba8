"""Bare repositories in the user's cache directory: one for each repository that was asked for.

Nothing in them is anybody's work, so whatever is wrong with one, it is made anew. Several processes may use them: who
reads holds a shared lock, and who removes one holds it alone.
"""

import os
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import blake2b
from pathlib import Path

import anyio
import anyio.to_thread
from attrs import frozen

from stithy_pulls.git.locks import Lock, held, taken

MEGABYTE = 1024 * 1024
DAY = 86_400
CONFIG = (
    "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"  # what else is set, the environment of each command says
)


@frozen
class RepositoryCache:
    """All caches.

    Args:
        root: Where they are.
        most_bytes: How much they may take together.
        most_seconds: How long one may lie unused.
    """

    root: Path
    most_bytes: int
    most_seconds: int

    @asynccontextmanager
    async def open(self, url: str, objects: str = "") -> AsyncIterator[Path]:
        """Give the repository for a URL, made if there is none; it stays until the context is left.

        Args:
            url: Where it is fetched from.
            objects: A folder of git objects that stand beside its own: those of a clone.
        """
        bare = self._place(url, objects)
        await anyio.to_thread.run_sync(self._begin)
        async with held(bare.with_suffix(".lock"), Lock.SHARED):
            async with held(bare.with_suffix(".making"), Lock.ALONE):
                is_new = await anyio.to_thread.run_sync(_made, bare, objects)
            if is_new:
                await anyio.to_thread.run_sync(self.evict, bare)
            yield bare

    async def discard(self, url: str, objects: str = "") -> None:
        """Remove a repository that is damaged, once nobody reads it."""
        bare = self._place(url, objects)
        async with held(bare.with_suffix(".lock"), Lock.ALONE):
            await anyio.to_thread.run_sync(_remove, bare)

    def evict(self, kept: Path) -> None:
        """Remove what is too old or too much, the longest unused first; what somebody uses stays."""
        found = sorted((_used(bare), bare) for bare in self.root.glob("*.git"))
        sizes = {bare: _size(bare) for _, bare in found}
        total = sum(sizes.values())
        for used, bare in found:
            old = time.time() - used > self.most_seconds
            if bare != kept and (old or total > self.most_bytes) and _remove_unused(bare):
                total -= sizes[bare]

    def _place(self, url: str, objects: str) -> Path:
        name = blake2b(f"{url}\0{objects}".encode(errors="surrogateescape"), digest_size=16).hexdigest()
        return self.root / f"{name}.git"

    def _begin(self) -> None:
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)


def _made(bare: Path, objects: str) -> bool:
    """Make a repository unless it is there, note that it is used, and say whether it was made."""
    is_new = not (bare / "HEAD").exists()
    if is_new:
        _remove(bare)
        for folder in ("objects/info", "objects/pack", "refs/heads"):
            (bare / folder).mkdir(mode=0o700, parents=True)
        (bare / "config").write_text(CONFIG)
        if objects:
            (bare / "objects/info/alternates").write_bytes(os.fsencode(objects) + b"\n")
        (bare / "HEAD").write_text("ref: refs/heads/none\n")
    os.utime(bare / "config")
    return is_new


def _remove(bare: Path) -> None:
    shutil.rmtree(bare, ignore_errors=True)


def _remove_unused(bare: Path) -> bool:
    with taken(bare.with_suffix(".lock")) as alone:
        if alone:
            _remove(bare)
        return alone


def _used(bare: Path) -> float:
    return _stat(bare / "config").st_mtime


def _size(bare: Path) -> int:
    return sum(_stat(file).st_size for file in bare.rglob("*"))


def _stat(path: Path) -> os.stat_result:
    try:
        return path.lstat()
    except OSError:  # it went meanwhile
        return os.stat_result((0,) * 10)

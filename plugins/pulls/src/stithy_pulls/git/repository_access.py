"""From a forge's repository to one in which git answers here."""

import os
import re
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread
from attrs import frozen
from platformdirs import user_cache_path

from stithy_core.spi import Context, Forge, RepositoryRef, Scope
from stithy_pulls.git.git_environment import SETTINGS, build_environment
from stithy_pulls.git.git_errors import DamagedCache, GitError
from stithy_pulls.git.git_process import run_git
from stithy_pulls.git.git_repository import LEAST, GitRepository
from stithy_pulls.git.locks import Lock, held, taken
from stithy_pulls.git.working_clone import find_clone_objects
from stithy_pulls.settings import PullsSettings

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


T = TypeVar("T")

NUMBERS = re.compile(r"(\d+)\.(\d+)")


class GitProgram:
    """The git of this server; it is asked once what version it is."""

    def __init__(self, scope: Scope) -> None:
        self._name = scope.settings(PullsSettings).git
        self._fault: GitError | None = None
        self._path = ""

    async def find(self) -> str:
        """Give its path.

        Raises:
            NoGit: It is switched off, missing or too old.
        """
        if not self._path and self._fault is None:
            try:
                self._path = await self._look()
            except GitError as fault:
                self._fault = fault
        if self._fault is not None:
            raise self._fault
        return self._path

    async def _look(self) -> str:
        if not self._name:
            raise GitError("git is switched off by the settings", suggestion="Name it in [pulls] git.")
        path = shutil.which(self._name)
        if path is None:
            remedy = "Install git 2.39 or newer, or name it in [pulls] git."
            raise GitError(f"there is no program {self._name} here", suggestion=remedy)
        ran = await run_git([path, "--version"], build_environment(SETTINGS), seconds=10)
        said = ran.out.decode(errors="replace").strip()
        numbers = NUMBERS.search(said)
        if numbers is None or (int(numbers[1]), int(numbers[2])) < LEAST:
            raise GitError(f"{said or self._name} cannot merge without a working tree", suggestion="Install git 2.39.")
        return path


async def with_repository(
    ctx: Context, forge: Forge, repository: RepositoryRef, work: Callable[[GitRepository], Awaitable[T]]
) -> T:
    """Do what needs git on a repository of a forge; where the cache is damaged, once more on a new one.

    Args:
        ctx: The call.
        forge: The forge.
        repository: Which of its repositories.
        work: What to do; it may be called twice.

    Raises:
        NoGit: git is not there, too old, or could not read the repository.
    """
    program = await ctx.shared(GitProgram).find()
    settings = ctx.settings(PullsSettings)
    remote = await forge.changes.git(repository)
    objects = await find_clone_objects(ctx, program, forge, repository)
    cache = RepositoryCache(
        user_cache_path("stithy") / "pulls", settings.cache_mb * MEGABYTE, settings.cache_days * DAY
    )

    async def once(objects: str) -> T:
        async with cache.open(remote.url, objects) as folder:
            return await work(GitRepository(program, folder, remote, settings.git_seconds))

    try:
        try:
            return await once(objects)
        except DamagedCache as fault:  # the clone's objects may be what cannot be read: they are left out
            ctx.log.warning("a cache of %s is made anew: %s", repository, fault.message)
            await cache.discard(remote.url, objects)
            return await once("")
    except OSError as error:
        text = f"the cache at {cache.root} cannot be used: {error.strerror}"
        raise GitError(text, suggestion="Let the server write there, or set XDG_CACHE_HOME.") from error

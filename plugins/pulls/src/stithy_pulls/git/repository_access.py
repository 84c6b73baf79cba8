"""Open the cached repository of a forge's repository, and run work on it.

Caches are bare repositories in the user's cache directory. They hold nobody's work, so a damaged one is deleted and
created again. Several processes may use them: readers hold a shared lock, and a process that removes one holds it
exclusively.
"""

import os
import re
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread
from attrs import evolve, frozen
from platformdirs import user_cache_path

from stithy_core.spi import Context, FileLock, Forge, RepositoryRef, Scope, hold_file_lock, try_file_lock
from stithy_pulls.git.git_environment import SETTINGS, build_environment
from stithy_pulls.git.git_errors import DamagedCache, GitError, HistoryNeeded
from stithy_pulls.git.git_process import run_git
from stithy_pulls.git.git_repository import MINIMUM_VERSION, GitRepository
from stithy_pulls.git.ref_fetching import DEPTHS
from stithy_pulls.git.working_clone import find_clone_objects
from stithy_pulls.pulls_settings import PullsSettings

MEGABYTE = 1024 * 1024
DAY = 86_400
# The other settings are in the environment of each command.
CONFIG = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"


@frozen
class RepositoryCache:
    """All cached repositories.

    Args:
        root: The folder that contains them.
        most_bytes: The total size they may have.
        most_seconds: How long one may be unused.
    """

    root: Path
    most_bytes: int
    most_seconds: int

    @asynccontextmanager
    async def open(self, url: str, objects: str = "", *, recent: bool = False) -> AsyncIterator[Path]:
        """Open the repository for a URL, created if necessary. It is not removed before the context ends.

        Args:
            url: The URL it is fetched from.
            objects: A folder with git objects of a clone, used as alternates; empty for none.
            recent: Whether it holds the latest commits only. It is open once at a time then, because a fetch may cut
                off history that another call reads.
        """
        bare = self._place(url, objects, recent=recent)
        await anyio.to_thread.run_sync(self._begin)
        async with hold_file_lock(bare.with_suffix(".lock"), FileLock.SHARED):
            async with hold_file_lock(bare.with_suffix(".making"), FileLock.ALONE):
                is_new = await anyio.to_thread.run_sync(_create_if_missing, bare, objects)
            if is_new:
                await anyio.to_thread.run_sync(self.evict, bare)
            async with hold_file_lock(bare.with_suffix(".recent"), FileLock.ALONE) if recent else nullcontext():
                yield bare

    def has_history(self, url: str) -> bool:
        """Return whether the whole history of a URL was fetched."""
        refs = self._place(url, "") / "refs/heads"
        return refs.exists() and any(refs.iterdir())

    async def discard(self, url: str, objects: str = "", *, recent: bool = False) -> None:
        """Remove a damaged repository when no process reads it."""
        bare = self._place(url, objects, recent=recent)
        async with hold_file_lock(bare.with_suffix(".lock"), FileLock.ALONE):
            await anyio.to_thread.run_sync(_remove, bare)

    def evict(self, kept: Path) -> None:
        """Remove expired repositories, and the least recently used ones above the size limit, unless in use."""
        found = sorted((_get_last_use(bare), bare) for bare in self.root.glob("*.git"))
        sizes = {bare: _measure_size(bare) for _, bare in found}
        total = sum(sizes.values())
        for used, bare in found:
            old = time.time() - used > self.most_seconds
            if bare != kept and (old or total > self.most_bytes) and _remove_unused(bare):
                total -= sizes[bare]

    def _place(self, url: str, objects: str, *, recent: bool = False) -> Path:
        identity = f"{url}\0{objects}" + "\0recent" * recent
        name = blake2b(identity.encode(errors="surrogateescape"), digest_size=16).hexdigest()
        return self.root / f"{name}.git"

    def _begin(self) -> None:
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)


def _create_if_missing(bare: Path, objects: str) -> bool:
    """Create a repository unless it exists, record its use, and return whether it was created.

    A process that ended while it removed one may have left any part of it.
    """
    is_new = not all((bare / part).exists() for part in ("HEAD", "config", "objects/info", "refs/heads"))
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
    with try_file_lock(bare.with_suffix(".lock")) as alone:
        if alone:
            _remove(bare)
        return alone


def _get_last_use(bare: Path) -> float:
    return _stat(bare / "config").st_mtime


def _measure_size(bare: Path) -> int:
    return sum(_stat(file).st_size for file in bare.rglob("*"))


def _stat(path: Path) -> os.stat_result:
    try:
        return path.lstat()
    except OSError:  # it was deleted meanwhile
        return os.stat_result((0,) * 10)


T = TypeVar("T")

NUMBERS = re.compile(r"(\d+)\.(\d+)")


class GitProgram:
    """The git program of this server; its version is checked once."""

    def __init__(self, scope: Scope) -> None:
        self._name = scope.settings(PullsSettings).git
        self._fault: GitError | None = None
        self._path = ""

    async def find(self) -> str:
        """Return the path of git.

        Raises:
            GitError: git is disabled, missing or too old.
        """
        if not self._path and self._fault is None:
            try:
                self._path = await self._locate()
            except GitError as fault:
                self._fault = fault
        if self._fault is not None:
            raise self._fault
        return self._path

    async def _locate(self) -> str:
        if not self._name:
            raise GitError("git is disabled in the settings", suggestion="Set git in [pulls].")
        path = shutil.which(self._name)
        if path is None:
            remedy = "Install git 2.38 or newer, or set its path as git in [pulls]."
            raise GitError(f"program {self._name!r} not found", suggestion=remedy)
        output = await run_git([path, "--version"], build_environment(SETTINGS), seconds=10)
        version = output.stdout.decode(errors="replace").strip()
        numbers = NUMBERS.search(version)
        if numbers is None or (int(numbers[1]), int(numbers[2])) < MINIMUM_VERSION:
            raise GitError(
                f"{version or self._name} is too old to merge without a working tree",
                suggestion="Install git 2.38 or newer.",
            )
        return path


async def with_repository(
    ctx: Context,
    forge: Forge,
    repository: RepositoryRef,
    work: Callable[[GitRepository], Awaitable[T]],
    *,
    recent: bool = False,
    announced: bool = False,
) -> T:
    """Run work that needs git on a forge's repository; if the cache is damaged, run it again on a new one.

    Args:
        ctx: The call.
        forge: The forge.
        repository: The repository on the forge.
        work: The work; it may be called again.
        announced: Whether a first fetch is announced with the size of the repository, which takes a request.
        recent: Whether the latest commits may be enough. The work then raises `HistoryNeeded` if they are not.

    Raises:
        GitError: git is missing, too old, or could not read the repository.
    """
    program = await ctx.shared(GitProgram).find()
    settings = ctx.settings(PullsSettings)
    remote = await forge.changes.git(repository)
    objects = await find_clone_objects(ctx, program, forge, repository)
    cache = RepositoryCache(
        user_cache_path("stithy") / "pulls", settings.cache_mb * MEGABYTE, settings.cache_days * DAY
    )

    async def run_work(objects: str, depth: int = 0, notes: Sequence[str] = ()) -> T:
        async with cache.open(remote.url, objects, recent=depth > 0) as folder:
            opened = GitRepository(program, folder, remote, forge, settings.git_seconds, [*notes])
            return await work(evolve(opened, name=repository if announced and not objects else None, depth=depth))

    async def run_repairing(objects: str, depth: int = 0, notes: Sequence[str] = ()) -> T:
        try:
            return await run_work(objects, depth, notes)
        except DamagedCache as fault:
            # The clone's objects may be the damaged ones, so the second attempt does without them.
            ctx.log.warning("the damaged cache of %s is created again: %s", repository, fault.message)
            await cache.discard(remote.url, objects, recent=depth > 0)
            return await run_work("", depth, notes)

    try:
        if not recent or objects or cache.has_history(remote.url):
            return await run_repairing(objects)
        try:
            return await run_repairing("", DEPTHS[0])
        except HistoryNeeded as fault:
            return await run_repairing("", notes=[fault.message])
    except OSError as error:
        text = f"cannot use the cache at {cache.root}: {error.strerror}"
        raise GitError(text, suggestion="Make the folder writable for the server, or set XDG_CACHE_HOME.") from error

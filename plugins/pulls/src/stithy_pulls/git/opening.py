"""From a forge's repository to one in which git answers here."""

import re
import shutil
from collections.abc import Awaitable, Callable
from typing import TypeVar

from platformdirs import user_cache_path

from stithy_core.spi import Context, Forge, RepositoryRef, Scope
from stithy_pulls.git.cache import DAY, MEGABYTE, RepositoryCache
from stithy_pulls.git.environment import SETTINGS, build_environment
from stithy_pulls.git.faults import DamagedCache, GitError
from stithy_pulls.git.local import find_clone_objects
from stithy_pulls.git.repository import LEAST, GitRepository
from stithy_pulls.git.running import run_git
from stithy_pulls.settings import PullsSettings

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
    cache = RepositoryCache(user_cache_path("stithy") / "pulls", settings.cache_mb * MEGABYTE, settings.cache_days * DAY)

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

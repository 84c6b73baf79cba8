"""The clone that the server runs in: what it has need not be fetched.

It is never used as a repository, since what its configuration names would be run. Only its objects are looked at,
beside those of a cache.
"""

from pathlib import Path

from stithy_core.spi import Context, Forge, RepositoryRef, StithyError
from stithy_pulls.git.git_environment import SETTINGS, build_environment
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.git_process import run_git

SECONDS = 5


def find_clone() -> Path | None:
    """Give the working directory where it lies in a repository."""
    try:
        here = Path.cwd()
    except OSError:  # it was deleted
        return None
    return here if any((folder / ".git").exists() for folder in (here, *here.parents)) else None


async def find_clone_objects(ctx: Context, program: str, forge: Forge, repository: RepositoryRef) -> str:
    """Give the folder of objects of the working directory's repository, worktree or not, where it is a clone of this.

    A remote of it must name the repository on this forge. A shallow clone lacks what a merge base is found by.
    """
    here = find_clone()
    if here is None:
        return ""
    try:
        found, named = await ctx.repository(str(here))
        if found.config.url != forge.config.url or str(named).lower() != str(repository).lower():
            return ""
        asked = ("--path-format=absolute", "--is-shallow-repository", "--git-path", "objects")
        ran = await run_git(
            [program, "-C", str(here), "rev-parse", *asked], build_environment(SETTINGS), seconds=SECONDS
        )
    except (StithyError, GitError):  # it is no clone of anything that is known here
        return ""
    shallow, _, objects = ran.out.decode(errors="surrogateescape").partition("\n")
    objects = objects.removesuffix("\n")
    return objects if not ran.code and shallow == "false" and "\n" not in objects else ""

"""The clone that contains the server's working directory: its objects need not be fetched.

It is never used as a repository, because its configuration can name programs that git would run. Only its objects
are used, beside those of a cache.
"""

from pathlib import Path

from stithy_core.spi import Context, Forge, RepositoryRef, StithyError
from stithy_pulls.git.git_environment import SETTINGS, build_environment
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.git_process import run_git

SECONDS = 5


def find_clone() -> Path | None:
    """Return the working directory if it is inside a repository."""
    try:
        here = Path.cwd()
    except OSError:  # it was deleted
        return None
    return here if any((folder / ".git").exists() for folder in (here, *here.parents)) else None


async def find_clone_objects(ctx: Context, program: str, forge: Forge, repository: RepositoryRef) -> str:
    """Return the objects folder of the working directory's repository if it is a clone of `repository`; else "".

    A remote of the clone must name the repository on this forge. Worktrees count as clones. A shallow clone does not:
    it lacks commits that a merge base needs.
    """
    here = find_clone()
    if here is None:
        return ""
    try:
        found, named = await ctx.repository(str(here))
        if found.config.url != forge.config.url or str(named).lower() != str(repository).lower():
            return ""
        arguments = ("--path-format=absolute", "--is-shallow-repository", "--git-path", "objects")
        output = await run_git(
            [program, "-C", str(here), "rev-parse", *arguments], build_environment(SETTINGS), seconds=SECONDS
        )
    except (StithyError, GitError):  # not a clone of a configured forge
        return ""
    shallow, _, objects = output.stdout.decode(errors="surrogateescape").partition("\n")
    objects = objects.removesuffix("\n")
    return objects if not output.exit_code and shallow == "false" and "\n" not in objects else ""

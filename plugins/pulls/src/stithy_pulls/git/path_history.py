"""Queries about paths in history: last changes, changed paths, and the objects of a tree."""

from collections.abc import Iterable, Sequence

from attrs import evolve

from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.git_repository import GitRepository, PathChange

START = "\x1e"
FORMAT = "--format=%x1e%m%x1f%H%x1f%an%x1f%aI%x1f%s"
LITERAL = "--literal-pathspecs"
MOST_PATHS = 500
WITHHELD = "[withheld: nobody is proven to have written it]"


async def find_merge_base(repository: GitRepository, one: str, other: str) -> str:
    """Return the best common ancestor of two commits; empty if they have none."""
    output = await repository.git("merge-base", one, other, allowed_codes=(0, 1))
    return output.stdout.decode().strip()


async def find_last_changes(
    repository: GitRepository, ours: str, theirs: str, paths: Iterable[str]
) -> tuple[dict[str, PathChange], dict[str, PathChange]]:
    """Return, by path, the last commit of each side since they diverged that changed it.

    Only trees are compared; files are not read.

    Returns:
        The commits that only `ours` has, and those that only `theirs` has.
    """
    wanted = [path for path in dict.fromkeys(paths) if path][:MOST_PATHS]
    if not wanted:
        return {}, {}
    words = (LITERAL, "log", FORMAT, "--left-right", "--name-only", "-z", "--no-renames", f"{ours}...{theirs}", "--")
    try:
        output = await repository.git(*words, *wanted, network=True)
    except (GitError, ValueError):  # the authors are optional: the conflict is still reported
        return {}, {}
    return _parse_log(output.stdout.decode(errors="surrogateescape").split("\0"), withheld=repository.remote.lockdown)


async def list_changed_paths(repository: GitRepository, since: str, tip: str) -> set[str]:
    """Return the paths that differ between two commits."""
    return set(await repository.run_lines("diff-tree", "-r", "-z", "--name-only", "--no-renames", since, tip))


async def list_objects_at(repository: GitRepository, tree: str, paths: Sequence[str]) -> dict[str, str]:
    """Return the object id at each path of a tree."""
    return {path: oid for path, (_, oid) in (await list_files_at(repository, tree, paths)).items()}


async def list_files_at(repository: GitRepository, tree: str, paths: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the mode (octal) and the object id at each path of a tree or a commit."""
    if not paths:
        return {}
    rows = await repository.run_lines(LITERAL, "ls-tree", "-z", tree, "--", *paths)
    split = (row.partition("\t") for row in rows)
    words = ((path, record.split(" ")) for record, _, path in split)
    return {path: (mode, oid) for path, (mode, _, oid) in words}


def _parse_log(fields: Sequence[str], *, withheld: bool) -> tuple[dict[str, PathChange], dict[str, PathChange]]:
    """Parse commits, newest first: each with the mark of its side, `<` or `>`, and followed by its paths."""
    found: dict[str, dict[str, PathChange]] = {"<": {}, ">": {}}
    side, change = found["<"], None
    for field in fields:
        if field.startswith(START):
            mark, *words = field.removeprefix(START).split("\x1f", 4)
            side, change = found[mark], PathChange(*words)
            if withheld:
                change = evolve(change, author=WITHHELD, subject=WITHHELD)
        elif change is not None and (path := field.removeprefix("\n")):
            side.setdefault(path, change)
    return found["<"], found[">"]

"""Queries about paths in history: last changes, changed paths, and the objects of a tree."""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from attrs import evolve

from stithy_core.spi import map_concurrently
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.git_repository import GitRepository, PathChange

START = "\x1e"
FORMAT = "--format=%x1e%m%n%H%n%an%n%aI%n%s"
"""Fields of a commit, a line each: a name or a subject may have any other character."""
LITERAL = "--literal-pathspecs"
MOST_PATHS = 500
MOST_FORK_POINTS = 20
WITHHELD = "[withheld: nobody is proven to have written it]"


async def find_merge_base(repository: GitRepository, one: str, other: str) -> str:
    """Return the best common ancestor of two commits; empty if they have none."""
    output = await repository.git("merge-base", one, other, allowed_codes=(0, 1))
    return output.stdout.decode().strip()


async def is_divergence_known(repository: GitRepository, one: str, other: str) -> bool:
    """Return whether the whole history would show the same merge base, and the same commits of one side alone.

    Commits that were not fetched are ancestors of a shallow commit, whose parents are unknown. They change nothing if
    all shallow commits are common to both sides, and none leads to anything that seems to be of one side alone.
    """
    shallow = repository.list_shallow()
    if not shallow:
        return True
    ends = f"{one}...{other}"
    output = await repository.git("rev-list", "--parents", "--boundary", ends, what="read history")
    rows = [line.split(" ") for line in output.stdout.decode().splitlines()]
    common = [row[0].removeprefix("-") for row in rows if row[0].startswith("-")]  # the parents of the other rows
    own = [row for row in rows if not row[0].startswith("-")]
    if any(row[0] in shallow or len(row) == 1 for row in own):  # a root may be an ancestor of both
        return False
    if len(common) <= 1:
        return True
    return len(common) <= MOST_FORK_POINTS and await _is_gapless(repository, one, other, common, shallow)


async def _is_gapless(
    repository: GitRepository, one: str, other: str, common: Sequence[str], shallow: AbstractSet[str]
) -> bool:
    """Return whether one of several common commits has all others in its history, with all between them fetched."""
    bases = (await repository.git("merge-base", "--all", one, other, allowed_codes=(0, 1))).stdout.decode().split()
    if len(bases) != 1:  # one of them may be an ancestor of another by commits that are missing
        return False
    ranges = [f"{commit}..{bases[0]}" for commit in common if commit != bases[0]]
    listed = await map_concurrently(ranges, lambda words: repository.git("rev-list", words, what="read history"))
    return not any(shallow & set(output.stdout.decode().split()) for output in listed)


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
    words = (LITERAL, "log", FORMAT, "--left-right", "--raw", "-z", "--no-renames", f"{ours}...{theirs}", "--")
    try:
        output = await repository.git(*words, *wanted, network=True)
    except (GitError, ValueError):  # the authors are optional: the conflict is still reported
        return {}, {}
    return _parse_log(output.stdout.decode(errors="surrogateescape").split("\0"), withheld=repository.remote.lockdown)


async def list_changed_paths(repository: GitRepository, since: str, tip: str) -> set[str]:
    """Return the paths that differ between two commits."""
    return set(await repository.run_lines("diff-tree", "-r", "-z", "--name-only", "--no-renames", since, tip))


async def list_all_paths(repository: GitRepository, commit: str) -> tuple[str, ...]:
    """Return the paths of all files of a commit."""
    return tuple(await repository.run_lines("ls-tree", "-r", "-z", "--name-only", commit, what="list files"))


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
    for header, rows in split_raw_log(fields):
        mark, *words = header.split("\n", 4)
        change = PathChange(*words)
        if withheld:
            change = evolve(change, author=WITHHELD, subject=WITHHELD)
        for _, path in rows:
            found[mark].setdefault(path, change)
    return found["<"], found[">"]


def split_raw_log(fields: Iterable[str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield each commit of `git log --raw -z --no-renames` whose format begins with `START`.

    A path follows its entry, so none can be mistaken for a commit, whatever it begins with.

    Returns:
        The text of the format, and pairs of an entry and a path.
    """
    header: str | None = None
    rows: list[tuple[str, str]] = []
    rest = iter(fields)
    for field in (field.removeprefix("\n") for field in rest):
        if field.startswith(START):
            if header is not None:
                yield header, rows
            header, rows = field.removeprefix(START), []
        elif field:
            rows.append((field, next(rest)))
    if header is not None:
        yield header, rows

"""Commits of a cached repository, read without any file."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from attrs import field, frozen

from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.path_history import WITHHELD

FIELDS = "--format=%H%n%P%n%T%n%aI%n%ct%n%ae%n%an%n%s"
"""Fields of a commit, a line each: a name or a subject may have any other character."""
MOST = 5_000
LATEST = 253_402_300_799
"""The last second of the year 9999, after which Python has no time. git takes any number for one."""


@frozen(kw_only=True)
class CommitEntry:
    """A commit: its SHA, parents, tree, author, author time (ISO 8601) and subject.

    `committed` is the commit time in seconds since 1970; a rebase or an amendment changes it.
    """

    sha: str
    parents: tuple[str, ...]
    tree: str
    author: str
    email: str
    at: str
    committed: int
    subject: str

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """What a rebase, an amendment or a cherry-pick keeps: author, address, author time and subject."""
        return self.author, self.email, self.at, self.subject


async def list_commits(
    repository: GitRepository, tips: Iterable[str], without: Iterable[str] = (), *options: str, most: int = MOST
) -> list[CommitEntry]:
    """List the commits of the tips that others do not have, every child before its parents.

    Args:
        repository: A repository with all of them.
        tips: SHAs.
        without: SHAs whose whole history is excluded.
        options: Further options of git log.
        most: Maximum number of commits.
    """
    wanted, excluded = list(dict.fromkeys(tips)), frozenset(without)
    is_line = len(wanted) == 1 and not options
    parts = (line.take_part(wanted[0], excluded) for line in repository.lines) if is_line else ()
    if (known := next(filter(None, parts), None)) is not None:
        return list(known.entries[:most])
    words = ("log", "--topo-order", "-z", FIELDS, f"--max-count={most}", *options, "--stdin")
    shas_input = "".join(f"{sha}\n" for sha in (*wanted, *(f"^{sha}" for sha in sorted(excluded)))).encode()
    rows = await repository.run_lines(*words, stdin=shas_input, what="read history", immutable=True)
    entries = [_parse_entry(row) for row in rows]
    repository.trees |= {entry.sha: entry.tree for entry in entries}
    if is_line and len(entries) < most and is_straight(entries):
        repository.lines.append(CommitLine(tuple(entries), excluded))
    return entries


@frozen
class CommitLine:
    """All commits of a tip that others do not have, newest first, each the only parent of the one before it.

    What is between two of them is known without git: a stack is asked for such parts again and again.
    """

    entries: tuple[CommitEntry, ...]
    excluded: frozenset[str]
    places: dict[str, int] = field(init=False)

    @places.default
    def _map_places(self) -> dict[str, int]:
        return {entry.sha: at for at, entry in enumerate(self.entries)}

    def take_part(self, tip: str, without: frozenset[str]) -> "CommitLine | None":
        """Return the part from a tip on, without the history of others; None if it cannot be told from this line."""
        others = without - self.excluded
        if tip not in self.places or not self.excluded <= without or not others <= self.places.keys():
            return None
        end = min((self.places[sha] for sha in others), default=len(self.entries))
        return CommitLine(self.entries[self.places[tip] : end], without)


def is_straight(entries: Sequence[CommitEntry]) -> bool:
    """Return whether each commit is the only parent of the one before it."""
    parents = [(after.sha,) for after in entries[1:]]
    return bool(entries) and [entry.parents for entry in entries[:-1]] == parents and len(entries[-1].parents) < 2  # noqa: PLR2004 -- a merge has two


async def is_ancestor(repository: GitRepository, one: str, other: str) -> bool:
    """Return whether a commit is in the history of another, or is the same."""
    for line in repository.lines:
        if one in line.places and other in line.places:
            return line.places[one] >= line.places[other]
    if one == other:
        return True
    output = await repository.git("merge-base", "--is-ancestor", one, other, allowed_codes=(0, 1), immutable=True)
    return output.exit_code == 0


async def count_commits(repository: GitRepository, since: str, tip: str) -> int:
    """Return how many commits `tip` has that `since` does not have."""
    output = await repository.git("rev-list", "--count", f"{since}..{tip}", what="count commits", immutable=True)
    return int(output.stdout)


async def filter_present(repository: GitRepository, shas: Iterable[str]) -> list[str]:
    """Return the commits that the cache has; nothing is fetched."""
    wanted = list(dict.fromkeys(filter(None, shas)))
    if doubtful := [sha for sha in wanted if sha not in repository.trees and sha not in repository.present]:
        shas_input = "".join(f"{sha}\n" for sha in doubtful).encode()
        output = await repository.git("cat-file", "--batch-check", stdin=shas_input, what="find commits")
        rows = (line.split(" ") for line in output.stdout.decode(errors="replace").splitlines())
        found = {row[0] for row in rows if len(row) == 3 and row[1] == "commit"}  # noqa: PLR2004 -- oid, type, size
        repository.present |= found
    return [sha for sha in wanted if sha in repository.trees or sha in repository.present]


async def find_signed(repository: GitRepository, entries: Iterable[CommitEntry]) -> frozenset[str]:
    """Return the SHAs of the commits that carry a signature. Signatures are not verified."""
    found = await repository.read_objects(entry.sha for entry in entries)
    heads = {sha: content.partition(b"\n\n")[0] for sha, content in found.items()}
    return frozenset(sha for sha, head in heads.items() if b"\ngpgsig" in head)  # gpgsig-sha256 in SHA-256 repositories


def get_visible_text(repository: GitRepository, entry: CommitEntry) -> tuple[str, str]:
    """Return a commit's subject and author, or a placeholder if lockdown withholds texts of unproven authors."""
    return (WITHHELD, WITHHELD) if repository.remote.lockdown else (entry.subject, entry.author)


def _parse_entry(row: str) -> CommitEntry:
    sha, parents, tree, at, committed, email, author, subject = row.split("\n", 7)
    return CommitEntry(
        sha=sha,
        parents=tuple(parents.split()),
        tree=tree,
        author=author,
        email=email,
        at=at,
        committed=int(committed),
        subject=subject,
    )


def parse_git_time(seconds: str) -> datetime:
    """Return the time of a commit, UTC; for a later one than Python has, the last of the year 9999."""
    return datetime.fromtimestamp(min(int(seconds), LATEST), UTC)


def order_oldest_first(entries: Sequence[CommitEntry]) -> tuple[CommitEntry, ...]:
    """Return the commits oldest first, without merges."""
    return tuple(entry for entry in reversed(entries) if len(entry.parents) < 2)  # noqa: PLR2004 -- a merge has two

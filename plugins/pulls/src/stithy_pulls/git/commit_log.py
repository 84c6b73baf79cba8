"""Commits in a cache, read without any file."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.path_history import WITHHELD

FIELDS = "--format=%H%x1f%P%x1f%T%x1f%aI%x1f%ct%x1f%ae%x1f%an%x1f%s"  # last what a stranger may have put a %x1f into
MOST = 5_000


@frozen(kw_only=True)
class CommitEntry:
    """A commit: its parents, its tree, who wrote it and when (ISO 8601), and its first line.

    `committed` is when this version of it was made, in seconds since 1970: a rebase or an amendment changes it.
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
        """Give what stays as it is when a commit is rebased, amended or picked."""
        return self.author, self.email, self.at, self.subject


async def list_commits(
    repository: GitRepository, tips: Iterable[str], without: Iterable[str] = (), *options: str, most: int = MOST
) -> list[CommitEntry]:
    """List what the tips have that others have not, every child before its parents.

    Args:
        repository: Which has all of them.
        tips: SHAs.
        without: SHAs whose whole history is left out.
        options: More of git's own.
        most: How many at most.
    """
    words = ("log", "--topo-order", "-z", FIELDS, f"--max-count={most}", *options, "--stdin")
    given = "".join(f"{sha}\n" for sha in (*tips, *(f"^{sha}" for sha in without))).encode()
    rows = await repository.run_lines(*words, given=given, what="read history")
    return [_entry(row) for row in rows]


async def is_ancestor(repository: GitRepository, one: str, other: str) -> bool:
    """Say whether a commit is in the history of another, or is that one."""
    ran = await repository.git("merge-base", "--is-ancestor", one, other, fine=(0, 1))
    return ran.code == 0


async def count_commits(repository: GitRepository, since: str, tip: str) -> int:
    """Count what a commit has that another has not."""
    ran = await repository.git("rev-list", "--count", f"{since}..{tip}", what="count commits")
    return int(ran.out)


async def filter_present(repository: GitRepository, shas: Iterable[str]) -> list[str]:
    """Keep the commits that are here; nothing is fetched."""
    wanted = list(dict.fromkeys(filter(None, shas)))
    given = "".join(f"{sha}\n" for sha in wanted).encode()
    ran = await repository.git("cat-file", "--batch-check", given=given, what="look for commits")
    rows = (line.split(" ") for line in ran.out.decode(errors="replace").splitlines())
    found = {row[0] for row in rows if len(row) == 3 and row[1] == "commit"}  # noqa: PLR2004 -- oid, type, size
    return [sha for sha in wanted if sha in found]


async def find_signed(repository: GitRepository, entries: Iterable[CommitEntry]) -> frozenset[str]:
    """Return the SHAs of the commits that carry a signature, by whomever; it is not verified."""
    found = await repository.read_objects(entry.sha for entry in entries)
    heads = {sha: content.partition(b"\n\n")[0] for sha, content in found.items()}
    return frozenset(sha for sha, head in heads.items() if b"\ngpgsig" in head)  # gpgsig-sha256 in SHA-256 repositories


def get_visible_text(repository: GitRepository, entry: CommitEntry) -> tuple[str, str]:
    """Give what a commit says and who wrote it, as far as the settings let strangers speak."""
    return (WITHHELD, WITHHELD) if repository.remote.lockdown else (entry.subject, entry.author)


def _entry(row: str) -> CommitEntry:
    sha, parents, tree, at, committed, email, author, subject = row.split("\x1f", 7)
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


def order_oldest_first(entries: Sequence[CommitEntry]) -> tuple[CommitEntry, ...]:
    """Turn newest first into oldest first, without merges."""
    return tuple(entry for entry in reversed(entries) if len(entry.parents) < 2)  # noqa: PLR2004 -- a merge has two

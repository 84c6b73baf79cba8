"""Who merged and reviewed the latest changes of the base branch, as git records it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import PurePosixPath

from attrs import evolve, frozen

from stithy_pulls.git.commit_log import parse_git_time
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.path_history import WITHHELD, split_raw_log

MOST_DECISIONS = 300
"""Changes of the base branch that are read: about as many as show who decides, at the price of one git command."""
TRAILERS = "%(trailers:key=Reviewed-by,key=Reviewers,key=Acked-by,valueonly,separator=%x1d)"
FORMAT = f"--format=%x1e%H%n%P%n%ct%n%ae%n%an%n%ce%n%cn%n{TRAILERS}"
FIELD, ITEM = "\n", "\x1d"
"""A name may have any character but the end of a line."""
FORGE_ADDRESSES = ("noreply", "no-reply")
"""The beginnings of addresses under which forges commit for whoever merged."""


@frozen(kw_only=True)
class MergeDecision:
    """A change that went into the base branch, and who decided on it.

    Args:
        sha: Its commit on the base branch.
        at: The time of that commit, UTC.
        author: The mail address of its author.
        merger: The mail address of who merged it; empty if git does not record it.
        reviewers: The mail addresses in trailers such as `Reviewed-by:`.
        names: By mail address, the names of all of them; withheld in lockdown.
        paths: The files that it changed.
    """

    sha: str
    at: datetime
    author: str
    merger: str
    reviewers: frozenset[str]
    names: Mapping[str, str]
    paths: frozenset[str]

    @property
    def folders(self) -> frozenset[str]:
        """The folders of its files."""
        return frozenset(str(PurePosixPath(path).parent) for path in self.paths)


async def read_decisions(
    repository: GitRepository, target: str, most: int = MOST_DECISIONS
) -> tuple[MergeDecision, ...]:
    """Read the first-parent history of a branch, newest first.

    Of a merge commit the author merged; of a commit with another committer, such as a squash of Gitea or a patch that
    was applied, the committer did. Forges that commit under an address of their own record nobody.

    Args:
        repository: A repository with the branch.
        target: The tip of the branch.
        most: Maximum number of commits.
    """
    words = ("log", "-m", "--first-parent", FORMAT, f"--max-count={most}", "--raw", "--no-renames", "-z")
    fields = await repository.run_lines(*words, target, what="read merges", immutable=True)
    rows = list(_split_rows(fields))
    authors = await _read_authors(repository, [parents[1] for parents in map(_get_parents, rows) if parents[1:]])
    decisions = (_create_decision(row, authors) for row in rows)
    if repository.remote.lockdown:
        return tuple(evolve(one, names=dict.fromkeys(one.names, WITHHELD)) for one in decisions)
    return tuple(decisions)


def _split_rows(fields: Iterable[str]) -> Iterator[tuple[list[str], frozenset[str]]]:
    """Yield the fields of each commit with its files."""
    for header, rows in split_raw_log(fields):
        yield header.split(FIELD, 7), frozenset(path for _, path in rows)


def _get_parents(row: tuple[list[str], frozenset[str]]) -> list[str]:
    return row[0][1].split()


async def _read_authors(repository: GitRepository, heads: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the address and the name of the author of each merged head."""
    if not heads:
        return {}
    stdin = "".join(f"{sha}\n" for sha in heads).encode()
    words = ("log", "--no-walk=unsorted", "-z", "--format=%H%n%ae%n%an", "--stdin")
    rows = await repository.run_lines(*words, stdin=stdin, what="read merges", immutable=True)
    return {sha: (mail.lower(), name) for sha, mail, name in (row.split(FIELD, 2) for row in rows if row)}


def _create_decision(row: tuple[list[str], frozenset[str]], authors: Mapping[str, tuple[str, str]]) -> MergeDecision:
    (sha, parents, seconds, mail, name, committer, committer_name, trailers), paths = row
    merged = parents.split()[1:]
    author, author_name = authors.get(merged[0], ("", "")) if merged else (mail.lower(), name)
    merger, merger_name = (mail.lower(), name) if merged else (committer.lower(), committer_name)
    merger = "" if merger == author or merger.startswith(FORGE_ADDRESSES) else merger
    reviewers = dict(_parse_trailers(trailers.split(ITEM)))
    return MergeDecision(
        sha=sha,
        at=parse_git_time(seconds),
        author=author,
        merger=merger,
        reviewers=frozenset(reviewers) - {author},
        names=reviewers | ({merger: merger_name} if merger else {}) | ({author: author_name} if author else {}),
        paths=paths,
    )


def _parse_trailers(values: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the address and the name of each `Name <address>`; other forms have no address."""
    for person in (part for value in values for part in value.split(">")[:-1]):
        name, opening, mail = person.rpartition("<")
        if opening and "@" in mail:
            yield mail.strip().lower(), name.strip(" ,")

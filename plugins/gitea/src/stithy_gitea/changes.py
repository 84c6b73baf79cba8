"""The code: repositories, commits, and what a pull request changes (docs/forge-behaviour/gitea.md#code)."""

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

from stithy_core.spi import (
    Changes,
    Commit,
    Comparison,
    FileChange,
    GitRemote,
    Listing,
    Maybe,
    NotFound,
    PullRequestRef,
    Rejected,
    Repository,
    RepositoryRef,
    TooLarge,
    Unknown,
    map_concurrently,
    or_unknown,
)
from stithy_gitea.changes_mapping import parting, to_commit, to_file_change, to_repository
from stithy_gitea.diffs import cut
from stithy_gitea.paging import page_size
from stithy_gitea.paths import path_of, pull_path
from stithy_gitea.subjects import no_pull, read_repository

MOST_DIFF = 20 * 1024 * 1024
MOST_TREE = 100_000
LEFT_OUT = Unknown("the server's diff does not show this file")
TOO_LARGE = Unknown(f"the whole diff is over {MOST_DIFF:,} bytes", "Read this part with git.")
FILES = Unknown(
    "the API lists the files of each commit, not those that differ in the end", "Open a pull request, or use git."
)
PARTING = Unknown("the API does not say where the two parted", "Use git merge-base.")


class GiteaChanges(Changes):
    """The code."""

    async def repository(self, repository: RepositoryRef) -> Repository:
        """Read what is known of a repository; one that was renamed is followed."""
        return to_repository(await read_repository(self.forge, repository))

    async def files(self, pr: PullRequestRef, *, patches: bool = False) -> Listing[FileChange]:
        """Read all changed files, by path. Patches are cut from the whole diff, which is read once."""
        found = await self._rows(pr, "files")
        hunks, lacking = await self._patches(pr) if patches else ({}, None)
        items = sorted(found, key=lambda row: str(row["filename"]))
        return Listing(
            tuple(to_file_change(row, hunks.get(row["filename"], lacking)) for row in items), found.total, found.cut
        )

    async def diff(self, pr: PullRequestRef) -> AsyncIterator[bytes]:
        """Read the whole diff as git writes it, in pieces."""
        try:
            async for piece in self.forge.http.stream(f"{pull_path(pr)}.diff"):
                yield piece
        except NotFound as error:
            raise await no_pull(self.forge, pr) from error

    async def commits(self, pr: PullRequestRef) -> Listing[Commit]:
        """Read the commits of a pull request, oldest first: the server has it the other way."""
        found = await self._rows(pr, "commits", files="false")
        return Listing(tuple(to_commit(row) for row in reversed(found)), found.total, found.cut)

    async def compare(self, repository: RepositoryRef, base: str, head: str) -> Comparison:
        """Compare two branches or commits. The server counts one side at a time, so it is asked for both at once.

        Raises:
            NotFound: One of the two is not there.
        """
        behind: Maybe[Listing[Commit]]
        if ":" in head:
            ahead = await self._between(repository, base, head)
            behind = await or_unknown(self._behind_fork(repository, base, head))
        else:
            ends = [(base, head), (head, base)]
            ahead, behind = await map_concurrently(ends, lambda pair: self._between(repository, *pair))
        others = () if isinstance(behind, Unknown) or ahead else behind
        return Comparison(
            base=base,
            head=head,
            ahead=_count(ahead),
            behind=behind if isinstance(behind, Unknown) else _count(behind),
            merge_base=parting(ahead or others) or PARTING,
            commits=ahead,
            files=FILES,
        )

    async def tree(self, repository: RepositoryRef, commit: str) -> Listing[str]:
        """Read the paths of a commit's files, as far as the server puts them on one page: 1,000, if nobody set more.

        Raises:
            NotFound: There is no such commit, which the server calls a wrong question (400).
        """
        path = f"{path_of(repository)}/git/trees/{quote(commit, safe='')}"
        try:
            raw = await self.forge.http.get(path, recursive="true", per_page=str(MOST_TREE), shape=dict)
        except (NotFound, Rejected) as error:
            await read_repository(self.forge, repository)
            text = f"{repository} has no commit {commit}"
            raise NotFound(text, suggestion="Check the SHA.", details=error.details) from error
        paths = tuple(row["path"] for row in raw["tree"] or () if row["type"] != "tree")
        cut = f"the server gives {len(paths):,} files of a commit at once" if raw.get("truncated") else ""
        return Listing(paths, None if cut else len(paths), cut)

    async def git(self, repository: RepositoryRef) -> GitRemote:
        """Give what git needs. Beside a token in the password's place, both servers take any name."""
        names = quote(repository.namespace, safe=""), quote(repository.name, safe="")
        return await self.forge.http.git(f"{'/'.join(names)}.git", user="git")

    async def _between(self, repository: RepositoryRef, base: str, head: str) -> Listing[Commit]:
        ends = "...".join(quote(end, safe="/:") for end in (base, head))
        path = f"{path_of(repository)}/compare/{ends}"
        try:
            raw = await self.forge.http.get(path, files="false", verification="false", shape=dict)
        except NotFound as error:
            await read_repository(self.forge, repository)
            text = f"{repository} has no branch or commit {base} or {head}"
            raise NotFound(text, suggestion="Check the names.", details=error.details) from error
        commits = tuple(to_commit(row) for row in reversed(raw["commits"]))
        total = raw.get("total_commits")
        lacks = isinstance(total, int) and total > len(commits)
        return Listing(commits, total, f"the server gave {len(commits):,} of {total:,}" if lacks else "")

    async def _behind_fork(self, repository: RepositoryRef, base: str, head: str) -> Listing[Commit]:
        """Ask the fork, since a fork's branch may stand on one side only. It has the same name, or is not found."""
        owner, _, branch = head.partition(":")
        fork = RepositoryRef(owner, repository.name)
        if owner.lower() != repository.namespace.lower() and (await self.repository(fork)).parent != repository:
            raise NotFound(f"{fork} is no fork of {repository}", suggestion="Compare the branches with git.")
        return await self._between(fork, branch, f"{repository.namespace}:{base}")

    async def _rows(self, pr: PullRequestRef, what: str, *, files: str = "") -> Listing[Any]:
        try:
            return await self.forge.http.items(f"{pull_path(pr)}/{what}", size=await page_size(self.forge), files=files)
        except NotFound as error:
            raise await no_pull(self.forge, pr) from error

    async def _patches(self, pr: PullRequestRef) -> tuple[dict[str, Maybe[str]], Unknown]:
        """Read the patches by path, and why the others are missing."""
        read = bytearray()
        try:
            async for piece in self.forge.http.stream(f"{pull_path(pr)}.diff", most=MOST_DIFF):
                read += piece
        except TooLarge:
            return cut(bytes(read), whole=False), TOO_LARGE
        return cut(bytes(read)), LEFT_OUT


def _count(commits: Listing[Commit]) -> int:
    return len(commits) if commits.total is None else commits.total

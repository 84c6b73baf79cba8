"""Repositories, commits, and the changes of a pull request (docs/forge-behaviour/gitea.md#code)."""

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
    parse_diff_path,
    split_diff_sections,
)
from stithy_gitea.changes_mapping import find_merge_base, to_commit, to_file_change, to_repository
from stithy_gitea.paging import page_size
from stithy_gitea.subjects import missing_pull_request, path_of, pull_path, read_repository

MOST_DIFF = 20 * 1024 * 1024
MOST_TREE = 100_000
BINARY = Unknown("the file is binary", "Read the file itself.")
LEFT_OUT = Unknown("the server's diff does not show this file")
TOO_LARGE = Unknown(f"the whole diff is over {MOST_DIFF:,} bytes", "Read this part with git.")
FILES = Unknown(
    "the API lists the files of each commit, not those that differ between the two", "Open a pull request, or use git."
)
PARTING = Unknown("the API does not report the merge base", "Use git merge-base.")


class GiteaChanges(Changes):
    """Repositories, commits and changes."""

    async def repository(self, repository: RepositoryRef) -> Repository:
        """Return a repository; a renamed one is followed."""
        return to_repository(await read_repository(self.forge, repository))

    async def files(self, pr: PullRequestRef, *, patches: bool = False) -> Listing[FileChange]:
        """Return all changed files, sorted by path. Patches are split from the whole diff, which is read once."""
        found = await self._rows(pr, "files")
        hunks, lacking = await self._patches(pr) if patches else ({}, None)
        items = sorted(found, key=lambda row: str(row["filename"]))
        return Listing(
            tuple(to_file_change(row, hunks.get(row["filename"], lacking)) for row in items),
            total=found.total,
            cut=found.cut,
        )

    async def diff(self, pr: PullRequestRef) -> AsyncIterator[bytes]:
        """Iterate over the whole diff, as git writes it, in chunks of bytes."""
        try:
            async for piece in self.forge.http.stream(f"{pull_path(pr)}.diff"):
                yield piece
        except NotFound as error:
            raise await missing_pull_request(self.forge, pr) from error

    async def commits(self, pr: PullRequestRef) -> Listing[Commit]:
        """Return the commits of a pull request, oldest first; the server lists them newest first."""
        found = await self._rows(pr, "commits", files="false")
        return Listing(tuple(to_commit(row) for row in reversed(found)), total=found.total, cut=found.cut)

    async def compare(self, repository: RepositoryRef, base: str, head: str) -> Comparison:
        """Compare two branches or commits, with one request for each direction.

        Raises:
            NotFound: One of the two does not exist.
        """
        behind: Maybe[Listing[Commit]]
        if ":" in head:
            ahead = await self._between(repository, base, head)
            behind = await or_unknown(self._behind_fork(repository, base, head))
        else:
            ends = [(base, head), (head, base)]
            ahead, behind = await map_concurrently(ends, lambda pair: self._between(repository, *pair))
        others = Listing() if isinstance(behind, Unknown) or ahead else behind
        return Comparison(
            base=base,
            head=head,
            ahead=_count(ahead),
            behind=behind if isinstance(behind, Unknown) else _count(behind),
            merge_base=find_merge_base(ahead or others) or PARTING,
            commits=ahead,
            files=FILES,
        )

    async def tree(self, repository: RepositoryRef, commit: str) -> Listing[str]:
        """Return the paths of a commit's files, as many as the server puts on one page: 1,000 by default.

        Raises:
            NotFound: The commit does not exist; the server answers 400.
        """
        path = f"{path_of(repository)}/git/trees/{quote(commit, safe='')}"
        try:
            raw = await self.forge.http.get(path, recursive="true", per_page=str(MOST_TREE), shape=dict)
        except (NotFound, Rejected) as error:
            await read_repository(self.forge, repository)
            text = f"{repository} has no commit {commit}"
            raise NotFound(text, suggestion="Check the SHA.", details=error.details) from error
        paths = tuple(row["path"] for row in raw["tree"] or () if row["type"] != "tree")
        cut = f"the server returns at most {len(paths):,} files of a commit" if raw.get("truncated") else ""
        return Listing(paths, total=None if cut else len(paths), cut=cut)

    async def git(self, repository: RepositoryRef) -> GitRemote:
        """Return what git needs. Both servers accept any user name beside a token as the password."""
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
        return Listing(commits, total=total, cut=f"the server returned {len(commits):,} of {total:,}" if lacks else "")

    async def _behind_fork(self, repository: RepositoryRef, base: str, head: str) -> Listing[Commit]:
        """Compare in the fork, since only the head may be a fork's branch. The fork must have the same name."""
        owner, _, branch = head.partition(":")
        fork = RepositoryRef(owner, repository.name)
        if owner.lower() != repository.namespace.lower() and (await self.repository(fork)).parent != repository:
            raise NotFound(f"{fork} is not a fork of {repository}", suggestion="Compare the branches with git.")
        return await self._between(fork, branch, f"{repository.namespace}:{base}")

    async def _rows(self, pr: PullRequestRef, what: str, *, files: str = "") -> Listing[Any]:
        try:
            return await self.forge.http.items(f"{pull_path(pr)}/{what}", size=await page_size(self.forge), files=files)
        except NotFound as error:
            raise await missing_pull_request(self.forge, pr) from error

    async def _patches(self, pr: PullRequestRef) -> tuple[dict[str, Maybe[str]], Unknown]:
        """Return the patches by path, and the reason for those that are missing."""
        read = bytearray()
        try:
            async for piece in self.forge.http.stream(f"{pull_path(pr)}.diff", most=MOST_DIFF):
                read += piece
        except TooLarge:
            return split_patches(bytes(read), whole=False), TOO_LARGE
        return split_patches(bytes(read)), LEFT_OUT


def _count(commits: Listing[Commit]) -> int:
    return len(commits) if commits.total is None else commits.total


def split_patches(diff: bytes, *, whole: bool = True) -> dict[str, Maybe[str]]:
    """Return the hunks of each file by path, the new one for a renamed file; unknown for a binary file.

    Bytes that are not UTF-8 become U+FFFD.

    Args:
        diff: The text.
        whole: Whether the end of the diff is present; the last file is left out otherwise.
    """
    sections = split_diff_sections(diff)
    patches: dict[str, Maybe[str]] = {}
    for header, hunks in sections if whole else sections[:-1]:
        path, patch = _parse_section(header.split(b"\n"), hunks)
        earlier = patches.get(path)
        # A file that becomes a link has two sections: one that deletes it, one that adds it.
        patches[path] = f"{earlier}\n{patch}" if isinstance(earlier, str) and isinstance(patch, str) else patch
    return patches


def _parse_section(header: list[bytes], hunks: bytes) -> tuple[str, Maybe[str]]:
    paths = [path for line in header if (path := parse_diff_path(line))]
    path = paths[-1] if paths else ""
    if any(line.startswith((b"Binary files ", b"GIT binary patch")) for line in header):
        return path, BINARY
    return path, hunks.decode(errors="replace").removesuffix("\n")

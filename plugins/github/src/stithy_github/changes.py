"""Repositories, commits, and the changes of pull requests (docs/forge-behaviour/github.md#code)."""

from collections.abc import AsyncIterator
from operator import attrgetter
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
    Repository,
    RepositoryRef,
    Unknown,
    or_unknown,
    raise_explained,
)
from stithy_github.changes_mapping import to_commit, to_file, to_repository
from stithy_github.listings import PAGE_SIZE, build_listing
from stithy_github.mapping import pull_path, repository_path
from stithy_github.not_found_errors import (
    missing_in_repository,
    missing_pull_request,
    missing_repository,
    read_from_pull_request,
)

DIFF = "application/vnd.github.diff"
MOST_FILES = 3_000
MOST_COMMITS = 250
MOST_COMPARED = 300


class GitHubChanges(Changes):
    """Changes; a list that reaches a limit of GitHub's says so."""

    async def repository(self, repository: RepositoryRef) -> Repository:
        """Return a repository."""
        try:
            return to_repository(await self.forge.http.get(repository_path(repository), shape=dict))
        except NotFound as error:
            raise missing_repository(self.forge, repository, error) from error

    async def files(self, pr: PullRequestRef, *, patches: bool = False) -> Listing[FileChange]:
        """Return the changed files by path; GitHub lists at most 3,000."""
        rows = await read_from_pull_request(
            self.forge, pr, self.forge.http.items(f"{pull_path(pr)}/files", size=PAGE_SIZE)
        )
        files = sorted((to_file(row, patches=patches) for row in rows), key=attrgetter("path"))
        total = await self._read_count(pr, "changed_files") if len(files) >= MOST_FILES else len(files)
        return build_listing(files, total, "changed files of the pull request", rows.cut)

    async def diff(self, pr: PullRequestRef) -> AsyncIterator[bytes]:
        """Iterate the bytes of the whole diff.

        Raises:
            TooLarge: It exceeds GitHub's limit of 300 files or 20,000 lines.
        """
        try:
            async for piece in self.forge.http.stream(pull_path(pr), accept=DIFF):
                yield piece
        except NotFound as error:
            raise await missing_pull_request(self.forge, pr, error) from error

    async def commits(self, pr: PullRequestRef) -> Listing[Commit]:
        """Return the commits, oldest first; GitHub lists 250, so that others are read from a comparison."""
        rows = await read_from_pull_request(
            self.forge, pr, self.forge.http.items(f"{pull_path(pr)}/commits", size=PAGE_SIZE)
        )
        if len(rows) < MOST_COMMITS:
            return Listing(tuple(map(to_commit, rows)), total=len(rows))
        raw = await self.forge.http.get(pull_path(pr), shape=dict)
        total = raw["commits"]
        compared = await or_unknown(self._compare_commits(pr.repository, raw)) if total > len(rows) else rows
        # The base may have changed since, so the comparison is used only if it has as many commits.
        commits = rows if isinstance(compared, Unknown) or len(compared) != total else compared
        return build_listing(map(to_commit, commits), total, "commits of the pull request")

    async def compare(self, repository: RepositoryRef, base: str, head: str) -> Comparison:
        """Compare two branches or commits; GitHub lists at most 300 files, all on the first page."""
        path = _comparison_path(repository, base, head)
        try:
            raw = await self.forge.http.get(path, per_page=PAGE_SIZE, shape=dict)
        except NotFound as error:
            raise_explained(await self._explain_missing_ref(repository, base, head, error), error)
        rows, total = raw["commits"], raw["total_commits"]
        if total > len(rows):  # later pages have no files, so that the first page is needed for both
            rows = await self.forge.http.items(path, rows="commits", size=PAGE_SIZE)
        return Comparison(
            base=base,
            head=head,
            ahead=raw["ahead_by"],
            behind=raw["behind_by"],
            merge_base=raw["merge_base_commit"]["sha"],
            commits=build_listing(map(to_commit, rows), total, "commits of the comparison"),
            files=_map_compared_files(raw),
        )

    async def tree(self, repository: RepositoryRef, commit: str) -> Listing[str]:
        """Return the paths of a commit's files; GitHub lists at most 100,000, or 7 MB."""
        path = f"{repository_path(repository)}/git/trees/{quote(commit, safe='')}"
        try:
            raw = await self.forge.http.get(path, recursive="1", shape=dict)
        except NotFound as error:
            raise await missing_in_repository(
                self.forge, repository, f"commit {commit}", error, remedy="Check the SHA."
            ) from error
        paths = tuple(row["path"] for row in raw["tree"] if row["type"] != "tree")
        cut = "GitHub truncates the list of a commit's files" if raw.get("truncated") else ""
        return Listing(paths, total=None if cut else len(paths), cut=cut)

    async def git(self, repository: RepositoryRef) -> GitRemote:
        """Return the remote for git, with the user name that GitHub accepts for every kind of token."""
        return await self.forge.http.git(
            f"{repository_path(repository).removeprefix('/repos/')}.git", user="x-access-token"
        )

    async def _read_count(self, pr: PullRequestRef, field: str) -> int:
        """Return a count that only the pull request itself has."""
        raw = await self.forge.http.get(pull_path(pr), shape=dict)
        return int(raw[field])

    async def _compare_commits(self, repository: RepositoryRef, pull: dict[str, Any]) -> Listing[Any]:
        path = _comparison_path(repository, pull["base"]["sha"], pull["head"]["sha"])
        return await self.forge.http.items(path, rows="commits", size=PAGE_SIZE)

    async def _explain_missing_ref(self, repository: RepositoryRef, base: str, head: str, error: NotFound) -> NotFound:
        """Return the error that names the missing ref or repository: an existing ref can be compared with itself."""
        for name, role in ((base, "base"), (head, "head")):
            if isinstance(
                await or_unknown(self.forge.http.get(_comparison_path(repository, name, name), shape=dict)), Unknown
            ):
                remedy = "Check the name; write the branch of a fork as owner:branch."
                return await missing_in_repository(
                    self.forge, repository, f"{name!r}, the {role}", error, remedy=remedy
                )
        return error  # both exist, so that GitHub's own error says that they have no common ancestor


def _comparison_path(repository: RepositoryRef, base: str, head: str) -> str:
    return f"{repository_path(repository)}/compare/{quote(base, safe='')}...{quote(head, safe='')}"


def _map_compared_files(raw: dict[str, Any]) -> Maybe[Listing[FileChange]]:
    rows = raw.get("files")
    if rows is None:
        return Unknown("GitHub left the files out of the comparison", "Read the files of the pull request.")
    cut = f"GitHub lists at most {MOST_COMPARED} files of a comparison" if len(rows) >= MOST_COMPARED else ""
    return Listing(tuple(to_file(row) for row in rows), total=None if cut else len(rows), cut=cut)

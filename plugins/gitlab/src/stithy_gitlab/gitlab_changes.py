"""Repositories, commits and changes (docs/forge-behaviour/gitlab.md#code)."""

from collections.abc import AsyncIterator, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from stithy_core.spi import (
    NOT_REPORTED,
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
)
from stithy_gitlab.gitlab_dialect import choose_git_user
from stithy_gitlab.gitlab_mapping import Json, to_repository_ref, to_time
from stithy_gitlab.gitlab_projects import (
    PAGE,
    describe_subject,
    list_subject_rows,
    name_missing,
    page_query,
    project_path,
    read_merge_request,
    read_project,
    read_together,
    subject_path,
)

DEVELOPER = 30
METHODS = {"merge": "merge", "rebase_merge": "rebase-merge", "ff": "rebase"}
LEFT_OUT = Unknown("GitLab leaves out the diff of this file: it is too large, or binary", "Read it with git.")
TIMED_OUT = Unknown("GitLab took too long to compute the diff", "Compare the two with git.")
TREE = "blob"


class GitLabChanges(Changes):
    """Repositories, commits and changes."""

    async def repository(self, repository: RepositoryRef) -> Repository:
        """Return a repository; a moved one is followed."""
        return to_repository(await read_project(self.forge, repository))

    async def files(self, pr: PullRequestRef, *, patches: bool = False) -> Listing[FileChange]:
        """Return all changed files, sorted by path; the merge request tells whether the server cut their list."""
        raw, rows = await read_together(
            lambda: read_merge_request(self.forge, pr), lambda: list_subject_rows(self.forge, pr, "diffs")
        )
        found = sorted((to_file_change(row, patches=patches) for row in rows), key=lambda file: file.path)
        return Listing(tuple(found), cut=rows.cut or _find_cut(raw, rows))

    async def diff(self, pr: PullRequestRef) -> AsyncIterator[bytes]:
        """Iterate over the whole diff in chunks of bytes, under the server's limits; servers from 17.9 on have it."""
        async with name_missing(self.forge, pr.repository, describe_subject(pr)):
            async for piece in self.forge.http.stream(f"{subject_path(pr)}/raw_diffs", accept="text/plain"):
                yield piece

    async def commits(self, pr: PullRequestRef) -> Listing[Commit]:
        """Return the commits of a merge request, oldest first; the server lists them newest first."""
        rows = await list_subject_rows(self.forge, pr, "commits")
        return Listing(tuple(to_commit(row) for row in reversed(rows)), cut=rows.cut)

    async def compare(self, repository: RepositoryRef, base: str, head: str) -> Comparison:
        """Compare two branches or commits, with one request for each direction and one for the merge base."""
        owner, _, branch = head.rpartition(":")
        if owner and owner.lower() != repository.namespace.lower():
            text = f"the branch {head} is in another project, which GitLab compares by its number only"
            raise NotFound(text, suggestion="Open a merge request, or compare the branches with git.")
        refs = urlencode([("refs[]", base), ("refs[]", branch)])
        ahead, behind, common = await read_together(
            lambda: self._read_between(repository, base, branch),
            lambda: self._read_between(repository, branch, base),
            lambda: or_unknown(
                self.forge.http.get(f"{project_path(repository)}/repository/merge_base?{refs}", shape=dict)
            ),
        )
        commits = _order(ahead["commits"])
        files = sorted((to_file_change(row, patches=False) for row in ahead["diffs"]), key=lambda file: file.path)
        return Comparison(
            base=base,
            head=head,
            ahead=len(commits),
            behind=len(behind["commits"]),
            merge_base=common if isinstance(common, Unknown) else common["id"],
            commits=Listing(tuple(to_commit(row) for row in commits)),
            files=TIMED_OUT if ahead.get("compare_timeout") else Listing(tuple(files)),
        )

    async def tree(self, repository: RepositoryRef, commit: str) -> Listing[str]:
        """Return the paths of a commit's files, on all pages."""
        path = f"{project_path(repository)}/repository/tree"
        query: dict[str, Any] = {"ref": commit, "recursive": "true", "pagination": "keyset"}
        async with name_missing(self.forge, repository, f"commit {commit}"):
            rows = await self.forge.http.items(path, size=PAGE, most=100_000, **page_query(), **query)
        return Listing(tuple(row["path"] for row in rows if row["type"] == TREE), cut=rows.cut)

    async def git(self, repository: RepositoryRef) -> GitRemote:
        """Return what git needs."""
        return await self.forge.http.git(f"{quote(str(repository))}.git", user=choose_git_user)

    async def _read_between(self, repository: RepositoryRef, base: str, head: str) -> Json:
        async with name_missing(self.forge, repository, f"branch or commit {base} or {head}"):
            path = f"{project_path(repository)}/repository/compare"
            query: dict[str, Any] = {"from": base, "to": head}  # `from` is a word of Python
            raw: Json = await self.forge.http.get(path, shape=dict, **query)
        return raw


def to_repository(raw: Json) -> Repository:
    """Map a project; anonymous readers see about 20 fields of it."""
    parent = (raw.get("forked_from_project") or {}).get("path_with_namespace")
    visibility, method = raw.get("visibility"), str(raw.get("merge_method") or "")
    return Repository(
        ref=to_repository_ref(raw["path_with_namespace"]),
        url=raw["web_url"],
        default_branch=raw.get("default_branch") or "",
        private=visibility != "public" if visibility else NOT_REPORTED,
        archived=raw.get("archived") is True,
        fork=bool(raw.get("forked_from_project")),
        clone_url=raw.get("http_url_to_repo") or "",
        parent=to_repository_ref(parent) if parent else None,
        writable=_find_writable(raw),
        merge_methods=(METHODS.get(method, method), *_find_squash(raw)) if method else NOT_REPORTED,
    )


def _find_writable(raw: Json) -> Maybe[bool]:
    """Return whether the token's user is a developer; both levels may be null for inherited members."""
    levels = [(one or {}).get("access_level") for one in (raw.get("permissions") or {}).values()]
    known = [level for level in levels if isinstance(level, int)]
    return max(known) >= DEVELOPER if known else NOT_REPORTED


def _find_squash(raw: Json) -> tuple[str, ...]:
    return () if raw.get("squash_option", "never") == "never" else ("squash",)


def to_commit(raw: Json) -> Commit:
    """Map a commit; GitLab assigns no accounts here."""
    return Commit(
        sha=raw["id"],
        message=(raw.get("message") or raw["title"]).rstrip("\n"),
        author_name=raw["author_name"],
        author_email=raw["author_email"],
        authored_at=to_time(raw["authored_date"]),
        committed_at=to_time(raw["committed_date"]),
        parents=tuple(raw.get("parent_ids") or ()),
        url=raw.get("web_url") or "",
    )


def to_file_change(raw: Json, *, patches: bool) -> FileChange:
    """Map a changed file. Its lines are counted in its hunks: GitLab counts none, and may leave the hunks out."""
    lines = [line for line in raw["diff"].split("\n") if not line.startswith("\\")]
    patch: Maybe[str] | None = _find_patch(raw) if patches else None
    return FileChange(
        path=raw["old_path"] if raw["deleted_file"] else raw["new_path"],
        status=_find_status(raw),
        additions=sum(line.startswith("+") for line in lines),
        deletions=sum(line.startswith("-") for line in lines),
        previous_path=raw["old_path"] if raw["renamed_file"] else "",
        patch=patch,
    )


def _find_status(raw: Json) -> str:
    for field, status in (("new_file", "added"), ("deleted_file", "deleted"), ("renamed_file", "renamed")):
        if raw[field]:
            return status
    return "changed" if not raw["diff"] and raw.get("a_mode") != raw.get("b_mode") else "modified"


def _is_left_out(raw: Json) -> bool:
    """Return whether the diff is missing; before 18.4 an empty one may also be that of a rename."""
    if raw.get("too_large") or raw.get("collapsed"):
        return True
    return not raw["diff"] and not raw["renamed_file"] and raw.get("a_mode") == raw.get("b_mode")


def _find_patch(raw: Json) -> Maybe[str]:
    return LEFT_OUT if _is_left_out(raw) else raw["diff"].removesuffix("\n")


def _find_cut(raw: Json, rows: Sequence[Json]) -> str:
    """Return what the server left out: files above its limit, and the diffs of single files."""
    count = str(raw.get("changes_count") or "")
    if not count.removesuffix("+").isdecimal():
        return "GitLab still prepares the diff of the merge request"
    if count.endswith("+") or int(count) > len(rows):
        return f"GitLab lists {len(rows):,} of {count} changed files"
    missing = sum(bool(row.get("too_large") or row.get("collapsed")) for row in rows)
    return f"GitLab leaves out the diffs of {missing:,} files, so that their lines are not counted" if missing else ""


def _order(commits: Sequence[Json]) -> Sequence[Json]:
    """Return commits oldest first: no documentation says in which order GitLab compares."""
    is_newest_first = len(commits) > 1 and commits[1]["id"] in (commits[0].get("parent_ids") or ())
    return commits[::-1] if is_newest_first else commits

"""Tests of repositories: code, former names and archives."""

from itertools import pairwise
from urllib.parse import unquote, urlsplit

import pytest
from attrs import evolve

from stithy_core.spi import (
    Archived,
    Changes,
    Comments,
    FileChange,
    IssueRef,
    Issues,
    Moved,
    PullRequests,
    RepositoryRef,
    Threads,
    Unknown,
)
from stithy_testing.conformance.assertions import (
    check_issue_number,
    check_listing,
    check_record,
    expect_absent_repository,
    expect_error,
    expect_missing_number,
    expect_not_found,
    is_correct_or_unknown,
    require_head_branches,
    require_issue,
)
from stithy_testing.conformance.comment_tests import read_bodies
from stithy_testing.conformance.operation_calls import needs, read_stream
from stithy_testing.conformance.stage import Stage


def list_expected_files(stage: Stage) -> list[tuple[str, str, int, int, str]]:
    """Return the files that the pull request changes, by path: path, status, added and deleted lines, former path."""
    moved = [("READ.md", "renamed", 0, 0, "README.md")] if stage.renames else []
    return [
        *moved,
        ("hello.py", "added", 12, 0, ""),
        ("hello.txt", "modified", 1, 1, ""),
        ("old.txt", "deleted", 0, 1, ""),
    ]


def describe_file(file: FileChange) -> tuple[str, str, int, int, str]:
    """Return path, status, added and deleted lines and former path of a file."""
    return file.path, file.status, file.additions, file.deletions, file.previous_path


class RepositoryTests:
    """`Changes.repository`."""

    @needs(Changes.repository)
    async def test_repository_has_its_facts(self, stage: Stage) -> None:
        """All required fields are set, and optional ones are correct or unknown."""
        repository = check_record(await stage.forge.changes.repository(stage.repository))
        assert (repository.ref, repository.default_branch) == (stage.repository, "main")
        assert is_correct_or_unknown(repository.private, expected=False)
        assert (repository.archived, repository.fork) == (False, False)
        assert repository.parent is None
        assert is_correct_or_unknown(repository.writable, expected=True)

    @needs(Changes.repository)
    async def test_repository_that_is_absent(self, stage: Stage) -> None:
        """The error names the missing repository."""
        with expect_absent_repository(stage):
            await stage.forge.changes.repository(stage.absent)


class FileTests:
    """`Changes.files` and `diff`."""

    @needs(Changes.files)
    async def test_files_by_path(self, stage: Stage) -> None:
        """All changed files are read, each with its status and the number of its lines."""
        assert [
            describe_file(file) for file in check_listing(await stage.forge.changes.files(stage.pr))
        ] == list_expected_files(stage)

    @needs(Changes.files)
    async def test_files_without_patches(self, stage: Stage) -> None:
        """Hunks are returned on request only."""
        assert {file.patch for file in await stage.forge.changes.files(stage.pr)} == {None}

    @needs(Changes.files)
    async def test_files_with_patches(self, stage: Stage) -> None:
        """On request each file has its hunks, or an unknown value; the files are the same as without."""
        files = check_listing(await stage.forge.changes.files(stage.pr, patches=True))
        assert [describe_file(file) for file in files] == list_expected_files(stage)
        patches = {file.path: file.patch for file in files}
        assert None not in patches.values()
        text = patches["hello.txt"]
        assert isinstance(text, Unknown) or str(text).startswith("@@ ")
        assert isinstance(text, Unknown) or "-line 5\n+line five\n" in str(text)

    @needs(Changes.files)
    async def test_files_of_what_is_none(self, stage: Stage) -> None:
        """The errors for an issue, a missing number and a missing repository differ."""
        await check_issue_number(stage, stage.forge.changes.files)
        with expect_missing_number(stage):
            await stage.forge.changes.files(stage.missing_pr)
        with expect_absent_repository(stage):
            await stage.forge.changes.files(stage.absent_pr)

    @needs(Changes.diff)
    async def test_diff_as_git_writes_it(self, stage: Stage) -> None:
        """The diff has git's format and all files; a renamed one may be deleted and added."""
        diff = await read_stream(stage.forge.changes.diff(stage.pr))
        assert diff.startswith(b"diff --git a/")
        assert b"\n-line 5\n+line five\n" in diff
        count = len(list_expected_files(stage))
        assert diff.count(b"diff --git ") in {count, count + stage.renames}

    @needs(Changes.diff)
    async def test_diff_of_what_is_missing(self, stage: Stage) -> None:
        """A missing number is an error, not an empty diff."""
        with expect_missing_number(stage):
            await read_stream(stage.forge.changes.diff(stage.missing_pr))


class CommitTests:
    """`Changes.commits` and `compare`."""

    @needs(Changes.commits, PullRequests.get)
    async def test_commits_oldest_first(self, stage: Stage) -> None:
        """A pull request's commits end with its head."""
        commits = check_listing(await stage.forge.changes.commits(stage.pr))
        assert [commit.message.strip() for commit in commits] == list(stage.commits)
        assert commits[-1].sha == (await stage.forge.pull_requests.get(stage.pr)).head.commit
        assert all(later.parents == (earlier.sha,) for earlier, later in pairwise(commits))
        assert all(commit.author_name and commit.author_email for commit in commits)

    @needs(Changes.commits)
    async def test_commits_of_what_is_none(self, stage: Stage) -> None:
        """The errors for an issue and a missing number differ."""
        await check_issue_number(stage, stage.forge.changes.commits)
        with expect_missing_number(stage):
            await stage.forge.changes.commits(stage.missing_pr)

    @needs(Changes.compare, Changes.commits)
    async def test_compare_two_ways_apart(self, stage: Stage) -> None:
        """`ahead` counts the commits of the head alone, `behind` those of the base alone; `commits` are the head's."""
        require_head_branches(stage)
        found = check_record(await stage.forge.changes.compare(stage.repository, "main", "greet"))
        assert (found.base, found.head) == ("main", "greet")
        assert is_correct_or_unknown(found.ahead, len(stage.commits))
        assert is_correct_or_unknown(found.behind, len(("before", "its merge")))
        shas = [commit.sha for commit in await stage.forge.changes.commits(stage.pr)]
        assert [commit.sha for commit in found.commits] == shas

    @needs(Changes.compare)
    async def test_compare_in_its_direction(self, stage: Stage) -> None:
        """With base and head exchanged, `ahead` and `behind` are exchanged."""
        require_head_branches(stage)
        forth = await stage.forge.changes.compare(stage.repository, "greet", "later")
        back = await stage.forge.changes.compare(stage.repository, "later", "greet")
        assert is_correct_or_unknown(forth.ahead, 1)
        assert is_correct_or_unknown(forth.behind, 0)
        assert is_correct_or_unknown(back.ahead, 0)
        assert is_correct_or_unknown(back.behind, 1)
        assert (len(forth.commits), len(back.commits)) == (1, 0)

    @needs(Changes.compare, PullRequests.get)
    async def test_compare_since_they_parted(self, stage: Stage) -> None:
        """A head may be a commit; the files are those changed since the merge base, or unknown."""
        head = (await stage.forge.pull_requests.get(stage.pr)).head.commit
        found = check_record(await stage.forge.changes.compare(stage.repository, "main", head))
        assert isinstance(found.files, Unknown) or [describe_file(file) for file in found.files] == list_expected_files(
            stage
        )
        assert isinstance(found.merge_base, Unknown) or found.merge_base in found.commits[0].parents

    @needs(Changes.compare)
    async def test_compare_with_nothing(self, stage: Stage) -> None:
        """A missing branch is not found; the result is not an empty comparison."""
        with expect_not_found():
            await stage.forge.changes.compare(stage.repository, "main", "nowhere")


class TreeTests:
    """`Changes.tree`."""

    @needs(Changes.tree, PullRequests.get)
    async def test_tree_has_the_files_of_a_commit(self, stage: Stage) -> None:
        """The files of the head commit are listed, without folders."""
        head = (await stage.forge.pull_requests.get(stage.pr)).head.commit
        found = check_listing(await stage.forge.changes.tree(stage.repository, head))
        there = {path for path, status, *_ in list_expected_files(stage) if status != "deleted"}
        assert there <= set(found)
        assert "old.txt" not in found

    @needs(Changes.tree)
    async def test_tree_of_nothing(self, stage: Stage) -> None:
        """A missing commit is not found."""
        with expect_not_found("0" * 40):
            await stage.forge.changes.tree(stage.repository, "0" * 40)


class GitTests:
    """`Changes.git`."""

    @needs(Changes.git)
    async def test_git_is_told_where_and_no_secret_is_shown(self, stage: Stage) -> None:
        """The URL is that of the repository, without a user; the token appears in no text."""
        remote = await stage.forge.changes.git(stage.repository)
        place = urlsplit(remote.url)
        assert (place.username, place.password) == (None, None)
        *above, name = unquote(place.path).removesuffix(".git").split("/")
        assert name == stage.repository.name
        assert set(stage.repository.namespace.split("/")) <= {*above, ""}
        assert remote.secret in ("", stage.token, stage.token.partition(":")[2]) or not stage.token
        assert not remote.secret or remote.secret not in f"{remote!r}{remote}"


def require_former_name(stage: Stage) -> RepositoryRef:
    """Return the former name of the repository, or skip the test."""
    return stage.former or pytest.skip("the stage has no former name")


def require_archived_issue(stage: Stage) -> IssueRef:
    """Return an issue in an archived repository, or skip the test."""
    return stage.archived or pytest.skip("the stage has no archived repository")


class FormerNameTests:
    """Operations by a repository's former name."""

    @needs(PullRequests.get, Issues.get, Changes.repository)
    async def test_former_name_is_read(self, stage: Stage) -> None:
        """Reads by a former name work, and the results have the current name."""
        former, forge, issue = require_former_name(stage), stage.forge, require_issue(stage)
        assert str((await forge.issues.get(evolve(issue, repository=former))).ref) == str(issue)
        assert str((await forge.pull_requests.get(evolve(stage.pr, repository=former))).ref) == str(stage.pr)
        assert (await forge.changes.repository(former)).ref == stage.repository

    @needs(Comments.list)
    async def test_former_name_leads_to_lists(self, stage: Stage) -> None:
        """Lists can be read by a former name."""
        subject = evolve(stage.conversation, repository=require_former_name(stage))
        assert [one.body for one in check_listing(await stage.forge.comments.list(subject))] == [
            "first",
            "second",
            "third",
        ]

    @needs(Comments.create, Comments.list)
    async def test_former_name_takes_no_comment(self, stage: Stage) -> None:
        """A comment by a former name raises `Moved` with the current name, and nothing is written."""
        subject = evolve(stage.conversation, repository=require_former_name(stage))
        with expect_error(Moved, str(stage.repository)):
            await stage.forge.comments.create(subject, "Hello.")
        assert await read_bodies(stage, stage.conversation) == ["first", "second", "third"]

    @needs(Threads.reply, Threads.list)
    async def test_former_name_takes_no_reply(self, stage: Stage) -> None:
        """A reply by a former name raises `Moved` with the current name, and nothing is written."""
        former = require_former_name(stage)
        before = await stage.forge.threads.list(stage.pr)
        with expect_error(Moved, str(stage.repository)):
            await stage.forge.threads.reply(evolve(stage.pr, repository=former), before[0].id, "Because.")
        assert list(await stage.forge.threads.list(stage.pr)) == list(before)


class ArchiveTests:
    """Operations on an archived repository."""

    @needs(Comments.create, Comments.list)
    async def test_archive_takes_no_comment(self, stage: Stage) -> None:
        """A comment in an archived repository raises `Archived`, and nothing is written."""
        subject = require_archived_issue(stage)
        before = await read_bodies(stage, subject)
        with expect_error(Archived, str(subject.repository)):
            await stage.forge.comments.create(subject, "Hello.")
        assert await read_bodies(stage, subject) == before

    @needs(Issues.get, Changes.repository)
    async def test_archive_is_read(self, stage: Stage) -> None:
        """An archived repository can be read, and has `archived` set."""
        subject = require_archived_issue(stage)
        assert str((await stage.forge.issues.get(subject)).ref) == str(subject)
        assert (await stage.forge.changes.repository(subject.repository)).archived is True

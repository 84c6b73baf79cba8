"""Tests of repositories: code, former names and archives."""

from urllib.parse import urlsplit

import pytest

from stithy_core.spi import (
    Archived,
    Changes,
    Comments,
    FileChange,
    IssueRef,
    Issues,
    Moved,
    PullRequestRef,
    PullRequests,
    RepositoryRef,
    Threads,
    Unknown,
)
from stithy_testing.conformance.assertions import (
    check_listing,
    check_record,
    expect_absent_repository,
    expect_error,
    expect_issue_number,
    expect_missing_number,
    expect_not_found,
    is_correct_or_unknown,
)
from stithy_testing.conformance.comment_tests import read_bodies
from stithy_testing.conformance.operation_calls import needs, read_stream
from stithy_testing.conformance.stage import Stage


def list_expected_files(stage: Stage) -> list[tuple[str, str, int, int, str]]:
    """Give what the pull request changes, by path."""
    moved = [("READ.md", "renamed", 0, 0, "README.md")] if stage.renames else []
    return [
        *moved,
        ("hello.py", "added", 12, 0, ""),
        ("hello.txt", "modified", 1, 1, ""),
        ("old.txt", "deleted", 0, 1, ""),
    ]


def describe_file(file: FileChange) -> tuple[str, str, int, int, str]:
    """Give what is told of a file."""
    return file.path, file.status, file.additions, file.deletions, file.previous_path


class RepositoryTests:
    """`Changes.repository`."""

    @needs(Changes.repository)
    async def test_repository_has_its_facts(self, stage: Stage) -> None:
        """A repository is told whole, and what a forge may leave open is right or unknown."""
        repository = check_record(await stage.forge.changes.repository(stage.repository))
        assert (repository.ref, repository.default_branch) == (stage.repository, "main")
        assert (repository.private, repository.archived, repository.fork) == (False, False, False)
        assert repository.parent is None
        assert is_correct_or_unknown(repository.writable, expected=True)

    @needs(Changes.repository)
    async def test_repository_that_is_absent(self, stage: Stage) -> None:
        """A missing repository is called that, by its name."""
        with expect_absent_repository(stage):
            await stage.forge.changes.repository(stage.absent)


class FileTests:
    """`Changes.files` and `diff`."""

    @needs(Changes.files)
    async def test_files_by_path(self, stage: Stage) -> None:
        """All changed files are read, with what happened to each and how many lines that were."""
        assert [
            describe_file(file) for file in check_listing(await stage.forge.changes.files(stage.pr))
        ] == list_expected_files(stage)

    @needs(Changes.files)
    async def test_files_without_patches(self, stage: Stage) -> None:
        """Hunks come only where they were asked for."""
        assert {file.patch for file in await stage.forge.changes.files(stage.pr)} == {None}

    @needs(Changes.files)
    async def test_files_with_patches(self, stage: Stage) -> None:
        """Asked for, each file has its hunks and no more, or it is said why not; the files are the same."""
        files = check_listing(await stage.forge.changes.files(stage.pr, patches=True))
        assert [describe_file(file) for file in files] == list_expected_files(stage)
        patches = {file.path: file.patch for file in files}
        assert None not in patches.values()
        text = patches["hello.txt"]
        assert isinstance(text, Unknown) or str(text).startswith("@@ ")
        assert isinstance(text, Unknown) or "-line 5\n+line five\n" in str(text)

    @needs(Changes.files)
    async def test_files_of_what_is_none(self, stage: Stage) -> None:
        """An issue, a missing number and a missing repository are told apart."""
        with expect_issue_number():
            await stage.forge.changes.files(stage.issue_as_pr)
        with expect_missing_number(stage):
            await stage.forge.changes.files(stage.missing_pr)
        with expect_absent_repository(stage):
            await stage.forge.changes.files(stage.absent_pr)

    @needs(Changes.diff)
    async def test_diff_as_git_writes_it(self, stage: Stage) -> None:
        """The diff is git's own, of all files."""
        diff = await read_stream(stage.forge.changes.diff(stage.pr))
        assert diff.startswith(b"diff --git a/")
        assert b"\n-line 5\n+line five\n" in diff
        assert diff.count(b"diff --git ") == len(list_expected_files(stage))

    @needs(Changes.diff)
    async def test_diff_of_what_is_missing(self, stage: Stage) -> None:
        """A missing number has no empty diff."""
        with expect_missing_number(stage):
            await read_stream(stage.forge.changes.diff(stage.missing_pr))


class CommitTests:
    """`Changes.commits` and `compare`."""

    @needs(Changes.commits, PullRequests.get)
    async def test_commits_oldest_first(self, stage: Stage) -> None:
        """A pull request's commits end with its head."""
        commits = check_listing(await stage.forge.changes.commits(stage.pr))
        assert [commit.message.strip() for commit in commits] == ["Add hello.py", "Change texts"]
        assert commits[-1].sha == (await stage.forge.pull_requests.get(stage.pr)).head.commit
        assert commits[-1].parents == (commits[0].sha,)
        assert all(commit.author_name and commit.author_email for commit in commits)

    @needs(Changes.commits)
    async def test_commits_of_what_is_none(self, stage: Stage) -> None:
        """An issue and a missing number are told apart."""
        with expect_issue_number():
            await stage.forge.changes.commits(stage.issue_as_pr)
        with expect_missing_number(stage):
            await stage.forge.changes.commits(stage.missing_pr)

    @needs(Changes.compare, Changes.commits)
    async def test_compare_two_ways_apart(self, stage: Stage) -> None:
        """Ahead is what the head has alone, behind what the base has alone; the commits are the head's."""
        found = check_record(await stage.forge.changes.compare(stage.repository, "main", "greet"))
        assert (found.base, found.head) == ("main", "greet")
        assert is_correct_or_unknown(found.ahead, len(("Add hello.py", "Change texts")))
        assert is_correct_or_unknown(found.behind, len(("before", "its merge")))
        shas = [commit.sha for commit in await stage.forge.changes.commits(stage.pr)]
        assert [commit.sha for commit in found.commits] == shas

    @needs(Changes.compare)
    async def test_compare_in_its_direction(self, stage: Stage) -> None:
        """Turned round, what was ahead is behind."""
        forth = await stage.forge.changes.compare(stage.repository, "greet", "later")
        back = await stage.forge.changes.compare(stage.repository, "later", "greet")
        assert is_correct_or_unknown(forth.ahead, 1)
        assert is_correct_or_unknown(forth.behind, 0)
        assert is_correct_or_unknown(back.ahead, 0)
        assert is_correct_or_unknown(back.behind, 1)
        assert (len(forth.commits), len(back.commits)) == (1, 0)

    @needs(Changes.compare, PullRequests.get)
    async def test_compare_since_they_parted(self, stage: Stage) -> None:
        """A base may be a commit; the files are those that the head changed since they parted, or unknown."""
        head = (await stage.forge.pull_requests.get(stage.pr)).head.commit
        found = check_record(await stage.forge.changes.compare(stage.repository, "main", head))
        assert isinstance(found.files, Unknown) or [describe_file(file) for file in found.files] == list_expected_files(
            stage
        )
        assert isinstance(found.merge_base, Unknown) or found.merge_base in found.commits[0].parents

    @needs(Changes.compare)
    async def test_compare_with_nothing(self, stage: Stage) -> None:
        """A branch that is none is not found, rather than nothing ahead."""
        with expect_not_found():
            await stage.forge.changes.compare(stage.repository, "main", "nowhere")


class TreeTests:
    """`Changes.tree`."""

    @needs(Changes.tree, PullRequests.get)
    async def test_tree_has_the_files_of_a_commit(self, stage: Stage) -> None:
        """The files of the head are listed, without folders, as the pull request left them."""
        head = (await stage.forge.pull_requests.get(stage.pr)).head.commit
        found = check_listing(await stage.forge.changes.tree(stage.repository, head))
        there = {path for path, status, *_ in list_expected_files(stage) if status != "deleted"}
        assert there <= set(found)
        assert "old.txt" not in found

    @needs(Changes.tree)
    async def test_tree_of_nothing(self, stage: Stage) -> None:
        """A commit that is none is not found."""
        with expect_not_found("0" * 40):
            await stage.forge.changes.tree(stage.repository, "0" * 40)


class GitTests:
    """`Changes.git`."""

    @needs(Changes.git)
    async def test_git_is_told_where_and_no_secret_is_shown(self, stage: Stage) -> None:
        """The place is that of the repository, and holds no user; what lets somebody in is in no text."""
        remote = await stage.forge.changes.git(stage.repository)
        place = urlsplit(remote.url)
        assert (place.username, place.password) == (None, None)
        assert place.path.endswith(f"/{stage.repository}.git")
        assert remote.secret in ("", stage.token) or not stage.token
        assert not remote.secret or remote.secret not in f"{remote!r}{remote}"


def require_former_name(stage: Stage) -> RepositoryRef:
    """Give a name of before, or skip the test."""
    return stage.former or pytest.skip("no former name was prepared here")


def require_archived_issue(stage: Stage) -> IssueRef:
    """Give an issue in an archive, or skip the test."""
    return stage.archived or pytest.skip("no archived repository was prepared here")


class FormerNameTests:
    """What a name of before is good for."""

    @needs(PullRequests.get, Issues.get, Changes.repository)
    async def test_former_name_is_read(self, stage: Stage) -> None:
        """A former name leads to the repository, and what is read has the present one."""
        former, forge = require_former_name(stage), stage.forge
        assert str((await forge.issues.get(IssueRef(former, stage.issue.number))).ref) == str(stage.issue)
        assert str((await forge.pull_requests.get(PullRequestRef(former, stage.pr.number))).ref) == str(stage.pr)
        assert (await forge.changes.repository(former)).ref == stage.repository

    @needs(Comments.list)
    async def test_former_name_leads_to_lists(self, stage: Stage) -> None:
        """Lists are read by a former name, too."""
        subject = IssueRef(require_former_name(stage), stage.issue.number)
        assert [one.body for one in check_listing(await stage.forge.comments.list(subject))] == [
            "first",
            "second",
            "third",
        ]

    @needs(Comments.create, Comments.list)
    async def test_former_name_takes_no_comment(self, stage: Stage) -> None:
        """A write by a former name is refused with the present one, and nothing is written."""
        with expect_error(Moved, str(stage.repository)):
            await stage.forge.comments.create(IssueRef(require_former_name(stage), stage.issue.number), "Hello.")
        assert await read_bodies(stage, stage.issue) == ["first", "second", "third"]

    @needs(Threads.reply, Threads.list)
    async def test_former_name_takes_no_reply(self, stage: Stage) -> None:
        """So is an answer in a thread."""
        former = require_former_name(stage)
        before = await stage.forge.threads.list(stage.pr)
        with expect_error(Moved, str(stage.repository)):
            await stage.forge.threads.reply(PullRequestRef(former, stage.pr.number), before[0].id, "Because.")
        assert list(await stage.forge.threads.list(stage.pr)) == list(before)


class ArchiveTests:
    """What an archive is good for."""

    @needs(Comments.create, Comments.list)
    async def test_archive_takes_no_comment(self, stage: Stage) -> None:
        """A write to an archived repository is refused, and nothing is written."""
        subject = require_archived_issue(stage)
        before = await read_bodies(stage, subject)
        with expect_error(Archived, str(subject.repository)):
            await stage.forge.comments.create(subject, "Hello.")
        assert await read_bodies(stage, subject) == before

    @needs(Issues.get, Changes.repository)
    async def test_archive_is_read(self, stage: Stage) -> None:
        """It is read as ever, and says what it is."""
        subject = require_archived_issue(stage)
        assert str((await stage.forge.issues.get(subject)).ref) == str(subject)
        assert (await stage.forge.changes.repository(subject.repository)).archived is True

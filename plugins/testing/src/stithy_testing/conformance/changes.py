"""The code."""

from urllib.parse import urlsplit

from stithy_core.spi import Changes, FileChange, PullRequests, Unknown
from stithy_testing.conformance.facts import agrees, listing, sound
from stithy_testing.conformance.refusals import absent_repository, an_issue, missing_number, not_found
from stithy_testing.conformance.stage import Stage
from stithy_testing.conformance.support import drained, needs


def changed(stage: Stage) -> list[tuple[str, str, int, int, str]]:
    """Give what the pull request changes, by path."""
    moved = [("READ.md", "renamed", 0, 0, "README.md")] if stage.renames else []
    return [
        *moved,
        ("hello.py", "added", 12, 0, ""),
        ("hello.txt", "modified", 1, 1, ""),
        ("old.txt", "deleted", 0, 1, ""),
    ]


def told(file: FileChange) -> tuple[str, str, int, int, str]:
    """Give what is told of a file."""
    return file.path, file.status, file.additions, file.deletions, file.previous_path


class RepositoryFacts:
    """`Changes.repository`."""

    @needs(Changes.repository)
    async def test_repository_has_its_facts(self, stage: Stage) -> None:
        """A repository is told whole, and what a forge may leave open is right or unknown."""
        repository = sound(await stage.forge.changes.repository(stage.repository))
        assert (repository.ref, repository.default_branch) == (stage.repository, "main")
        assert (repository.private, repository.archived, repository.fork) == (False, False, False)
        assert repository.parent is None
        assert agrees(repository.writable, expected=True)

    @needs(Changes.repository)
    async def test_repository_that_is_absent(self, stage: Stage) -> None:
        """A missing repository is called that, by its name."""
        with absent_repository(stage):
            await stage.forge.changes.repository(stage.absent)


class FileFacts:
    """`Changes.files` and `diff`."""

    @needs(Changes.files)
    async def test_files_by_path(self, stage: Stage) -> None:
        """All changed files are read, with what happened to each and how many lines that were."""
        assert [told(file) for file in listing(await stage.forge.changes.files(stage.pr))] == changed(stage)

    @needs(Changes.files)
    async def test_files_without_patches(self, stage: Stage) -> None:
        """Hunks come only where they were asked for."""
        assert {file.patch for file in await stage.forge.changes.files(stage.pr)} == {None}

    @needs(Changes.files)
    async def test_files_with_patches(self, stage: Stage) -> None:
        """Asked for, each file has its hunks and no more, or it is said why not; the files are the same."""
        files = listing(await stage.forge.changes.files(stage.pr, patches=True))
        assert [told(file) for file in files] == changed(stage)
        patches = {file.path: file.patch for file in files}
        assert None not in patches.values()
        text = patches["hello.txt"]
        assert isinstance(text, Unknown) or str(text).startswith("@@ ")
        assert isinstance(text, Unknown) or "-line 5\n+line five\n" in str(text)

    @needs(Changes.files)
    async def test_files_of_what_is_none(self, stage: Stage) -> None:
        """An issue, a missing number and a missing repository are told apart."""
        with an_issue():
            await stage.forge.changes.files(stage.issue_as_pr)
        with missing_number(stage):
            await stage.forge.changes.files(stage.missing_pr)
        with absent_repository(stage):
            await stage.forge.changes.files(stage.absent_pr)

    @needs(Changes.diff)
    async def test_diff_as_git_writes_it(self, stage: Stage) -> None:
        """The diff is git's own, of all files."""
        diff = await drained(stage.forge.changes.diff(stage.pr))
        assert diff.startswith(b"diff --git a/")
        assert b"\n-line 5\n+line five\n" in diff
        assert diff.count(b"diff --git ") == len(changed(stage))

    @needs(Changes.diff)
    async def test_diff_of_what_is_missing(self, stage: Stage) -> None:
        """A missing number has no empty diff."""
        with missing_number(stage):
            await drained(stage.forge.changes.diff(stage.missing_pr))


class CommitFacts:
    """`Changes.commits` and `compare`."""

    @needs(Changes.commits, PullRequests.get)
    async def test_commits_oldest_first(self, stage: Stage) -> None:
        """A pull request's commits end with its head."""
        commits = listing(await stage.forge.changes.commits(stage.pr))
        assert [commit.message.strip() for commit in commits] == ["Add hello.py", "Change texts"]
        assert commits[-1].sha == (await stage.forge.pull_requests.get(stage.pr)).head.commit
        assert commits[-1].parents == (commits[0].sha,)
        assert all(commit.author_name and commit.author_email for commit in commits)

    @needs(Changes.commits)
    async def test_commits_of_what_is_none(self, stage: Stage) -> None:
        """An issue and a missing number are told apart."""
        with an_issue():
            await stage.forge.changes.commits(stage.issue_as_pr)
        with missing_number(stage):
            await stage.forge.changes.commits(stage.missing_pr)

    @needs(Changes.compare, Changes.commits)
    async def test_compare_two_ways_apart(self, stage: Stage) -> None:
        """Ahead is what the head has alone, behind what the base has alone; the commits are the head's."""
        found = sound(await stage.forge.changes.compare(stage.repository, "main", "greet"))
        assert (found.base, found.head) == ("main", "greet")
        assert agrees(found.ahead, len(("Add hello.py", "Change texts")))
        assert agrees(found.behind, len(("before", "its merge")))
        shas = [commit.sha for commit in await stage.forge.changes.commits(stage.pr)]
        assert [commit.sha for commit in found.commits] == shas

    @needs(Changes.compare)
    async def test_compare_in_its_direction(self, stage: Stage) -> None:
        """Turned round, what was ahead is behind."""
        forth = await stage.forge.changes.compare(stage.repository, "greet", "later")
        back = await stage.forge.changes.compare(stage.repository, "later", "greet")
        assert agrees(forth.ahead, 1)
        assert agrees(forth.behind, 0)
        assert agrees(back.ahead, 0)
        assert agrees(back.behind, 1)
        assert (len(forth.commits), len(back.commits)) == (1, 0)

    @needs(Changes.compare, PullRequests.get)
    async def test_compare_since_they_parted(self, stage: Stage) -> None:
        """A base may be a commit; the files are those that the head changed since they parted, or unknown."""
        head = (await stage.forge.pull_requests.get(stage.pr)).head.commit
        found = sound(await stage.forge.changes.compare(stage.repository, "main", head))
        assert isinstance(found.files, Unknown) or [told(file) for file in found.files] == changed(stage)
        assert isinstance(found.merge_base, Unknown) or found.merge_base in found.commits[0].parents

    @needs(Changes.compare)
    async def test_compare_with_nothing(self, stage: Stage) -> None:
        """A branch that is none is not found, rather than nothing ahead."""
        with not_found():
            await stage.forge.changes.compare(stage.repository, "main", "nowhere")


class TreeFacts:
    """`Changes.tree`."""

    @needs(Changes.tree, PullRequests.get)
    async def test_tree_has_the_files_of_a_commit(self, stage: Stage) -> None:
        """The files of the head are listed, without folders, as the pull request left them."""
        head = (await stage.forge.pull_requests.get(stage.pr)).head.commit
        found = listing(await stage.forge.changes.tree(stage.repository, head))
        there = {path for path, status, *_ in changed(stage) if status != "deleted"}
        assert there <= set(found)
        assert "old.txt" not in found

    @needs(Changes.tree)
    async def test_tree_of_nothing(self, stage: Stage) -> None:
        """A commit that is none is not found."""
        with not_found("0" * 40):
            await stage.forge.changes.tree(stage.repository, "0" * 40)


class GitFacts:
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

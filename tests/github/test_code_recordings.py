"""Real exchanges with api.github.com about code: nothing raises, and each field of the model is the answer's."""

from datetime import datetime

import pytest

from stithy_core.spi import RepositoryRef, Unknown
from stithy_github.changes_mapping import to_commit, to_file, to_repository

pytestmark = pytest.mark.anyio


def test_repositories(rows):
    for row in rows("R"):
        found = to_repository(row)
        assert (str(found.ref), found.url) == (row["full_name"], row["html_url"])
        assert (found.default_branch, found.clone_url) == (row["default_branch"], row["clone_url"])
        assert (found.private, found.fork) == (row["private"], row["fork"])
        assert found.archived is row.get("archived", False)


def test_a_fork_names_its_parent(rows):
    for row in rows("R"):
        parent = to_repository(row).parent
        assert (parent and str(parent)) == (row["parent"]["full_name"] if "parent" in row else None)


def test_whether_it_may_be_pushed_to_is_known_to_those_with_a_token(rows):
    found = {True: 0, False: 0}
    for row in rows("R"):
        writable = to_repository(row).writable
        told = "permissions" in row
        found[told] += 1
        assert writable is row["permissions"]["push"] if told else isinstance(writable, Unknown)
    assert all(found.values())


def test_merge_methods_are_known_to_writers(rows):
    for row in rows("R"):
        methods = to_repository(row).merge_methods
        if "allow_squash_merge" in row:
            assert ("squash" in methods) is row["allow_squash_merge"]
            assert ("merge" in methods) is row["allow_merge_commit"]
            assert ("rebase" in methods) is row["allow_rebase_merge"]
        else:
            assert isinstance(methods, Unknown)


def test_commits(rows):
    for row in rows(r"R/(pulls/\d+/commits|commits(/[0-9a-f]{40})?)"):
        found, git = to_commit(row), row["commit"]
        assert (found.sha, found.message, found.url) == (row["sha"], git["message"], row["html_url"])
        assert (found.author_name, found.author_email) == (git["author"]["name"], git["author"]["email"])
        assert found.authored_at == datetime.fromisoformat(git["author"]["date"])
        assert found.committed_at == datetime.fromisoformat(git["committer"]["date"])
        assert found.parents == tuple(parent["sha"] for parent in row["parents"])
        assert found.verified is git["verification"]["verified"]
        for account, given in ((found.author, row["author"]), (found.committer, row["committer"])):
            assert (account and account.login) == (given and given["login"])


def test_files(rows):
    for row in rows(r"R/pulls/\d+/files"):
        found = to_file(row, patches=True)
        assert (found.path, found.additions, found.deletions) == (row["filename"], row["additions"], row["deletions"])
        assert found.status == {"removed": "deleted"}.get(row["status"], row["status"])
        assert found.previous_path == row.get("previous_filename", "")
        assert found.patch == row["patch"]


async def test_comparisons(recorded, hub, github):
    answers = [(path, body) for _, path, status, body in recorded if "/compare/" in path and status == 200]
    for path, body in answers:
        hub.answers[f"GET {path}"] = body
        _, _, owner, name, _, ends = path.split("/")
        async with github(hub.url) as forge:
            found = await forge.changes.compare(RepositoryRef(owner, name), *ends.split("..."))
        assert (found.ahead, found.behind) == (body["ahead_by"], body["behind_by"])
        assert found.merge_base == body["merge_base_commit"]["sha"]
        assert [commit.sha for commit in found.commits] == [commit["sha"] for commit in body["commits"]]
        assert [file.path for file in found.files] == [file["filename"] for file in body["files"]]
        assert not found.commits.cut
        assert not found.files.cut
    assert answers

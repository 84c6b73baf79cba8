"""What a server leaves out of an answer, or is new in one, breaks no mapper."""

from stithy_core.spi import RepositoryRef, Unknown
from stithy_gitea.actions_mapping import to_artifact, to_job, to_run
from stithy_gitea.changes_mapping import to_commit, to_file_change, to_repository
from stithy_gitea.checks_mapping import to_check
from stithy_gitea.inline import resolver_of
from stithy_gitea.mapping import to_pull_request


def test_a_check_may_have_no_name():
    assert to_check({"context": None, "status": None, "creator": None}, "https://forge.example").name == ""


def test_a_run_without_a_conclusion_has_no_verdict():
    assert isinstance(to_run({"id": 1, "status": "completed", "conclusion": None}).verdict, Unknown)


def test_a_word_for_a_state_that_is_new_is_no_verdict():
    assert isinstance(to_job({"id": 1, "status": "levitating", "steps": None}, "7").verdict, Unknown)


def test_an_artifact_may_have_no_size():
    assert to_artifact({"id": 1}).size == 0


def test_a_commit_may_have_no_parents_and_no_author():
    assert to_commit({"sha": "1", "commit": None, "author": None, "parents": None}).parents == ()


def test_a_word_for_a_change_that_is_new_is_passed_on():
    assert to_file_change({"filename": "x", "status": "conjured"}).status == "conjured"


def test_a_repository_may_tell_no_permissions():
    assert to_repository({"full_name": "a/b", "permissions": None}).ref.name == "b"


def test_a_comment_without_a_resolver_field_does_not_tell_whether_its_thread_is_resolved():
    """Null is an open thread; a missing field is a server that does not tell (FIX-13)."""
    assert resolver_of({"resolver": None})["resolved"] is False
    assert isinstance(resolver_of({})["resolved"], Unknown)


def changes_of(head, **counts):
    """Map a pull request, and return how many files it is said to change."""
    at = "2026-01-05T10:00:00Z"
    raw = {"number": 1, "state": "closed", "created_at": at, "head": {"ref": head, "sha": "a" * 40}, "base": {}}
    return to_pull_request(raw | counts, RepositoryRef("a", "b")).changed_files


def test_no_changed_files_are_distrusted_once_the_branch_is_gone():
    """Forgejo 15 counts 0 of a closed pull request whose fork's branch was deleted (FIX-42)."""
    counts = {"changed_files": 0, "additions": 0, "deletions": 0}
    assert isinstance(changes_of("refs/pull/1/head", **counts), Unknown)
    assert changes_of("work", **counts) == 0
    assert changes_of("refs/pull/1/head", **counts | {"changed_files": 1}) == 1

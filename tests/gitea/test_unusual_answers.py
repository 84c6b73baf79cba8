"""What a server leaves out of an answer, or is new in one, breaks no mapper."""

from stithy_core.spi import Unknown
from stithy_gitea.actions_mapping import to_artifact, to_job, to_run
from stithy_gitea.changes_mapping import to_commit, to_file_change, to_repository
from stithy_gitea.checks_mapping import to_check
from stithy_gitea.inline import resolver_of


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
    """Null is an open thread; a missing field is a server that does not tell (18.13)."""
    assert resolver_of({"resolver": None})["resolved"] is False
    assert isinstance(resolver_of({})["resolved"], Unknown)

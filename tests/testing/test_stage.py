"""The stage of the conformance suite: a wrong one is refused with what to change."""

import re

import pytest
from attrs import evolve
from sandbox_stage import sandbox_stage

from stithy_core.spi import ForgeNames, IssueRef, PullRequestRef, RepositoryRef
from stithy_sandbox.sandbox_forge import Sandbox
from stithy_testing.conformance import Stage

HERE, THERE = RepositoryRef("apprentice", "conformance"), RepositoryRef("apprentice", "elsewhere")
TYPES = {
    "Stage.forge is <class": ({"forge": Sandbox}, "pass a forge, such as open_forge yields"),
    "Stage.repository is 'o/r'": (
        {"repository": "o/r"},
        'pass a RepositoryRef, such as RepositoryRef("owner", "repo")',
    ),
    "Stage.author is None": ({"author": None}, "pass a text"),
    "Stage.pr is 2": ({"pr": 2}, "pass a PullRequestRef, such as forge.names.create_pull_request_ref(repository, 2)"),
    "Stage.issue is 1": ({"issue": 1}, "pass an IssueRef, such as IssueRef(repository, 1) or None"),
    "Stage.run is 12": ({"run": 12}, "pass a text"),
    "Stage.missing is '987'": ({"missing": "987"}, "pass a number"),
    "Stage.renames is 'no'": ({"renames": "no"}, "pass True or False"),
    "Stage.commits is 'Add hello.py'": ({"commits": "Add hello.py"}, "pass a tuple of texts"),
    "Stage.checks is ['build']": ({"checks": ["build"]}, "pass a mapping of names to verdicts"),
}
VALUES = {
    "Stage.author is empty": ({"author": ""}, "pass the login of the token's user"),
    "Stage.pr is 'apprentice/elsewhere#2'": (
        {"pr": PullRequestRef(THERE, 2)},
        "pass one of the repository 'apprentice/conformance'",
    ),
    "Stage.merged is 'apprentice/conformance#2', and so is pr": (
        {"merged": PullRequestRef(HERE, 2)},
        "pass different ones",
    ),
    "Stage.closed is the pull request 'apprentice/conformance#5'": (
        {"closed": PullRequestRef(HERE, 5)},
        "pass IssueRef(repository, 5), or None",
    ),
    "Stage.pr is 'apprentice/conformance!2'": (
        {"pr": PullRequestRef(HERE, 2, mark="!")},
        "create it by forge.names.create_pull_request_ref(repository, 2)",
    ),
    "Stage.missing is 2, which is the number of pr": ({"missing": 2}, "pass a number that does not exist"),
    "Stage.former is 'apprentice/conformance', which is the repository itself": ({"former": HERE}, "pass another name"),
    "Stage.archived is 'apprentice/conformance#1'": (
        {"archived": IssueRef(HERE, 1)},
        "pass an issue of another repository, which is archived",
    ),
    "Stage.other_author is empty": ({"other_token": "secret"}, "pass it together with other_token"),
    "Stage.other_token is the same as token": (
        {"token": "secret", "other_token": "secret", "other_author": "reader"},
        "pass the token of another account",
    ),
    "Stage.conversation is missing": (
        {"issue": None},
        "without an issue, pass a pull request that has the comments first, second and third",
    ),
    "Stage.checks is empty": ({"checks": {}}, "leave it out"),
}


@pytest.fixture(scope="module")
def forge():
    return sandbox_stage().forge


def create_stage(forge, /, **changes):
    return Stage(**({"forge": forge, "author": "apprentice", "repository": HERE} | changes))


@pytest.mark.parametrize("fault", TYPES)
def test_a_value_of_another_type_is_refused(forge, fault):
    changes, remedy = TYPES[fault]
    with pytest.raises(TypeError, match=f"^{re.escape(fault)}.*; {re.escape(remedy)}"):
        create_stage(forge, **changes)


@pytest.mark.parametrize("fault", VALUES)
def test_fields_that_contradict_each_other_are_refused(forge, fault):
    changes, remedy = VALUES[fault]
    with pytest.raises(ValueError, match=f"^{re.escape(fault)}; {re.escape(remedy)}"):
        create_stage(forge, **changes)


def test_a_token_of_a_wrong_type_is_not_shown(forge):
    with pytest.raises(TypeError) as caught:
        create_stage(forge, token=b"not-to-be-shown")
    assert "Stage.token" in str(caught.value)
    assert "not-to-be-shown" not in str(caught.value)


class Lettered(ForgeNames):
    mark = "!"


def test_numbers_apart_begin_at_one_for_issues_and_for_pull_requests(forge):
    forge = type(forge)(evolve(forge.config, names=Lettered()), None)
    stage = create_stage(forge)
    assert [str(ref).rpartition("/")[2] for ref in (stage.issue, stage.closed)] == ["conformance#1", "conformance#2"]
    assert [ref.short for ref in (stage.pr, stage.merged, stage.draft)] == ["!1", "!2", "!3"]
    assert (stage.issue_as_pr, stage.missing_pr.short) == (None, "!987")

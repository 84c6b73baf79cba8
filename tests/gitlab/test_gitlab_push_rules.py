"""Push rules of a project: who is shown them, when a hidden one may refuse a merge, and what a merge is held to."""

import pytest
from gitlab_double.gitlab_server import NAME, open_gitlab
from gitlab_double.gitlab_situations import set_scene
from gitlab_double.gitlab_world import BOB_TOKEN, SMITH_TOKEN

from stithy_core.spi import RepositoryRef, Unknown
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio
ANVIL = RepositoryRef("smith/tools", "anvil")
HIDDEN = {
    "questions": ["no push rule refuses the merge"],
    "reason": "GitLab shows push rules to maintainers only",
    "action_required": "Use a token of a maintainer.",
    "actor": "maintainer",
}
COMMUNITY = ""


@pytest.fixture
def scene(server):
    return set_scene(server.world, NAME)


@pytest.fixture
async def check(server, tmp_path):
    """Return a function that checks the merge with a token."""
    settings = f'[forges.work]\nkind = "gitlab"\nurl = "{server.url}"\ntoken = {{ env = "TOKEN" }}\n'

    async def call(token):
        async with connect(make_app(tmp_path, settings, environ={"TOKEN": token})) as client:
            return (await client.call_tool("check_merge_readiness", {"pr": f"{NAME}!1"})).structured_content

    return call


def list_questions(found):
    questions = [question for one in found.get("unproven") or () for question in one["questions"]]
    return [question for question in questions if "push rule" in question]


async def list_push_rules(forge, branch="main"):
    pr = forge.names.create_pull_request_ref(ANVIL, 1)
    rules = await forge.rules.get(ANVIL, branch, pr=pr)
    return [one.name for one in rules.evaluated if "push rule" in one.name]


@pytest.mark.parametrize(
    ("tier", "rows"), [(COMMUNITY, None), ("free", None), ("premium", [HIDDEN]), ("ultimate", [HIDDEN])]
)
async def test_a_developer_reads_ready_only_where_the_licence_has_no_push_rules(server, scene, check, tier, rows):
    """GitLab refuses a developer the push rule on every tier: the fields of the project tell what the licence has."""
    server.world.enterprise, server.world.tier = bool(tier), tier or "free"
    scene.home.push_rule = {"id": 1, "commit_message_regex": "^ABC-"}
    found = await check(BOB_TOKEN)
    assert (found["verdict"], found.get("unproven")) == ("unproven" if rows else "ready", rows)


async def test_a_project_without_a_push_rule_is_ready_to_its_owner_only(scene, check):
    assert [(await check(token))["verdict"] for token in (SMITH_TOKEN, BOB_TOKEN)] == ["ready", "unproven"]


@pytest.mark.parametrize("field", ["approvals_before_merge", "issues_template", "merge_requests_template"])
async def test_one_field_of_the_licence_is_enough(server, scene, check, field):
    """A GitLab may have some of them only: `issues_template` is shown to those who may read issues."""
    server.world.tier = "free"
    scene.home.settings[field] = None
    assert (await check(BOB_TOKEN))["unproven"] == [HIDDEN]


@pytest.mark.parametrize(("squash", "questions"), [(False, []), (True, HIDDEN["questions"])])
async def test_a_hidden_push_rule_refuses_no_fast_forward_that_is_not_squashed(scene, check, squash, questions):
    scene.home.settings["merge_method"], scene.merge["squash"] = "ff", squash
    assert list_questions(await check(BOB_TOKEN)) == questions


async def test_to_a_reader_without_a_token_nothing_about_push_rules_is_proven(server, tmp_path, scene):
    """Their project has no field of the licence, on any tier."""
    server.world.tier = "free"
    async with open_gitlab(server, tmp_path, token="") as forge:
        assert await list_push_rules(forge) == HIDDEN["questions"]
        assert isinstance((await forge.rules.get(ANVIL, "main")).signed, Unknown)


async def test_without_the_licence_no_commit_must_be_signed(server, tmp_path, scene):
    server.world.tier = "free"
    for token in (SMITH_TOKEN, BOB_TOKEN):
        async with open_gitlab(server, tmp_path, token=token) as forge:
            assert (await forge.rules.get(ANVIL, "main")).signed is False


SQUASHED = [
    ({"file_name_regex": "exe$"}, "no new file has a name that matches 'exe$' (push rule)"),
    ({"prevent_secrets": True}, "no new file has the name of a file with secrets (push rule)"),
    (
        {"commit_committer_check": True},
        "the email of the squashed commit's author belongs to whoever merges (push rule)",
    ),
]


@pytest.mark.parametrize(("rule", "demand"), SQUASHED)
async def test_a_squashed_commit_is_held_to_more_of_a_push_rule(scene, check, rule, demand):
    """It is new, and has all files of the branch; a merge commit has none that its parents lack."""
    scene.home.push_rule = {"id": 1, **rule}
    assert (await check(SMITH_TOKEN))["verdict"] == "ready"
    scene.home.settings["squash_option"] = "always"
    assert list_questions(await check(SMITH_TOKEN)) == [demand]
    scene.home.settings["squash_option"], scene.merge["squash"] = "default_off", True
    assert list_questions(await check(SMITH_TOKEN)) == [demand]
    scene.home.settings["squash_option"] = "never"
    assert (await check(SMITH_TOKEN))["verdict"] == "ready"


async def test_a_squashed_fast_forward_is_held_to_the_message(scene, check):
    scene.home.push_rule = {"id": 1, "commit_message_regex": "^ABC-"}
    scene.home.settings["merge_method"] = "ff"
    assert list_questions(await check(SMITH_TOKEN)) == []
    scene.merge["squash"] = True
    demand = "the message of the squashed commit matches '^ABC-' (push rule)"
    assert list_questions(await check(SMITH_TOKEN)) == [demand]


async def test_every_target_but_the_default_branch_is_held_to_the_rule_for_names(forge, scene):
    scene.home.push_rule = {"id": 1, "branch_name_regex": "^feature/"}
    assert await list_push_rules(forge) == []
    assert await list_push_rules(forge, "later") == ["the name of the target branch matches '^feature/' (push rule)"]


async def test_a_rule_that_is_compared_at_the_merge_does_not_contradict_the_merge_status(server, tmp_path, scene):
    """Other rules do: the status should cover them."""
    scene.home.push_rule = {"id": 1, "commit_message_regex": "^ABC-"}
    for token in (SMITH_TOKEN, BOB_TOKEN):
        async with open_gitlab(server, tmp_path, token=token) as forge:
            found = await forge.pull_requests.readiness(forge.names.create_pull_request_ref(ANVIL, 1))
            assert [rule.at_merge for rule in found.rules.evaluated if "push rule" in rule.name] == [True]
            assert found.pull_request.blocked.reason == "GitLab's merge status does not cover push rules"

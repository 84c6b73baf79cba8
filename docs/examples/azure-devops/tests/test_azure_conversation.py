"""The conversation of a pull request on Azure DevOps, through the tools of stithy-comments."""

import pytest
from azure_devops_double import NAME, OTHER, PROJECT, TOKEN
from command_patterns import fill_call

from stithy_core.spi import UserError
from stithy_testing import make_app

pytestmark = pytest.mark.anyio

PR = "my project/my repo!1"
PLACE = {"owner": PROJECT, "repo": NAME, "pull_number": 1}


def place(side, first, last):
    """Return a range of lines of the left or the right file."""
    ends = {f"{side}FileStart": {"line": first, "offset": 1}, f"{side}FileEnd": {"line": last, "offset": 9}}
    return {"filePath": "/hello.txt", **ends}


@pytest.fixture
def talk(org):
    """A conversation of each kind; returns its discussions by their first words."""
    system = org.add_thread(1)
    org.add_comment(system, "The merge was attempted.", "build", commentType="system")
    org.add_thread(1, "Gone.", status="active")["comments"][0]["isDeleted"] = True
    found = [
        org.add_thread(1, "Why these?", "Because.", author="kim", status="active", threadContext=place("right", 3, 5)),
        org.add_thread(1, "It was better.", author="kim", status="byDesign", threadContext=place("left", 7, 7)),
        org.add_thread(1, "Say more.", author="kim", status="pending"),
        org.add_thread(1, "Thank you.", "Welcome.", author="kim", status="unknown"),
    ]
    return {thread["comments"][0]["content"].split()[0]: thread for thread in found}


async def test_discussions_without_a_place_and_a_status_are_comments(open_desk, talk):
    async with open_desk() as desk:
        found = await desk.call("pr_comment_list", repository=f"{PROJECT}/{NAME}", pull_request_number=1)
    number = talk["Thank"]["id"]
    assert [(row["id"], row["body"]) for row in found["comments"]] == [
        (f"{number}/1", "Thank you."),
        (f"{number}/2", "Welcome."),
    ]


async def test_threads_have_the_place_of_their_side_if_any(open_desk, talk):
    async with open_desk() as desk:
        found = await desk.call(
            "pull_request_read", method="get_review_comments", owner=PROJECT, repo=NAME, pullNumber=1
        )
    rows = [(row["body"], row.get("path"), row.get("line"), row.get("side")) for row in found["review_comments"]]
    assert rows == [
        ("Say more.", None, None, None),
        ("Why these?", "hello.txt", 5, "RIGHT"),
        ("Because.", "hello.txt", 5, "RIGHT"),
        ("It was better.", "hello.txt", 7, "LEFT"),
    ]


async def test_the_status_decides_what_is_unresolved(open_desk, talk):
    async with open_desk() as desk:
        found = await desk.call("find_unresolved_comments", pr=PR)
    assert {row["body"] for row in found["comments"] if "thread_id" in row} == {"Say more.", "Why these?"}


async def test_a_reply_lands_in_the_thread_of_a_comment_and_is_not_repeated(open_desk, talk):
    async with open_desk() as desk:
        for _ in range(2):
            name = f"{talk['Why']['id']}/2"
            await desk.call("reply_to_review_comment", comment_id=name, body="They are needed.", **PLACE)
    rows = [(row["id"], row["content"], row["parentCommentId"]) for row in talk["Why"]["comments"]]
    assert rows[2:] == [(3, "They are needed.", 1)]


async def test_the_offered_command_replies(open_desk, talk):
    async with open_desk() as desk:
        found = await desk.call("find_unresolved_comments", pr=PR)
        asked = next(row for row in found["comments"] if row["body"] == "Say more.")
        name, arguments = fill_call(found, asked, "reply", "More.")
        await desk.call(name, **arguments)
    assert talk["Say"]["comments"][1]["content"] == "More."


async def test_a_comment_without_a_status_cannot_be_answered_and_no_reply_is_offered(open_desk, talk):
    async with open_desk() as desk:
        found = await desk.call("find_unresolved_comments", pr=PR)
    assert "Thank you." in {row["body"] for row in found["comments"] if "thread_id" not in row}
    offered = found["action_commands"]
    assert ("reply_call" in offered["threads"], "reply_call" in offered["bodies"]) == (True, False)


async def test_threads_are_resolved_and_reopened_by_their_status(open_desk, talk):
    name = str(talk["Why"]["id"])
    async with open_desk() as desk:
        await desk.call("resolve_review_thread", thread_id=name, **PLACE)
        assert talk["Why"]["status"] == "fixed"
        await desk.call("unresolve_review_thread", thread_id=name, **PLACE)
    assert talk["Why"]["status"] == "active"


async def test_a_resolution_that_people_chose_is_kept(open_desk, talk):
    async with open_desk() as desk:
        await desk.call("resolve_review_thread", thread_id=str(talk["It"]["id"]), **PLACE)
    assert talk["It"]["status"] == "byDesign"


NAMES = [
    "my project/my repo!1",
    "work:my project/my repo!1",
    "MY PROJECT/My Repo!1",
    "{url}/fabrikam/my%20project/_git/my%20repo/pullrequest/1",
    "{url}/fabrikam/my%20project/_git/my%20repo/pullrequest/1?_a=files&path=/hello.txt",
]


@pytest.mark.parametrize("name", NAMES)
async def test_a_pull_request_is_named_in_every_form(open_desk, talk, org, name):
    async with open_desk() as desk:
        found = await desk.call("find_unresolved_comments", pr=name.format(url=org.url))
    assert found["pr"].lower() == PR


@pytest.mark.parametrize("name", ["{url}/fabrikam/_git/lone/pullrequest/6", "lone/lone!6"])
async def test_a_repository_called_as_its_project_has_a_short_url(open_desk, org, name):
    async with open_desk() as desk:
        found = await desk.call("check_merge_readiness", pr=name.format(url=org.url))
    assert found["pr"] == "lone/lone!6"


HOSTED = [
    "https://dev.azure.com/fabrikam/my%20project/_git/my%20repo",
    "https://fabrikam@dev.azure.com/fabrikam/my%20project/_git/my%20repo",
    "git@ssh.dev.azure.com:v3/fabrikam/my%20project/my%20repo",
    "https://fabrikam.visualstudio.com/my%20project/_git/my%20repo",
    "https://fabrikam.visualstudio.com/DefaultCollection/my%20project/_git/my%20repo",
    "fabrikam@vs-ssh.visualstudio.com:v3/fabrikam/my%20project/my%20repo",
]


@pytest.mark.parametrize("name", HOSTED)
async def test_a_repository_is_named_by_its_clone_urls_on_both_hosts(tmp_path, name):
    app = make_app(tmp_path, '[forges.work]\nkind = "azure-devops"\nurl = "https://dev.azure.com/fabrikam"\n')
    forge, repository = await app.forges.repository(name)
    assert (forge.config.alias, str(repository)) == ("work", "my project/my repo")


@pytest.mark.parametrize(
    "name", ["git@ssh.dev.azure.com:v3/other/my%20project/my%20repo", "https://dev.azure.com/other/_git/x"]
)
async def test_a_repository_of_another_organization_is_refused(tmp_path, name):
    app = make_app(tmp_path, '[forges.work]\nkind = "azure-devops"\nurl = "https://dev.azure.com/fabrikam"\n')
    with pytest.raises(UserError, match="no forge is configured for"):
        await app.forges.repository(name)


async def test_what_is_missing_is_named(open_desk):
    async with open_desk() as desk:
        no_repository = await desk.fail("find_unresolved_comments", pr="my project/nothing!1")
        no_pull = await desk.fail("find_unresolved_comments", pr="my project/my repo!99")
    assert "repository my project/nothing was not found" in no_repository
    assert "my project/my repo!99 was not found" in no_pull


@pytest.mark.parametrize("status", [203, 302])
async def test_a_sign_in_page_says_that_the_token_is_wrong(open_desk, org, status):
    org.sign_in = status
    async with open_desk("azure-pat-that-is-wrong-0123456789") as desk:
        text = await desk.fail("find_unresolved_comments", pr=PR)
    assert "the token is wrong or expired" in text
    assert "azure-pat-that-is-wrong" not in text


async def test_the_token_is_in_no_answer(open_desk, talk):
    async with open_desk() as desk:
        found = await desk.call("find_unresolved_comments", pr=PR)
        conflicts = await desk.call("detect_merge_conflicts", pr="my project/my repo!4")
    assert TOKEN not in f"{found}{conflicts}"
    assert OTHER not in f"{found}{conflicts}"

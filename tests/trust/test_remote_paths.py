"""Over HTTP no argument tells a caller which files and accounts the server's machine has."""

import json

import pytest
from rpc import call_rpc, call_tool

from stithy_testing import browse, connect

pytestmark = pytest.mark.anyio

LOCAL = {"directory", "files"}
"""Every argument of the plugins that names a path of the server's machine."""
BY_DIRECTORY = [
    *("issue_comment_create", "issue_comment_edit", "issue_comment_list", "issue_list"),
    *("pr_comment_create", "pr_comment_edit", "pr_comment_list", "pr_list"),
]
NUMBERS = {"issue_number": 1, "pull_request_number": 2, "comment_id": 1, "comment": "Hi.", "new_content": "Hi."}
PATHS = ["/etc", "/etc/passwd", "/no/such/path", ".", "./x", "~", "~root", "~nosuchuser"]


def arguments_of(app, name, **given):
    """Return the arguments that a tool takes, of those that all of its family take, with those given."""
    return {
        key: value for key, value in NUMBERS.items() if key in app.executor.registry.get(name).input["properties"]
    } | given


async def test_tools_have_no_local_arguments_there(make):
    """The schemas over HTTP have none of them, and over stdio all (FIX-3)."""
    app = make()
    async with browse(app) as ask:
        remote = {
            tool["name"]: tool["inputSchema"]["properties"] for tool in (await call_rpc(ask, "tools/list"))["tools"]
        }
    async with connect(app) as client:
        own = {tool.name: tool.input_schema["properties"] for tool in (await client.list_tools()).tools}
    assert remote.keys() == own.keys()
    assert {name for name, properties in own.items() if properties.keys() & LOCAL} == {
        *BY_DIRECTORY,
        "validate-against-pattern",
    }
    assert not [name for name, properties in remote.items() if properties.keys() & LOCAL]
    assert not [name for name, properties in remote.items() if "directory" in json.dumps(properties)]


@pytest.mark.parametrize("name", BY_DIRECTORY)
async def test_a_directory_is_refused_unseen(make, name):
    """What is there and what is not are refused in the same words (FIX-3)."""
    app = make()
    async with browse(app) as ask:
        answers = [await call_tool(ask, name, arguments_of(app, name, directory=path)) for path in PATHS]
    assert {answer["isError"] for answer in answers} == {True}
    (text,) = {json.dumps(answer) for answer in answers}
    assert "directory names a path on the server's machine and is not taken over HTTP" in text


async def test_only_callers_on_this_machine_may_leave_the_repository_out(make):
    """The clone in the server's working directory stands for it over stdio alone."""
    app = make()
    async with browse(app) as ask:
        tools = {tool["name"]: tool["inputSchema"] for tool in (await call_rpc(ask, "tools/list"))["tools"]}
        answer = await call_tool(ask, "pr_list", {})
    async with connect(app) as client:
        (own,) = [tool.input_schema for tool in (await client.list_tools()).tools if tool.name == "pr_list"]
    assert "repository" in tools["pr_list"]["required"]
    assert answer["structuredContent"]["error"] == "Invalid request: repository is required"
    assert "repository" not in own.get("required", ())
    assert "default: this clone" in own["properties"]["repository"]["description"]


@pytest.mark.parametrize("path", PATHS)
async def test_a_directory_is_no_repository_there(make, path):
    """`repository` has a directory form over stdio alone (FIX-3)."""
    app = make()
    async with browse(app) as ask:
        answer = await call_tool(ask, "pr_list", {"repository": path})
    assert answer["structuredContent"]["error"].startswith("Invalid request: repository must be in format")
    assert answer["structuredContent"]["details"]["errors"][0]["given"] == path
    assert "no local directory" in answer["structuredContent"]["suggestion"]


@pytest.mark.parametrize("owner", ["~root", "~nosuchuser", "%2Froot", "."])
async def test_a_path_of_a_route_is_no_directory(make, owner):
    """Routes take no directory either (FIX-3)."""
    async with browse(make()) as ask:
        answer = await ask("GET", f"/repos/{owner}/x/pulls/1/comments")
    assert answer.status in (400, 404)
    assert "cannot be opened" not in answer.body.decode()
    assert "git repository" not in answer.body.decode()


async def test_files_of_the_project_are_refused_unseen(make, tmp_path):
    """`files` of validate-against-pattern names files of the server's project (FIX-3)."""
    (tmp_path / "there.py").write_text("x = 1\n")
    async with browse(make()) as ask:
        answers = [
            await call_tool(ask, "validate-against-pattern", {"pattern_name": "any", "files": [name]})
            for name in ("there.py", "absent.py")
        ]
    assert answers[0] == answers[1]
    assert "files names a path on the server's machine" in answers[0]["structuredContent"]["error"]


@pytest.mark.parametrize("field", ["directory", "repository"])
async def test_an_account_that_is_not_there_is_the_callers_mistake(make, call, field):
    """`~nosuchuser` was answered "failed inside stithy-comments" (FIX-3)."""
    answer = await call(make(), "pr_list", **{field: "~nosuchuser"})
    assert answer.structured_content["code"] == -32602
    assert "~nosuchuser: cannot be opened" in answer.structured_content["error"]

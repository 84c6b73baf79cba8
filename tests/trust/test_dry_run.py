"""A dry run shows what would be sent, and nothing is sent."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from attrs import frozen
from builtin_wrappers import workflows_of

from stithy_core.spi import Comments, Effects, Rejected, Threads, Unclear, WorkflowArg, map_concurrently
from stithy_testing import connect

pytestmark = pytest.mark.anyio

PLACE = {"repository": "smith/anvil", "pull_request_number": 2}
POST = "POST /api/v1/repos/smith/anvil/issues/2/comments"
WRITES = {"effects": Effects.ADD, "needs": [Comments.create]}


def list_writes(server):
    return [what for what in server.targets if not what.startswith("GET")]


async def test_method_url_and_body_are_shown(make, call, gitea):
    app = make(settings=gitea.settings())
    answer = await call(app, "pr_comment_create", comment="Hi <b> & “all”", dry_run=True, **PLACE)
    (request,) = answer.structured_content["requests"]
    assert (request["method"], request["url"]) == ("POST", gitea.url + POST.removeprefix("POST "))
    assert json.loads(request["body"]) == {"body": "Hi <b> & “all”"}
    assert answer.content[0].text.startswith("Dry run: nothing was sent.\nPOST http://127.0.0.1:")


async def test_reads_are_sent_and_writes_are_not(make, call, gitea):
    await call(make(settings=gitea.settings()), "pr_comment_create", comment="Hi", dry_run=True, **PLACE)
    assert list_writes(gitea) == []
    assert "GET /api/v1/repos/smith/anvil/pulls/2" in gitea.targets


async def test_the_token_is_never_shown(make, call, gitea, token):
    """Neither by itself, nor where the caller wrote it into the text."""
    answer = await call(make(settings=gitea.settings()), "pr_comment_create", comment=token, dry_run=True, **PLACE)
    assert gitea.received[-1].headers["authorization"] == f"Bearer {token}"
    assert token not in str(answer)


async def test_unknown_effects_are_reported(make, call, gitea):
    answer = await call(make(settings=gitea.settings()), "pr_comment_create", comment="Hi", dry_run=True, **PLACE)
    (row,) = answer.structured_content["unknown"]
    assert (row["field"], row["remedy"]) == ("result", "Call again without dry_run.")
    assert "what the forge would answer" in row["reason"]


async def test_an_error_of_the_reads_is_the_answer(make, call, gitea):
    gitea.answer("GET /api/v1/repos/smith/anvil/pulls/2", 404, {"message": "not found"})
    answer = await call(make(settings=gitea.settings()), "pr_comment_create", comment="Hi", dry_run=True, **PLACE)
    assert answer.is_error
    assert answer.structured_content["category"] == "api"


async def test_a_read_only_forge_refuses_a_dry_run_as_it_would_the_write(make, call, gitea):
    app = make(settings=gitea.settings("read_only = true\n"))
    answer = await call(app, "pr_comment_create", comment="Hi", dry_run=True, **PLACE)
    assert answer.structured_content["error"].endswith("lab is read-only here")


async def test_a_first_attempt_that_was_lost_is_looked_for(make, gitea):
    """The dry run finds it and would send nothing; that it looked changes nothing for the real call."""
    gitea.lose(POST)
    gitea.answer("GET /api/v1/repos/smith/anvil/issues/2/comments", 200, [])
    async with connect(make(settings=gitea.settings())) as client:
        given = {"comment": "Hi", **PLACE}
        assert (await client.call_tool("pr_comment_create", given)).is_error
        gitea.answer("GET /api/v1/repos/smith/anvil/issues/2/comments", 200, [comment()])
        dry = await client.call_tool("pr_comment_create", given | {"dry_run": True})
        found = await client.call_tool("pr_comment_create", given)
    assert dry.structured_content == {"dry_run": True, "requests": [], "result": dry.structured_content["result"]}
    assert found.structured_content["comment"]["id"] == 7
    assert list_writes(gitea) == [POST]


@pytest.mark.parametrize("case", [("Done.", 0), ("Done!", 1)], ids=["found", "not found"])
async def test_an_answer_of_before_is_looked_for(make, call, gitea, tool, case):
    """Where it is found the call would send nothing, and else what it would send is shown."""
    text, shown = case

    async def answer(ctx, args):
        forge, pr = await ctx.pull_request("smith/anvil#2")
        await forge.threads.reply(pr, "7", text, unless_since=forge.now() - timedelta(days=1))

    path = "GET /api/v1/repos/smith/anvil/pulls/2/reviews"
    place = {"path": "horn.py", "position": 3, "pull_request_review_id": 9}
    rows = [comment() | place | {"id": number, "body": body} for number, body in ((7, "Hi"), (8, "Done."))]
    gitea.answer("GET /api/v1/user", 200, {"id": 5, "login": "smith"})
    gitea.answer(path, 200, [{"id": 9, "user": rows[0]["user"], "state": "COMMENT", "comments_count": 2}])
    gitea.answer(f"{path}/9/comments", 200, rows)
    app = make(tool(answer, effects=Effects.ADD, needs=[Threads.reply]), settings=gitea.settings())
    requests = (await call(app, "answer", dry_run=True)).structured_content["requests"]
    assert [row["method"] for row in requests if "Done!" in row["body"]] == ["POST"] * shown
    assert (len(requests), [request for request in gitea.received if b"Done" in request.body]) == (shown, [])


async def test_a_dry_run_leaves_no_write_to_look_for(make, gitea):
    """The real call posts at once, and does not take somebody's equal comment for its own."""
    gitea.answer(POST, 201, comment())
    async with connect(make(settings=gitea.settings())) as client:
        await client.call_tool("pr_comment_create", {"comment": "Hi", "dry_run": True, **PLACE})
        await client.call_tool("pr_comment_create", {"comment": "Hi", **PLACE})
    assert list_writes(gitea) == [POST]
    assert "GET /api/v1/repos/smith/anvil/issues/2/comments" not in " ".join(gitea.targets)


async def test_a_forge_without_http_shows_the_operation(make, call):
    app = make()
    answer = await call(app, "pr_comment_create", comment="Hi", dry_run=True, **PLACE)
    assert answer.structured_content["requests"] == [{"operation": "Comments.create(smith/anvil#2, 'Hi')"}]
    listed = await call(app, "pr_comment_list", **PLACE)
    assert listed.structured_content["total"] == 2


async def test_a_forge_without_http_shows_what_is_given_by_name(make, call, tool):
    def answering(name, **more):
        async def run(ctx, args):
            forge, pr = await ctx.pull_request("smith/anvil#2")
            await forge.threads.reply(pr, "11", "Rockwell.", **more)

        return tool(run, name=name, effects=Effects.ADD, needs=[Threads.reply])

    app = make(answering("always"), answering("once", unless_since=datetime(2026, 1, 5, tzinfo=UTC)))
    shown = [(await call(app, name, dry_run=True)).structured_content["requests"] for name in ("always", "once")]
    plain = "Threads.reply(smith/anvil#2, '11', 'Rockwell.'"
    since = ", unless_since=2026-01-05T00:00:00+00:00"
    assert shown == [[{"operation": f"{plain})"}], [{"operation": f"{plain}{since})"}]]


@pytest.mark.parametrize("caught", [Exception, Rejected, Unclear], ids=lambda cls: cls.__name__)
async def test_a_tool_that_goes_on_after_failures_still_sends_nothing(make, call, gitea, tool, caught):
    async def stubborn(ctx, args):
        forge, pr = await ctx.pull_request("smith/anvil#2")
        try:
            await forge.comments.create(pr, "one")
        except caught:
            await forge.comments.create(pr, "two")

    answer = await call(make(tool(stubborn, **WRITES), settings=gitea.settings()), "stubborn", dry_run=True)
    assert [json.loads(row["body"]) for row in answer.structured_content["requests"]] == [{"body": "one"}]
    assert list_writes(gitea) == []


async def test_concurrent_writes_are_stopped(make, call, gitea, tool):
    async def both(ctx, args):
        forge, pr = await ctx.pull_request("smith/anvil#2")
        await map_concurrently(["one", "two"], lambda text: forge.comments.create(pr, text))

    answer = await call(make(tool(both, **WRITES), settings=gitea.settings()), "both", dry_run=True)
    assert 1 <= len(answer.structured_content["requests"]) <= 2
    assert list_writes(gitea) == []


async def test_work_that_outlives_the_call_sends_nothing(make, call, gitea, tool):
    async def outliving(ctx, args):
        forge, pr = await ctx.pull_request("smith/anvil#2")
        await ctx.job("one", lambda _: forge.comments.create(pr, "one"), None).within(5)

    answer = await call(make(tool(outliving, **WRITES), settings=gitea.settings()), "outliving", dry_run=True)
    assert len(answer.structured_content["requests"]) == 1
    assert list_writes(gitea) == []


async def test_work_that_writes_is_not_joined_by_a_dry_run(make, tool):
    async def outliving(ctx, args):
        forge, pr = await ctx.pull_request("smith/anvil#2")
        await ctx.job("one", lambda _: forge.comments.create(pr, "one"), None).within(5)

    async with connect(make(tool(outliving, **WRITES))) as client:
        assert "requests" not in (await client.call_tool("outliving", {})).structured_content
        assert (await client.call_tool("outliving", {"dry_run": True})).structured_content["requests"]


async def test_an_unchanged_state_would_send_nothing(make, call, tool):
    async def nothing_to_do(ctx, args):
        await ctx.pull_request("smith/anvil#2")

    app = make(tool(nothing_to_do, effects=Effects.CHANGE, needs=[Threads.resolve]))
    answer = (await call(app, "nothing_to_do", dry_run=True)).structured_content
    assert (answer["requests"], "unknown" in answer) == ([], False)
    assert answer["result"].startswith("The call would write nothing")


async def test_a_tool_whose_writes_are_elsewhere_is_not_begun(make, call, tool, tmp_path):
    async def local(ctx, args):
        (tmp_path / "written").touch()

    app = make(tool(local, effects=Effects.CHANGE))
    answer = await call(app, "local", dry_run=True)
    assert answer.structured_content["error"] == "local does not support dry runs; nothing was done"
    assert not (tmp_path / "written").exists()


@frozen
class Joining:
    handle: WorkflowArg = None


async def test_a_dry_run_is_no_result_of_its_workflow(make, call, tool):
    async def write(ctx, args):
        forge, pr = await ctx.pull_request("smith/anvil#2")
        await forge.comments.create(pr, "one")

    app = make(tool(write, input=Joining, **WRITES))
    handle = workflows_of(app.executor).start("guided", {})
    await call(app, "write", workflow_handle=handle, dry_run=True)
    assert list(workflows_of(app.executor).find(handle).results) == []
    await call(app, "write", workflow_handle=handle)
    assert list(workflows_of(app.executor).find(handle).results) == ["write"]


@frozen
class Asking:
    dry_run: bool = False


async def test_a_tool_that_asks_for_it_answers_itself(make, call, tool):
    async def asking(ctx, args):
        return ["would write" if args.dry_run else "wrote"]

    app = make(tool(asking, input=Asking, effects=Effects.CHANGE))
    assert (await call(app, "asking", dry_run=True)).structured_content == {"texts": ["would write"]}
    assert (await call(app, "asking")).structured_content == {"texts": ["wrote"]}


async def test_a_tool_that_asks_for_it_and_writes_nevertheless_is_stopped(make, call, gitea, tool):
    async def lying(ctx, args):
        forge, pr = await ctx.pull_request("smith/anvil#2")
        await forge.comments.create(pr, "one")

    answer = await call(make(tool(lying, input=Asking, **WRITES), settings=gitea.settings()), "lying", dry_run=True)
    assert len(answer.structured_content["requests"]) == 1
    assert list_writes(gitea) == []


async def test_the_argument_is_there_for_each_tool_that_writes_and_for_no_other(make, tool):
    async def own(ctx, args):
        """Do nothing."""

    settings = '[serve]\ntoolsets = ["repository_management", "stacks"]\n'
    app = make(*[tool(own, name=effects.value, effects=effects) for effects in Effects], settings=settings)
    async with connect(app) as client:
        tools = {row.name: row for row in (await client.list_tools()).tools}
    takers = {name for name, row in tools.items() if "dry_run" in row.input_schema["properties"]}
    assert takers == {one.spec.name for one in app.tools if one.spec.effects is not Effects.READ}
    assert takers > {"add", "change", "delete", "pr_comment_create"}


async def test_a_dry_run_fits_the_schema_of_the_result(make):
    """The client of the SDK holds each answer to it."""
    app = make(settings="[serve]\noutput_schemas = true\n[forges.play]\nkind = 'sandbox'\n")
    async with connect(app) as client:
        await client.list_tools()
        for dry in (True, False):
            given = {"comment": "Hi", "dry_run": dry, **PLACE}
            assert not (await client.call_tool("pr_comment_create", given)).is_error


def comment():
    author, now = {"id": 5, "login": "smith"}, "2999-01-05T09:00:00Z"
    return {
        "id": 7,
        "body": "Hi",
        "user": author,
        "created_at": now,
        "updated_at": now,
        "html_url": "http://git.example/smith/anvil/pulls/2#issuecomment-7",
        "issue_url": "",
        "pull_request_url": "http://git.example/smith/anvil/pulls/2",
    }


async def test_a_body_that_is_too_large_is_cut_and_said(make, call, gitea):
    answer = await call(
        make(settings=gitea.settings()), "pr_comment_create", comment="é" * 60_000, dry_run=True, **PLACE
    )
    (cut,) = answer.structured_content["cuts"]
    assert (cut["field"], cut["of"]) == ("requests[0].body", 60_000 + len('{"body": ""}'))
    assert len(answer.model_dump_json().encode()) < 17_000
    assert answer.structured_content["requests"][0]["url"].endswith("/issues/2/comments")

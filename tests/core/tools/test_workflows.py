"""Workflows: what a prompt was given and what tools found, under a handle, for an hour, and for nobody else."""

import json
from contextlib import asynccontextmanager
from typing import Annotated

import anyio
import httpx2
import pytest
from attrs import frozen
from builtin_wrappers import workflows_of
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from over_http import over_http

from stithy_core.builtin import workflow_store as module
from stithy_core.builtin.workflow_store import WorkflowStore
from stithy_core.errors import InvalidArguments, NotFound
from stithy_core.redaction import MASK
from stithy_core.spi import (
    Comments,
    Effects,
    Meta,
    Prompt,
    PromptArgument,
    PromptMessage,
    PromptProvider,
    Prompts,
    ToolSpec,
    WorkflowArg,
)
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

RAW = PromptArgument(name="code", required=True)


class Guided(PromptProvider):
    async def list(self):
        arguments = (RAW, PromptArgument(name="times"), PromptArgument(name="strict"))
        return [Prompt(name="guided", arguments=arguments, workflow=True), Prompt(name="plain", arguments=arguments)]

    async def get(self, name, arguments):
        if arguments["code"] == "broken":
            raise NotFound("no such code")
        return [PromptMessage(f"Check {arguments['code']}.")]


@frozen
class Work:
    code: Annotated[str, Meta("Code to check", max_length=2_000_000)]
    times: Annotated[int, Meta(ge=1)] = 1
    strict: bool = False
    sort: Annotated[str, Meta(preferable=True)] = "up"
    handle: WorkflowArg = None


@frozen
class Nothing:
    code: str = ""


@frozen
class Found:
    said: str
    before: dict[str, object]

    def render(self):
        yield self.said


async def check(ctx, args) -> Found:
    if args.code == "refused":
        raise NotFound("no such code")
    before = {} if ctx.workflow is None else {name: row["said"] for name, row in ctx.workflow.results.items()}
    return Found(f"{args.code} {args.times} {args.strict} {args.sort}", before)


def plain(worker, args) -> Found:
    return Found(worker.workflow.prompt, dict(worker.workflow.arguments))


async def grow(ctx, args) -> Found:
    return Found(args.code * args.times, {})


async def spoil(ctx, args) -> Found:
    ctx.workflow.results["check"]["said"] = "spoilt"
    return Found("", {})


async def alone(ctx, args) -> Found:
    return Found(str(ctx.workflow), {})


TOOLS = [
    ToolSpec(name=name, title="T", description="D", input=cls, handler=handler, budget=3_000_000)
    for name, cls, handler in [
        ("check", Work, check),
        ("again", Work, check),
        ("plain", Work, plain),
        ("grow", Work, grow),
        ("spoil", Work, spoil),
        ("alone", Nothing, alone),
    ]
]


@pytest.fixture
def app(tmp_path, plugin):
    """A server with those tools and prompts."""
    prompts = [Prompts(provider=Guided)]
    return make_app(tmp_path, entries=[plugin("stithy-guide", stithy_tools=TOOLS, stithy_prompts=prompts)])


@pytest.fixture
async def client(app, mode):
    async with connect(app, mode=mode) as connected:
        yield connected


async def begin_workflow(client, **arguments):
    """Get the prompt, and find the handle as an agent would."""
    messages = (await client.get_prompt("guided", {"code": "x = 1"} | arguments)).messages
    return messages[-1].content.text.split('workflow_handle="')[1].split('"')[0]


async def call_tool(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content[0].text
    return result.structured_content


# --- A handle


async def test_the_prompt_ends_with_a_handle_and_the_tools_that_take_it(client):
    messages = (await client.get_prompt("guided", {"code": "x = 1"})).messages
    assert messages[0].content.text == "Check x = 1."
    assert " to again, check, grow, plain, spoil: " in messages[-1].content.text
    assert len(messages) == 2


async def test_a_prompt_that_begins_none_has_no_handle(client):
    assert len((await client.get_prompt("plain", {"code": "x = 1"})).messages) == 1


async def test_handles_differ_and_are_too_long_to_guess(client):
    handles = {await begin_workflow(client) for _ in range(20)}
    assert len(handles) == 20
    assert all(len(handle) >= 22 for handle in handles)


async def test_a_prompt_that_fails_begins_none(app):
    async with connect(app) as client:
        with pytest.raises(MCPError, match="no such code"):
            await client.get_prompt("guided", {"code": "broken"})
    assert not workflows_of(app.executor)._entries


async def test_a_handle_stands_in_no_log(app, logs):
    async with connect(app) as client:
        handle = await begin_workflow(client)
        await call_tool(client, "check", workflow_handle=handle)
    assert MASK in logs.text
    assert handle not in logs.text


# --- What the prompt was given


async def test_the_prompts_arguments_are_the_calls_defaults(client):
    handle = await begin_workflow(client, times="3", strict="true")
    assert (await call_tool(client, "check", workflow_handle=handle))["said"] == "x = 1 3 True up"


async def test_an_explicit_argument_counts_more(client):
    handle = await begin_workflow(client, times="3")
    assert (await call_tool(client, "check", workflow_handle=handle, code="y", times=2))["said"] == "y 2 False up"


async def test_an_empty_argument_of_a_prompt_is_none(client):
    handle = await begin_workflow(client, times="")
    assert (await call_tool(client, "check", workflow_handle=handle))["said"] == "x = 1 1 False up"


async def test_the_prompts_arguments_are_validated(client):
    result = await client.call_tool("check", {"workflow_handle": await begin_workflow(client, times="0")})
    assert result.content[0].text.startswith("Invalid request: times must be at least 1, not 0")


async def test_it_counts_more_than_what_the_user_prefers(tmp_path, plugin):
    class Sorting(Guided):
        async def list(self):
            return [Prompt(name="guided", arguments=(RAW, PromptArgument(name="sort")), workflow=True)]

    mine = plugin("stithy-guide", stithy_tools=TOOLS, stithy_prompts=[Prompts(provider=Sorting)])
    async with connect(make_app(tmp_path, entries=[mine], preferences={"sort": "preferred"})) as client:
        with_sort = await call_tool(client, "check", workflow_handle=await begin_workflow(client, sort="down"))
        without = await call_tool(client, "check", workflow_handle=await begin_workflow(client))
    assert (with_sort["said"], without["said"]) == ("x = 1 1 False down", "x = 1 1 False preferred")
    assert "applied_preferences" not in with_sort


async def test_a_plain_handler_sees_the_workflow_too(client):
    found = await call_tool(client, "plain", workflow_handle=await begin_workflow(client, times="3"))
    assert found == {"said": "guided", "before": {"code": "x = 1", "times": "3"}}


async def test_without_a_handle_what_is_required_is_missed(client):
    result = await client.call_tool("check", {})
    assert "code is required" in result.content[0].text


async def test_callers_are_told_that_it_may_be_left_out(client):
    listed = next(tool for tool in (await client.list_tools()).tools if tool.name == "check").input_schema
    assert "required" not in listed
    assert listed["properties"]["code"]["description"] == "Code to check (required, unless workflow_handle brings it)"


async def test_a_tool_that_takes_no_part_refuses_the_handle(client):
    result = await client.call_tool("alone", {"workflow_handle": await begin_workflow(client)})
    assert result.content[0].text.startswith("Invalid request: workflow_handle is not an argument")
    assert (await call_tool(client, "alone"))["said"] == "None"


# --- What tools found


async def test_a_result_is_there_for_the_tools_after_it(client):
    handle = await begin_workflow(client)
    assert (await call_tool(client, "check", workflow_handle=handle))["before"] == {}
    assert (await call_tool(client, "again", workflow_handle=handle))["before"] == {"check": "x = 1 1 False up"}


async def test_the_last_result_of_a_tool_counts(client):
    handle = await begin_workflow(client)
    for times in (2, 5):
        await call_tool(client, "check", workflow_handle=handle, times=times)
    assert (await call_tool(client, "again", workflow_handle=handle))["before"] == {"check": "x = 1 5 False up"}


async def test_one_workflow_knows_nothing_of_another(client):
    one, other = await begin_workflow(client), await begin_workflow(client, code="y")
    await call_tool(client, "check", workflow_handle=one)
    assert (await call_tool(client, "again", workflow_handle=other)) == {"said": "y 1 False up", "before": {}}


async def test_an_error_leaves_nothing(client):
    handle = await begin_workflow(client)
    assert (await client.call_tool("check", {"workflow_handle": handle, "code": "refused"})).is_error
    assert (await call_tool(client, "again", workflow_handle=handle))["before"] == {}


async def test_a_dry_run_leaves_nothing(tool, executor):
    async def write(ctx, args) -> Found:
        return Found("written", {})

    served = executor(tool(write, Work, effects=Effects.ADD, needs=[Comments.create]))
    handle = workflows_of(served).start("guided", {"code": "x"})
    await served.call("tool", {"workflow_handle": handle, "dry_run": True})
    assert not workflows_of(served).find(handle).results
    await served.call("tool", {"workflow_handle": handle})
    assert list(workflows_of(served).find(handle).results) == ["tool"]


async def test_no_tool_can_change_what_others_read(client):
    handle = await begin_workflow(client)
    await call_tool(client, "check", workflow_handle=handle)
    await call_tool(client, "spoil", workflow_handle=handle)
    assert (await call_tool(client, "again", workflow_handle=handle))["before"]["check"] == "x = 1 1 False up"


async def test_concurrent_calls_see_what_was_there_when_they_began(tool, executor):
    """Neither waits for the other, and neither's result appears in the other while it runs."""
    both = anyio.Event(), anyio.Event()

    async def meet(ctx, args) -> Found:
        both[args.times - 1].set()
        for event in both:
            await event.wait()
        return Found(str(args.times), dict.fromkeys(ctx.workflow.results, 1))

    served = executor(tool(meet, Work, name="one"), tool(meet, Work, name="two"), tool(check, Work, name="after"))
    handle = workflows_of(served).start("guided", {"code": "x"})
    async with anyio.create_task_group() as group:
        for times, name in ((1, "one"), (2, "two")):
            group.start_soon(served.call, name, {"workflow_handle": handle, "times": times})
    answer = await served.call("after", {"workflow_handle": handle})
    assert answer.structured["before"] == {"one": "1", "two": "2"}
    assert set(workflows_of(served).find(handle).results["one"]["before"]) == set()


def test_a_running_call_sees_a_fixed_workflow(workflows):
    handle = workflows.start("guided", {})
    given = workflows.find(handle)
    workflows.save_result(handle, "check", {"said": "x"})
    assert list(given.results) == []


async def test_many_calls_at_once_leave_one_result_each(app, client):
    handle = await begin_workflow(client)
    async with anyio.create_task_group() as group:
        for number in range(1, 41):
            group.start_soon(lambda n=number: call_tool(client, "check", workflow_handle=handle, times=n))
    results = workflows_of(app.executor).find(handle).results
    assert list(results) == ["check"]


# --- Bounds


@pytest.fixture
def clock():
    """A clock that the test moves: `clock.append(seconds)`."""
    return [0.0]


@pytest.fixture
def workflows(clock):
    return WorkflowStore(lambda: clock[-1])


def test_it_ends_after_an_hour(workflows, clock):
    handle = workflows.start("guided", {})
    clock.append(3_599.0)
    assert workflows.find(handle).prompt == "guided"
    clock.append(3_600.0)
    with pytest.raises(InvalidArguments, match="names no active workflow"):
        workflows.find(handle)


def test_it_ends_however_often_it_is_used(workflows, clock):
    handle = workflows.start("guided", {})
    for minute in range(60):
        clock.append(minute * 60.0)
        assert workflows.save_result(handle, "check", {"said": "x"}) == ""
    clock.append(3_600.0)
    assert "ended" in workflows.save_result(handle, "check", {"said": "x"})


def test_ended_workflows_are_forgotten(workflows, clock):
    workflows.start("guided", {})
    clock.append(4_000.0)
    workflows.start("guided", {})
    assert len(workflows._entries) == 1


def test_the_oldest_of_more_than_a_hundred_workflows_is_evicted(workflows):
    handles = [workflows.start("guided", {}) for _ in range(101)]
    with pytest.raises(InvalidArguments):
        workflows.find(handles[0])
    assert all(workflows.find(handle) for handle in handles[1:])


def test_a_sessions_many_workflows_evict_only_its_own(workflows):
    mine = workflows.start("guided", {}, "me")
    for _ in range(200):
        workflows.start("guided", {}, "somebody else")
    assert workflows.find(mine, "me").prompt == "guided"


async def test_a_result_that_is_too_large_is_not_kept_and_that_is_said(client):
    handle = await begin_workflow(client)
    result = await client.call_tool("grow", {"workflow_handle": handle, "times": 10, "code": "é" * 60_000})
    assert result.structured_content["workflow_note"] == "the workflow holds at most 1,000,000 bytes"
    assert result.content[0].text.endswith("\nNot kept for the workflow: the workflow holds at most 1,000,000 bytes")
    assert "grow" not in (await call_tool(client, "again", workflow_handle=handle))["before"]


async def test_an_older_result_is_not_taken_for_one_that_was_too_large(client):
    handle = await begin_workflow(client)
    await call_tool(client, "grow", workflow_handle=handle, code="y")
    await call_tool(client, "grow", workflow_handle=handle, times=10, code="z" * 150_000)
    assert (await call_tool(client, "again", workflow_handle=handle))["before"] == {}


async def test_results_of_several_tools_share_the_budget(client):
    handle = await begin_workflow(client)
    await call_tool(client, "grow", workflow_handle=handle, times=6, code="y" * 100_000)
    found = await call_tool(client, "check", workflow_handle=handle, code="z" * 500_000)
    assert "workflow_note" in found


async def test_a_prompt_that_is_given_too_much_begins_none(client):
    with pytest.raises(MCPError, match=r"the arguments of guided have 1,000,0\d\d bytes"):
        await begin_workflow(client, code="x" * 1_000_000)


async def test_the_result_schema_allows_the_note(app, client):
    output = app.executor.registry.get("grow").output
    found = await call_tool(client, "grow", workflow_handle=await begin_workflow(client), times=10, code="x" * 150_000)
    assert "workflow_note" in found
    assert not list(Draft202012Validator(output).iter_errors(found))


# --- Invalid handles


@pytest.mark.parametrize("handle", ["", "wf-unknown", "x" * 64, "\u202e", "../../etc", "null"])
async def test_an_unknown_handle_says_how_to_restart(client, handle):
    result = await client.call_tool("check", {"workflow_handle": handle, "code": "x"})
    assert result.is_error
    first, remedy, *_ = result.content[0].text.split("\n")
    assert first == "Invalid request: workflow_handle names no active workflow"
    assert "Get its prompt again" in remedy
    assert result.structured_content["details"]["errors"][0]["path"] == "workflow_handle"


@pytest.mark.parametrize("handle", [7, ["wf"], {"wf": 1}, True])
async def test_a_handle_of_another_type_is_a_wrong_argument(client, handle):
    result = await client.call_tool("check", {"workflow_handle": handle, "code": "x"})
    assert "workflow_handle must be a string" in result.content[0].text


async def test_an_expired_handle_says_how_to_restart(app, client, monkeypatch):
    handle = await begin_workflow(client)
    monkeypatch.setattr(workflows_of(app.executor), "_clock", lambda: float("inf"))
    result = await client.call_tool("check", {"workflow_handle": handle})
    assert "Get its prompt again" in result.content[0].text


async def test_a_workflow_that_ends_during_a_call_is_said(tool, executor, monkeypatch):
    async def late(ctx, args) -> Found:
        monkeypatch.setattr(workflows_of(served), "_clock", lambda: float("inf"))
        return Found("done", {})

    served = executor(tool(late, Work))
    answer = await served.call("tool", {"workflow_handle": workflows_of(served).start("guided", {"code": "x"})})
    assert (answer.structured["said"], answer.structured["workflow_note"]) == (
        "done",
        "the workflow has ended meanwhile",
    )


async def test_workflows_end_with_the_server(app, tmp_path, plugin):
    before = set(tmp_path.rglob("*"))
    async with connect(app) as client:
        handle = await begin_workflow(client)
        await call_tool(client, "check", workflow_handle=handle)
    assert set(tmp_path.rglob("*")) == before
    fresh = make_app(tmp_path, entries=[plugin("stithy-guide", stithy_tools=TOOLS)])
    async with connect(fresh) as client:
        assert (await client.call_tool("check", {"workflow_handle": handle})).is_error


# --- Sessions


@asynccontextmanager
async def connect_with_token(url, token):
    """Connect with a bearer token."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client


async def test_over_http_whoever_shows_a_token_has_handles_of_their_own(tmp_path, plugin):
    prompts = [Prompts(provider=Guided)]
    entry = plugin("stithy-guide", stithy_tools=TOOLS, stithy_prompts=prompts)
    environ = {"ADA": "a-token-that-nobody-guesses", "BOB": "b-token-that-nobody-guesses"}
    settings = "[serve.http.tokens]\nada = { env = 'ADA' }\nbob = { env = 'BOB' }"
    async with (
        over_http(make_app(tmp_path, settings, environ=environ, entries=[entry])) as url,
        connect_with_token(url, environ["ADA"]) as ada,
        connect_with_token(url, environ["BOB"]) as bob,
    ):
        handle = await begin_workflow(ada)
        mine = await call_tool(ada, "check", workflow_handle=handle)
        theirs = await bob.call_tool("check", {"workflow_handle": handle})
    assert mine["said"] == "x = 1 1 False up"
    assert theirs.content[0].text.startswith("Invalid request: workflow_handle names no active workflow")


async def test_over_http_without_tokens_the_handle_is_what_goes_on(app, mode):
    """Nobody has to show a token on this machine alone: who knows the handle goes on."""
    async with over_http(app) as url:
        async with Client(url, mode=mode) as one:
            handle = await begin_workflow(one)
        async with Client(url, mode=mode) as later:
            assert (await call_tool(later, "check", workflow_handle=handle))["said"] == "x = 1 1 False up"


def test_a_handle_of_another_session_is_told_apart_by_nobody(workflows):
    handle = workflows.start("guided", {}, "one")
    for session, asked in (("other", handle), ("one", "wf-unknown")):
        with pytest.raises(InvalidArguments) as caught:
            workflows.find(asked, session)
        assert caught.value.message == "workflow_handle names no active workflow"
    assert workflows.save_result(handle, "check", {}, "other") == "the workflow has ended meanwhile"


def test_the_bounds_are_those_that_were_promised():
    assert (module.SECONDS, module.MOST, module.LARGEST) == (3_600.0, 100, 1_000_000)


def test_the_size_is_that_of_the_bytes(workflows):
    """A text that is escaped nowhere, but takes two bytes a letter."""
    handle = workflows.start("guided", {})
    assert workflows.save_result(handle, "a", {"x": "é" * 499_000}) == ""
    assert workflows.save_result(handle, "b", {"x": "é" * 1_000}) != ""
    assert json.loads(json.dumps(dict(workflows.find(handle).results["a"])))["x"] == "é" * 499_000

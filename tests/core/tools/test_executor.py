"""One call, from its arguments to its answer: limits, threads, masks, the log line and the counts."""

import json
import logging
import threading
from functools import partial
from typing import Annotated

import anyio
import anyio.to_thread
import pytest
from attrs import frozen

from stithy_core import errors
from stithy_core.errors import (
    Conflict,
    InvalidArguments,
    NotFound,
    RateLimited,
    StithyError,
    ToolNotFound,
    Unavailable,
    Unclear,
)
from stithy_core.redaction import MASK
from stithy_core.spi import Changed, CursorArg, Effects, Meta, Page
from stithy_core.tools.registry import DURATIONS
from stithy_testing import make_app

pytestmark = pytest.mark.anyio

TOKEN = "ghp_" + "a1B2" * 9
SOON = 60


@frozen
class Said:
    text: str = "done"

    def render(self):
        yield self.text


@frozen
class Given:
    name: Annotated[str, Meta(max_length=1_000)] = "world"
    limit: Annotated[int, Meta(ge=1)] = 1


async def greet(ctx, args):
    return Said(f"Hello, {args.name}!")


def raising(error):
    async def handler(ctx, args):
        raise error

    return handler


@pytest.fixture
def short(monkeypatch):
    """Quick tools end after 0.2 seconds."""
    monkeypatch.setitem(DURATIONS, "quick", 0.2)


@pytest.fixture
def stop():
    """Ends threads that a test has left computing."""
    event = threading.Event()
    yield event
    event.set()


def counts(executor, name="tool"):
    row = executor.statistics.as_dict()["tools"].get(name, {})
    return row.get("invocations", 0), row.get("failures", 0), row.get("timeouts", 0)


# The way of a call


async def test_arguments_become_a_result(serving):
    answer = await serving(greet, Given).call("tool", {"name": "smith"})
    assert (answer.structured, answer.text, answer.is_error) == ({"text": "Hello, smith!"}, "Hello, smith!", False)


@pytest.mark.parametrize("arguments", [None, {}, {"name": None}])
async def test_missing_arguments_have_their_default(serving, arguments):
    assert (await serving(greet, Given).call("tool", arguments)).text == "Hello, world!"


async def test_the_arguments_of_the_caller_are_left_alone(serving):
    arguments = {"name": None}
    await serving(greet, Given).call("tool", arguments)
    assert arguments == {"name": None}


async def test_arguments_that_do_not_fit_never_reach_the_handler(serving):
    answer = await serving(raising(AssertionError), Given).call("tool", {"limit": 0, "nme": "x"})
    assert answer.is_error
    assert answer.structured["error"].startswith("Invalid request: ")
    assert [error["path"] for error in answer.structured["details"]["errors"]] == ["nme", "limit"]


async def test_a_handler_may_find_the_arguments_invalid_too(serving):
    answer = await serving(raising(InvalidArguments("no such branch")), error_prefix="Failed: ").call("tool", {})
    assert answer.structured["error"] == "Invalid request: no such branch"


async def test_an_unknown_tool_is_not_found_and_the_nearest_is_proposed(serving):
    with pytest.raises(ToolNotFound) as caught:
        await serving(greet).call("tol", {})
    assert caught.value.suggestion == "Did you mean tool?"


async def test_a_tool_that_is_switched_off_answers_so(tool, executor):
    off = executor(tool(greet), refuse=lambda tool: "this server is read-only")
    answer = await off.call("tool", {})
    assert answer.is_error
    assert "this server is read-only" in answer.structured["error"]


def wrap_greet(ctx, args):
    return greet(ctx, args)


@pytest.mark.parametrize("handler", [partial(greet), wrap_greet])
async def test_a_handler_that_only_wraps_an_async_one_is_awaited(serving, handler):
    assert (await serving(handler, Given).call("tool", {})).text == "Hello, world!"


async def test_an_object_with_an_async_call_is_a_handler(serving):
    class Greeter:
        async def __call__(self, ctx, args):
            return Said(threading.current_thread().name)

    assert (await serving(Greeter()).call("tool", {})).text == threading.current_thread().name


async def test_a_handler_may_be_a_reference(install_plugin, serving):
    source = "from stithy_core.spi import StithyError\ndef run(worker, args): raise StithyError('ran')"
    install_plugin("stithy-lazy", source)
    assert (await serving("stithy_lazy:run").call("tool", {})).text == "ran"


async def test_a_reference_that_leads_nowhere_is_an_answer(serving):
    answer = await serving("no.such.module:run").call("tool", {})
    assert answer.is_error
    assert "no.such.module" in answer.structured["error"]


# What a handler is handed


async def test_a_call_sees_its_plugins_corner(serving):
    async def handler(ctx, args):
        assert ctx.settings(Given) == Given()
        assert ctx.collect(letters, ctx, args) == []
        assert ctx.shared(lambda scope: scope.origin.distribution) == "stithy-pond"
        await ctx.changed(Changed("resources"))
        return Said(ctx.log.name)

    assert (await serving(handler).call("tool", {})).text == "stithy.plugins.stithy-pond"


async def test_a_call_knows_how_long_it_has(serving, product_limits):
    async def handler(ctx, args):
        return Said("yes" if 0 < ctx.remaining() <= 30 else "no")

    assert (await serving(handler, duration="slow").call("tool", {})).text == "yes"


async def test_cpu_work_runs_in_a_thread(serving):
    async def handler(ctx, args):
        return Said(await ctx.thread(lambda suffix: threading.current_thread().name + suffix, suffix="!"))

    assert (await serving(handler).call("tool", {})).text != threading.current_thread().name + "!"


async def test_a_job_goes_on_when_its_call_has_answered(serving):
    go_on = anyio.Event()

    async def work(so_far):
        await go_on.wait()
        return "ended"

    async def handler(ctx, args):
        return Said(await ctx.job("key", work, []).within(0 if not go_on.is_set() else SOON) or "goes on")

    executor = serving(handler)
    async with anyio.create_task_group() as executor._jobs.group:
        assert (await executor.call("tool", {})).text == "goes on"
        go_on.set()
        assert (await executor.call("tool", {})).text == "ended"


SANDBOX = '[forges.play]\nkind = "sandbox"\nread_only = {read_only}\n'
PLACES = """
    from attrs import frozen
    from stithy_core.spi import Effects, PullRequestArg, RepositoryArg, ToolSpec, hookimpl

    STITHY_API = 1

    @frozen
    class Place:
        repository: RepositoryArg | None = None
        pr: PullRequestArg | None = None

    @frozen
    class Found:
        text: str

        def render(self):
            yield self.text

    async def find(ctx, args):
        forge, ref = await (ctx.pull_request(args.pr) if args.pr else ctx.repository(args.repository))
        return Found(f"{forge.config.alias} {ref}")

    @hookimpl
    def stithy_tools():
        for name, effects in {"find": Effects.READ, "write": Effects.ADD}.items():
            yield ToolSpec(name=name, title="T", description="D", input=Place, handler=find, effects=effects)
"""


@pytest.fixture
def places(install_plugin, tmp_path):
    """Tools that find a place: `find` reads there, `write` writes."""
    install_plugin("stithy-places", PLACES)
    return lambda read_only: make_app(tmp_path, SANDBOX.format(read_only=read_only)).executor


@pytest.mark.parametrize("arguments", [{"pr": "a/b#1"}, {"repository": "a/b"}])
@pytest.mark.parametrize(("tool", "read_only"), [("find", "true"), ("find", "false"), ("write", "false")])
async def test_a_place_that_a_caller_wrote_is_found(places, arguments, tool, read_only):
    answer = await places(read_only).call(tool, arguments)
    assert answer.text == f"play {next(iter(arguments.values()))}"


@pytest.mark.parametrize("arguments", [{"pr": "a/b#1"}, {"repository": "a/b"}])
async def test_a_tool_that_writes_is_refused_a_forge_that_is_read_only(places, arguments):
    answer = await places("true").call("write", arguments)
    assert answer.is_error
    assert answer.text.startswith("play is read-only")


# Limits


@pytest.mark.parametrize(("duration", "seconds"), [("quick", 10), ("slow", 30), ("long", 1_800)])
def test_each_duration_has_its_limit(tool, duration, seconds, product_limits):
    assert tool(greet, duration=duration).seconds == seconds


async def test_a_call_that_takes_too_long_ends_and_is_counted(serving, short):
    async def handler(ctx, args):
        await anyio.sleep_forever()

    executor = serving(handler, error_prefix="Failed: ")
    answer = await executor.call("tool", {})
    assert (answer.structured["code"], answer.structured["category"]) == (-32003, "logical")
    assert answer.structured["error"] == "Failed: tool took longer than 0 seconds"
    assert counts(executor) == (1, 1, 1)


@pytest.mark.parametrize(("effects", "advice"), [(Effects.READ, "Try again."), (Effects.ADD, "read the target back")])
async def test_after_a_timeout_only_a_read_is_to_be_repeated(serving, short, effects, advice):
    async def handler(ctx, args):
        await anyio.sleep_forever()

    answer = await serving(handler, effects=effects).call("tool", {})
    assert advice in answer.structured["suggestion"]


async def test_a_limit_fires_while_a_plain_handler_computes_and_others_go_on(serving, short, stop):
    ticks = anyio.Semaphore(0)

    def compute(worker, args):
        while not stop.is_set():
            pass

    async def tick():
        while True:
            ticks.release()
            await anyio.sleep(0.01)

    async with anyio.create_task_group() as group:
        group.start_soon(tick)
        answer = await serving(compute).call("tool", {})
        with anyio.fail_after(60):
            for _ in range(ticks.value + 1):  # the last of these comes while it still computes
                await ticks.acquire()
        group.cancel_scope.cancel()
    assert answer.structured["code"] == -32003


async def test_a_plain_handler_runs_in_a_thread(serving):
    executor = serving(lambda worker, args: Said(threading.current_thread().name))
    assert (await executor.call("tool", {})).text != threading.current_thread().name


@pytest.mark.parametrize("says", [lambda worker: worker.check(), lambda worker: worker.progress(0)])
async def test_a_loop_that_checks_or_reports_ends_when_its_call_is_late(serving, short, stop, says):
    ended = threading.Event()

    def compute(worker, args):
        try:
            while not stop.is_set():
                says(worker)
        finally:
            ended.set()

    answer = await serving(compute).call("tool", {})
    assert answer.structured["code"] == -32003
    assert await anyio.to_thread.run_sync(ended.wait, SOON)


async def test_a_thread_that_never_ends_leaves_threads_to_other_tools(tool, executor, short, stop):
    stuck, fine = (
        tool(lambda worker, args: stop.wait(), name="stuck"),
        tool(lambda worker, args: Said(), name="fine", duration="slow"),
    )
    both = executor(stuck, fine)
    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(both.call, "stuck", {})
    assert (await both.call("fine", {})).text == "done"


async def test_cancellation_passes_through(serving):
    begun, left, answers = anyio.Event(), [], []

    async def handler(ctx, args):
        begun.set()
        try:
            await anyio.sleep_forever()
        except anyio.get_cancelled_exc_class():
            left.append("cancelled")
            raise

    executor = serving(handler)

    async def ask():
        answers.append(await executor.call("tool", {}))

    async with anyio.create_task_group() as group:
        group.start_soon(ask)
        await begun.wait()
        group.cancel_scope.cancel()
    assert (left, answers, counts(executor)) == (["cancelled"], [], (0, 0, 0))


# Progress


async def collect_reports(serving, handler):
    reports = []

    async def report(*said):
        reports.append(said)

    answer = await serving(handler).call("tool", {}, report)
    assert not answer.is_error, answer.text
    return reports


async def test_fast_progress_is_throttled_and_the_last_report_kept(serving):
    async def handler(ctx, args):
        for done in range(1, 1_001):
            await ctx.progress(done, 1_000, f"step {done}")
        return Said()

    reports = await collect_reports(serving, handler)
    assert len(reports) < 100
    assert (reports[0], reports[-1]) == ((1, 1_000, "step 1"), (1_000, 1_000, "step 1000"))


async def test_a_plain_handler_reports_from_its_thread(serving):
    def handler(worker, args):
        for done in range(1, 1_001):
            worker.progress(done, 1_000)
        return Said()

    reports = await collect_reports(serving, handler)
    assert len(reports) < 100
    assert reports[-1] == (1_000, 1_000, "")


async def test_without_a_listener_progress_goes_nowhere(serving):
    async def handler(ctx, args):
        await ctx.progress(1, 1)
        return Said()

    assert (await serving(handler).call("tool", {})).text == "done"


# Failures


UNKNOWN = [KeyError(TOKEN), RuntimeError(f"token {TOKEN}"), SystemExit(TOKEN), OSError(5, TOKEN)]


@pytest.mark.parametrize("error", UNKNOWN)
@pytest.mark.parametrize("threaded", [False, True])
async def test_an_unknown_exception_is_masked(serving, error, threaded):
    def plain(worker, args):
        raise error

    answer = await serving(plain if threaded else raising(error), error_prefix="Failed: ").call("tool", {})
    assert (answer.structured["code"], answer.is_error) == (-32603, True)
    assert answer.structured["error"] == "Failed: tool failed inside stithy-pond 1.0"
    assert TOKEN[-8:] not in json.dumps(answer.structured) + answer.text


async def test_the_log_has_the_cause_of_what_was_masked(serving, logs):
    await serving(raising(KeyError("the cause"))).call("tool", {})
    record = next(record for record in logs.records if record.levelno == logging.ERROR)
    assert "the cause" in str(record.exc_info[1])
    assert record.getMessage() == "tool failed inside stithy-pond 1.0"


async def test_logs_hold_no_token(serving, capsys):
    from stithy_core.cli.command_support import set_up_logging

    set_up_logging("info")
    for error in (KeyError(TOKEN), NotFound(f"no {TOKEN}")):
        await serving(raising(error), Given).call("tool", {"name": TOKEN, TOKEN: TOKEN})
        await serving(raising(error), Given).call("tool", {"name": TOKEN})
    logged = capsys.readouterr().err
    assert "KeyError" in logged
    assert TOKEN not in logged


async def test_a_known_error_keeps_all_it_says(serving):
    error = RateLimited("too fast", suggestion="Wait.", retry_after=0, details={"status": 429, "message": "slow down"})
    answer = await serving(raising(error)).call("tool", {})
    assert answer.structured == {
        "error": "too fast",
        "code": -32002,
        "category": "api",
        "details": {"status": 429, "message": "slow down"},
        "suggestion": "Wait.",
        "retry_after": 0,
    }
    assert answer.text == "too fast\nWait."


KNOWN = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, StithyError)]


@pytest.mark.parametrize("kind", KNOWN)
async def test_every_error_keeps_its_code_and_category(serving, kind):
    answer = await serving(raising(kind("why"))).call("tool", {})
    assert (answer.structured["code"], answer.structured["category"]) == (kind.code, kind.category)
    assert answer.structured["error"].endswith("why")
    assert set(answer.structured) == {"error", "code", "category"}


async def test_the_prefix_of_a_tool_begins_the_message_of_a_failed_call(serving):
    answer = await serving(raising(NotFound("no such comment")), error_prefix="Failed to read: ").call("tool", {})
    assert answer.text == answer.structured["error"] == "Failed to read: no such comment"


async def test_secrets_are_taken_out_of_every_part_of_an_error(serving):
    details = {"message": TOKEN, "list": [TOKEN, (TOKEN,)], TOKEN: {"a": TOKEN}, "status": 500}
    answer = await serving(raising(Conflict(TOKEN, suggestion=TOKEN, details=details))).call("tool", {})
    assert TOKEN not in json.dumps(answer.structured) + answer.text
    assert answer.structured["details"]["list"] == [MASK, [MASK]]
    assert answer.structured["details"]["status"] == 500


async def test_an_error_of_half_surrogate_pairs_can_be_sent_and_logged(serving, caplog):
    caplog.set_level("INFO", "stithy.tools")
    half = Conflict("\ud83d", suggestion="\ud83d", details={"\ud83d": "\ud83d"})
    answer = await serving(raising(half)).call("tool", {})
    assert json.dumps([answer.structured, answer.text], ensure_ascii=False).encode()
    assert caplog.text.encode()


@pytest.mark.parametrize("result", [None, "text", {"a": 1}, Given()])
async def test_a_result_of_the_wrong_kind_is_an_internal_error(serving, result):
    async def handler(ctx, args):
        return result

    answer = await serving(handler).call("tool", {})
    assert answer.structured["code"] == -32603
    assert type(result).__name__ in answer.structured["error"]


async def test_exceptions_of_render_are_masked(serving):
    @frozen
    class Broken:
        def render(self):
            raise KeyError(TOKEN)

    answer = await serving(lambda worker, args: Broken()).call("tool", {})
    assert answer.structured["error"] == "tool failed inside stithy-pond 1.0"


@pytest.mark.parametrize(
    "group",
    [
        ExceptionGroup("", [NotFound("gone")]),
        ExceptionGroup("", [ExceptionGroup("", [NotFound("gone")])]),
        ExceptionGroup("", [NotFound("gone"), ExceptionGroup("", [Unavailable("down")])]),
    ],
)
async def test_known_errors_are_unwrapped_from_exception_groups(serving, group):
    assert (await serving(raising(group)).call("tool", {})).structured["error"] == "gone"


async def test_a_group_with_an_unknown_exception_is_masked(serving):
    group = ExceptionGroup("", [NotFound("gone"), KeyError(TOKEN)])
    assert (await serving(raising(group)).call("tool", {})).structured["code"] == -32603


async def test_an_error_inside_a_task_group_reaches_the_caller(serving):
    async def handler(ctx, args):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(raising(Unclear("lost")), None, None)
            tasks.start_soon(anyio.sleep_forever)

    assert (await serving(handler).call("tool", {})).structured["error"] == "lost"


# The log line and the counts


def line(logs):
    return [record.getMessage() for record in logs.records if record.levelno == logging.INFO][-1]


async def test_a_call_is_one_line_of_the_log(serving, logs):
    await serving(greet, Given).call("tool", {"name": "a"})
    assert line(logs).startswith("tool {'name': 'a'}: ok in ")
    assert line(logs).endswith(" ms")


async def test_a_failed_call_says_why(serving, logs):
    await serving(raising(NotFound("gone"))).call("tool", None)
    assert line(logs).startswith("tool {}: gone in ")


async def test_errors_are_logged_without_secrets(serving, logs):
    await serving(raising(NotFound(f"no {TOKEN}"))).call("tool", None)
    assert line(logs).startswith(f"tool {{}}: no {MASK} in ")


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("a" * 100, "a" * 100),
        ("a" * 101, "a" * 100 + "… [101 chars]"),
        (["a" * 200], ["a" * 100 + "… [200 chars]"]),
        ({"in": {"b" * 101: "c" * 200}}, {"in": {"b" * 100 + "… [101 chars]": "c" * 100 + "… [200 chars]"}}),
        (f"my {TOKEN}", f"my {MASK}"),
        ([{"a": TOKEN, TOKEN: 1}], [{"a": MASK, MASK: 1}]),
        ("a" * 90 + TOKEN, "a" * 90 + f"{MASK}… [130 chars]"),
        pytest.param(10**5_000, "[a number of 16610 bits]", id="digits"),
        (True, True),
        ("two\nlines", "[9 chars]"),
        ({"body": "hush"}, {"body": "[4 chars]"}),
        ([{"content": "hush", "name": "a"}], [{"content": "[4 chars]", "name": "a"}]),
        ({"text": {"in": "a"}}, {"text": {"in": "a"}}),
    ],
)
async def test_arguments_are_logged_short_and_without_secrets_or_what_people_wrote(serving, logs, given, shown):
    await serving(greet, Given).call("tool", {"x": given})
    assert line(logs).startswith(f"tool { ({'x': shown}) }: ")


async def test_the_line_is_not_written_for_nobody(serving, logs):
    logs.set_level(logging.WARNING, logger="stithy.tools")
    await serving(greet, Given).call("tool", {})
    assert not logs.records


async def test_every_call_that_ended_is_counted(serving):
    executor = serving(greet, Given)
    for arguments in ({}, {"name": "a"}, {"limit": 0}):
        await executor.call("tool", arguments)
    assert counts(executor) == (3, 1, 0)


async def test_an_unknown_tool_is_not_counted(serving):
    executor = serving(greet)
    with pytest.raises(ToolNotFound):
        await executor.call("other", {})
    assert executor.statistics.as_dict()["invocations"] == 0


# Cursors


@frozen
class Asked:
    letters: str
    cursor: CursorArg = None


@frozen
class Letters:
    letters: Page[str]

    def render(self):
        return list(self.letters)


async def letters(ctx, args):
    return Letters(Page(list(args.letters), key=str, limit=2))


async def test_a_cursor_goes_on_where_the_page_ended(serving):
    executor = serving(letters, Asked)
    first = await executor.call("tool", {"letters": "abc"})
    second = await executor.call("tool", {"letters": "abc", "cursor": first.structured["nextCursor"]})
    assert (first.structured["letters"], second.structured) == (["a", "b"], {"letters": ["c"]})


async def test_a_null_cursor_returns_the_first_page(serving):
    answer = await serving(letters, Asked).call("tool", {"letters": "abc", "cursor": None})
    assert answer.structured["letters"] == ["a", "b"]


async def test_a_cursor_of_other_arguments_is_an_invalid_request(serving):
    executor = serving(letters, Asked)
    first = await executor.call("tool", {"letters": "abc"})
    answer = await executor.call("tool", {"letters": "abcd", "cursor": first.structured["nextCursor"]})
    assert answer.structured["error"] == "Invalid request: cursor does not belong to this call"


async def test_a_cursor_that_the_tool_does_not_take_is_an_invalid_request(serving):
    answer = await serving(greet, Given).call("tool", {"cursor": "x"})
    assert "cursor is not an argument" in answer.structured["error"]

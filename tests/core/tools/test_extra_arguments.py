"""Arguments that a tool does not have: what a host adds is dropped and listed, a caller's mistake is an error."""

import pytest
from attrs import frozen

from stithy_core.spi import CursorArg, Effects, Page
from stithy_core.tools.validation import find_nearest

pytestmark = pytest.mark.anyio


@frozen
class Question:
    pr: str = "o/r#1"
    wait: bool = False
    limit: int = 15


@frozen
class Message:
    body: str = "Hello"


@frozen
class Filter:
    author: str = ""


@frozen
class Done:
    said: str

    def render(self):
        yield self.said


@frozen
class Letters:
    cursor: CursorArg = None


@frozen
class Listed:
    letters: Page[str]

    def render(self):
        yield from self.letters


async def letters(ctx, args) -> Listed:
    return Listed(Page([f"letter {number}" for number in range(100)], key=lambda row: row))


async def read(ctx, args) -> Done:
    return Done("read")


async def write(ctx, args) -> Done:
    return Done("written")


@pytest.fixture
def server(executor, tool):
    return executor(
        tool(read, Question, name="read"),
        tool(read, Filter, name="by_author"),
        tool(write, Message, name="write", effects=Effects.ADD),
    )


@pytest.mark.parametrize("name", ["read", "write"])
@pytest.mark.parametrize("added", ["wait_for_previous", "waitForPreviousTools", "tool_call_id"])
async def test_an_argument_that_orders_calls_is_dropped_and_listed(server, name, added):
    """Gemini CLI adds `wait_for_previous` to every schema (FIX-35)."""
    answer = await server.call(name, {added: True})
    assert not answer.is_error
    assert answer.structured["ignored_arguments"] == [added]
    assert f"Ignored, since the tool has no such argument: {added}" in answer.text


async def test_a_reading_tool_drops_what_resembles_nothing(server):
    """Whatever another host adds is dropped likewise (FIX-35)."""
    answer = await server.call("read", {"explanation": "to see it", "security_risk": "low"})
    assert (answer.structured["said"], answer.structured["ignored_arguments"]) == (
        "read",
        ["explanation", "security_risk"],
    )


@pytest.mark.parametrize(
    ("name", "given", "meant"),
    [
        ("read", "limt", "limit"),
        ("read", "pr_number", "pr"),
        ("read", "lim", "limit"),
        ("write", "dryrun", "dry_run"),
        ("write", "dryRun", "dry_run"),
        ("write", "dry-run", "dry_run"),
        ("write", "is_dry_run", "dry_run"),
        ("write", "DRY_RUN", "dry_run"),
        ("write", "comment_body", "body"),
    ],
)
async def test_a_misspelt_argument_stays_an_error(server, name, given, meant):
    """An unknown argument near a real name is an error that suggests it (FIX-35)."""
    answer = await server.call(name, {given: True})
    assert answer.structured["code"] == -32602
    assert f"{given} is not an argument; did you mean {meant}?" in answer.text


@pytest.mark.parametrize("given", ["preview", "simulate", "only_if_open", "draft", "wait", "confirm_before_send"])
async def test_a_writing_tool_drops_nothing_that_could_restrict_the_write(server, given):
    """A dropped argument never changes what a write means (FIX-35)."""
    answer = await server.call("write", {given: True})
    assert answer.structured["code"] == -32602


@pytest.mark.parametrize("given", ["author", "cursor", "workflow_handle", "dry_run"])
async def test_an_argument_of_another_tool_stays_an_error(server, given):
    """A filter that this tool does not have is not lost silently (FIX-35)."""
    answer = await server.call("read", {given: "bob"})
    assert f"{given} is not an argument" in answer.text


async def test_a_cursor_belongs_to_the_call_without_what_was_dropped(serving):
    """A host that adds its argument to one call of a list and not to the next gets the next page (FIX-35)."""
    server = serving(letters, Letters, budget=600)
    first = await server.call("tool", {"wait_for_previous": True})
    second = await server.call("tool", {"cursor": first.structured["nextCursor"]})
    assert second.structured["letters"][0] != first.structured["letters"][0]


async def test_an_error_lists_what_was_dropped(server):
    """Errors have `ignored_arguments`, too (FIX-35)."""
    answer = await server.call("read", {"explanation": "x", "limit": "many"})
    assert answer.is_error
    assert answer.structured["ignored_arguments"] == ["explanation"]


async def test_many_and_long_names_are_listed_shortened(server):
    """What a hostile caller adds stays within a bound (FIX-35)."""
    answer = await server.call("read", {f"{number}{'x' * 5_000}": 1 for number in range(100)})
    listed = answer.structured["ignored_arguments"]
    assert len(listed) <= 5
    assert all(len(name) < 150 for name in listed)


@pytest.mark.parametrize("name", ["", "_", "ö", "x" * 10_000, "\x00", "-"])
def test_a_name_without_words_resembles_nothing(name):
    """Names that no schema has are compared safely (FIX-35)."""
    assert find_nearest(name, ["pr", "limit"]) is None

"""What the user prefers: an explicit argument counts more, a default counts less, and over HTTP nobody prefers."""

import json
from typing import Annotated, Literal

import attrs
import pytest
from attrs import frozen
from jsonschema import Draft202012Validator
from mcp import Client
from over_http import over_http

from stithy_core.builtin.preference_file import PreferenceFile
from stithy_core.errors import InvalidSpec
from stithy_core.spi import BYTE_BUDGET, Conflict, CursorArg, Meta, Page, ToolSpec
from stithy_core.spi.tools import json_bytes
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio


def preferable(text):
    return Meta(text, preferable=True)


@frozen
class FailingTests:
    """PULL-10."""

    pr: str
    wait: Annotated[bool, preferable("Wait for CI completion")] = False
    bail_on_first: Annotated[bool, preferable("Stop at the first failure when waiting.")] = True


@frozen
class UnresolvedComments:
    """PULL-20."""

    pr: str
    include_bots: Annotated[bool, preferable("Include bot comments")] = True
    sort: Annotated[Literal["chronological", "by_file", "by_author"], preferable("")] = "chronological"
    cursor: CursorArg = None


@frozen
class StackedPrs:
    """PULL-30."""

    pr: str
    auto_fix: Annotated[bool, preferable("Auto-fix test failures")] = True
    max_iterations: int = 3
    use_onto: Annotated[bool | None, preferable("Use --onto for rebase")] = None


@frozen
class Newest:
    """A plugin of somebody else, whose `sort` takes other values, and with a mark of its own."""

    sort: Annotated[Literal["newest", "oldest"], preferable("Which first")] = "newest"
    colour: Annotated[str, Meta("Of the mark", max_length=5, preferable=True, name="ink")] = "red"


@frozen
class Seen:
    pr: str
    arguments: dict[str, object]

    def render(self):
        yield json.dumps(self.arguments)


async def see(ctx, args) -> Seen:
    if getattr(args, "pr", "") == "conflict":
        raise Conflict("it cannot be", suggestion="Do not.")
    return Seen("", {name: value for name, value in attrs.asdict(args).items() if value is not None})


@frozen
class Sorted:
    rows: Page[str]

    def render(self):
        yield from self.rows


async def listing(ctx, args) -> Sorted:
    rows = [f"{args.sort}-{number}" for number in range(50)]
    return Sorted(Page(rows, key=lambda row: row))


TOOLS = [
    ToolSpec(name=name, title="T", description="D", input=cls, handler=handler, budget=budget)
    for name, cls, handler, budget in [
        ("get_failing_tests", FailingTests, see, BYTE_BUDGET),
        ("find_unresolved_comments", UnresolvedComments, see, BYTE_BUDGET),
        ("manage_stacked_prs", StackedPrs, see, BYTE_BUDGET),
        ("list_comments", UnresolvedComments, listing, 600),
        ("newest", Newest, see, BYTE_BUDGET),
    ]
]


@frozen
class Case:
    """A preference: its name, its tool, the default, what is preferred, and what else may be given."""

    name: str
    tool: str
    default: object
    preferred: object
    explicit: object

    def call(self, **arguments):
        return self.tool, arguments if self.tool == "newest" else {"pr": "o/r#1"} | arguments

    def read_argument(self, result):
        return result.structured_content["arguments"].get("colour" if self.name == "ink" else self.name)


CASES = [
    Case("wait", "get_failing_tests", default=False, preferred=True, explicit=False),
    Case("bail_on_first", "get_failing_tests", default=True, preferred=False, explicit=True),
    Case("include_bots", "find_unresolved_comments", default=True, preferred=False, explicit=True),
    Case("sort", "find_unresolved_comments", default="chronological", preferred="by_file", explicit="by_author"),
    Case("auto_fix", "manage_stacked_prs", default=True, preferred=False, explicit=True),
    Case("use_onto", "manage_stacked_prs", default=None, preferred=True, explicit=False),
    Case("ink", "newest", default="red", preferred="blue", explicit="green"),
]


@pytest.fixture(params=CASES, ids=lambda case: case.name)
def case(request):
    return request.param


@pytest.fixture
def app(tmp_path, plugin):
    """A server with those tools, and what its user prefers: `app(wait=True)`."""
    return lambda **preferences: make_app(
        tmp_path, entries=[plugin("stithy-pulls", stithy_tools=TOOLS)], preferences=preferences
    )


async def call_tool(app, tool, arguments, mode="auto"):
    async with connect(app, mode=mode) as client:
        return await client.call_tool(tool, arguments)


def read_argument(result, name):
    return result.structured_content["arguments"].get(name)


# --- Each of them


async def test_a_stored_preference_counts(app, mode, case):
    result = await call_tool(app(**{case.name: case.preferred}), *case.call(), mode)
    assert case.read_argument(result) == case.preferred
    assert result.structured_content["applied_preferences"] == {case.name: case.preferred}
    assert result.content[0].text.endswith(f"\nPreferred by the user: {case.name}={json.dumps(case.preferred)}")


async def test_an_explicit_argument_counts_more(app, case):
    result = await call_tool(app(**{case.name: case.preferred}), *case.call(**{case.name: case.explicit}))
    assert case.read_argument(result) == case.explicit
    assert "applied_preferences" not in result.structured_content


async def test_without_a_preference_the_default_counts(app, case):
    result = await call_tool(app(), *case.call())
    assert case.read_argument(result) == case.default
    assert "applied_preferences" not in result.structured_content


async def test_over_http_nobody_prefers(app, mode):
    async with over_http(app(**{case.name: case.preferred for case in CASES})) as url, Client(url, mode=mode) as client:
        results = [(case, await client.call_tool(*case.call())) for case in CASES]
    for case, result in results:
        assert case.read_argument(result) == case.default
        assert "applied_preferences" not in result.structured_content


async def test_the_schema_says_that_it_is_preferable(app, case):
    async with connect(app()) as client:
        listed = next(one for one in (await client.list_tools()).tools if one.name == case.tool)
        told = client.instructions
    described = {key: one.get("description", "") for key, one in listed.input_schema["properties"].items()}
    assert "Preferable." in described[case.name]
    assert "Preferable" not in described.get("pr", "")
    assert "Leave out preferable arguments that nobody asked for" in told


# --- Which, and when


async def test_null_is_no_explicit_argument(app):
    result = await call_tool(app(wait=True), "get_failing_tests", {"pr": "o/r#1", "wait": None})
    assert read_argument(result, "wait") is True


async def test_several_are_applied_at_once_and_only_where_they_were_left_out(app):
    stored = app(wait=True, bail_on_first=False, include_bots=False)
    result = await call_tool(stored, "get_failing_tests", {"pr": "o/r#1", "wait": False})
    assert result.structured_content["applied_preferences"] == {"bail_on_first": False}


async def test_unmarked_arguments_cannot_be_preferred(app):
    result = await call_tool(app(max_iterations=9, pr="x/y#2"), "manage_stacked_prs", {"pr": "o/r#1"})
    assert read_argument(result, "max_iterations") == 3


async def test_a_preference_is_for_the_tools_that_it_fits(app):
    """Two plugins may mean different things by one name."""
    stored = app(sort="oldest")
    assert read_argument(await call_tool(stored, "newest", {}), "sort") == "oldest"
    assert (
        read_argument(await call_tool(stored, "find_unresolved_comments", {"pr": "o/r#1"}), "sort") == "chronological"
    )


@pytest.mark.parametrize("value", ["yes", 1, None, []])
async def test_a_value_that_fits_no_more_is_not_applied(app, value):
    assert read_argument(await call_tool(app(wait=value), "get_failing_tests", {"pr": "o/r#1"}), "wait") is False


async def test_a_number_that_is_none_is_not_applied(app, tmp_path):
    made = app()
    (tmp_path / "preferences.json").write_text('{"wait": 1e400}')
    assert read_argument(await call_tool(made, "get_failing_tests", {"pr": "o/r#1"}), "wait") is False


async def test_a_change_counts_from_the_next_call_on(app, tmp_path):
    async with connect(app()) as client:
        before = await client.call_tool("get_failing_tests", {"pr": "o/r#1"})
        PreferenceFile(tmp_path / "preferences.json").store("wait", value=True)
        after = await client.call_tool("get_failing_tests", {"pr": "o/r#1"})
    assert (read_argument(before, "wait"), read_argument(after, "wait")) == (False, True)


async def test_an_error_says_what_was_preferred_too(app):
    result = await call_tool(app(wait=True), "get_failing_tests", {"pr": "conflict"})
    assert result.is_error
    assert result.structured_content["applied_preferences"] == {"wait": True}


async def test_pages_go_on_with_the_same_preference(app):
    """A cursor belongs to what the page was made with, given or preferred."""
    async with connect(app(sort="by_file")) as client:
        first = await client.call_tool("list_comments", {"pr": "o/r#1"})
        rest = {"pr": "o/r#1", "cursor": first.structured_content["nextCursor"]}
        second = await client.call_tool("list_comments", rest)
    shown = len(first.structured_content["rows"])
    assert second.structured_content["rows"][0] == f"by_file-{shown}"


async def test_answers_with_preferences_keep_the_budget(tmp_path, plugin):
    budgets = {f"list_{budget}": budget for budget in range(600, 640, 2)}
    tools = [
        ToolSpec(name=name, title="T", description="D", input=UnresolvedComments, handler=listing, budget=budget)
        for name, budget in budgets.items()
    ]
    made = make_app(tmp_path, entries=[plugin("stithy-lists", stithy_tools=tools)], preferences={"sort": "by_file"})
    async with connect(made) as client:
        for name, budget in budgets.items():
            result = await client.call_tool(name, {"pr": "o/r#1"})
            assert "by_file" in result.structured_content["applied_preferences"]["sort"]
            assert json_bytes(result.structured_content) + json_bytes(result.content[0].text) <= budget


async def test_values_that_json_cannot_carry_are_replaced(app, tmp_path):
    made = app()
    (tmp_path / "preferences.json").write_text(r'{"ink": "\ud800\u202e"}')
    result = await call_tool(made, "newest", {})
    assert result.structured_content["applied_preferences"] == {"ink": "?"}


async def test_the_result_schema_allows_them(app):
    made = app(wait=True)
    result = await call_tool(made, "get_failing_tests", {"pr": "o/r#1"})
    output = made.executor.registry.get("get_failing_tests").output
    assert not list(Draft202012Validator(output).iter_errors(result.structured_content))


# --- A broken file


@pytest.fixture
def broken(app, tmp_path):
    made = app()
    (tmp_path / "preferences.json").write_text("{")
    return made


async def test_a_broken_file_is_an_error_that_names_it(broken, tmp_path):
    """A default in the place of what the user wants would be a guess."""
    result = await call_tool(broken, "manage_stacked_prs", {"pr": "o/r#1"})
    assert result.is_error
    assert str(tmp_path / "preferences.json") in result.content[0].text
    assert result.structured_content["category"] == "user"


async def test_explicit_arguments_ignore_a_broken_preference_file(broken):
    result = await call_tool(broken, "get_failing_tests", {"pr": "o/r#1", "wait": True, "bail_on_first": False})
    assert not result.is_error


async def test_tools_without_preferences_do_not_meet_it(broken):
    assert not (await call_tool(broken, "list_plugins", {})).is_error


# --- Marks that cannot be


@frozen
class Required:
    pr: Annotated[str, preferable("The pull request")]


@frozen
class Inner:
    depth: Annotated[int, preferable("How deep")] = 1


@frozen
class Outer:
    inner: Inner | None = None


@pytest.mark.parametrize(("cls", "cause"), [(Required, "has no default"), (Outer, "inside another argument")])
def test_a_mark_that_nobody_could_use_is_no_valid_tool(tool, cls, cause):
    with pytest.raises(InvalidSpec, match=f"it is preferable, but .*{cause}"):
        tool(see, cls)
